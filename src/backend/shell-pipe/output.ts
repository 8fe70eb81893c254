/** Finds the job's output in what comes from the target: after the nonce's first line, before its second. */

export interface OutputHandlers {
  readonly onData: (chunk: Buffer) => void;
  /** The last byte of the output was delivered. */
  readonly onEnd: () => void;
}

/** How much of what comes before the output is kept, to be shown when the supervisor never speaks. */
const MAX_NOISE_BYTES = 2048;

export class OutputDecoder {
  readonly #mark: Buffer;
  readonly #handlers: OutputHandlers;
  #state: "before" | "output" | "after" = "before";
  #held: Buffer = Buffer.alloc(0);
  #noise: Buffer = Buffer.alloc(0);

  constructor(nonce: string, handlers: OutputHandlers) {
    this.#mark = Buffer.from(`${nonce}\n`);
    this.#handlers = handlers;
  }

  /** What the login shell had said before. */
  get noise(): string {
    return this.#noise.toString();
  }

  push(chunk: Buffer): void {
    if (this.#state === "after") return;
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    const at = bytes.indexOf(this.#mark);
    if (at < 0) {
      const held = this.#overlap(bytes);
      this.#pass(bytes.subarray(0, bytes.length - held));
      this.#held = bytes.subarray(bytes.length - held);
      return;
    }
    this.#pass(bytes.subarray(0, at));
    this.#held = Buffer.alloc(0);
    if (this.#state === "before") {
      this.#state = "output";
      this.push(bytes.subarray(at + this.#mark.length));
    } else {
      this.#state = "after";
      this.#handlers.onEnd();
    }
  }

  /** How many bytes at the end may be the beginning of the mark. Nearly always none: nothing is held back. */
  #overlap(bytes: Buffer): number {
    for (let length = Math.min(this.#mark.length - 1, bytes.length); length > 0; length -= 1) {
      if (bytes[bytes.length - length] !== this.#mark[0]) continue;
      if (bytes.subarray(bytes.length - length).equals(this.#mark.subarray(0, length))) return length;
    }
    return 0;
  }

  #pass(bytes: Buffer): void {
    if (bytes.length === 0) return;
    if (this.#state === "output") this.#handlers.onData(bytes);
    else this.#noise = Buffer.concat([this.#noise, bytes]).subarray(-MAX_NOISE_BYTES);
  }
}
