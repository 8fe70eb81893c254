/**
 * Takes terminal control sequences out of text that arrives in pieces.
 *
 * The grammar is that of ECMA-48 and of ansi-regex 6, in the 7-bit (`ESC [`) and the 8-bit form (U+009B): CSI with any
 * parameters and any final byte, OSC (also the Linux console's palette controls, which have no terminator), DCS,
 * SOS, PM, APC, screen titles (`ESC k`), escapes with intermediates (`ESC ( B`) and the two-character escapes.
 * `strip-ansi` itself needs the whole text: it leaves what a border cuts, or what is never terminated.
 *
 * What is never terminated must not swallow the output: a sequence ends, without its terminator, before the first
 * character that cannot be in it, before every newline, and after {@link MAX_SEQUENCE_LENGTH} characters. So after
 * a newline nothing is ever open, which lets a reader start at any line.
 */

/**
 * Characters (UTF-16 units) after the first one at which a sequence counts as one that is never terminated. Twice
 * the largest chunk of the kitty graphics protocol, 4096; links and titles are shorter by far.
 */
export const MAX_SEQUENCE_LENGTH = 8192;

type State =
  | "text"
  | "escape"
  | "escape-intermediates"
  | "csi-parameters"
  | "csi-intermediates"
  | "osc-start"
  | "osc-palette"
  | "osc"
  | "string";

const BEL = 0x07;
const ESC = 0x1b;
const ST = 0x9c;
/** Where `ESC ] P` ends: the bracket, the P, the number of the colour, six digits of red, green and blue. */
const PALETTE_LAST_INDEX = 8;
const C1_INTRODUCER = /[\x90\x98\x9b\x9d-\x9f]/g;
/** The two-character escapes of ansi-regex: an escape before any other character takes nothing along. */
const TWO_CHARACTER_ESCAPE = /[\dA-PR-TZcf-oq-uy=><~|}]/;
const HEX_DIGIT = /[\da-f]/i;

export class EscapeStripper {
  #state: State = "text";
  #length = 0;

  /** `text` without the sequences; other control characters stay. */
  write(text: string): string {
    const introducers = new Introducers(text);
    let kept = "";
    let at = 0;
    while (at < text.length) {
      if (this.#state === "text") {
        const introducer = introducers.next(at);
        kept += text.slice(at, introducer);
        if (introducer < text.length) this.#open(text.charCodeAt(introducer));
        at = introducer + 1;
      } else {
        at = this.#skip(text, at);
      }
    }
    return kept;
  }

  #open(introducer: number): void {
    this.#length = 0;
    if (introducer === ESC) this.#state = "escape";
    else if (introducer === 0x9b) this.#state = "csi-parameters";
    else if (introducer === 0x9d) this.#state = "osc";
    else this.#state = "string";
  }

  /** The index at which the sequence is over, or the end of `text` while it is not. */
  #skip(text: string, from: number): number {
    let at = from;
    while (at < text.length && this.#state !== "text") {
      if (this.#length === MAX_SEQUENCE_LENGTH || !this.#takes(text.charCodeAt(at))) {
        this.#state = "text";
        return at;
      }
      this.#length += 1;
      at += 1;
    }
    return at;
  }

  /** Whether `code` belongs to the open sequence. The last one of a sequence also changes the state to `text`. */
  #takes(code: number): boolean {
    switch (this.#state) {
      case "escape":
        return this.#takesAfterEscape(code);
      case "escape-intermediates":
        if (isIntermediate(code)) return true;
        this.#state = "text";
        return code >= 0x30 && code <= 0x7e;
      case "csi-parameters":
        if (code >= 0x30 && code <= 0x3f) return true;
        return this.#takesCsiEnd(code);
      case "csi-intermediates":
        return this.#takesCsiEnd(code);
      case "osc-start":
        if (code === 0x52 /* R */) this.#state = "text";
        else if (code === 0x50 /* P */) this.#state = "osc-palette";
        else return this.#takesOsc(code);
        return true;
      case "osc-palette":
        if (!HEX_DIGIT.test(String.fromCharCode(code))) return this.#takesOsc(code);
        if (this.#length === PALETTE_LAST_INDEX) this.#state = "text";
        return true;
      case "osc":
        return this.#takesOsc(code);
      default:
        return this.#takesString(code);
    }
  }

  #takesAfterEscape(code: number): boolean {
    if (code === 0x5b /* [ */) this.#state = "csi-parameters";
    else if (code === 0x5d /* ] */) this.#state = "osc-start";
    else if (isStringIntroducer(code)) this.#state = "string";
    else if (isIntermediate(code)) this.#state = "escape-intermediates";
    else {
      // `ESC \` ends a string, which the escape before it has ended already; alone it is as meaningless.
      this.#state = "text";
      return code === 0x5c /* \ */ || TWO_CHARACTER_ESCAPE.test(String.fromCharCode(code));
    }
    return true;
  }

  #takesCsiEnd(code: number): boolean {
    this.#state = isIntermediate(code) ? "csi-intermediates" : "text";
    return isIntermediate(code) || (code >= 0x40 && code <= 0x7e);
  }

  #takesOsc(code: number): boolean {
    this.#state = "osc";
    if (code !== BEL) return this.#takesString(code);
    this.#state = "text";
    return true;
  }

  #takesString(code: number): boolean {
    if (code === ST) this.#state = "text";
    return code === ST || isPayload(code);
  }
}

/** Finds introducers from left to right, in one pass over each of their two forms. */
class Introducers {
  readonly #text: string;
  #nextEscape = -1;
  #nextC1 = -1;

  constructor(text: string) {
    this.#text = text;
  }

  /** The index of the first introducer at or after `from`, or the text's length. */
  next(from: number): number {
    if (this.#nextEscape < from) {
      const found = this.#text.indexOf("\x1b", from);
      this.#nextEscape = found === -1 ? this.#text.length : found;
    }
    if (this.#nextC1 < from) {
      C1_INTRODUCER.lastIndex = from;
      this.#nextC1 = C1_INTRODUCER.test(this.#text) ? C1_INTRODUCER.lastIndex - 1 : this.#text.length;
    }
    return Math.min(this.#nextEscape, this.#nextC1);
  }
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}

/** DCS `P`, SOS `X`, PM `^`, APC `_`, and the title of screen `k`. */
function isStringIntroducer(code: number): boolean {
  return code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f || code === 0x6b;
}

/** A string is cut short by newline, CAN, SUB, an escape and the C1 controls: a terminal gives it up there as well. */
function isPayload(code: number): boolean {
  if (code < 0x20) return code !== 0x0a && code !== 0x18 && code !== 0x1a && code !== ESC;
  return code < 0x80 || code > 0x9f;
}
