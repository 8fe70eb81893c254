/** Runs the cases on a backend and tells as data what came of it. */
import type { ConformanceCase } from "./case.js";
import { type CaseResult, ConformanceSession, type OpenOperations, type SessionOptions } from "./session.js";

export interface ConformanceOptions extends SessionOptions {
  /**
   * How many cases run at once. 1 by default: a case that measures time is then alone on the backend. Those that
   * count descriptors or memory always are.
   */
  readonly concurrency?: number | undefined;
  /** Gets each result as soon as there is one. */
  readonly onResult?: ((result: CaseResult) => void) | undefined;
  /** Ends the run after the cases that are under way. */
  readonly signal?: AbortSignal | undefined;
}

export interface ConformanceReport {
  readonly passed: number;
  readonly failed: number;
  readonly skipped: number;
  /** In the order of the cases. */
  readonly results: readonly CaseResult[];
}

/**
 * @param open gives a fresh backend at each call, opened with its defaults or with what `options.limits` states
 * @throws RangeError for the name of a case that does not exist; what `open` throws; the signal's reason
 */
export async function runConformance(
  open: OpenOperations,
  options: ConformanceOptions = {},
): Promise<ConformanceReport> {
  const { concurrency = 1, onResult, signal } = options;
  if (!(Number.isInteger(concurrency) && concurrency > 0)) {
    throw new RangeError(`concurrency must be a whole number above 0, got ${concurrency}`);
  }
  const session = new ConformanceSession(open, options);
  const results = new Map<ConformanceCase, CaseResult>();
  const runOne = async (testCase: ConformanceCase) => {
    signal?.throwIfAborted();
    const result = await session.run(testCase);
    results.set(testCase, result);
    onResult?.(result);
  };
  try {
    await inParallel(
      session.cases.filter(({ isAlone }) => !isAlone),
      concurrency,
      runOne,
    );
    await inParallel(
      session.cases.filter(({ isAlone }) => isAlone),
      1,
      runOne,
    );
  } finally {
    await session.close();
  }
  return makeReport(session.cases.flatMap((testCase) => results.get(testCase) ?? []));
}

function makeReport(results: readonly CaseResult[]): ConformanceReport {
  const count = (status: CaseResult["status"]) => results.filter((result) => result.status === status).length;
  return { passed: count("passed"), failed: count("failed"), skipped: count("skipped"), results };
}

/** Takes the cases in order, a few at once. After the first error no further one is begun. */
async function inParallel(
  cases: readonly ConformanceCase[],
  concurrency: number,
  runOne: (testCase: ConformanceCase) => Promise<void>,
): Promise<void> {
  const queue = cases.values();
  const worker = async () => {
    for (const testCase of queue) await runOne(testCase);
  };
  const workers = Array.from({ length: concurrency }, worker);
  try {
    await Promise.all(workers);
  } finally {
    await Promise.allSettled(workers);
  }
}
