/**
 * Makes clean text of raw output that arrives in pieces, the same text for any pieces.
 *
 * In this order: the bytes become text (UTF-8); terminal sequences go; the other C0 controls but tab, newline and
 * CR go, with all C1 controls and U+FFF9–FFFB (interlinear annotations, invisible); CRs before a newline or at the
 * end go. What is left of CR stands for "this line is written anew": one before each rewriting.
 */
import { EscapeStripper } from "./escape-stripper.js";
import { Utf8Decoder } from "./utf8-decoder.js";

/** Bytes that become one string at a time: a large chunk must not become a large string. */
const SLICE_BYTES = 64 * 1024;

// biome-ignore lint/suspicious/noControlCharactersInRegex: to take them out is the purpose
const CONTROLS = /[\0-\x08\x0b\x0c\x0e-\x1f\x80-\x9f\ufff9-\ufffb]/g;

export class Cleaner {
  readonly #decoder = new Utf8Decoder();
  readonly #stripper = new EscapeStripper();
  #holdsReturn = false;

  /** Calls `onText` with what has become clean text: never empty, never ending in a CR. */
  write(bytes: Buffer, onText: (text: string) => void): void {
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      const text = this.#clean(this.#decoder.write(bytes.subarray(from, from + SLICE_BYTES)));
      if (text !== "") onText(text);
    }
  }

  /** To be called once, after the last byte. */
  end(onText: (text: string) => void): void {
    const text = this.#clean(this.#decoder.end());
    if (text !== "") onText(text);
  }

  #clean(decoded: string): string {
    return this.#unifyReturns(this.#stripper.write(decoded).replace(CONTROLS, ""));
  }

  /** Leaves one CR of many, and none before a newline. One at the end is held back: a newline may follow. */
  #unifyReturns(text: string): string {
    if (text === "" || (!this.#holdsReturn && !text.includes("\r"))) return text;
    const whole = this.#holdsReturn ? `\r${text}` : text;
    // `/\r+\n/` would take quadratic time on many CRs without a newline.
    const unified = whole.replace(/\r{2,}/g, "\r").replaceAll("\r\n", "\n");
    this.#holdsReturn = unified.endsWith("\r");
    return this.#holdsReturn ? unified.slice(0, -1) : unified;
  }
}
