import { BackendError, type BashOperations, type ExecOptions } from "../backend/index.js";

export interface BashResult {
  readonly output: string;
  readonly exitCode: number | undefined;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  readonly fullOutputPath?: string;
  readonly timedOut?: number;
  readonly leftOpen?: true;
  readonly error?: { readonly code: string; readonly message: string };
}

export async function executeBash(
  command: string,
  cwd: string,
  operations: BashOperations,
  options: Omit<ExecOptions, "onData">,
): Promise<BashResult> {
  const chunks: Buffer[] = [];
  const output = () => Buffer.concat(chunks).toString();
  try {
    const result = await operations.exec(command, cwd, { ...options, onData: (chunk) => chunks.push(chunk) });
    const leftOpen = "ending" in result && result.ending === "left-open";
    return {
      output: output(),
      exitCode: result.exitCode ?? undefined,
      cancelled: false,
      truncated: false,
      ...(leftOpen && { leftOpen }),
    };
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    const ended = { output: output(), exitCode: undefined, truncated: false };
    if (error.code === "ABORTED") return { ...ended, cancelled: true };
    if (error.code === "TIMEOUT") return { ...ended, cancelled: false, timedOut: options.timeout ?? 0 };
    throw Object.assign(error, { output: output() });
  }
}
