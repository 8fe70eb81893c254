/** `exec --json`: one object on stdout instead of the stream. */
import { BackendError, type Ending } from "../backend/index.js";
import { type BashResult, executeBash } from "../executor/index.js";
import { type ExecRun, execOptions } from "./exec-run.js";
import { EXIT_BROKEN_PIPE, EXIT_ROAD_FAILED, EXIT_TIMEOUT } from "./exit-codes.js";
import { ReaderGoneError, writeText } from "./writer.js";

/** What is printed. Only what applies is there, but for `exitCode`, `cancelled`, `ending` and `output`. */
interface ExecReport extends OutputReport {
  /** `null`: the command did not end by itself, or nobody knows how. */
  readonly exitCode: number | null;
  /** Seconds after which the command was ended. */
  readonly timedOut?: number;
  /** The command was ended by a signal to this process. */
  readonly cancelled: boolean;
  /** `null` where the command did not end by itself. */
  readonly ending: Ending | null;
  readonly error?: { readonly code: string; readonly message: string };
}

interface OutputReport {
  readonly output: string;
  readonly truncated?: true;
  readonly fullOutputPath?: string;
}

export async function runForJson(run: ExecRun): Promise<number> {
  const report = await makeReport(run);
  try {
    writeText(1, `${JSON.stringify(report)}\n`);
  } catch (error) {
    if (error instanceof ReaderGoneError) return EXIT_BROKEN_PIPE;
    throw error;
  }
  if (report.timedOut !== undefined) return EXIT_TIMEOUT;
  return (report.cancelled ? run.interruption.exitCode : report.exitCode) ?? EXIT_ROAD_FAILED;
}

/** @throws TypeError or RangeError for arguments that the backend refuses: nothing ran, there is nothing to report */
async function makeReport(run: ExecRun): Promise<ExecReport> {
  const { cwd, ...options } = execOptions(run);
  try {
    return reportOf(await executeBash(run.command, cwd, run.backend, options));
  } catch (error) {
    if (!(error instanceof BackendError)) throw error;
    const { code, message } = error;
    const collected = error as BackendError & Partial<BashResult>;
    const ending = { exitCode: null, cancelled: false, ending: null, ...outputOf(collected) };
    return { ...ending, error: { code, message } };
  }
}

function reportOf(result: BashResult): ExecReport {
  const { exitCode = null, timedOut, cancelled, leftOpen, error } = result;
  return {
    exitCode,
    ...(timedOut !== undefined && { timedOut }),
    cancelled,
    ending: exitCode === null ? null : leftOpen ? "left-open" : "complete",
    ...outputOf(result),
    ...(error !== undefined && { error }),
  };
}

/** What was gathered: of a command that ran, or of one whose road has failed meanwhile. */
function outputOf({ output = "", truncated, fullOutputPath }: Partial<BashResult>): OutputReport {
  return {
    output,
    ...(truncated && { truncated }),
    ...(fullOutputPath !== undefined && { fullOutputPath }),
  };
}
