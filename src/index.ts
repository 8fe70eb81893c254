/** The main door `bash-backends`: what a host needs around a backend. */
export {
  BackendError,
  type BackendErrorCode,
  type BashBackend,
  type BashOperations,
} from "./backend/index.js";
