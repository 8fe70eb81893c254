/** All the reasons for which an exec is stopped before it ends by itself, as one thing to wait for. */
import { addAbortListener, removeAbortListener } from "./abort-listeners.js";
import { deferred } from "./deferred.js";
import { abortedError, closedError, type KillReport, timeoutError } from "./errors.js";

type StopReason =
  | { readonly kind: "aborted" | "closed" }
  | { readonly kind: "timeout"; readonly seconds: number }
  /** The caller's `onData` threw. */
  | { readonly kind: "thrown"; readonly error: unknown };

export interface StopOptions {
  readonly signal: AbortSignal | undefined;
  /** Seconds from now. */
  readonly timeout: number | undefined;
}

export class Stop {
  readonly #signal: AbortSignal | undefined;
  readonly #timer: NodeJS.Timeout | undefined;
  readonly #requested = deferred<typeof STOPPED>();
  readonly #onAbort = () => this.request({ kind: "aborted" });
  #reason: StopReason | undefined;

  constructor({ signal, timeout }: StopOptions) {
    this.#signal = signal;
    if (signal !== undefined) addAbortListener(signal, this.#onAbort);
    if (timeout !== undefined) {
      this.#timer = setTimeout(() => this.request({ kind: "timeout", seconds: timeout }), timeout * 1000);
    }
  }

  /** Resolves at the first reason to stop. */
  get requested(): Promise<typeof STOPPED> {
    return this.#requested.promise;
  }

  /** True once there is a reason, also before those who wait for it were told. */
  get isRequested(): boolean {
    if (this.#reason === undefined && this.#signal?.aborted) this.request({ kind: "aborted" });
    return this.#reason !== undefined;
  }

  request(reason: StopReason): void {
    this.#reason ??= reason;
    this.#requested.resolve(STOPPED);
  }

  /** The error with which the exec rejects. An abort beats a timeout and a close that came before it. */
  error(backendName: string, report: KillReport): unknown {
    const reason = this.#reason;
    if (reason?.kind === "thrown") return reason.error;
    if (reason?.kind === "aborted" || this.#signal?.aborted) return abortedError(backendName, report);
    if (reason?.kind === "timeout") return timeoutError(backendName, reason.seconds, report);
    return closedError(backendName, report);
  }

  /** Takes the listener and the timer away. */
  dispose(): void {
    if (this.#signal !== undefined) removeAbortListener(this.#signal, this.#onAbort);
    clearTimeout(this.#timer);
  }
}

/** What `requested` resolves with, to be told apart from what it races against. */
export const STOPPED = Symbol("stopped");
