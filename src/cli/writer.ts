/**
 * Writes to stdout and stderr at once and completely, so that nothing is lost at the exit.
 *
 * The contract of a backend knows no pause. Where the reader is slower than the command, this writer waits inside
 * `onData`: the command's pipe fills up and the command waits too, in bounded memory.
 */
import { closeSync, constants, fstatSync, openSync, writeSync } from "node:fs";

/**
 * How long to wait before the next try, in milliseconds. At first about as long as a reader takes to empty a pipe:
 * with 1 ms the whole would be 60 MiB/s.
 */
const FIRST_WAIT_MS = 0.05;
const LONGEST_WAIT_MS = 16;

export interface WriterOptions {
  /** On the clock of `performance.now()`: a reader that is late is not waited for after that. Left out: for ever. */
  readonly giveUpAtMs?: number | undefined;
  /** Is called with the wait for a late reader, and calls it. */
  readonly whileBlocked?: (wait: () => void) => void;
}

/** The reader of our output has gone (EPIPE). */
export class ReaderGoneError extends Error {
  override readonly name = "ReaderGoneError";
}

export class Writer {
  readonly #fd: number;
  readonly #isOwn: boolean;
  readonly #giveUpAtMs: number;
  readonly #whileBlocked: (wait: () => void) => void;

  constructor(fd: 1 | 2, { giveUpAtMs, whileBlocked = (wait) => wait() }: WriterOptions = {}) {
    this.#fd = openNonBlocking(fd) ?? fd;
    this.#isOwn = this.#fd !== fd;
    this.#giveUpAtMs = giveUpAtMs ?? Number.POSITIVE_INFINITY;
    this.#whileBlocked = whileBlocked;
  }

  /**
   * @throws ReaderGoneError where nobody reads any more
   * @throws NodeJS.ErrnoException of write(2), such as ENOSPC
   */
  write(data: Uint8Array | string): void {
    const bytes = typeof data === "string" ? Buffer.from(data) : data;
    let written = this.#tryWrite(bytes);
    if (written === bytes.length) return;
    this.#whileBlocked(() => {
      let waitMs = FIRST_WAIT_MS;
      while (written < bytes.length && performance.now() < this.#giveUpAtMs) {
        const now = this.#tryWrite(bytes.subarray(written));
        written += now;
        waitMs = now > 0 ? FIRST_WAIT_MS : Math.min(2 * waitMs, LONGEST_WAIT_MS);
        if (written < bytes.length) pause(waitMs);
      }
    });
  }

  close(): void {
    if (this.#isOwn) closeSync(this.#fd);
  }

  /** Writes what can be written now. */
  #tryWrite(bytes: Uint8Array): number {
    let written = 0;
    try {
      while (written < bytes.length) written += writeSync(this.#fd, bytes, written);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === "EPIPE") throw new ReaderGoneError("the reader of the output has gone", { cause: error });
      if (code !== "EAGAIN") throw error;
    }
    return written;
  }
}

/** Writes text to stdout or stderr, all of it. */
export function writeText(fd: 1 | 2, text: string): void {
  const writer = new Writer(fd);
  try {
    writer.write(text);
  } finally {
    writer.close();
  }
}

/**
 * A non-blocking description of our own of the pipe or terminal behind a descriptor. Setting the flag on the one we
 * were given would set it for all who share it.
 */
function openNonBlocking(fd: 1 | 2): number | undefined {
  try {
    const stats = fstatSync(fd);
    if (stats.isFIFO() || stats.isCharacterDevice()) {
      return openSync(`/proc/self/fd/${fd}`, constants.O_WRONLY | constants.O_NONBLOCK | constants.O_NOCTTY);
    }
    // A socket cannot be opened. Node's own stream makes it non-blocking, and undoes that at the exit.
    if (stats.isSocket()) void (fd === 1 ? process.stdout : process.stderr);
  } catch {
    // No /proc, or another user's terminal: then a write waits in the kernel, and a time limit with it.
  }
  return undefined;
}

function pause(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}
