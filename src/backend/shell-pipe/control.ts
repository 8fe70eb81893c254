/** Decodes what the supervisor says on its standard error: lines that begin with the nonce; all else is noise. */

/** One thing that the supervisor has said. */
export type ControlEvent =
  | {
      readonly kind: "ready";
      readonly pid: number;
      /** `proc`: it can find processes by their environment. `session`: the job has one of its own. */
      readonly facts: readonly string[];
      readonly shellPath: string;
      readonly version: string | undefined;
    }
  /** It has the whole request: anything may be sent again. */
  | { readonly kind: "taken" }
  | { readonly kind: "refused"; readonly reason: string }
  | { readonly kind: "exited"; readonly code: number }
  /** It has begun to kill, because it was told to or because it heard nothing. */
  | { readonly kind: "killing" }
  | { readonly kind: "killed"; readonly isConfirmed: boolean; readonly pids: number[] }
  /** It has become the drain of the job's background. */
  | { readonly kind: "cut" }
  | { readonly kind: "failed"; readonly reason: string };

/** The longest line that can be one of the supervisor's: it names the processes that were killed. */
const MAX_LINE_BYTES = 256 * 1024;

/** How much of the noise is kept, to be shown when the supervisor never speaks. */
const MAX_NOISE_BYTES = 2048;

export class ControlDecoder {
  readonly #nonce: string;
  readonly #onEvent: (event: ControlEvent) => void;
  #line: Buffer[] = [];
  #lineBytes = 0;
  #noise = "";

  constructor(nonce: string, onEvent: (event: ControlEvent) => void) {
    this.#nonce = nonce;
    this.#onEvent = onEvent;
  }

  /** What was said by others: login messages, errors of the login shell. */
  get noise(): string {
    return this.#noise;
  }

  push(chunk: Buffer): void {
    let start = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, start)) {
      this.#append(chunk.subarray(start, end));
      this.#endLine();
      start = end + 1;
    }
    this.#append(chunk.subarray(start));
  }

  #append(part: Buffer): void {
    if (part.length === 0) return;
    this.#lineBytes += part.length;
    // A line that never ends is noise; what is kept of it is its beginning.
    if (this.#lineBytes <= MAX_LINE_BYTES) this.#line.push(part);
  }

  #endLine(): void {
    const line = Buffer.concat(this.#line).toString();
    const isWhole = this.#lineBytes <= MAX_LINE_BYTES;
    this.#line = [];
    this.#lineBytes = 0;
    const event = isWhole ? decodeLine(line, this.#nonce) : undefined;
    if (event !== undefined) this.#onEvent(event);
    else this.#noise = `${this.#noise}${line}\n`.slice(-MAX_NOISE_BYTES);
  }
}

/** @returns `undefined` for a line that is not one of the supervisor's */
function decodeLine(line: string, nonce: string): ControlEvent | undefined {
  // A login shell may leave something on the line without ending it.
  const at = line.indexOf(`${nonce} `);
  if (at < 0) return undefined;
  const [word, ...rest] = line
    .slice(at + nonce.length + 1)
    .trim()
    .split(/ +/);
  switch (word) {
    case "ready":
      return decodeReady(rest);
    case "taken":
    case "cut":
    case "killing":
      return { kind: word };
    case "refused":
    case "failed":
      return { kind: word, reason: rest.join(" ") };
    case "exited":
      return decodeExited(rest);
    case "killed":
      return {
        kind: "killed",
        isConfirmed: rest[0] === "confirmed",
        pids: rest.slice(1).map(Number).filter(isPid),
      };
    default:
      return undefined;
  }
}

function decodeReady([pid, facts, shellPath, version]: string[]): ControlEvent | undefined {
  if (facts === undefined || shellPath === undefined) return undefined;
  return { kind: "ready", pid: Number(pid), facts: facts.split(","), shellPath, version };
}

function decodeExited([text]: string[]): ControlEvent | undefined {
  const code = Number(text);
  return text !== undefined && Number.isInteger(code) && code >= 0 && code <= 255
    ? { kind: "exited", code }
    : undefined;
}

const isPid = (pid: number) => Number.isInteger(pid) && pid > 1;
