/** How a run has ended, in the words of a host. */
import { BackendError, type BackendErrorCode, type BashOperations } from "../backend/index.js";
import type { Collected } from "./collector.js";

/** A command that ran. */
export interface BashResult extends Ending {
  /** The clean text, or the part of it that fits the limits: whole lines at its end (or head), as they are. */
  readonly output: string;
  /** Whether `output` is not all. */
  readonly truncated: boolean;
  /**
   * File with the full output, byte for byte, readable by its owner only: where `output` is truncated and the file
   * could be written. It is removed a week after its last write, by a later run that writes a file to the same
   * directory.
   */
  readonly fullOutputPath?: string;
  /** The file ends at `maxFileBytes`; what came after is in no file. */
  readonly fullOutputCut?: true;
}

interface Ending {
  /** 0–255; `undefined` where the command was ended (`cancelled`, `timedOut`), or nobody knows (`error`). */
  readonly exitCode: number | undefined;
  /** The command was ended because the signal was aborted. */
  readonly cancelled: boolean;
  /** The seconds after which the command was ended. */
  readonly timedOut?: number;
  /** A background process still held the output when the shell had exited, and was let go. */
  readonly leftOpen?: true;
  /** Why there is no exit code, where nobody asked for the command's end. */
  readonly error?: { readonly code: BackendErrorCode; readonly message: string };
}

/** What the road's error becomes: a `BackendError` that also tells what the command had written until then. */
export type RunError = BackendError & Collected;

type ExecValue = Awaited<ReturnType<BashOperations["exec"]>>;

/** What `exec` came to. */
export type Settled = { readonly value: ExecValue } | { readonly error: unknown };

const CANCELLED: Ending = { exitCode: undefined, cancelled: true };

export interface Circumstances {
  readonly backendName: string;
  /** Seconds that the caller has set. */
  readonly timeout: number | undefined;
  readonly isAborted: boolean;
}

/** @throws RunError where the road has failed */
export function resultOf(settled: Settled, collected: Collected, circumstances: Circumstances): BashResult {
  const { backendName, timeout, isAborted } = circumstances;
  if (isAborted) return { ...collected, ...CANCELLED };
  if ("value" in settled) return { ...collected, ...endingOf(settled.value, backendName) };
  const stop = stopOf(settled.error, timeout);
  if (stop === undefined) throw runErrorOf(settled.error, backendName, collected);
  return { ...collected, ...stop };
}

function endingOf(value: ExecValue, backendName: string): Ending {
  const leftOpen = "ending" in value && value.ending === "left-open";
  const message = `${backendName} did not tell how the command has ended`;
  return {
    exitCode: value.exitCode ?? undefined,
    cancelled: false,
    ...(leftOpen && { leftOpen }),
    ...(value.exitCode == null && { error: { code: "EXIT_UNKNOWN", message } }),
  };
}

/**
 * A stop that was asked for. Ours have codes; those of others are known by their message, which the contract
 * defines. A stop that we did not ask for (a limit of the operations' own) is one all the same.
 */
function stopOf(error: unknown, timeout: number | undefined): Ending | undefined {
  const { code, message } = Object(error) as { code?: unknown; message?: unknown };
  if (code === "ABORTED" || message === "aborted") return CANCELLED;
  const seconds = /^timeout:(\d+(?:\.\d+)?(?:e[+-]\d+)?)$/.exec(String(message))?.[1];
  const timedOut = seconds === undefined ? timeout : Number(seconds);
  const isTimeout = code === "TIMEOUT" || seconds !== undefined;
  return isTimeout && timedOut !== undefined
    ? { exitCode: undefined, cancelled: false, timedOut }
    : undefined;
}

/** An error of our own class, with the output; its cause is what the road has said. */
function runErrorOf(error: unknown, backendName: string, collected: Collected): RunError {
  const { code, message } = describe(error);
  const { killed, killConfirmed } = error instanceof BackendError ? error : {};
  const name = error instanceof BackendError ? error.backendName : backendName;
  const wrapped = new BackendError(name, code, message, {
    cause: error,
    ...(killed !== undefined && { killed }),
    ...(killConfirmed !== undefined && { killConfirmed }),
  });
  return Object.assign(wrapped, collected);
}

/** Foreign errors have no code of ours. But for a process that could not be started, the outcome is unknown. */
function describe(error: unknown): { code: BackendErrorCode; message: string } {
  if (error instanceof BackendError) return error;
  if (!(error instanceof Error)) return { code: "EXIT_UNKNOWN", message: String(error) };
  const { syscall } = error as NodeJS.ErrnoException;
  return { code: syscall?.startsWith("spawn") ? "SPAWN_FAILED" : "EXIT_UNKNOWN", message: error.message };
}
