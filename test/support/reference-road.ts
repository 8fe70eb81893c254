/**
 * A plain road on this machine that keeps every promise, written for the suite's own tests: it can be broken in one
 * place at a time.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import {
  accessSync,
  closeSync,
  constants,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  unlinkSync,
} from "node:fs";
import { Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import {
  BackendError,
  deferred,
  type Job,
  type KillReport,
  MARKER_VARIABLE,
  type Road,
  type TargetProcess,
} from "../../src/backend/index.js";

/** What can be broken. All of them left out: nothing is. */
export interface Defects {
  readonly shell?: string;
  readonly shellArguments?: readonly string[];
  /** Words before the command instead of `-c --`. */
  readonly commandOption?: readonly string[];
  /** Starts a command that came on a pipe with this shell text instead of `eval`. */
  readonly evaluation?: string;
  readonly stdin?: "pipe";
  readonly output?: "two pipes";
  readonly sessions?: "none";
  readonly kills?:
    | "the child"
    | "nothing"
    | "the leader"
    | "the group"
    | "with KILL at once"
    | "with TERM only"
    | "one pass";
  readonly outputEnded?: "at exit" | "never lets go";
  readonly letGo?: "closes the output" | "stops reading" | "kills the job";
  readonly exitOfSignal?: number;
  /** Left out: as an argument, a large one on a pipe. */
  readonly transport?: "pipe" | "the shell's stdin" | "always an argument";
  readonly claimsNoArgv?: true;
  readonly checksCwd?: false;
  /** Changes the environment of the command. */
  env?(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv;
  readonly leaksDescriptors?: true;
}

const READ_COMMAND =
  "BASH_EXECUTION_STRING=$(cat <&3); exec 3<&-; BASH_EXECUTION_STRING=${BASH_EXECUTION_STRING%x}; ";
const EVALUATE = 'eval -- "$BASH_EXECUTION_STRING"';
const SIGNAL_NUMBERS: Readonly<Record<string, number>> = {
  SIGHUP: 1,
  SIGINT: 2,
  SIGQUIT: 3,
  SIGKILL: 9,
  SIGUSR1: 10,
  SIGSEGV: 11,
  SIGPIPE: 13,
  SIGTERM: 15,
};

export function referenceRoad(defects: Defects = {}): Road {
  return {
    name: "reference",
    capabilities: {
      shell: { path: "/bin/bash", version: bashVersion() },
      trueOrder: true,
      killsTree: true,
      sweepsMarker: true,
      hostDeath: true,
      noArgv: defects.claimsNoArgv ?? false,
    },
    async start(job) {
      if (defects.checksCwd !== false) checkCwd(job.cwd);
      const pipe = takePipe();
      const second = defects.output === "two pipes" ? takePipe() : pipe;
      const child = spawnShell(job, defects, [pipe.writeFd, second.writeFd]);
      closeSync(pipe.writeFd);
      if (second !== pipe) closeSync(second.writeFd);
      if (defects.leaksDescriptors) openSync("/dev/null", "r");
      return new ReferenceProcess(
        child,
        second === pipe ? [pipe.readFd] : [pipe.readFd, second.readFd],
        job,
        defects,
      );
    },
  };
}

/** Longer ones do not fit into an argument (execve(2), MAX_ARG_STRLEN). */
const MAX_ARGUMENT_LETTERS = 40_000;

function spawnShell(job: Job, defects: Defects, [stdout, stderr]: readonly [number, number]): ChildProcess {
  const {
    shell = "/bin/bash",
    shellArguments = [],
    commandOption = ["-c", "--"],
    evaluation = EVALUATE,
  } = defects;
  const usual = job.command.length > MAX_ARGUMENT_LETTERS ? "pipe" : "always an argument";
  const { transport = usual } = defects;
  const words = {
    pipe: ["-c", READ_COMMAND + evaluation],
    "the shell's stdin": ["-s"],
    "always an argument": [...commandOption, job.command],
  }[transport];
  const env = { ...(job.env ?? process.env), [MARKER_VARIABLE]: job.marker };
  const hasStdin = transport === "the shell's stdin" || defects.stdin === "pipe";
  const child = spawn(shell, [...shellArguments, ...words], {
    cwd: job.cwd,
    env: defects.env?.(env) ?? env,
    detached: defects.sessions !== "none",
    stdio: [
      hasStdin ? "pipe" : "ignore",
      stdout,
      stderr,
      ...(transport === "pipe" ? (["pipe"] as const) : []),
    ],
  });
  const source = child.stdio[3];
  if (source instanceof Socket) source.on("error", () => undefined).end(`${job.command}x`);
  if (transport === "the shell's stdin") child.stdin?.on("error", () => undefined).end(job.command);
  return child;
}

let version: string | undefined;

function bashVersion(): string {
  version ??= spawnSync("/bin/bash", ["-c", 'printf %s "$BASH_VERSION"'], { encoding: "utf8" }).stdout;
  return version;
}

function checkCwd(cwd: string): void {
  let isDirectory: boolean;
  try {
    isDirectory = statSync(cwd).isDirectory();
  } catch (cause) {
    throw new BackendError("reference", "CWD_MISSING", `Working directory does not exist: ${cwd}`, { cause });
  }
  if (!isDirectory) throw new BackendError("reference", "CWD_INVALID", `not a directory: ${cwd}`);
  try {
    accessSync(cwd, constants.X_OK);
  } catch (cause) {
    throw new BackendError("reference", "CWD_INVALID", `may not be entered: ${cwd}`, { cause });
  }
}

class ReferenceProcess implements TargetProcess {
  readonly exited: Promise<number>;
  readonly outputEnded: Promise<void>;
  readonly #child: ChildProcess;
  readonly #readers: Socket[];
  readonly #readFds: readonly number[];
  readonly #job: Job;
  readonly #defects: Defects;
  #hasExited = false;

