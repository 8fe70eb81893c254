/**
 * What the engine drives: a road starts one process for each job and tells what becomes of it. The engine alone
 * decides about time limits, aborts, draining and settling.
 */
import type { Capabilities } from "./contract.js";
import type { KillReport } from "./errors.js";

/** A way to a target. Everything that is the same on every target lives in the engine instead. */
export interface Road {
  /** For messages: `local`, `ssh`… */
  readonly name: string;
  /** Read anew at each access of `backend.capabilities`. */
  readonly capabilities: Capabilities;
  /**
   * Starts one command.
   *
   * @throws BackendError (or a rejection with one) when nothing could be started; then nothing may be left running
   */
  start(job: Job): TargetProcess | Promise<TargetProcess>;
  /** Ends what the road holds open. Called once, after the last process has ended. */
  close?(): Promise<void>;
}

/** One command to be run, checked and complete. */
export interface Job {
  readonly command: string;
  readonly cwd: string;
  /** Checked: no NUL, no undefined. `undefined`: the caller said nothing. */
  readonly env: Readonly<Record<string, string>> | undefined;
  /** The value of the variable `MARKER_VARIABLE`, to be set in the command's environment. */
  readonly marker: string;
  /** Aborted when nobody waits for this start any more. A process that is started all the same gets killed. */
  readonly cancelled: AbortSignal;
  /** Takes the output as it comes. Never throws; after the end of the exec it drops what it gets. */
  deliver(chunk: Buffer): void;
}

/** One process on the target, with all that it starts. */
export interface TargetProcess {
  /**
   * Resolves with the exit code, 0–255, 128+n for signal n, when the shell has exited. Rejects with a BackendError
   * when nobody can know it any more.
   */
  readonly exited: Promise<number>;
  /** Resolves when no writer is left and all that was written has been delivered. Comes before or after `exited`. */
  readonly outputEnded: Promise<void>;
  /**
   * Ends the process, its group and what left the group: TERM for all of them first, KILL after `graceMs`.
   * Resolves when nothing of it is left, or when that can no longer be found out.
   */
  kill(graceMs: number): Promise<KillReport>;
  /** Lets the background processes that still hold the output go on unharmed, without us. */
  letGo(): void | Promise<void>;
}
