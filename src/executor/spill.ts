/**
 * The file with the full output, byte for byte as it came.
 *
 * It is written synchronously. The contract gives no way to slow a command down, so with an asynchronous stream a
 * disk that is slower than the output would fill the memory; this way the disk slows down the reading, and with it
 * the command. A batch of a MiB keeps the event loop for about a millisecond where the page cache takes it.
 */
import { randomBytes } from "node:crypto";
import { closeSync, openSync, unlinkSync, writeSync } from "node:fs";
import { join } from "node:path";
import { sweepOnce } from "./spill-sweep.js";

/** Output may hold secrets: nobody else may read it. */
const FILE_MODE = 0o600;
/** 64 bits, written as 16 hex digits: nobody can guess the name, no two runs share one. */
const NAME_BYTES = 8;

export interface SpillOptions {
  /** Absolute path of the directory. */
  readonly directory: string;
  /** Bytes that the file may have; what comes after them is not written. */
  readonly maxFileBytes: number;
}

/** What is on the disk. */
export interface SpillFile {
  readonly path: string;
  /** Whether output beyond `maxFileBytes` is missing at its end. */
  readonly isCut: boolean;
}

/** Never throws: where the file cannot be written there is none, and the command's result is no worse for it. */
export class Spill {
  readonly #directory: string;
  readonly #maxFileBytes: number;
  #file: { readonly path: string; readonly fd: number } | undefined;
  #writtenBytes = 0;
  #isCut = false;
  #hasFailed = false;

  constructor({ directory, maxFileBytes }: SpillOptions) {
    this.#directory = directory;
    this.#maxFileBytes = maxFileBytes;
  }

  /** Appends; the first call makes the file. */
  write(bytes: Buffer): void {
    if (this.#hasFailed) return;
    try {
      this.#file ??= this.#create();
      const fitting = bytes.subarray(0, this.#maxFileBytes - this.#writtenBytes);
      this.#writeAll(this.#file.fd, fitting);
      this.#isCut ||= fitting.length < bytes.length;
    } catch {
      // No space, no descriptor, no directory, no permission.
      this.discard();
    }
  }

  /** Closes the file. `undefined` where it could not be written, or was never begun. */
  close(): SpillFile | undefined {
    const file = this.#file;
    if (file === undefined) return undefined;
    this.#file = undefined;
    try {
      // Network file systems tell here that there was no space.
      closeSync(file.fd);
      return { path: file.path, isCut: this.#isCut };
    } catch {
      remove(file.path);
      return undefined;
    }
  }

  /** Removes what was written and writes nothing more. */
  discard(): void {
    this.#hasFailed = true;
    const file = this.close();
    if (file !== undefined) remove(file.path);
  }

  #create(): { path: string; fd: number } {
    const path = join(this.#directory, `bash-backends-${randomBytes(NAME_BYTES).toString("hex")}.log`);
    // `x` makes the file or fails: it follows no link that someone has laid out.
    const fd = openSync(path, "wx", FILE_MODE);
    sweepOnce(this.#directory);
    return { path, fd };
  }

  #writeAll(fd: number, bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length) from += writeSync(fd, bytes, from);
    this.#writtenBytes += bytes.length;
  }
}

function remove(path: string): void {
  try {
    unlinkSync(path);
  } catch {
    // Somebody else has removed it, or its directory.
  }
}
