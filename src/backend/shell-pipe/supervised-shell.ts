/** One supervisor on the target, from its start until its command has ended: what is said to it and heard from it. */
import { randomBytes } from "node:crypto";
import { type Deferred, deferred } from "../deferred.js";
import { BackendError, type BackendErrorCode, type KillReport } from "../errors.js";
import type { Job, TargetProcess } from "../process.js";
import { supervisorLines } from "./bootstrap.js";
import { ControlDecoder, type ControlEvent } from "./control.js";
import { OutputDecoder } from "./output.js";
import type { ShellPipe } from "./pipe.js";
import { encodeRequest, type JobShell } from "./request.js";

export interface SupervisorSettings {
  readonly backendName: string;
  readonly marker: string;
  readonly killGraceMs: number;
  readonly heartbeatMs: number;
  readonly silenceLimitMs: number;
  /** What the supervisor does when the job's background is let go: see `ShellPipeOptions.leavesOnLetGo`. */
  readonly leavesOnLetGo: boolean;
}

/** How far apart the supervisor looks for processes while it kills, in milliseconds: its nap. */
const LOOK_MS = 20;

export class SupervisedShell implements TargetProcess {
  readonly #pipe: ShellPipe;
  readonly #settings: SupervisorSettings;
  readonly #control: ControlDecoder;
  readonly #output: OutputDecoder;
  readonly #ready = deferred<JobShell>();
  readonly #exited = deferred<number>();
  readonly #ended = deferred<void>();
  readonly #killed = deferred<KillReport>();
  readonly #cut = deferred<void>();
  readonly #heartbeat: NodeJS.Timeout;
  #isTaking = false;
  #isKilling = false;
  #isGone = false;
  #job: Job | undefined;

