/** Finds out what a failed start was about: fork, chdir and exec tell by one and the same errno. */
import { constants } from "node:fs";
import { access, stat } from "node:fs/promises";
import { BackendError, type BackendErrorCode } from "../../src/backend/index.js";

/**
 * Looking at the directory before each start would cost every command and prove nothing: it may go away in between.
 *
 * @param cause what `launch` threw
 */
export async function explainLaunchError(
  cause: unknown,
  shellPath: string,
  cwd: string,
): Promise<BackendError> {
  const { code } = cause as NodeJS.ErrnoException;
  const wrongCwd = await explainCwd(cwd);
  if (wrongCwd !== undefined) return failure(...wrongCwd, cause);
  if (code === "ENOENT" || code === "EACCES") {
    return failure("NO_SHELL", `the shell ${shellPath} cannot be started: ${code}`, cause);
  }
  return explainStartError(cause);
}

/** For what fails before there is a process, and has nothing to do with the directory or the shell. */
export function explainStartError(cause: unknown): BackendError {
  if (cause instanceof BackendError) return cause;
  const { code = "unknown" } = cause as NodeJS.ErrnoException;
  return failure("SPAWN_FAILED", `the command could not be started: ${REASONS[code] ?? code}`, cause);
}

/** Whether the command and the environment were too large together (execve(2)). */
export function isTooLarge(error: unknown): boolean {
  return (
    error instanceof BackendError && (error.cause as NodeJS.ErrnoException | undefined)?.code === "E2BIG"
  );
}

const REASONS: Readonly<Record<string, string>> = {
  E2BIG: "its environment is too large (E2BIG): pass fewer or shorter variables",
  EAGAIN: "the limit of processes is reached (EAGAIN): see ulimit -u and the container's pids limit",
  EMFILE: "this process has too many open files (EMFILE): see ulimit -n",
  ENFILE: "the machine has too many open files (ENFILE)",
  ENOMEM: "the machine is out of memory (ENOMEM)",
};

async function explainCwd(cwd: string): Promise<[BackendErrorCode, string] | undefined> {
  try {
    const found = await stat(cwd);
    if (!found.isDirectory()) return ["CWD_INVALID", `Working directory is not a directory: ${cwd}`];
    await access(cwd, constants.X_OK);
    return undefined;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT") return ["CWD_MISSING", `Working directory does not exist: ${cwd}`];
    if (code === "ENOTDIR") return ["CWD_INVALID", `Working directory is below a file: ${cwd}`];
    if (code === "EACCES") return ["CWD_INVALID", `Working directory may not be entered: ${cwd}`];
    return ["CWD_INVALID", `Working directory cannot be used (${code}): ${cwd}`];
  }
}

function failure(code: BackendErrorCode, message: string, cause: unknown): BackendError {
  // Node puts the arguments into the error, and so the command into whatever log the error ends up in.
  if (cause instanceof Error) delete (cause as Error & { spawnargs?: unknown }).spawnargs;
  return new BackendError("local", code, message, { cause });
}
