/**
 * Checks what a caller handed to `exec`, before anything is opened or run. Options are read once, here.
 */
import type { ExecOptions } from "./contract.js";
import { checkEnvironment } from "./environment.js";

/** The largest time limit in seconds: Node's timers fire at once beyond 2^31 − 1 ms. */
export const MAX_TIMEOUT_SECONDS = 2_147_483.647;

export interface ExecRequest {
  readonly command: string;
  readonly cwd: string;
  readonly onData: (data: Buffer) => void;
  readonly signal: AbortSignal | undefined;
  /** Seconds. */
  readonly timeout: number | undefined;
  readonly env: Readonly<Record<string, string>> | undefined;
}

/** @throws TypeError or RangeError that names the argument */
export function checkRequest(command: string, cwd: string, options: ExecOptions): ExecRequest {
  checkText("command", command);
  checkText("cwd", cwd);
  if (cwd === "") throw new TypeError("cwd must name a directory, got an empty string");
  if (typeof options !== "object" || options === null) {
    throw new TypeError(`options must be an object with onData, got ${describe(options)}`);
  }
  const { onData, signal, timeout, env } = options;
  if (typeof onData !== "function") {
    throw new TypeError(`options.onData must be a function, got ${describe(onData)}`);
  }
  if (signal != null && !(signal instanceof AbortSignal)) {
    throw new TypeError(`options.signal must be an AbortSignal, got ${describe(signal)}`);
  }
  if (timeout != null) checkTimeout(timeout);
  return {
    command,
    cwd,
    onData,
    signal: signal ?? undefined,
    timeout: timeout ?? undefined,
    env: env == null ? undefined : checkEnvironment(env, process.env),
  };
}

function checkText(name: string, text: string): void {
  if (typeof text !== "string") throw new TypeError(`${name} must be a string, got ${describe(text)}`);
  const nul = text.indexOf("\0");
  if (nul >= 0) {
    throw new TypeError(
      `${name} must not hold a NUL byte: there is one at index ${nul}, and no shell can take it`,
    );
  }
}

function checkTimeout(timeout: number): void {
  if (typeof timeout !== "number") {
    throw new TypeError(`timeout must be a number of seconds, got ${describe(timeout)}`);
  }
  if (!Number.isFinite(timeout))
    throw new RangeError(`timeout must be a finite number of seconds, got ${timeout}`);
  if (timeout <= 0) throw new RangeError(`timeout must be above 0 seconds, got ${timeout}`);
  if (timeout > MAX_TIMEOUT_SECONDS) {
    throw new RangeError(
      `timeout must be at most ${MAX_TIMEOUT_SECONDS} seconds, got ${timeout} (is it in milliseconds?)`,
    );
  }
}

/** Names the type only: the value may be a secret. */
function describe(value: unknown): string {
  return value === null ? "null" : `a value of type ${typeof value}`;
}
