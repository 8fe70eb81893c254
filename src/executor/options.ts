/** What may be said of one run, checked and with its defaults. */
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import type { CollectorOptions } from "./collector.js";
import type { Keep } from "./kept-bytes.js";

/** Lines of output that a result holds by default: the end of a build log, not more than a model reads. */
export const DEFAULT_MAX_LINES = 2000;
/** Bytes of output that a result holds by default. */
export const DEFAULT_MAX_BYTES = 51_200;
/** Bytes that a full-output file holds by default: 1 GiB. */
export const DEFAULT_MAX_FILE_BYTES = 1024 ** 3;
/** The largest `maxBytes`: a result is one string, and V8 has none of 512 MiB. */
const LARGEST_MAX_BYTES = 256 * 1024 ** 2;

export interface ExecuteBashOptions {
  /**
   * Gets the clean text as it comes, never an empty one, never after `executeBash` has settled.
   *
   * Nothing waits for the end of a line, so that prompts, dots and progress bars show at once. What was shown cannot
   * be taken back; a line that is written anew is therefore told, by one CR (`\r`, the only control character but
   * tab and newline) before the new text: return to the start of the line and forget what it held. A terminal
   * does nearly that by itself; a listener that cannot may make a newline of it.
   *
   * All texts together are the clean text of the whole output before the CR rule. With the rule (of each line, what
   * follows its last CR) they equal `output` where that is not truncated. How the text is divided depends on how
   * the bytes come, what it is does not.
   *
   * Where it throws, or returns a promise that rejects, the command is ended and `executeBash` rejects with that
   * error.
   */
  readonly onChunk?: ((text: string) => void) | undefined;
  /** Ends the command when aborted. */
  readonly signal?: AbortSignal | undefined;
  /** Ends the command after this many seconds. Checked by the operations. Left out: no limit. */
  readonly timeout?: number | undefined;
  /** The command's environment, as the operations understand it. */
  readonly env?: NodeJS.ProcessEnv | undefined;
  /** Bytes of UTF-8 that `output` may have, newlines included. Left out: 51,200. At most 256 MiB. */
  readonly maxBytes?: number | undefined;
  /** Lines that `output` may have. Left out: 2000. `Infinity`: no limit. */
  readonly maxLines?: number | undefined;
  /** Which end of a longer output is kept. Left out: `tail`, where a build tells what went wrong. */
  readonly keep?: Keep | undefined;
  /** Directory for the full-output file. Left out: the system's. */
  readonly tempDir?: string | undefined;
  /** Bytes that the full-output file may have. Left out: 1 GiB. `Infinity`: no limit. */
  readonly maxFileBytes?: number | undefined;
}

/** @throws TypeError or RangeError that names the option */
export function checkOptions(options: ExecuteBashOptions): Omit<CollectorOptions, "onText"> {
  const { maxBytes = DEFAULT_MAX_BYTES, maxLines = DEFAULT_MAX_LINES } = options;
  const { maxFileBytes = DEFAULT_MAX_FILE_BYTES, keep = "tail", tempDir = tmpdir(), onChunk } = options;
  checkCount("maxBytes", maxBytes, LARGEST_MAX_BYTES);
  checkCount("maxLines", maxLines, Number.POSITIVE_INFINITY);
  checkCount("maxFileBytes", maxFileBytes, Number.POSITIVE_INFINITY);
  if (keep !== "tail" && keep !== "head") throw new RangeError(`keep must be "tail" or "head", got ${keep}`);
  if (typeof tempDir !== "string" || tempDir === "") {
    throw new TypeError(
      `tempDir must name a directory, got ${tempDir === "" ? "an empty string" : typeof tempDir}`,
    );
  }
  if (onChunk !== undefined && typeof onChunk !== "function") {
    throw new TypeError(`onChunk must be a function, got a value of type ${typeof onChunk}`);
  }
  return { maxBytes, maxLines, maxFileBytes, keep, directory: resolve(tempDir) };
}

function checkCount(name: string, count: number, largest: number): void {
  if (typeof count !== "number")
    throw new TypeError(`${name} must be a number, got a value of type ${typeof count}`);
  const isCount = Number.isSafeInteger(count) || count === Number.POSITIVE_INFINITY;
  if (!isCount || count < 1 || count > largest) {
    const range = largest === Number.POSITIVE_INFINITY ? "from 1 up, or Infinity" : `from 1 to ${largest}`;
    throw new RangeError(`${name} must be a whole number ${range}, got ${count}`);
  }
}
