/**
 * One class for all that goes wrong on the way to a target. A command that ran is a value, never an error of ours:
 * only a stop that was asked for (`ABORTED`, `TIMEOUT`, `CLOSED`) and a failed road are.
 */

export type BackendErrorCode =
  /** The caller's signal was aborted. The message is exactly `aborted`. */
  | "ABORTED"
  /** The time limit was reached. The message is exactly `timeout:<seconds>`. */
  | "TIMEOUT"
  /** The backend was closed, before or during the exec. */
  | "CLOSED"
  /** The working directory does not exist. */
  | "CWD_MISSING"
  /** The working directory is not a directory, or may not be entered. */
  | "CWD_INVALID"
  /** The target has no shell that could run the command. */
  | "NO_SHELL"
  /** The process could not be started: too many processes, too many open files, too large an environment. */
  | "SPAWN_FAILED"
  /** No connection to the target could be opened. */
  | "CONNECT_FAILED"
  /** The target refused the credentials. */
  | "AUTH_FAILED"
  /** The target's host key is unknown, or another than the known one. */
  | "HOST_KEY"
  /** The account on the target cannot run commands (expired, no shell, a forced command). */
  | "ACCOUNT"
  /** The connection broke while the command ran: its outcome is unknown. */
  | "CONNECTION_LOST"
  /** The target went away while the command ran: a removed container, a machine that was shut down. */
  | "TARGET_GONE"
  /** The command has ended, and nobody can tell how. */
  | "EXIT_UNKNOWN"
  /** The peer said something that is not in the protocol. */
  | "PROTOCOL";

/** What stopping a process tree came to. */
export interface KillReport {
  /** Process ids, on the target, of all that was told to end. */
  readonly killed: number[];
  /** Whether all of it was seen dead. Where it was not, the target itself kills it as soon as it can know. */
  readonly killConfirmed: boolean;
}

export interface BackendErrorOptions extends Partial<KillReport> {
  readonly cause?: unknown;
}

export class BackendError extends Error {
  override readonly name = "BackendError";
  readonly backendName: string;
  readonly code: BackendErrorCode;
  /** On errors that stopped a running command (`ABORTED`, `TIMEOUT`, `CLOSED`). */
  readonly killed?: number[];
  /** On errors that stopped a running command (`ABORTED`, `TIMEOUT`, `CLOSED`). */
  readonly killConfirmed?: boolean;

  /**
   * @param backendName which backend failed: `local`, `ssh`…
   * @param message for people: who, what, with which value, and what to do; never a secret, never output
   */
  constructor(
    backendName: string,
    code: BackendErrorCode,
    message: string,
    { cause, killed, killConfirmed }: BackendErrorOptions = {},
  ) {
    super(message, cause === undefined ? undefined : { cause });
    this.backendName = backendName;
    this.code = code;
    if (killed !== undefined) this.killed = killed;
    if (killConfirmed !== undefined) this.killConfirmed = killConfirmed;
  }
}

/** Nothing had been started, so nothing had to be killed. */
export const NOTHING_TO_KILL: KillReport = { killed: [], killConfirmed: true };

/** The message is data: hosts recognise an abort by it. */
export function abortedError(backendName: string, report: KillReport): BackendError {
  return new BackendError(backendName, "ABORTED", "aborted", report);
}

/** The message is data: hosts recognise a timeout by it and read the seconds from it. */
export function timeoutError(backendName: string, seconds: number, report: KillReport): BackendError {
  return new BackendError(backendName, "TIMEOUT", `timeout:${seconds}`, report);
}

export function closedError(backendName: string, report: KillReport): BackendError {
  return new BackendError(backendName, "CLOSED", `the ${backendName} backend is closed`, report);
}
