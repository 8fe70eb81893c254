/** What a conformance case is, and what it gets to do its work with. Cases are data: the runner knows none of them. */
import type { BashOperations, Capabilities, Ending, ExecOptions } from "../backend/index.js";

export interface ConformanceCase {
  /** `group/name`. Stable: reports and lists of known gaps refer to it. */
  readonly id: string;
  /** A sentence in the present tense about what a backend does. */
  readonly title: string;
  readonly promise: PromiseName;
  /** What the case makes no sense without. A backend that does not declare it skips the case. */
  readonly requires?: Requirement;
  /**
   * Nothing may run beside it: it counts descriptors, timers or memory of the host, blocks its event loop, or needs
   * all of the machine.
   */
  readonly isAlone?: boolean;
  /** Throws, with what was expected and what was seen, where the promise is broken. */
  run(subject: Subject): Promise<void>;
}

/** What a report says is broken. */
export type PromiseName =
  | "exactly bash"
  | "true order"
  | "bytes untouched"
  | "no stdin, no terminal"
  | "exit codes"
  | "time limits"
  | "abort"
  | "nothing is left behind"
  | "the call is bounded"
  | "background jobs"
  | "any size"
  | "working directory"
  | "environment"
  | "secrets stay out of sight"
  | "a throwing onData"
  | "concurrent"
  | "close";

/** A capability that the backend declares to be true, or the method `close`. */
export type Requirement = Exclude<keyof Capabilities, "shell"> | "close";

/** Any backend, ours or not: only `exec` is certain. */
export interface ClosableOperations extends BashOperations {
  readonly capabilities?: Capabilities;
  close?(): Promise<void>;
}

/** The numbers that the backend was opened with, and the size of the longest cases. */
export interface ConformanceLimits {
  /** How long a process may outlive SIGTERM before SIGKILL. */
  readonly killGraceMs: number;
  /** Silence after which an output that a background job holds open is let go. */
  readonly drainQuietMs: number;
  /** How long a background job that goes on writing is listened to. */
  readonly drainMaxMs: number;
  /** How many execs the cases about leaks make. */
  readonly leakExecs: number;
}

export interface RunOptions extends Partial<Omit<ExecOptions, "onData">> {
  /** Directory on the target. Left out: `/`. */
  readonly cwd?: string;
  /** The backend to run on. Left out: the one that all cases share. */
  readonly on?: BashOperations;
  /** Gets each chunk after it was collected; may throw. */
  readonly onData?: (data: Buffer) => void;
}

export interface RunResult {
  readonly output: Buffer;
  /** The output as UTF-8. */
  readonly text: string;
  readonly exitCode: number | null;
  /** Only our own backends tell. */
  readonly ending: Ending | undefined;
}

/** What an exec rejected with. */
export interface Rejection {
  readonly error: unknown;
  /** The error's message, or the thrown value as text. */
  readonly message: string;
  /** From the call of `exec` to its rejection. */
  readonly ms: number;
  readonly output: Buffer;
}

/** An exec that is under way. */
export interface RunningExec {
  /** What has arrived so far. */
  output(): string;
  /** Resolves with the first chunk. Rejects when the exec settles without one. */
  readonly firstChunk: Promise<void>;
  isSettled(): boolean;
  /** How many chunks came after the exec had settled. */
  lateChunks(): number;
  readonly result: Promise<RunResult>;
  /** Fails unless the exec rejects. */
  rejection(): Promise<Rejection>;
}

/** The backend under test, and the means of a case. Everything that a case makes is removed after it. */
export interface Subject {
  /** The backend that all cases share. */
  readonly operations: ClosableOperations;
  readonly limits: ConformanceLimits;
  /** A fresh backend, closed after the case. Its target may be another one: see `sharesTarget`. */
  open(): Promise<ClosableOperations>;
  /** Runs a command to its end. */
  run(command: string, options?: RunOptions): Promise<RunResult>;
  /** Starts a command. */
  start(command: string, options?: RunOptions): RunningExec;
  /** Runs a command that must be refused or stopped. Fails when it ends by itself. */
  rejection(command: string, options?: RunOptions): Promise<Rejection>;
  /** A new empty directory on the target. */
  scratch(): Promise<string>;
  /** Whether what happens on the target of `operations` can be seen through the shared backend. */
  sharesTarget(operations: BashOperations): Promise<boolean>;
  /** Whether a file, a directory or anything else of that name exists on the target. */
  exists(path: string): Promise<boolean>;
  /**
   * A new argument for `sleep`, about a minute, that no other process on the target has: by it a case finds what
   * it has started, and the runner kills what a case has left.
   */
  nap(): string;
  /** Ids of the processes on the target whose command line holds `text`, looked for on the target itself. */
  processes(text: string): Promise<number[]>;
  /** Tries again until `check` does not throw; rethrows its last error after `withinMs` (5 s). */
  eventually(check: () => Promise<void>, withinMs?: number): Promise<void>;
  /** Ends the case as skipped: the target lacks what the case needs. */
  skip(reason: string): never;
}
