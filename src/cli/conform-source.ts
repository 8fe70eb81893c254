/** What `conform` is to test: a target of ours, or what a module gives. */
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { openTarget } from "../config/registry.js";
import type { OpenOperations } from "../conformance/index.js";
import { UsageError } from "./usage-error.js";

export interface ConformSource {
  /** For reports. */
  readonly name: string;
  /** Gives a fresh backend at each call. */
  readonly open: OpenOperations;
}

/** @throws UsageError or TargetError, before anything runs */
export async function findSource(
  target: string | undefined,
  moduleFile: string | undefined,
): Promise<ConformSource> {
  if (moduleFile === undefined) return targetSource(target ?? "local");
  if (target !== undefined) throw new UsageError("give a target or --module FILE, not both");
  return moduleSource(moduleFile);
}

async function targetSource(target: string): Promise<ConformSource> {
  // Opening runs nothing: a mistyped target is told before the first case.
  await (await openTarget(target)).close();
  return { name: target, open: () => openTarget(target) };
}

async function moduleSource(file: string): Promise<ConformSource> {
  const path = resolve(file);
  if (!existsSync(path)) throw new UsageError(`--module ${file}: there is no such file`);
  const { default: create } = await load(path, file);
  if (typeof create !== "function") {
    throw new UsageError(
      `--module ${file}: its default export must be a function that gives operations, got ${typeof create}`,
    );
  }
  return {
    name: file,
    open: async () => {
      const operations = await create();
      if (typeof operations?.exec === "function") return operations;
      throw new TypeError(`--module ${file}: what its default export gives has no method exec`);
    },
  };
}

async function load(path: string, file: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const hint =
      (error as NodeJS.ErrnoException | undefined)?.code === "ERR_UNKNOWN_FILE_EXTENSION" &&
      /\.[cm]?ts$/.test(path)
        ? "; this version of Node reads no TypeScript: compile it, or use Node 22.18 or later"
        : "";
    throw new UsageError(`--module ${file}: it cannot be loaded: ${message}${hint}`);
  }
}
