/** The road to this machine: a command is a child process of the host. */
import {
  type Capabilities,
  type Job,
  MARKER_VARIABLE,
  markerChain,
  type Road,
  type TargetProcess,
} from "../../src/backend/index.js";
import { Ground, type GroundOptions } from "./ground.js";
import { explainLaunchError, explainStartError, isTooLarge } from "./launch-error.js";
import type { CommandTransport } from "./options.js";
import { closePipe, type Pipe } from "./pipe.js";
import { launch } from "./process.js";
import { hasProcessTable } from "./process-table.js";
import { invoke } from "./transport.js";
import { TreeKiller } from "./tree-killer.js";

export interface LocalRoadOptions extends GroundOptions {
  readonly transport: CommandTransport;
}

export class LocalRoad implements Road {
  readonly name = "local";
  readonly #options: LocalRoadOptions;
  readonly #treeKiller = hasProcessTable() ? new TreeKiller() : undefined;
  #ground: Ground | undefined;
  #preparing: Promise<Ground> | undefined;
  #isClosed = false;
  /** Numbers of the jobs that were neither seen to end nor let go. A new guard must be told them all. */
  readonly #running = new Set<string>();

  constructor(options: LocalRoadOptions) {
    this.#options = options;
  }

  get capabilities(): Capabilities {
    const shell = this.#ground?.shell;
    const isUnix = process.platform !== "win32";
    return {
      shell: shell && { path: shell.path, version: shell.version },
      trueOrder: isUnix && (this.#ground === undefined || this.#ground.pipes !== undefined),
      killsTree: true,
      sweepsMarker: this.#treeKiller !== undefined,
      hostDeath: isUnix && this.#treeKiller !== undefined,
      noArgv: this.#options.transport === "stdin",
    };
  }

  async start(job: Job): Promise<TargetProcess> {
    const { transport } = this.#options;
    return this.#launch(job, transport).catch((error: unknown) => {
      // The arguments and the environment have a limit in common: without the command they may fit.
      if (transport === "arg" && isTooLarge(error)) return this.#launch(job, "stdin");
      throw error;
    });
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    const ground = (await this.#preparing?.catch(() => undefined)) ?? this.#ground;
    await ground?.close({ jobsRun: this.#running.size > 0 });
  }

  #prepare(): Promise<Ground> {
    this.#preparing ??= Ground.prepare(this.#options)
      .then(async (ground) => {
        await this.#ground?.close({ jobsRun: false });
        for (const jobId of this.#running) ground.guard?.noteStart(jobId);
        ground.guard?.exited.then(() => this.#replaceGuard());
        this.#ground = ground;
        return ground;
      })
      .finally(() => {
        this.#preparing = undefined;
      });
    return this.#preparing;
  }

  /** Somebody killed the guard: what runs must not be without one until the next exec. */
  #replaceGuard(): void {
    if (this.#isClosed || this.#running.size === 0) return;
    // Where no new one can be started, the next exec tells.
    this.#prepare().catch(() => undefined);
  }

  async #launch(job: Job, transport: CommandTransport): Promise<TargetProcess> {
    const { ground, pipe } = await this.#takePipe();
    if (job.cancelled.aborted) {
      if (pipe !== undefined) closePipe(pipe);
      throw job.cancelled.reason;
    }
    const marker = markerChain(job.marker);
    const jobId = job.marker.slice(this.#options.marker.prefix.length);
    this.#noteStart(jobId);
    try {
      return await launch({
        shellPath: ground.shell.path,
        invocation: invoke(job.command, { shell: ground.shell, transport, marker }),
        cwd: job.cwd,
        env: { ...(job.env ?? process.env), [MARKER_VARIABLE]: marker },
        marker: job.marker,
        pipe,
        treeKiller: this.#treeKiller,
        deliver: job.deliver,
        onEnd: () => this.#noteEnd(jobId),
      });
    } catch (error) {
      this.#noteEnd(jobId);
      throw await explainLaunchError(error, ground.shell.path, job.cwd);
    }
  }

  /** A guard that was killed is noticed at the latest when a pipe is asked of it; then another one is started. */
  async #takePipe(): Promise<{ readonly ground: Ground; readonly pipe: Pipe | undefined }> {
    const ground = this.#ground?.isUsable ? this.#ground : await this.#prepare();
    try {
      return { ground, pipe: await ground.pipes?.take() };
    } catch (error) {
      if (!ground.isUsable) return this.#takePipe();
      throw explainStartError(error);
    }
  }

  #noteStart(jobId: string): void {
    this.#running.add(jobId);
    this.#ground?.guard?.noteStart(jobId);
  }

  #noteEnd(jobId: string): void {
    this.#running.delete(jobId);
    this.#ground?.guard?.noteEnd(jobId);
  }
}
