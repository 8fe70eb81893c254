/**
 * Makes clean text, as UTF-8, of raw output that arrives in pieces: the same text for any pieces.
 *
 * In this order: the bytes become valid UTF-8; terminal sequences go; the other C0 controls but tab, newline and
 * CR go, with all C1 controls and U+FFF9–FFFB (interlinear annotations, invisible); CRs before a newline or at the
 * end go. What is left of CR stands for "this line is written anew": one before each rewriting.
 *
 * Bytes, not strings: of most output the text is never looked at, and one loop over bytes is twice as fast as
 * regular expressions over strings.
 */
import { C1_END, C1_LEAD, ESC, EscapeSequence, MAX_SEQUENCE_BYTES } from "./escape-sequence.js";
import { Utf8Repair } from "./utf8-repair.js";

/** Bytes that are cleaned at a time: a large chunk must not need as large a second one. */
const SLICE_BYTES = 64 * 1024;

const TAB = 0x09;
const NEWLINE = 0x0a;
const RETURN = 0x0d;
/** The first byte of U+FFF9–FFFB, and of much that is kept. */
const ANNOTATION_LEAD = 0xef;

/** 1 for each byte that needs a closer look; the others are text. */
const IS_SPECIAL = Uint8Array.from({ length: 256 }, (_, byte) => {
  const isControl = byte < 0x20 && byte !== TAB && byte !== NEWLINE;
  return isControl || byte === C1_LEAD || byte === ANNOTATION_LEAD ? 1 : 0;
});

const SPACES = 0x20202020;
const HIGH_BITS = 0x80808080 | 0;

export class Cleaner {
  readonly #utf8 = new Utf8Repair();
  readonly #sequence = new EscapeSequence();
  /** A CR has come, and nothing after it that is kept: it goes if a newline follows. */
  #holdsReturn = false;
  #cleaned: Buffer = Buffer.alloc(0);

  /**
   * Calls `onClean` with what has become clean text: never empty, whole characters, not ending in a CR. The bytes are
   * valid until `onClean` returns.
   */
  write(bytes: Buffer, onClean: (text: Buffer) => void): void {
    for (let from = 0; from < bytes.length; from += SLICE_BYTES) {
      const text = this.#clean(this.#utf8.write(bytes.subarray(from, from + SLICE_BYTES)));
      if (text.length > 0) onClean(text);
    }
  }

  /** To be called once, after the last byte. */
  end(onClean: (text: Buffer) => void): void {
    const text = this.#clean(this.#utf8.end());
    if (text.length > 0) onClean(text);
  }

  #clean(text: Buffer): Buffer {
    const plainEnd = this.#sequence.isOpen || this.#holdsReturn ? 0 : firstSpecial(text);
    if (plainEnd === text.length) return text;
    // One byte more, for a CR that was held back.
    if (this.#cleaned.length <= text.length) this.#cleaned = Buffer.allocUnsafeSlow(text.length + 1);
    text.copy(this.#cleaned, 0, 0, plainEnd);
    return this.#cleaned.subarray(0, this.#cleanInto(this.#cleaned, text, plainEnd));
  }

  /** Writes what is kept of `text` from index `start` on to the same index of `into`. Returns where it ends there. */
  #cleanInto(into: Buffer, text: Buffer, start: number): number {
    const { length } = text;
    const special = IS_SPECIAL;
    let at = start;
    let to = start;
    while (at < length) {
      at = this.#sequence.isOpen ? this.#sequence.skip(text, at) : colourEnd(text, at);
      if (at === length) break;
      let kept = this.#keptBytes(text, at);
      if (kept === 0) {
        at += this.#takeControl(text, at);
        continue;
      }
      if (this.#holdsReturn && text[at] !== NEWLINE) into[to++] = RETURN;
      this.#holdsReturn = false;
      for (; kept > 0; kept -= 1) into[to++] = text[at++] as number;
      while (at < length && special[text[at] as number] === 0) into[to++] = text[at++] as number;
    }
    return to;
  }

  /** How many bytes at `at` are kept for sure: a special character whole, of others one; 0 where it goes. */
  #keptBytes(text: Buffer, at: number): number {
    const byte = text[at] as number;
    if (IS_SPECIAL[byte] === 0) return 1;
    const next = text[at + 1] as number;
    if (byte === C1_LEAD) return next < C1_END ? 0 : 2;
    if (byte !== ANNOTATION_LEAD) return 0;
    const last = text[at + 2] as number;
    return next === 0xbf && last >= 0xb9 && last <= 0xbb ? 0 : 3;
  }

  /** Takes the control, or annotation, at `at`. Returns its length in bytes. */
  #takeControl(text: Buffer, at: number): number {
    const byte = text[at] as number;
    if (byte === ANNOTATION_LEAD) return 3;
    if (byte === C1_LEAD) {
      this.#sequence.open(text[at + 1] as number);
      return 2;
    }
    if (byte === RETURN) this.#holdsReturn = true;
    else if (byte === ESC) this.#sequence.open(ESC);
    return 1;
  }
}

/** Goes past a sequence like `ESC [ 1 ; 31 m`, by far the most frequent one, at once: else the index itself. */
function colourEnd(text: Buffer, at: number): number {
  if (text[at] !== ESC || text[at + 1] !== 0x5b /* [ */) return at;
  let end = at + 2;
  while ((text[end] as number) >= 0x30 && (text[end] as number) <= 0x3b) end += 1;
  return text[end] === 0x6d /* m */ && end - at < MAX_SEQUENCE_BYTES ? end + 1 : at;
}

/**
 * The index of the first special byte, or the length. Nearly all output is plain, and this is where its cleaning takes
 * its time, so it looks at four bytes at once: where one is below 0x20 or above 0x7f, the difference or the word
 * itself has a high bit set, and only then each byte is looked at.
 */
function firstSpecial(text: Buffer): number {
  // Words begin at multiples of four, counted from the start of the memory.
  const start = -text.byteOffset & 3;
  const beforeWords = firstSpecialIn(text, 0, Math.min(start, text.length));
  if (beforeWords < start) return beforeWords;
  const words = new Int32Array(text.buffer, text.byteOffset + start, (text.length - start) >> 2);
  const wordCount = words.length;
  for (let index = 0; index < wordCount; index += 1) {
    const word = words[index] as number;
    if ((((word - SPACES) | word) & HIGH_BITS) === 0) continue;
    const from = start + 4 * index;
    const found = firstSpecialIn(text, from, from + 4);
    if (found < from + 4) return found;
  }
  return firstSpecialIn(text, start + 4 * wordCount, text.length);
}

function firstSpecialIn(text: Buffer, from: number, end: number): number {
  const special = IS_SPECIAL;
  let at = from;
  while (at < end && special[text[at] as number] === 0) at += 1;
  return at;
}