  constructor(child: ChildProcess, readFds: readonly number[], job: Job, defects: Defects) {
    this.#child = child;
    this.#job = job;
    this.#defects = defects;
    this.#readFds = readFds;
    const exited = deferred<number>();
    child.on("error", exited.reject);
    child.on("exit", (code, signal) => {
      this.#hasExited = true;
      exited.resolve(code ?? defects.exitOfSignal ?? 128 + (SIGNAL_NUMBERS[signal ?? ""] ?? 0));
    });
    this.exited = exited.promise;
    this.#readers = readFds.map((fd) => new Socket({ fd, readable: true, writable: false }));
    const ends = this.#readers.map((reader) => {
      const ended = deferred<void>();
      reader.on("data", (chunk) => job.deliver(chunk));
      reader.on("error", () => ended.resolve());
      reader.on("close", () => ended.resolve());
      return ended.promise;
    });
    this.outputEnded =
      defects.outputEnded === "at exit"
        ? exited.promise.then(() => undefined)
        : Promise.all(ends).then(() => undefined);
  }

  async kill(graceMs: number): Promise<KillReport> {
    const { kills } = this.#defects;
    const killed = new Set<number>();
    if (kills === "nothing") return { killed: [], killConfirmed: true };
    if (kills === "the child") {
      spawnSync("pkill", ["-P", String(this.#child.pid)]);
      return { killed: [], killConfirmed: true };
    }
    if (kills === "the leader") {
      this.#child.kill("SIGKILL");
      await this.exited;
      this.#destroy();
      return { killed: [], killConfirmed: true };
    }
    const until = performance.now() + (kills === "with KILL at once" ? 0 : graceMs);
    const told = new Set<number>();
    for (let empty = 0; empty < 2; ) {
      const isLate = performance.now() >= until && kills !== "with TERM only";
      if (kills !== "one pass" || killed.size === 0)
        this.#signalAll(isLate ? "SIGKILL" : "SIGTERM", told, killed);
      const left = kills === "the group" || kills === "one pass" ? [] : findMarked(this.#job.marker);
      empty = left.length === 0 && this.#hasExited ? empty + 1 : 0;
      if (kills === "with TERM only" && performance.now() > until + 200) break;
      await delay(15);
    }
    this.#destroy();
    return { killed: [...killed], killConfirmed: true };
  }

  #signalAll(signal: NodeJS.Signals, told: Set<number>, killed: Set<number>): void {
    const group = this.#child.pid ?? 0;
    const pids = this.#defects.kills === "the group" ? [] : findMarked(this.#job.marker);
    if (!this.#hasExited) pids.unshift(this.#defects.sessions === "none" ? group : -group);
    for (const pid of pids) {
      if (signal === "SIGTERM" && told.has(pid)) continue;
      told.add(pid);
      killed.add(Math.abs(pid));
      try {
        process.kill(pid, signal);
      } catch {
        // It has ended by itself.
      }
    }
  }

  letGo(): void {
    const { letGo } = this.#defects;
    if (letGo === "kills the job") void this.kill(0);
    if (letGo === "stops reading") {
      for (const reader of this.#readers) reader.pause().unref();
      return;
    }
    if (letGo !== "closes the output") {
      for (const [index, reader] of this.#readers.entries()) {
        // It may have come to its end in this very moment.
        if (reader.destroyed) continue;
        reader.pause();
        // Another process reads on: the job is not hurt, and this one has no work with it.
        spawn("cat", [], {
          stdio: [this.#readFds[index] ?? "ignore", "ignore", "ignore"],
          detached: true,
        }).unref();
      }
    }
    this.#destroy();
  }

  #destroy(): void {
    for (const reader of this.#readers) reader.destroy();
  }
}

/** Living processes with the marker in their environment. */
function findMarked(marker: string): number[] {
  const now = performance.now();
  // Many kills at once look at the same table.
  if (now > table.readAt + 10) table = { readAt: now, markers: readMarkers() };
  return [...table.markers].filter(([, value]) => value.includes(marker)).map(([pid]) => pid);
}

let table: { readonly readAt: number; readonly markers: ReadonlyMap<number, string> } = {
  readAt: 0,
  markers: new Map(),
};

function readMarkers(): Map<number, string> {
  const markers = new Map<number, string>();
  for (const pid of readdirSync("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    try {
      const environ = readFileSync(`/proc/${pid}/environ`, "latin1");
      const at = environ.indexOf(`${MARKER_VARIABLE}=`);
      if (at < 0 || /^State:\s+[ZX]/m.test(readFileSync(`/proc/${pid}/status`, "latin1"))) continue;
      markers.set(Number(pid), environ.slice(at, environ.indexOf("\0", at)));
    } catch {
      // It has ended, or is another user's.
    }
  }
  return markers;
}

interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
}

const fifos: string[] = [];
let folder: string | undefined;
let made = 0;

/** Removed with the process: nobody closes a road. */
function makeFolder(): string {
  const path = mkdtempSync(join(tmpdir(), "reference-road-"));
  process.on("exit", () => rmSync(path, { recursive: true, force: true }));
  return path;
}

/** A real pipe: a FIFO that has lost its name. */
function takePipe(): Pipe {
  if (fifos.length === 0) {
    folder ??= makeFolder();
    made += 64;
    fifos.push(...Array.from({ length: 64 }, (_, index) => join(folder as string, String(made + index))));
    spawnSync("mkfifo", fifos);
  }
  const path = fifos.pop() as string;
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const writeFd = openSync(path, "w");
  unlinkSync(path);
  return { readFd, writeFd };
}
