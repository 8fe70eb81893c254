// The pi coding agent as a contender: installed from npm into a folder of its own, outside this project.
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const PI_VERSION = "1.6.0";
const PACKAGE = "@earendil-works/pi-coding-agent";

/** The folder of the installed package. `PI_DIR` names a folder to install into, or one that has it. */
export function piFolder(log) {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major < 22 || (major === 22 && minor < 19)) {
    throw new Error(`pi ${PI_VERSION} needs Node 22.19, this is ${process.versions.node}`);
  }
  const prefix = process.env.PI_DIR ?? join(tmpdir(), `bash-backends-pi-${PI_VERSION}`);
  const folder = join(prefix, "node_modules", PACKAGE);
  if (!existsSync(folder)) {
    log(`installing ${PACKAGE}@${PI_VERSION} into ${prefix}…`);
    execFileSync(
      "npm",
      [
        "install",
        "--no-save",
        "--ignore-scripts",
        "--loglevel=error",
        "--prefix",
        prefix,
        `${PACKAGE}@${PI_VERSION}`,
      ],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
  }
  return folder;
}

/** Everything that its main door exports. */
export async function loadPi(log) {
  return import(pathToFileURL(join(piFolder(log), "dist", "index.js")).href);
}
