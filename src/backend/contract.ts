/**
 * The contract: what an agent host sees of a backend.
 *
 * `BashOperations` is the one-method interface of the pi coding agent, assignable in both directions to the type
 * that `@earendil-works/pi-coding-agent` exports. `BashBackend` is what every factory of this package returns.
 */

/** Runs one bash command somewhere. */
export interface BashOperations {
  /**
   * Runs `command` as `bash -c -- "$command"` would, in `cwd` on the target.
   *
   * @param command the text, of any size, without a NUL byte
   * @param cwd directory on the target to run in
   * @returns the exit code, 0–255, 128+n for a death by signal n; `null` (never from our own backends) where
   *   nobody knows it
   * @throws TypeError or RangeError for wrong arguments, before anything runs
   * @throws BackendError with code `ABORTED` (message `aborted`), `TIMEOUT` (message `timeout:<seconds>`), or
   *   another code when the road to the target failed
   */
  exec(command: string, cwd: string, options: ExecOptions): Promise<{ exitCode: number | null }>;
}

/** What may be said of one exec. The names and units are the contract's own. */
export interface ExecOptions {
  /** Gets the raw bytes of stdout and stderr, merged in the order in which they were written. */
  onData: (data: Buffer) => void;
  /** Ends the command and its whole process tree when aborted. */
  signal?: AbortSignal;
  /** Seconds after which the command's whole process tree is ended: above 0, at most 2147483.647. */
  timeout?: number;
  /** Locally the whole environment, as with `spawn`; left out: the host's own. */
  env?: NodeJS.ProcessEnv;
}

/** How a command that ran has ended. */
export interface ExecResult {
  /** 0–255; 128+n for a death by signal n. */
  exitCode: number;
  ending: Ending;
}

/**
 * Whether `onData` got everything: `complete` when the last writer had closed the output, `left-open` when a
 * background process still held it and was let go.
 */
export type Ending = "complete" | "left-open";

/** A backend of ours: the contract, and what a host needs to own one. */
export interface BashBackend extends BashOperations, AsyncDisposable {
  /** The kind of road, for messages: `local`, `ssh`, `docker`… */
  readonly name: string;
  /** What holds here. Some facts are known only after the first exec: read it anew each time. */
  readonly capabilities: Capabilities;
  exec(command: string, cwd: string, options: ExecOptions): Promise<ExecResult>;
  /**
   * Kills what still runs, ends what the backend opened. May be called twice. Afterwards every exec rejects with
   * the code `CLOSED`; those that were running reject with it once their process tree is dead.
   */
  close(): Promise<void>;
}

/** The promises that depend on the target. */
export interface Capabilities {
  /** The shell that runs the commands; `undefined` until it is known. */
  readonly shell: Shell | undefined;
  /** stdout and stderr share one real pipe: the order of writes is kept, `/dev/stdout` can be opened. */
  readonly trueOrder: boolean;
  /** Timeout, abort and `close()` end the process group of the command. */
  readonly killsTree: boolean;
  /** They also end what left the group (`setsid`, double fork): found by the marker in its environment. */
  readonly sweepsMarker: boolean;
  /** When the host dies, by whatever cause, its commands die. */
  readonly hostDeath: boolean;
  /** The command is never on a command line, where other users of the machine could read it. */
  readonly noArgv: boolean;
}

export interface Shell {
  /** Path or name under which it is started. */
  readonly path: string;
  /** `BASH_VERSION` for bash, `undefined` for a shell that does not tell. */
  readonly version: string | undefined;
}
