import type { DrainLimits } from "../../src/backend/index.js";

/** How the command reaches the shell. */
export type CommandTransport = "arg" | "stdin";

export interface LocalBashOptions {
  /** The shell to run commands with; `~/` is the home directory. Left out: /bin/bash, else bash on PATH, else sh. */
  readonly shellPath?: string;
  /**
   * `arg`: as an argument, for commands up to 128 KiB (longer ones travel as with `stdin` by themselves).
   * `stdin`: on a pipe, so that other users of this machine cannot read it in the list of processes; about 1.7
   * times the cost of a short command. The command's own standard input is at its end in both.
   */
  readonly commandTransport?: CommandTransport;
  /** How long a process may outlive SIGTERM before SIGKILL. Left out: 500. */
  readonly killGraceMs?: number;
  /** How long background processes that hold the output are waited for. Left out: 100 ms of silence, 5 s in all. */
  readonly drain?: Partial<DrainLimits>;
}

/** @throws TypeError that names the option */
export function checkOptions(options: LocalBashOptions): void {
  const { shellPath, commandTransport } = options;
  if (shellPath !== undefined && (typeof shellPath !== "string" || shellPath === "")) {
    throw new TypeError("shellPath must be the path of a shell");
  }
  if (commandTransport !== undefined && commandTransport !== "arg" && commandTransport !== "stdin") {
    throw new TypeError(`commandTransport must be "arg" or "stdin", got ${JSON.stringify(commandTransport)}`);
  }
}
