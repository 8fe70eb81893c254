/** What a backend author provides: a way to open three streams to a POSIX shell on the target. */
import type { Readable, Writable } from "node:stream";
import type { BackendError } from "../errors.js";

/** Three streams to a shell: an SSH channel, a container's exec, the stdio of a program. */
export interface ShellPipe {
  readonly stdin: Writable;
  readonly stdout: Readable;
  readonly stderr: Readable;
  /**
   * Resolves when the far end has gone, with the reason where it is known: a road that broke. After that nothing is
   * written, and what was read before has been delivered.
   */
  readonly closed: Promise<BackendError | undefined>;
  /** Ends it at once. The end of its standard input, seen from the target, kills what still runs there. */
  destroy(): void;
  /** Whether it keeps the event loop alive. An idle one must not. */
  hold(isHeld: boolean): void;
}

/** Opens shell pipes. */
export interface ShellPipeOpener {
  /**
   * @param bootstrap the command that the target's login shell, whatever it is, must run. It holds no character that
   *   one of them would read as anything but itself inside the single quotes.
   * @param cancelled aborted when nobody waits for the pipe any more
   * @throws BackendError when no pipe can be had
   */
  open(bootstrap: string, cancelled: AbortSignal): Promise<ShellPipe>;
  /** Ends what the opener itself holds: connections. */
  close?(): Promise<void>;
}
