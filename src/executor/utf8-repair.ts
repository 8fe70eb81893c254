/**
 * Makes valid UTF-8 of bytes that arrive in pieces: a streaming decoder, but for the strings. A character that is
 * cut by a border comes whole with the next piece; invalid bytes become U+FFFD, as the WHATWG Encoding Standard says.
 */
import { isUtf8 } from "node:buffer";

const EMPTY = Buffer.alloc(0);
/** Bytes of the longest character. */
const MAX_CHARACTER_BYTES = 4;

export class Utf8Repair {
  /** The start of a character whose other bytes have not come. */
  #cut: Buffer = EMPTY;

  /** Whole characters only. What is valid already is not copied. */
  write(bytes: Buffer): Buffer {
    const joined = this.#cut.length === 0 ? bytes : Buffer.concat([this.#cut, bytes]);
    const end = wholeCharactersEnd(joined);
    // A copy: the caller may use the memory again.
    this.#cut = end === joined.length ? EMPTY : Buffer.from(joined.subarray(end));
    return repaired(joined.subarray(0, end));
  }

  /** What the end of the output makes of a character that was cut: U+FFFD, or nothing. */
  end(): Buffer {
    const rest = this.#cut;
    this.#cut = EMPTY;
    return repaired(rest);
  }
}

/** Where a character begins whose bytes do not all lie in `bytes`, or the end. */
function wholeCharactersEnd(bytes: Buffer): number {
  for (let back = 1; back < MAX_CHARACTER_BYTES && back <= bytes.length; back += 1) {
    const byte = bytes[bytes.length - back] ?? 0;
    if (byte < 0x80) return bytes.length;
    // A lead byte begins a character whatever stands before it: cutting there changes nothing.
    if (byte >= 0xc0) return characterLength(byte) > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}

function characterLength(lead: number): number {
  if (lead < 0xe0) return 2;
  return lead < 0xf0 ? 3 : 4;
}

function repaired(bytes: Buffer): Buffer {
  return isUtf8(bytes) ? bytes : Buffer.from(bytes.toString("utf8"));
}
