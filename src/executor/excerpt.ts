/**
 * Reads raw output in batches and tells its clean excerpt: what cleaning everything and cutting then would give.
 *
 * Cleaning costs far more than copying, and of a long output only one end is shown. As no state of the cleaner
 * outlives a newline, a reader may begin after any of them: a batch whose finished lines alone exceed the limits
 * makes all that came before irrelevant, and it need never be cleaned. Where a batch cannot show that (mostly escape
 * sequences, lines written anew, lines without end), everything is cleaned, at the cleaner's speed. Neither way
 * depends on the full-output file, which a full disk may deny.
 */
import { Cleaner } from "./cleaner.js";
import type { TextLimits } from "./cut.js";
import type { Keep } from "./kept-bytes.js";
import { type Excerpt, TextWindow } from "./text-window.js";

export interface ExcerptReader {
  /** @param batch the next bytes; must stay untouched until the next call */
  add(batch: Buffer): void;
  /** To be called once, after the last batch. */
  result(): Excerpt;
}

const NEWLINE = 0x0a;
const EMPTY = Buffer.alloc(0);
/** Raw bytes looked at for each byte of the limit: log lines rarely are more than half escape sequences. */
const PROBE_FACTOR = 2;

export function createExcerptReader(keep: Keep, limits: TextLimits): ExcerptReader {
  return keep === "tail" ? new TailReader(limits) : new HeadReader(limits);
}

/** A cleaner that writes into a window. */
class CleanWindow {
  readonly #cleaner = new Cleaner();
  readonly #window: TextWindow;
  readonly #write = (text: Buffer) => this.#window.write(text);

  constructor(keep: Keep, limits: TextLimits) {
    this.#window = new TextWindow(keep, limits);
  }

  get isExceeded(): boolean {
    return this.#window.isExceeded;
  }

  write(bytes: Buffer): void {
    this.#cleaner.write(bytes, this.#write);
  }

  result(): Excerpt {
    this.#cleaner.end(this.#write);
    return this.#window.result();
  }
}

class HeadReader implements ExcerptReader {
  readonly #text: CleanWindow;

  constructor(limits: TextLimits) {
    this.#text = new CleanWindow("head", limits);
  }

  add(batch: Buffer): void {
    if (!this.#text.isExceeded) this.#text.write(batch);
  }

  result(): Excerpt {
    return this.#text.result();
  }
}

class TailReader implements ExcerptReader {
  readonly #limits: TextLimits;
  #text: CleanWindow;
  /** The newest bytes, not cleaned yet: the next batch may make them irrelevant. */
  #held: Buffer = EMPTY;

  constructor(limits: TextLimits) {
    this.#limits = limits;
    this.#text = new CleanWindow("tail", limits);
  }

  add(batch: Buffer): void {
    const start = this.#sufficientStart(batch);
    if (start === undefined) {
      this.#text.write(this.#held);
      this.#held = batch;
    } else {
      // What is held alone exceeds the limits: so this window, too, will say that the text is truncated.
      this.#text = new CleanWindow("tail", this.#limits);
      this.#held = batch.subarray(start);
    }
  }

  result(): Excerpt {
    this.#text.write(this.#held);
    return this.#text.result();
  }

  /**
   * Where a line begins in `batch` from which on the finished lines exceed the limits. Only finished ones count:
   * the last line may yet be written anew, and be shorter then.
   */
  #sufficientStart(batch: Buffer): number | undefined {
    const end = batch.lastIndexOf(NEWLINE) + 1;
    return this.#sufficientByLines(batch, end) ?? this.#sufficientByBytes(batch, end);
  }

  /** Cleaning takes no newline away and adds none, so raw newlines may be counted. */
  #sufficientByLines(batch: Buffer, end: number): number | undefined {
    const { maxLines } = this.#limits;
    // So many do not fit: there is no need to look for them.
    if (maxLines >= end) return undefined;
    let start = end;
    // One newline more than lines wanted: the one before the first of them.
    for (let lines = -1; lines <= maxLines; lines += 1) {
      if (start === 0) return undefined;
      start = batch.lastIndexOf(NEWLINE, start - 1);
      if (start === -1) return undefined;
    }
    return start + 1;
  }

  #sufficientByBytes(batch: Buffer, end: number): number | undefined {
    const from = end - PROBE_FACTOR * this.#limits.maxBytes;
    if (from <= 0) return undefined;
    const start = batch.indexOf(NEWLINE, from) + 1;
    const probe = new CleanWindow("tail", this.#limits);
    probe.write(batch.subarray(start, end));
    return probe.isExceeded ? start : undefined;
  }
}
