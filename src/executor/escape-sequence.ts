/**
 * Finds where a terminal control sequence ends, in valid UTF-8 that arrives in pieces.
 *
 * The grammar is that of ECMA-48 and of ansi-regex 6, in the 7-bit (`ESC [`) and the 8-bit form (U+009B): CSI with any
 * parameters and any final byte, OSC (also the Linux console's palette controls, which have no terminator), DCS,
 * SOS, PM, APC, screen titles (`ESC k`), escapes with intermediates (`ESC ( B`) and the two-character escapes. An
 * escape before any other character takes nothing along. `strip-ansi` itself needs the whole text, and leaves a
 * sequence that is never terminated.
 *
 * What is never terminated must not swallow the output: a sequence ends, without its terminator, before the first
 * character that cannot be in it, before every newline, and after {@link MAX_SEQUENCE_BYTES}. So after a newline
 * nothing is ever open, which lets a reader begin at any line.
 */

/**
 * Bytes after the first character at which a sequence counts as one that is never terminated. Twice the largest
 * chunk of the kitty graphics protocol, 4096; links and titles are shorter by far.
 */
export const MAX_SEQUENCE_BYTES = 8192;

/** The first byte, in UTF-8, of all the C1 controls, U+0080–009F; the second one is below {@link C1_END}. */
export const C1_LEAD = 0xc2;
export const C1_END = 0xa0;

export const ESC = 0x1b;
const BEL = 0x07;
const NEWLINE = 0x0a;
const CAN = 0x18;
const SUB = 0x1a;
const ST = 0x9c;

const CLOSED = 0;
const ESCAPE = 1;
const INTERMEDIATES = 2;
const CSI_PARAMETERS = 3;
const CSI_INTERMEDIATES = 4;
const OSC_START = 5;
const OSC_PALETTE = 6;
const OSC = 7;
const STRING = 8;

/** Where `ESC ] P` ends: the bracket, the P, the number of the colour, six digits of red, green and blue. */
const PALETTE_LAST_INDEX = 8;
const TWO_CHARACTER_ESCAPE = bytesMatching(/[\dA-PR-TZcf-oq-uy=><~|}\\]/);
const HEX_DIGIT = bytesMatching(/[\da-f]/i);

export class EscapeSequence {
  #state = CLOSED;
  #length = 0;

  get isOpen(): boolean {
    return this.#state !== CLOSED;
  }

  /** @param code ESC or a C1 control. Of those, only the introducers open a sequence. */
  open(code: number): void {
    this.#length = 0;
    if (code === ESC) this.#state = ESCAPE;
    else if (code === 0x9b) this.#state = CSI_PARAMETERS;
    else if (code === 0x9d) this.#state = OSC;
    else if (code === 0x90 || code === 0x98 || code === 0x9e || code === 0x9f) this.#state = STRING;
  }

  /** The index after the open sequence, or the end of `bytes` while it is open. */
  skip(bytes: Buffer, from: number): number {
    let at = from;
    while (at < bytes.length) {
      const byte = bytes[at] as number;
      const isC1 = byte === C1_LEAD && (bytes[at + 1] as number) < C1_END;
      const code = isC1 ? (bytes[at + 1] as number) : byte;
      if (this.#isTooLong(byte) || !this.#takes(code, isC1)) {
        this.#state = CLOSED;
        return at;
      }
      const width = isC1 ? 2 : 1;
      this.#length += width;
      at += width;
      if (this.#state === CLOSED) return at;
    }
    return at;
  }

  /** Never inside a character. */
  #isTooLong(byte: number): boolean {
    return this.#length >= MAX_SEQUENCE_BYTES && (byte & 0xc0) !== 0x80;
  }

  /** Whether the character belongs to the open sequence. The last one of a sequence also closes it. */
  #takes(code: number, isC1: boolean): boolean {
    switch (this.#state) {
      case CSI_PARAMETERS:
        if (code >= 0x30 && code <= 0x3f) return true;
        return this.#takesCsiEnd(code);
      case CSI_INTERMEDIATES:
        return this.#takesCsiEnd(code);
      case ESCAPE:
        return this.#takesAfterEscape(code);
      case INTERMEDIATES:
        if (isIntermediate(code)) return true;
        this.#state = CLOSED;
        return code >= 0x30 && code <= 0x7e;
      case OSC_START:
        return this.#takesOscStart(code, isC1);
      case OSC_PALETTE:
        if (HEX_DIGIT[code] !== 1) return this.#takesOsc(code, isC1);
        if (this.#length === PALETTE_LAST_INDEX) this.#state = CLOSED;
        return true;
      case OSC:
        return this.#takesOsc(code, isC1);
      default:
        return this.#takesString(code, isC1);
    }
  }

  #takesAfterEscape(code: number): boolean {
    if (code === 0x5b /* [ */) this.#state = CSI_PARAMETERS;
    else if (code === 0x5d /* ] */) this.#state = OSC_START;
    else if (isStringIntroducer(code)) this.#state = STRING;
    else if (isIntermediate(code)) this.#state = INTERMEDIATES;
    else {
      // `ESC \` ends a string, which its escape has ended already; alone it means nothing.
      this.#state = CLOSED;
      return TWO_CHARACTER_ESCAPE[code] === 1;
    }
    return true;
  }

  #takesCsiEnd(code: number): boolean {
    this.#state = isIntermediate(code) ? CSI_INTERMEDIATES : CLOSED;
    return isIntermediate(code) || (code >= 0x40 && code <= 0x7e);
  }

  #takesOscStart(code: number, isC1: boolean): boolean {
    if (code === 0x52 /* R */) this.#state = CLOSED;
    else if (code === 0x50 /* P */) this.#state = OSC_PALETTE;
    else return this.#takesOsc(code, isC1);
    return true;
  }

  #takesOsc(code: number, isC1: boolean): boolean {
    this.#state = code === BEL ? CLOSED : OSC;
    return code === BEL || this.#takesString(code, isC1);
  }

  /** A string is cut short by newline, CAN, SUB, an escape and the C1 controls: a terminal gives it up there as well. */
  #takesString(code: number, isC1: boolean): boolean {
    if (isC1) {
      if (code === ST) this.#state = CLOSED;
      return code === ST;
    }
    return code >= 0x20 || (code !== NEWLINE && code !== CAN && code !== SUB && code !== ESC);
  }
}

function isIntermediate(code: number): boolean {
  return code >= 0x20 && code <= 0x2f;
}

/** DCS `P`, SOS `X`, PM `^`, APC `_`, and the title of screen `k`. */
function isStringIntroducer(code: number): boolean {
  return code === 0x50 || code === 0x58 || code === 0x5e || code === 0x5f || code === 0x6b;
}

function bytesMatching(pattern: RegExp): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, byte) =>
    byte < 0x80 && pattern.test(String.fromCharCode(byte)) ? 1 : 0,
  );
}
