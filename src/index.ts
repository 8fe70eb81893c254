/** The main door `bash-backends`: what a host needs around a backend. */
export {
  BackendError,
  type BackendErrorCode,
  type BashBackend,
  type BashOperations,
} from "./backend/index.js";
export {
  type BashResult,
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_FILE_BYTES,
  DEFAULT_MAX_LINES,
  type ExecuteBashOptions,
  executeBash,
  FULL_OUTPUT_MAX_AGE_MS,
  type Keep,
  type RunError,
} from "./executor/index.js";
