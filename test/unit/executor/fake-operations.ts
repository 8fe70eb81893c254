/** Operations that deliver given bytes: the far end, made up; the executor is the real one. */
import type { BashOperations, ExecOptions } from "../../../src/backend/index.js";

interface Ending {
  readonly exitCode?: number | null;
  readonly ending?: "complete" | "left-open";
  /** Rejected with, once everything is delivered. */
  readonly error?: unknown;
}

/** Delivers all chunks, then ends. */
export function writing(chunks: readonly (Buffer | string)[], end: Ending = {}): BashOperations {
  const { error, ...result } = end;
  return running(async ({ onData }) => {
    for (const chunk of chunks) onData(Buffer.from(chunk));
    if (error !== undefined) throw error;
    return { exitCode: 0, ...result };
  });
}

/** Delivers `text` and runs until it is aborted; then it rejects as pi's operations do. */
export function runningUntilAborted(text: string): BashOperations {
  return running(async ({ onData, signal }) => {
    onData(Buffer.from(text));
    await new Promise((resolve) => signal?.addEventListener("abort", resolve));
    throw new Error("aborted");
  });
}

export function running(
  exec: (options: ExecOptions) => Promise<{ exitCode: number | null }>,
): BashOperations {
  return { exec: (_command, _cwd, options) => exec(options) };
}
