/** The part of a clean text that fits the limits, and whether that is all of it, in bounded memory. */
import { cutHead, cutTail, type TextLimits } from "./cut.js";
import { type Keep, KeptBytes } from "./kept-bytes.js";

export interface Excerpt {
  readonly text: string;
  readonly truncated: boolean;
}

const NEWLINE = 0x0a;
const RETURN = 0x0d;

export class TextWindow {
  readonly #keep: Keep;
  readonly #limits: TextLimits;
  /** Lines with their newline: nothing can change them any more. */
  readonly #lines: KeptBytes;
  /** The line that is being written, and may yet be written anew: kept apart, so that it can go. */
  readonly #current: KeptBytes;
  #lineCount = 0;

  constructor(keep: Keep, limits: TextLimits) {
    this.#keep = keep;
    this.#limits = limits;
    // One byte more than the limit shows whether the limit falls on the border of two lines.
    this.#lines = new KeptBytes(keep, limits.maxBytes + 1);
    this.#current = new KeptBytes(keep, limits.maxBytes + 1);
  }

  /** True once the finished lines alone are too much: whatever comes, the text is truncated. */
  get isExceeded(): boolean {
    return this.#lines.total > this.#limits.maxBytes || this.#lineCount > this.#limits.maxLines;
  }

  /** @param text UTF-8 from the {@link Cleaner}: a CR in it means that its line is written anew */
  write(text: Buffer): void {
    if (text.includes(RETURN)) this.#writeRewritten(text);
    else this.#writePlain(text);
  }

  result(): Excerpt {
    const { maxBytes, maxLines } = this.#limits;
    const total = this.#lines.total + this.#current.total;
    const lineCount = this.#lineCount + (this.#current.total > 0 ? 1 : 0);
    const truncated = total > maxBytes || lineCount > maxLines;
    const kept = Buffer.concat([this.#lines.bytes, this.#current.bytes]);
    if (!truncated) return { text: kept.toString(), truncated };
    const cut = this.#keep === "tail" ? cutTail : cutHead;
    return { text: cut(kept, this.#limits).toString(), truncated };
  }

  #writePlain(bytes: Buffer): void {
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      this.#finishCurrent();
      this.#lines.append(bytes.subarray(0, end));
      this.#countLines(bytes);
    }
    this.#current.append(bytes.subarray(end));
  }

  #writeRewritten(bytes: Buffer): void {
    let at = 0;
    let nextReturn = bytes.indexOf(RETURN);
    while (at < bytes.length) {
      const newline = bytes.indexOf(NEWLINE, at);
      const end = newline === -1 ? bytes.length : newline + 1;
      while (nextReturn !== -1 && nextReturn < end) {
        this.#current.clear();
        at = nextReturn + 1;
        nextReturn = bytes.indexOf(RETURN, at);
      }
      this.#current.append(bytes.subarray(at, end));
      if (newline !== -1) {
        this.#finishCurrent();
        this.#lineCount += 1;
      }
      at = end;
    }
  }

  #finishCurrent(): void {
    // What it has forgotten does not count, nor need it: what it keeps is beyond the limit by itself.
    this.#lines.append(this.#current.bytes);
    this.#current.clear();
  }

  /** Counts no further than needed: beyond the limit the number does not matter. */
  #countLines(bytes: Buffer): void {
    let newline = bytes.indexOf(NEWLINE);
    while (newline !== -1 && this.#lineCount <= this.#limits.maxLines) {
      this.#lineCount += 1;
      newline = bytes.indexOf(NEWLINE, newline + 1);
    }
  }
}
