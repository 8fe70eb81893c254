/** Makes text of bytes that arrive in pieces: a character that is cut by a border comes out whole. */
import { isAscii } from "node:buffer";

const NON_ASCII = 0x80;

export class Utf8Decoder {
  // A BOM at the start of an output is the command's own: `ignoreBOM` means that it is not taken away.
  readonly #decoder = new TextDecoder("utf-8", { ignoreBOM: true });
  #mayHoldBytes = false;

  /** Invalid bytes become U+FFFD, as the WHATWG Encoding Standard says. */
  write(bytes: Buffer): string {
    if (bytes.length === 0) return "";
    // Most output is ASCII, which is copied several times as fast as the streaming decoder reads it.
    if (!this.#mayHoldBytes && isAscii(bytes)) return bytes.toString("latin1");
    this.#mayHoldBytes = (bytes[bytes.length - 1] ?? 0) >= NON_ASCII;
    return this.#decoder.decode(bytes, { stream: true });
  }

  /** What the end of the output makes of a character that was cut: U+FFFD, or nothing. */
  end(): string {
    this.#mayHoldBytes = false;
    return this.#decoder.decode();
  }
}
