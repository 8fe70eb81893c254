/** Makes a complete backend out of a road: the exec engine owns the life of each exec, the road only starts it. */
import type { BashBackend } from "./contract.js";
import { DEFAULT_DRAIN, type DrainLimits } from "./drain.js";
import { closedError, NOTHING_TO_KILL } from "./errors.js";
import { Execution } from "./execution.js";
import { createMarker, type Marker } from "./marker.js";
import type { Road } from "./process.js";
import { checkRequest } from "./request.js";

/**
 * How long a command may outlive SIGTERM before SIGKILL, in milliseconds.
 * Far below the 10 s of `docker stop`: a person has pressed Escape and waits.
 */
export const DEFAULT_KILL_GRACE_MS = 500;

export interface EngineOptions {
  /** How long a process may outlive SIGTERM before SIGKILL. */
  readonly killGraceMs?: number | undefined;
  /** How long to wait for background processes that hold the output after the shell has exited. */
  readonly drain?: Partial<DrainLimits> | undefined;
  /** Makes the markers of this backend's jobs. Left out: a new one. */
  readonly marker?: Marker;
}

/**
 * @throws TypeError or RangeError for an option that is no duration
 */
export function createBackend(road: Road, options: EngineOptions = {}): BashBackend {
  const { killGraceMs = DEFAULT_KILL_GRACE_MS, drain = {}, marker = createMarker() } = options;
  const { quietMs = DEFAULT_DRAIN.quietMs, maxMs = DEFAULT_DRAIN.maxMs } = drain;
  checkDuration("killGraceMs", killGraceMs);
  checkDuration("drain.quietMs", quietMs);
  checkDuration("drain.maxMs", maxMs);
  const settings = { killGraceMs, drain: { quietMs, maxMs } };

  const closing = new AbortController();
  const running = new Set<Execution>();
  let closed: Promise<void> | undefined;

  const backend: BashBackend = {
    name: road.name,
    get capabilities() {
      return road.capabilities;
    },
    async exec(command, cwd, execOptions) {
      const request = checkRequest(command, cwd, execOptions);
      const execution = new Execution(road, request, { ...settings, marker: marker.next() });
      if (closing.signal.aborted) throw closedError(road.name, NOTHING_TO_KILL);
      running.add(execution);
      try {
        return await execution.run();
      } finally {
        running.delete(execution);
      }
    },
    close() {
      closed ??= closeAll();
      return closed;
    },
    [Symbol.asyncDispose]: () => backend.close(),
  };

  async function closeAll(): Promise<void> {
    closing.abort();
    await Promise.all([...running].map((execution) => execution.close()));
    await road.close?.();
  }
  return backend;
}

function checkDuration(name: string, ms: number): void {
  if (typeof ms !== "number")
    throw new TypeError(`${name} must be a number of milliseconds, got ${typeof ms}`);
  if (!(ms >= 0 && ms <= 2 ** 31 - 1)) {
    throw new RangeError(`${name} must be between 0 and 2147483647 milliseconds, got ${ms}`);
  }
}
