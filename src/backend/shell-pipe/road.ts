/** A road made of shell pipes: opens them, keeps one warm, gives each command one of its own. */
import type { BashBackend, Capabilities, Shell } from "../contract.js";
import { deferred } from "../deferred.js";
import type { DrainLimits } from "../drain.js";
import { createBackend, DEFAULT_KILL_GRACE_MS } from "../engine.js";
import { BackendError } from "../errors.js";
import { createMarker } from "../marker.js";
import type { Job, Road, TargetProcess } from "../process.js";
import { type EnvOptions, travellingEnvironment } from "../travelling-environment.js";
import { BOOTSTRAP } from "./bootstrap.js";
import type { ShellPipeOpener } from "./pipe.js";
import type { JobShell } from "./request.js";
import { SupervisedShell } from "./supervised-shell.js";

export interface ShellPipeOptions {
  /** For messages: `ssh`, `docker`… */
  readonly name: string;
  readonly opener: ShellPipeOpener;
  /**
   * Whether the supervisor may go when a background job is let go, and leave a `cat` that reads for it. True where
   * the pipe is a scarce thing (an SSH session), false where a process that nobody waits for stays a zombie.
   */
  readonly leavesOnLetGo?: boolean | undefined;
  /** How many supervisors wait for a command. Left out: 1. */
  readonly warm?: number | undefined;
  /** What of the host's environment travels. */
  readonly env?: EnvOptions | undefined;
  readonly killGraceMs?: number | undefined;
  readonly drain?: Partial<DrainLimits> | undefined;
  /** How long opening a pipe and starting the supervisor may take, in milliseconds. Left out: 15,000. */
  readonly startTimeoutMs?: number | undefined;
  /** How often the supervisor is told that we are there, in milliseconds. Left out: 5000. */
  readonly heartbeatMs?: number | undefined;
  /** Silence after which the supervisor kills the command, in milliseconds, whole seconds. Left out: 30,000. */
  readonly silenceLimitMs?: number | undefined;
}

const DEFAULT_START_TIMEOUT_MS = 15_000;
const DEFAULT_HEARTBEAT_MS = 5000;
const DEFAULT_SILENCE_LIMIT_MS = 30_000;

/** Makes a complete backend out of a way to open shell pipes. */
export function createShellPipeBackend(options: ShellPipeOptions): BashBackend {
  const { killGraceMs = DEFAULT_KILL_GRACE_MS, drain } = options;
  return createBackend(new ShellPipeRoad({ ...options, killGraceMs }), { killGraceMs, drain });
}

class ShellPipeRoad implements Road {
  readonly name: string;
  readonly #options: ShellPipeOptions & { readonly killGraceMs: number };
  readonly #markers = createMarker();
  readonly #spares: Promise<Spare>[] = [];
  readonly #closing = new AbortController();
  #shell: JobShell | undefined;

  constructor(options: ShellPipeOptions & { readonly killGraceMs: number }) {
    this.name = options.name;
    this.#options = options;
  }

  get capabilities(): Capabilities {
    const shell: Shell | undefined = this.#shell && { path: this.#shell.path, version: this.#shell.version };
    const { sweepsMarker = true, killsTree = true } = this.#shell ?? {};
    return { shell, trueOrder: true, killsTree, sweepsMarker, hostDeath: true, noArgv: true };
  }

  async start(job: Job): Promise<TargetProcess> {
    const { supervised, shell } = await this.#take(job.cancelled);
    this.#shell = shell;
    supervised.run(job, travellingEnvironment(job.env, this.#options.env), shell);
    this.#warmUp();
    return supervised;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const spares = await Promise.allSettled(this.#spares.splice(0));
    await Promise.all(spares.map((spare) => spare.status === "fulfilled" && spare.value.supervised.close()));
    await this.#options.opener.close?.();
  }

  /** A spare that still lives, else a new one. */
  async #take(cancelled: AbortSignal): Promise<Spare> {
    for (let waiting = this.#spares.shift(); waiting !== undefined; waiting = this.#spares.shift()) {
      const spare = await waiting.catch(ignore);
      if (spare?.supervised.isUsable) {
        spare.hold(true);
        return spare;
      }
    }
    const spare = await this.#open(cancelled);
    spare.hold(true);
    return spare;
  }

  /** One deadline over all of the way, from the first packet to the supervisor's first word. */
  async #open(cancelled: AbortSignal): Promise<Spare> {
    const { name, startTimeoutMs = DEFAULT_START_TIMEOUT_MS } = this.#options;
    const giveUp = new AbortController();
    const stop = () => giveUp.abort();
    const late = deferred<never>();
    let supervised: SupervisedShell | undefined;
    const timer = setTimeout(() => {
      const noise = supervised?.noise || "nothing";
      const message = `no shell answered within ${startTimeoutMs} ms; what came back: ${JSON.stringify(noise)}`;
      late.reject(new BackendError(name, "CONNECT_FAILED", message));
      stop();
    }, startTimeoutMs);
    cancelled.addEventListener("abort", stop, { once: true });
    const opening = this.#openPipe(giveUp.signal, (started) => {
      supervised = started;
    });
    opening.catch(ignore);
    try {
      return await Promise.race([opening, late.promise]);
    } finally {
      clearTimeout(timer);
      cancelled.removeEventListener("abort", stop);
    }
  }

  async #openPipe(cancelled: AbortSignal, onStart: (supervised: SupervisedShell) => void): Promise<Spare> {
    const { name, opener, killGraceMs, leavesOnLetGo = false } = this.#options;
    const { heartbeatMs = DEFAULT_HEARTBEAT_MS, silenceLimitMs = DEFAULT_SILENCE_LIMIT_MS } = this.#options;
    const pipe = await opener.open(BOOTSTRAP, cancelled);
    const settings = { backendName: name, killGraceMs, heartbeatMs, silenceLimitMs, leavesOnLetGo };
    const supervised = new SupervisedShell(pipe, { ...settings, marker: this.#markers.next() });
    onStart(supervised);
    const giveUp = () => void supervised.close();
    if (cancelled.aborted) giveUp();
    cancelled.addEventListener("abort", giveUp, { once: true });
    try {
      return { supervised, shell: await supervised.ready, hold: (isHeld) => pipe.hold(isHeld) };
    } finally {
      cancelled.removeEventListener("abort", giveUp);
    }
  }

  #warmUp(): void {
    const { warm = 1 } = this.#options;
    while (this.#spares.length < warm && !this.#closing.signal.aborted) {
      const spare = this.#open(this.#closing.signal).then((opened) => {
        opened.hold(false);
        return opened;
      });
      // A spare that cannot be had is told by the exec that needs one.
      spare.catch(ignore);
      this.#spares.push(spare);
    }
  }
}

/** A supervisor that waits for its command. */
interface Spare {
  readonly supervised: SupervisedShell;
  readonly shell: JobShell;
  hold(isHeld: boolean): void;
}

const ignore = () => undefined;
