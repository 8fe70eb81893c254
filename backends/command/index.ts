/** The door `bash-backends/command`: any program whose standard streams lead to a POSIX shell. */
import {
  type BashBackend,
  createShellPipeBackend,
  type DrainLimits,
  type EnvOptions,
} from "../../src/backend/index.js";
import { CommandOpener } from "./opener.js";

export interface CommandBashOptions {
  /**
   * The program and its arguments: `["kubectl", "exec", "-i", "pod", "--", "sh"]`, `["sudo", "-n", "-u", "ci", "sh"]`.
   * It must hand its standard input, output and error on to a POSIX shell, without a terminal.
   */
  readonly argv: readonly string[];
  /** What of the host's environment travels. */
  readonly env?: EnvOptions;
  /** How many shells wait for a command. Left out: 1. */
  readonly warm?: number;
  /** How long a process may outlive SIGTERM before SIGKILL. Left out: 500. */
  readonly killGraceMs?: number;
  readonly drain?: Partial<DrainLimits>;
  /** How long starting the program and its shell may take. Left out: 15,000. */
  readonly startTimeoutMs?: number;
  /** How often the target is told that the host is there. Left out: 5000. */
  readonly heartbeatMs?: number;
  /** Silence after which the target kills the command. Left out: 30,000. */
  readonly silenceLimitMs?: number;
}

/**
 * Runs commands in the shell that a program leads to.
 *
 * @throws TypeError for options that are none
 */
export function createCommandBashOperations(options: CommandBashOptions): BashBackend {
  const { argv, ...rest } = options;
  if (!Array.isArray(argv) || argv.length === 0 || argv.some((word) => typeof word !== "string")) {
    throw new TypeError("argv must be a list of strings: the program, then its arguments");
  }
  return createShellPipeBackend({ name: "command", opener: new CommandOpener(argv), ...rest });
}
