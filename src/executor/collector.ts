/** Takes raw output and gives what is told of it: live text, the excerpt, and a file where the excerpt is not all. */
import { isAscii } from "node:buffer";
import { Cleaner } from "./cleaner.js";
import type { TextLimits } from "./cut.js";
import { createExcerptReader, type ExcerptReader } from "./excerpt.js";
import type { Keep } from "./kept-bytes.js";
import { Spill, type SpillOptions } from "./spill.js";

export interface CollectorOptions extends TextLimits, SpillOptions {
  readonly keep: Keep;
  readonly onText: ((text: string) => void) | undefined;
  /** Bytes that are written and looked at together. Left out: enough for the limits. */
  readonly batchBytes?: number;
}

/** What is told of an output. */
export interface Collected {
  readonly output: string;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
  readonly fullOutputCut?: true;
}

const FIRST_ALLOCATION_BYTES = 64 * 1024;
/** Holds the 2000 lines of the default limit, also where they are long. */
const MIN_BATCH_BYTES = 1024 * 1024;
/** Two batches of a running command are held: larger limits are read at the cleaner's speed instead. */
const MAX_BATCH_BYTES = 8 * 1024 * 1024;
const BATCH_BYTES_PER_LIMIT_BYTE = 4;

export class OutputCollector {
  readonly #reader: ExcerptReader;
  readonly #spill: Spill;
  readonly #onClean: ((text: Buffer) => void) | undefined;
  readonly #liveCleaner = new Cleaner();
  readonly #batchBytes: number;
  #batch: Buffer = Buffer.alloc(0);
  /** The batch before, which the reader may still hold. */
  #previous: Buffer = this.#batch;
  #used = 0;

  constructor(options: CollectorOptions) {
    this.#reader = createExcerptReader(options.keep, options);
    this.#spill = new Spill(options);
    const { onText } = options;
    this.#onClean = onText && ((text) => onText(toText(text)));
    this.#batchBytes = options.batchBytes ?? batchBytesFor(options.maxBytes);
  }

  /** @throws what `onText` throws */
  add(bytes: Buffer): void {
    let from = 0;
    while (from < bytes.length) {
      if (this.#used === this.#batchBytes) this.#finishBatch();
      from += this.#copy(bytes.subarray(from));
    }
    if (this.#onClean !== undefined) this.#liveCleaner.write(bytes, this.#onClean);
  }

  /**
   * To be called once, after the last bytes.
   *
   * @throws what `onText` throws
   */
  finish(): Collected {
    if (this.#onClean !== undefined) this.#liveCleaner.end(this.#onClean);
    const rest = this.#batch.subarray(0, this.#used);
    this.#reader.add(rest);
    const { text, truncated } = this.#reader.result();
    if (!truncated) {
      this.#spill.discard();
      return { output: text, truncated };
    }
    this.#spill.write(rest);
    const file = this.#spill.close();
    return {
      output: text,
      truncated,
      ...(file !== undefined && { fullOutputPath: file.path }),
      ...(file?.isCut && { fullOutputCut: true }),
    };
  }

  /** Gives up: there will be no result, so no file may stay. */
  discard(): void {
    this.#spill.discard();
  }

  #finishBatch(): void {
    this.#spill.write(this.#batch);
    this.#reader.add(this.#batch);
    [this.#batch, this.#previous] = [this.#previous, this.#batch];
    this.#used = 0;
  }

  /** Copies what fits into the batch: whoever hands over bytes may use their memory again. */
  #copy(bytes: Buffer): number {
    const wanted = Math.min(this.#batchBytes, this.#used + bytes.length);
    if (wanted > this.#batch.length) {
      const size = Math.max(wanted, 4 * this.#batch.length, FIRST_ALLOCATION_BYTES);
      const grown = Buffer.allocUnsafeSlow(Math.min(this.#batchBytes, size));
      this.#batch.copy(grown, 0, 0, this.#used);
      this.#batch = grown;
    }
    const copied = bytes.copy(this.#batch, this.#used, 0, wanted - this.#used);
    this.#used += copied;
    return copied;
  }
}

/** Most output is ASCII, and copying that is several times as fast as decoding. */
function toText(utf8: Buffer): string {
  return utf8.toString(isAscii(utf8) ? "latin1" : "utf8");
}

function batchBytesFor(maxBytes: number): number {
  return Math.min(MAX_BATCH_BYTES, Math.max(MIN_BATCH_BYTES, BATCH_BYTES_PER_LIMIT_BYTE * maxBytes));
}
