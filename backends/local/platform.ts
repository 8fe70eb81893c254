/** Facts about a machine that the search for a shell goes by. */
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join, win32 } from "node:path";
import { BackendError } from "../../src/backend/index.js";

/** What the search looks at; injected in tests, for platforms that are not here. */
export interface PlatformFacts {
  readonly platform: NodeJS.Platform;
  readonly env: NodeJS.ProcessEnv;
  readonly home: string;
  /** What is at a path: a file that may be executed, another file, a directory, or nothing. */
  kindOf(path: string): "executable" | "file" | "directory" | "nothing";
}

/** A shell that was found. */
export interface ShellChoice {
  readonly path: string;
  /** Legacy WSL passes no long or quoted argument on: commands for it must travel on its standard input. */
  readonly needsStdin: boolean;
}

/** This machine. */
export const HERE: PlatformFacts = {
  platform: process.platform,
  env: process.env,
  home: homedir(),
  kindOf(path) {
    try {
      if (statSync(path).isDirectory()) return "directory";
      accessSync(path, constants.X_OK);
      return "executable";
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === "EACCES" ? "file" : "nothing";
    }
  },
};

/** The places that PATH names for a program, in its order. Relative entries are not trusted. */
export function onPath(program: string, { env }: PlatformFacts, separator: string = delimiter): string[] {
  const folders = (env.PATH ?? env.Path ?? "").split(separator);
  const isAbsolute = (folder: string) => folder.startsWith("/") || /^[A-Za-z]:[\\/]/.test(folder);
  return folders.filter(isAbsolute).map((folder) => join(folder, program));
}

export function noShell(message: string): BackendError {
  return new BackendError("local", "NO_SHELL", message);
}

export function windowsSystemFolder(env: NodeJS.ProcessEnv): string {
  return win32.join(env.SystemRoot ?? env.SYSTEMROOT ?? "C:\\Windows", "System32");
}
