/** One backend under test: which cases are to be run on it, the running of one case, and its result. */
import { strict as assert } from "node:assert";
import { DEFAULT_DRAIN, DEFAULT_KILL_GRACE_MS, deferred } from "../backend/index.js";
import type { ClosableOperations, ConformanceCase, ConformanceLimits, Requirement } from "./case.js";
import { ALL_CASES } from "./cases/index.js";
import { CaseSubject, Skip } from "./subject.js";

/** How long a case may take. The longest (1000 execs) needs some seconds, and on a busy machine or a slow link many. */
export const DEFAULT_CASE_TIMEOUT_MS = 60_000;

export interface SessionOptions {
  /** Ids of cases, or names of groups (`timeout`). Left out: all of them. */
  readonly only?: readonly string[] | undefined;
  /** Ids of cases, or names of groups, that are known to fail. One that does not fail any more fails the run. */
  readonly knownGaps?: readonly string[] | undefined;
  readonly caseTimeoutMs?: number | undefined;
  /** What the backend was opened with, where that is not the default of this package. */
  readonly limits?: Partial<ConformanceLimits> | undefined;
  /** Left out: those of this package. */
  readonly cases?: readonly ConformanceCase[] | undefined;
}

export interface CaseResult {
  readonly id: string;
  readonly title: string;
  readonly status: "passed" | "failed" | "skipped";
  /** Why it failed or was skipped. */
  readonly reason?: string;
  readonly ms: number;
}

/** Opens a backend with its default settings, or with those that `limits` states. */
export type OpenOperations = () => ClosableOperations | Promise<ClosableOperations>;

export class ConformanceSession {
  readonly cases: readonly ConformanceCase[];
  readonly #open: OpenOperations;
  readonly #knownGaps: ReadonlySet<ConformanceCase>;
  readonly #caseTimeoutMs: number;
  readonly #limits: ConformanceLimits;
  #operations: Promise<ClosableOperations> | undefined;

  /** @throws RangeError for the name of a case that does not exist */
  constructor(open: OpenOperations, options: SessionOptions = {}) {
    const {
      only,
      knownGaps = [],
      caseTimeoutMs = DEFAULT_CASE_TIMEOUT_MS,
      limits,
      cases = ALL_CASES,
    } = options;
    this.#open = open;
    this.cases = only === undefined ? cases : selectCases("only", only, cases);
    this.#knownGaps = new Set(selectCases("knownGaps", knownGaps, cases));
    this.#caseTimeoutMs = caseTimeoutMs;
    this.#limits = {
      killGraceMs: DEFAULT_KILL_GRACE_MS,
      drainQuietMs: DEFAULT_DRAIN.quietMs,
      drainMaxMs: DEFAULT_DRAIN.maxMs,
      leakExecs: 1000,
      ...limits,
    };
  }

  /**
   * Runs one case. What goes wrong in it is its result.
   *
   * @throws what the factory throws: without a backend there is nothing to be said about it
   */
  async run(testCase: ConformanceCase): Promise<CaseResult> {
    this.#operations ??= Promise.resolve(this.#open());
    const operations = await this.#operations;
    const startedAt = performance.now();
    const verdict = await this.#verdict(testCase, operations);
    const { id, title } = testCase;
    const ms = Math.round(performance.now() - startedAt);
    return { id, title, ...(this.#knownGaps.has(testCase) ? asKnownGap(verdict) : verdict), ms };
  }

  /** Closes the shared backend, where it can be closed. */
  async close(): Promise<void> {
    const operations = await this.#operations?.catch(() => undefined);
    await operations?.close?.();
  }

  async #verdict(testCase: ConformanceCase, operations: ClosableOperations): Promise<Verdict> {
    const missing = missingRequirement(testCase.requires, operations);
    if (missing !== undefined) return { status: "skipped", reason: missing };
    const subject = new CaseSubject(operations, this.#limits, this.#open);
    try {
      await this.#bounded(testCase.run(subject));
      return { status: "passed" };
    } catch (error) {
      if (error instanceof Skip) return { status: "skipped", reason: error.message };
      return { status: "failed", reason: `broken promise "${testCase.promise}": ${describe(error)}` };
    } finally {
      await subject.cleanUp();
    }
  }

  async #bounded(run: Promise<void>): Promise<void> {
    const { promise, reject } = deferred<never>();
    const expire = () => reject(new Error(`the case did not end within ${this.#caseTimeoutMs} ms`));
    const timer = setTimeout(expire, this.#caseTimeoutMs);
    try {
      await Promise.race([run, promise]);
    } finally {
      clearTimeout(timer);
    }
  }
}

type Verdict = Pick<CaseResult, "status" | "reason">;

function selectCases(
  option: string,
  names: readonly string[],
  cases: readonly ConformanceCase[],
): ConformanceCase[] {
  const isNamed = ({ id }: ConformanceCase, name: string) => id === name || id.startsWith(`${name}/`);
  const unknown = names.filter((name) => !cases.some((one) => isNamed(one, name)));
  if (unknown.length > 0) throw new RangeError(`${option}: no case or group is named ${unknown.join(", ")}`);
  return cases.filter((one) => names.some((name) => isNamed(one, name)));
}

/** A foreign backend that declares nothing is held to everything: its gaps are to be seen. */
function missingRequirement(
  requires: Requirement | undefined,
  { capabilities, close }: ClosableOperations,
): string | undefined {
  if (requires === undefined) return undefined;
  if (requires === "close") return close === undefined ? "the backend has no close()" : undefined;
  const isDeclared = capabilities === undefined || capabilities[requires];
  return isDeclared ? undefined : `the backend declares ${requires}: false`;
}

function asKnownGap({ status, reason }: Verdict): Verdict {
  if (status === "failed") return { status: "skipped", reason: `known gap: ${reason}` };
  const seen = status === "passed" ? "it passes" : `it is skipped (${reason})`;
  return { status: "failed", reason: `listed as a known gap, but ${seen}: take it off the list` };
}

function describe(error: unknown): string {
  if (error instanceof assert.AssertionError || !(error instanceof Error))
    return String((error as Error).message);
  return error.message === "" ? error.name : error.message;
}
