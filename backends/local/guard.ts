/** The host's side of the guard (see guard.sh): starts it, talks to it, lets it go. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Socket } from "node:net";
import { createInterface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { BackendError, type Deferred, deferred } from "../../src/backend/index.js";
import GUARD_SCRIPT from "./guard.sh";
import { explainStartError } from "./launch-error.js";

/** How far apart the guard looks at the processes, in milliseconds: the nap in guard.sh. */
const LOOK_MS = 100;

export interface GuardOptions {
  /** The shell to run it with: bash where there is one, since only bash makes pipes. */
  readonly shellPath: string;
  readonly markerPrefix: string;
  readonly killGraceMs: number;
}

export class Guard {
  readonly #child: ChildProcessByStdio<Writable, Readable, null>;
  readonly #ready = deferred<void>();
  readonly #exited = deferred<void>();
  readonly #requests: Deferred<number[]>[] = [];
  #waiting = 0;
  #failure: BackendError | undefined;
  #makesPipes = false;

  /** Resolves when the guard is listening. Rejects with SPAWN_FAILED when it cannot be started. */
  static async start(options: GuardOptions): Promise<Guard> {
    const guard = new Guard(options);
    await guard.#whileWaiting(guard.#ready.promise);
    return guard;
  }

  private constructor({ shellPath, markerPrefix, killGraceMs }: GuardOptions) {
    // Its own session, so that Ctrl-C on the host's terminal does not reach it; no directory is held in use; no
    // marker of an outer job is in its environment. bash reads ~/.bashrc when its input is a socket, as Node's
    // pipes are, and its SHLVL is below 2.
    this.#child = spawn(shellPath, ["-c", GUARD_SCRIPT], {
      cwd: "/",
      env: { PATH: process.env.PATH, SHLVL: "2" },
      stdio: ["pipe", "pipe", "ignore"],
      detached: true,
    });
    this.#child.on("error", (cause) => this.#fail(cause));
    this.#child.on("exit", () => {
      this.#fail(undefined);
      this.#exited.resolve();
    });
    this.#child.stdin.on("error", () => undefined);
    createInterface({ input: this.#child.stdout }).on("line", (line) => this.#hear(line));
    this.#hold(false);
    this.#say(`${markerPrefix}\n${Math.ceil(killGraceMs / LOOK_MS)}`);
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  /** Resolves when the guard has ended, whoever ended it. */
  get exited(): Promise<void> {
    return this.#exited.promise;
  }

  get isAlive(): boolean {
    return this.#failure === undefined;
  }

  /** Whether its shell can make anonymous pipes: bash from 5.1 on, with /proc. */
  get makesPipes(): boolean {
    return this.#makesPipes;
  }

  /**
   * Closes the descriptors `used` and makes new pipes.
   *
   * @returns the descriptors of their reading ends in the guard's process; fewer than asked for where it reached
   *   a limit
   */
  async makePipes(count: number, used: readonly number[]): Promise<number[]> {
    if (this.#failure !== undefined) throw this.#failure;
    const request = deferred<number[]>();
    this.#requests.push(request);
    this.#say(`pipes ${[count, ...used].join(" ")}`);
    return this.#whileWaiting(request.promise);
  }

  /** To be said before a job is started: the host may be killed at any moment after that. */
  noteStart(jobId: string): void {
    this.#say(`run ${jobId}`);
  }

  /** To be said when a job has ended or was let go: the host's death does not end it any more. */
  noteEnd(jobId: string): void {
    this.#say(`end ${jobId}`);
  }

  /** Has a folder removed when the host is gone. A path with a newline cannot be told, and stays. */
  removeInTheEnd(folder: string): void {
    if (!folder.includes("\n")) this.#say(`folder ${folder}`);
  }

  /** Ends the guard. Jobs that were not seen to end are ended by it first, as if the host had died; not waited for. */
  async dismiss({ jobsRun }: { readonly jobsRun: boolean }): Promise<void> {
    if (!this.isAlive) return;
    this.#child.stdin.end();
    if (!jobsRun) await this.#whileWaiting(this.exited);
  }

  /** Its descriptors are not where they were: it is dead, though its end was not told yet. */
  giveUp(): void {
    this.#fail(undefined);
    this.#child.kill("SIGKILL");
  }

  #say(line: string): void {
    this.#child.stdin.write(`${line}\n`);
  }

  #hear(line: string): void {
    const [word, ...rest] = line.trim().split(" ");
    if (word === "ready") {
      this.#makesPipes = rest[0] === "1";
      this.#ready.resolve();
    } else if (word === "pipes") {
      this.#requests.shift()?.resolve(rest.map(Number));
    }
  }

  #fail(cause: Error | undefined): void {
    this.#failure ??=
      cause === undefined
        ? new BackendError("local", "SPAWN_FAILED", "the guard process has ended")
        : explainStartError(cause);
    this.#ready.reject(this.#failure);
    for (const request of this.#requests.splice(0)) request.reject(this.#failure);
  }

  /** Keeps the event loop alive while something is awaited, and only then: an idle guard holds nobody up. */
  async #whileWaiting<T>(promise: Promise<T>): Promise<T> {
    this.#waiting += 1;
    this.#hold(true);
    try {
      return await promise;
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#hold(false);
    }
  }

  #hold(isHeld: boolean): void {
    const { stdin, stdout } = this.#child;
    for (const handle of [this.#child, stdin as Socket, stdout as Socket]) {
      if (isHeld) handle.ref();
      else handle.unref();
    }
  }
}
