/** The door `bash-backends/conformance`: the cases, and a runner for any backend. */
export type {
  ClosableOperations,
  ConformanceCase,
  ConformanceLimits,
  PromiseName,
  Rejection,
  Requirement,
  RunningExec,
  RunOptions,
  RunResult,
  Subject,
} from "./case.js";
export { ALL_CASES } from "./cases/index.js";
export { toJUnit } from "./junit.js";
export { type ConformanceOptions, type ConformanceReport, runConformance } from "./runner.js";
export {
  type CaseResult,
  DEFAULT_CASE_TIMEOUT_MS,
  type OpenOperations,
  type SessionOptions,
} from "./session.js";
