/** Finds the shell that runs the commands. */
import { spawn } from "node:child_process";
import { join } from "node:path";
import { HERE, noShell, onPath, type PlatformFacts, type ShellChoice } from "./platform.js";
import { findWindowsShell } from "./windows-shell.js";

/** A shell that was found and asked for its version. */
export interface LocalShell extends ShellChoice {
  /** `BASH_VERSION`; `undefined` for another shell. */
  readonly version: string | undefined;
}

/** @throws BackendError with code `NO_SHELL` that says where was looked */
export function findShell(shellPath: string | undefined, facts: PlatformFacts = HERE): ShellChoice {
  if (shellPath !== undefined) return { path: checkCustomShell(shellPath, facts), needsStdin: false };
  if (facts.platform === "win32") return findWindowsShell(facts);
  const candidates = ["/bin/bash", ...onPath("bash", facts), "/bin/sh", ...onPath("sh", facts)];
  const path = candidates.find((candidate) => facts.kindOf(candidate) === "executable");
  if (path === undefined) throw noShell(`no bash and no sh: looked at ${candidates.join(", ")}`);
  return { path, needsStdin: false };
}

/**
 * Asks a shell for its version. A shell that does not answer within 5 s is taken for one that is no bash: it may
 * still run commands.
 */
export function askVersion(choice: ShellChoice): Promise<LocalShell> {
  return new Promise((resolve) => {
    // Without an environment no BASH_ENV is read, and with /dev/null as input no startup file (bash reads
    // ~/.bashrc when its input is a socket, as Node's pipes are).
    const child = spawn(choice.path, ["-c", 'echo "$BASH_VERSION"'], {
      env: {},
      stdio: ["ignore", "pipe", "ignore"],
      timeout: 5000,
      windowsHide: true,
    });
    let answer = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      answer += text;
    });
    // A shell that cannot be started is told by the command that needs it, with the reason.
    child.on("error", () => resolve({ ...choice, version: undefined }));
    child.on("close", () => resolve({ ...choice, version: answer.trim() || undefined }));
  });
}

function checkCustomShell(shellPath: string, facts: PlatformFacts): string {
  const path = shellPath.startsWith("~/") ? join(facts.home, shellPath.slice(2)) : shellPath;
  if (/(^|[\\/])(powershell|pwsh)(\.exe)?$/i.test(path)) {
    throw noShell(
      `PowerShell is not supported: ${shellPath}. Name a bash, or leave shellPath out to have one found`,
    );
  }
  switch (facts.kindOf(path)) {
    case "executable":
      return path;
    case "directory":
      throw noShell(`Custom shell path is a directory: ${shellPath}`);
    case "file":
      throw noShell(`Custom shell path may not be executed: ${shellPath}`);
    case "nothing":
      throw noShell(`Custom shell path not found: ${shellPath}`);
  }
}
