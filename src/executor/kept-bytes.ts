/** The first or the last bytes of a stream of any length, in bounded memory. */

/** Which end of a text that is too long is kept. */
export type Keep = "tail" | "head";

const FIRST_ALLOCATION_BYTES = 4096;
const EMPTY = Buffer.alloc(0);

export class KeptBytes {
  readonly #keep: Keep;
  readonly #capacity: number;
  #buffer: Buffer = EMPTY;
  #used = 0;
  #total = 0;

  /** @param capacity bytes that are kept for sure; up to twice as many are held */
  constructor(keep: Keep, capacity: number) {
    this.#keep = keep;
    this.#capacity = capacity;
  }

  /** Bytes that came, kept or not. */
  get total(): number {
    return this.#total;
  }

  /** The kept bytes: at least `capacity` of them once as many came. Valid until the next call. */
  get bytes(): Buffer {
    return this.#buffer.subarray(0, this.#used);
  }

  append(bytes: Buffer): void {
    this.#total += bytes.length;
    if (this.#keep === "head") {
      this.#copy(bytes.subarray(0, Math.max(0, this.#capacity - this.#used)));
      return;
    }
    if (this.#used + bytes.length > 2 * this.#capacity) this.#forgetAllBut(this.#capacity);
    this.#copy(bytes.subarray(Math.max(0, bytes.length - this.#capacity)));
  }

  clear(): void {
    this.#used = 0;
    this.#total = 0;
  }

  #forgetAllBut(count: number): void {
    const start = Math.max(0, this.#used - count);
    this.#buffer.copy(this.#buffer, 0, start, this.#used);
    this.#used -= start;
  }

  #copy(bytes: Buffer): void {
    const needed = this.#used + bytes.length;
    if (needed > this.#buffer.length) {
      const size = Math.max(needed, FIRST_ALLOCATION_BYTES, 2 * this.#buffer.length);
      const grown = Buffer.allocUnsafeSlow(Math.min(size, Math.max(needed, 2 * this.#capacity)));
      this.#buffer.copy(grown, 0, 0, this.#used);
      this.#buffer = grown;
    }
    this.#used += bytes.copy(this.#buffer, this.#used);
  }
}
