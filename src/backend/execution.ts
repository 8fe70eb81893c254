/** The life of one exec: start, deliver, watch, kill or drain, settle once. It knows nothing of any target. */
import type { ExecResult } from "./contract.js";
import { deferred } from "./deferred.js";
import { Drain, type DrainLimits } from "./drain.js";
import { type KillReport, NOTHING_TO_KILL } from "./errors.js";
import type { Road, TargetProcess } from "./process.js";
import type { ExecRequest } from "./request.js";
import { STOPPED, Stop } from "./stop.js";

/**
 * How long after the grace a kill may take before the exec settles without its confirmation, in milliseconds. The
 * promise is one second; the rest of it is for our own timers.
 */
const CONFIRM_MS = 900;

export interface ExecutionSettings {
  readonly killGraceMs: number;
  readonly drain: DrainLimits;
  readonly marker: string;
}

export class Execution {
  readonly #road: Road;
  readonly #request: ExecRequest;
  readonly #settings: ExecutionSettings;
  readonly #drain: Drain;
  readonly #cancelled = new AbortController();
  #stop: Stop | undefined;
  #settled: Promise<unknown> = Promise.resolve();
  #delivers = true;

  constructor(road: Road, request: ExecRequest, settings: ExecutionSettings) {
    this.#road = road;
    this.#request = request;
    this.#settings = settings;
    this.#drain = new Drain(settings.drain);
  }

  run(): Promise<ExecResult> {
    const result = this.#run();
    this.#settled = result.catch(() => undefined);
    return result;
  }

  /** Stops it with the reason `closed`. Resolves when it has settled. */
  async close(): Promise<void> {
    this.#stop?.request({ kind: "closed" });
    await this.#settled;
  }

  async #run(): Promise<ExecResult> {
    const stop = new Stop(this.#request);
    this.#stop = stop;
    try {
      if (stop.isRequested) throw stop.error(this.#road.name, NOTHING_TO_KILL);
      const starting = this.#start();
      const process = await this.#orStop(starting, stop);
      if (process === STOPPED) throw stop.error(this.#road.name, await this.#killStarting(starting));
      const result = await this.#orStop(this.#finish(process), stop);
      if (result === STOPPED) throw stop.error(this.#road.name, await this.#kill(process));
      if (result.ending === "left-open") await process.letGo();
      return result;
    } finally {
      this.#delivers = false;
      stop.dispose();
    }
  }

  async #start(): Promise<TargetProcess> {
    const { command, cwd, env } = this.#request;
    return this.#road.start({
      command,
      cwd,
      env,
      marker: this.#settings.marker,
      cancelled: this.#cancelled.signal,
      deliver: (chunk) => this.#deliver(chunk),
    });
  }

  async #finish(process: TargetProcess): Promise<ExecResult> {
    // A road that fails rejects both: the first one is told, the second must not count as unhandled.
    process.outputEnded.catch(() => undefined);
    const exitCode = await process.exited;
    return { exitCode, ending: await this.#drain.wait(process.outputEnded) };
  }

  /** The outcome, or STOPPED where there is a reason to stop: also one that came in the same tick as the outcome. */
  async #orStop<T>(outcome: Promise<T>, stop: Stop): Promise<T | typeof STOPPED> {
    try {
      const first = await Promise.race([outcome, stop.requested]);
      return stop.isRequested ? STOPPED : first;
    } catch (error) {
      if (stop.isRequested) return STOPPED;
      throw error;
    }
  }

  #deliver(chunk: Buffer): void {
    if (!this.#delivers) return;
    this.#drain.noticeDelivery();
    try {
      const returned: unknown = this.#request.onData(chunk);
      // An async onData is outside the contract; its rejection must not become an uncaught one all the same.
      if (returned instanceof Promise) returned.catch((error: unknown) => this.#failDelivery(error));
    } catch (error) {
      this.#failDelivery(error);
    }
  }

  #failDelivery(error: unknown): void {
    this.#delivers = false;
    this.#stop?.request({ kind: "thrown", error });
  }

  /** Kills what was started, or what will have been: a start cannot be called back, only made to come to nothing. */
  #killStarting(starting: Promise<TargetProcess>): Promise<KillReport> {
    this.#cancelled.abort();
    const killed = starting.then(
      (process) => process.kill(this.#settings.killGraceMs),
      () => NOTHING_TO_KILL,
    );
    return this.#bounded(killed);
  }

  #kill(process: TargetProcess): Promise<KillReport> {
    return this.#bounded(process.kill(this.#settings.killGraceMs));
  }

  /** Waits for a kill no longer than we promise. What goes on after that goes on without the caller. */
  async #bounded(killing: Promise<KillReport>): Promise<KillReport> {
    const unconfirmed: KillReport = { killed: [], killConfirmed: false };
    const { promise, resolve } = deferred<KillReport>();
    const timer = setTimeout(resolve, this.#settings.killGraceMs + CONFIRM_MS, unconfirmed);
    killing.then(resolve, () => resolve(unconfirmed));
    try {
      return await promise;
    } finally {
      clearTimeout(timer);
    }
  }
}
