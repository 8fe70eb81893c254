/** The road to this machine: a command is a child process of the host. */
import {
  BackendError,
  type Capabilities,
  type Job,
  MARKER_VARIABLE,
  type Marker,
  markerChain,
  type Road,
  type TargetProcess,
} from "../../src/backend/index.js";
import { Ground } from "./ground.js";
import { explainLaunchError } from "./launch-error.js";
import type { CommandTransport } from "./options.js";
import { launch } from "./process.js";
import { hasProcessTable, type ProcessEntry, readProcessTable } from "./process-table.js";
import { invoke } from "./transport.js";

export interface LocalRoadOptions {
  readonly shellPath: string | undefined;
  readonly transport: CommandTransport;
  readonly killGraceMs: number;
  readonly marker: Marker;
}

export class LocalRoad implements Road {
  readonly name = "local";
  readonly #options: LocalRoadOptions;
  readonly #findsMembers = hasProcessTable();
  #ground: Ground | undefined;
  #preparing: Promise<Ground> | undefined;
  /** Numbers of the jobs that were let go; a new guard must be told them all. */
  readonly #kept: string[] = [];

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
      sweepsMarker: this.#findsMembers,
      hostDeath: isUnix && this.#findsMembers,
      noArgv: this.#options.transport === "stdin",
    };
  }

  async start(job: Job): Promise<TargetProcess> {
    const ground = this.#ground?.isUsable ? this.#ground : await this.#prepare();
    const { transport } = this.#options;
    try {
      return await this.#launch(job, ground, transport).catch((error: NodeJS.ErrnoException) => {
        // The arguments and the environment together have a limit of their own: without the command they may fit.
        if (error.code === "E2BIG" && transport === "arg") return this.#launch(job, ground, "stdin");
        throw error;
      });
    } catch (error) {
      throw error instanceof BackendError
        ? error
        : await explainLaunchError(error, ground.shell.path, job.cwd);
    }
  }

  async close(): Promise<void> {
    const ground = (await this.#preparing?.catch(() => undefined)) ?? this.#ground;
    const isMarked = ({ isMarked }: ProcessEntry) => isMarked;
    const sweep = this.#findsMembers && readProcessTable(this.#options.marker.prefix).some(isMarked);
    await ground?.close({ sweep });
  }

  #prepare(): Promise<Ground> {
    this.#preparing ??= Ground.prepare(this.#options)
      .then((ground) => {
        for (const jobId of this.#kept) ground.guard?.keep(jobId);
        this.#ground = ground;
        return ground;
      })
      .finally(() => {
        this.#preparing = undefined;
      });
    return this.#preparing;
  }

  async #launch(job: Job, ground: Ground, transport: CommandTransport): Promise<TargetProcess> {
    const pipe = await ground.pipes?.take();
    const marker = markerChain(job.marker);
    return launch({
      shellPath: ground.shell.path,
      invocation: invoke(job.command, { shell: ground.shell, transport, marker }),
      cwd: job.cwd,
      env: { ...(job.env ?? process.env), [MARKER_VARIABLE]: marker },
      marker: job.marker,
      pipe,
      findsMembers: this.#findsMembers,
      deliver: job.deliver,
      onLetGo: () => this.#keep(job.marker.slice(this.#options.marker.prefix.length)),
    });
  }

  #keep(jobId: string): void {
    this.#kept.push(jobId);
    this.#ground?.guard?.keep(jobId);
  }
}
