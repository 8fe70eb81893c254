/** The door `bash-backends/backend`: the contract, and the engine for those who write a backend. */
export { addAbortListener, removeAbortListener } from "./abort-listeners.js";
export type {
  BashBackend,
  BashOperations,
  Capabilities,
  Ending,
  ExecOptions,
  ExecResult,
  Shell,
} from "./contract.js";
export { type Deferred, deferred } from "./deferred.js";
export { DEFAULT_DRAIN, type DrainLimits } from "./drain.js";
export { createBackend, DEFAULT_KILL_GRACE_MS, type EngineOptions } from "./engine.js";
export { BackendError, type BackendErrorCode, type BackendErrorOptions, type KillReport } from "./errors.js";
export { createMarker, MARKER_VARIABLE, type Marker, markerChain } from "./marker.js";
export type { Job, Road, TargetProcess } from "./process.js";
export { MAX_TIMEOUT_SECONDS } from "./request.js";
export type { ShellPipe, ShellPipeOpener } from "./shell-pipe/pipe.js";
export { createShellPipeBackend, type ShellPipeOptions } from "./shell-pipe/road.js";
export { type EnvOptions, HOST_ONLY_VARIABLES } from "./travelling-environment.js";