  constructor(pipe: ShellPipe, settings: SupervisorSettings) {
    this.#pipe = pipe;
    this.#settings = settings;
    const nonce = randomBytes(16).toString("hex");
    this.#control = new ControlDecoder(nonce, (event) => this.#hear(event));
    this.#output = new OutputDecoder(nonce, {
      onData: (chunk) => this.#job?.deliver(chunk),
      onEnd: () => this.#endOutput(),
    });
    // An opener that had to listen first has paused them.
    pipe.stdout.on("data", (chunk: Buffer) => this.#output.push(chunk)).resume();
    pipe.stderr.on("data", (chunk: Buffer) => this.#control.push(chunk)).resume();
    pipe.stdin.on("error", () => undefined);
    pipe.closed.then((reason) => this.#lose(reason));
    for (const { promise } of [this.#ready, this.#exited, this.#ended] as Deferred<unknown>[]) {
      // Whoever waits is told; nobody need wait.
      promise.catch(() => undefined);
    }
    const { marker, silenceLimitMs, killGraceMs, leavesOnLetGo } = settings;
    const limit = Math.max(1, Math.ceil(silenceLimitMs / 1000));
    const looks = Math.ceil(killGraceMs / LOOK_MS);
    pipe.stdin.write(
      `${supervisorLines()}${nonce} ${marker} ${limit} ${looks} ${leavesOnLetGo ? "leave" : "stay"}\n`,
    );
    this.#heartbeat = setInterval(() => this.#beat(), settings.heartbeatMs).unref();
  }

  /** Resolves when the job's shell waits for a command. */
  get ready(): Promise<JobShell> {
    return this.#ready.promise;
  }

  get exited(): Promise<number> {
    return this.#exited.promise;
  }

  get outputEnded(): Promise<void> {
    return this.#ended.promise;
  }

  /** What came back until now that was not the supervisor's. */
  get noise(): string {
    return `${this.#output.noise}\n${this.#control.noise}`.trim().replaceAll(/\s+/g, " ").slice(-300);
  }

  get isUsable(): boolean {
    return !this.#isGone;
  }

  /** Runs the command of the job: once, and only when ready. */
  run(job: Job, env: Readonly<Record<string, string>>, shell: JobShell): void {
    this.#job = job;
    this.#isTaking = true;
    const { command, cwd } = job;
    this.#pipe.stdin.write(encodeRequest({ command, cwd, env, marker: this.#settings.marker }, shell));
  }

  async kill(): Promise<KillReport> {
    this.#isKilling = true;
    // The end of what we say has the same meaning, and is heard also in the middle of a request.
    this.#pipe.stdin.end(this.#isTaking ? undefined : "kill\n");
    const report = await this.#killed.promise;
    await Promise.race([this.#ended.promise.catch(() => undefined), this.#pipe.closed]);
    void this.close();
    return report;
  }

  async letGo(): Promise<void> {
    this.#pipe.stdin.write("cut\n");
    await Promise.race([this.#cut.promise, this.#pipe.closed]);
    void this.close();
  }

  /** Ends the pipe at once, whatever runs. Resolves when the far end has gone. */
  async close(): Promise<void> {
    clearInterval(this.#heartbeat);
    this.#isGone = true;
    // A spare was not to keep the host alive; the end of it is waited for.
    this.#pipe.hold(true);
    this.#pipe.destroy();
    await this.#pipe.closed;
  }

  #beat(): void {
    // What follows an announced payload would be taken for a part of it.
    if (!this.#isTaking && !this.#isGone) this.#pipe.stdin.write("\n");
  }

  #hear(event: ControlEvent): void {
    switch (event.kind) {
      case "ready":
        this.#ready.resolve({
          path: event.shellPath,
          version: event.version,
          sweepsMarker: event.facts.includes("proc"),
          killsTree: event.facts.includes("session"),
        });
        break;
      case "taken":
        this.#isTaking = false;
        break;
      case "exited":
        this.#exited.resolve(event.code);
        break;
      case "refused":
        this.#exited.reject(this.#refusal(event.reason));
        break;
      case "killing":
        if (!this.#isKilling) this.#lose(this.#unasked());
        break;
      case "killed":
        this.#killed.resolve({ killed: event.pids, killConfirmed: event.isConfirmed });
        break;
      case "cut":
        this.#cut.resolve();
        break;
      case "failed":
        this.#lose(this.#error("PROTOCOL", `the target cannot run the supervisor: ${event.reason}`));
        break;
    }
  }

  #endOutput(): void {
    this.#ended.resolve();
    // An abort in the last chunk still has to find somebody who kills what the job has left.
    setImmediate(() => {
      if (!this.#isKilling && this.#pipe.stdin.writable) this.#pipe.stdin.end("done\n");
    });
    clearInterval(this.#heartbeat);
  }

  /** The pipe has closed. Nobody can know any more what was not told before. */
  #lose(reason: BackendError | undefined): void {
    this.#isGone = true;
    clearInterval(this.#heartbeat);
    const lost = reason ?? this.#error("CONNECTION_LOST", "connection lost, outcome unknown");
    this.#ready.reject(this.#silence(reason));
    this.#exited.reject(lost);
    this.#ended.reject(lost);
    this.#killed.resolve({ killed: [], killConfirmed: false });
    this.#cut.resolve();
  }

  /** What came back instead of the supervisor's first word. */
  #silence(reason: BackendError | undefined): BackendError {
    if (reason !== undefined && reason.code !== "CONNECTION_LOST") return reason;
    const { noise } = this;
    const said = noise === "" ? "nothing came back" : `what came back: ${JSON.stringify(noise)}`;
    return this.#error("NO_SHELL", `the target started no POSIX shell; ${said}`, reason);
  }

  /** We were silent for too long: a stopped host, a link that froze. */
  #unasked(): BackendError {
    const { silenceLimitMs } = this.#settings;
    const message = `the target heard nothing for ${silenceLimitMs} ms and killed the command, outcome unknown`;
    return this.#error("CONNECTION_LOST", message);
  }

  #refusal(reason: string): BackendError {
    const cwd = this.#job?.cwd ?? "";
    switch (reason) {
      case "cwd missing":
        return this.#error("CWD_MISSING", `Working directory does not exist: ${cwd}`);
      case "cwd file":
        return this.#error("CWD_INVALID", `Working directory is not a directory: ${cwd}`);
      default:
        return this.#error("CWD_INVALID", `Working directory may not be entered: ${cwd}`);
    }
  }

  #error(code: BackendErrorCode, message: string, cause?: unknown): BackendError {
    return new BackendError(this.#settings.backendName, code, message, { cause });
  }
}
