/** One command on this machine. */
import { type ChildProcess, type StdioOptions, spawn } from "node:child_process";
import { closeSync } from "node:fs";
import { constants, uptime } from "node:os";
import type { Readable, Writable } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { deferred, type KillReport, type TargetProcess } from "../../src/backend/index.js";
import { killGroup } from "./kill-group.js";
import { type Output, readPipe, readTwo } from "./output.js";
import { closePipe, type Pipe } from "./pipe.js";
import { killWindowsTree } from "./taskkill.js";
import type { Invocation } from "./transport.js";
import type { TreeKiller } from "./tree-killer.js";

/** How long after a kill the rest of the output is waited for, in milliseconds. */
const LAST_OUTPUT_MS = 50;

export interface LaunchOptions {
  readonly shellPath: string;
  readonly invocation: Invocation;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The unguessable text in the environment by which all that the command starts is found. */
  readonly marker: string;
  /** Becomes stdout and stderr, and is taken over. `undefined`: Node's own two pipes. */
  readonly pipe: Pipe | undefined;
  /** `undefined` where no /proc tells about processes. */
  readonly treeKiller: TreeKiller | undefined;
  readonly deliver: (chunk: Buffer) => void;
  /** Called once, when all of it has ended, or what is left is on its own from now on. */
  readonly onEnd: () => void;
}

/**
 * Starts a shell in a session and group of its own, without a terminal.
 *
 * @throws NodeJS.ErrnoException of fork, exec or chdir, with nothing left open
 */
export async function launch(options: LaunchOptions): Promise<LocalProcess> {
  const { shellPath, invocation, cwd, env, pipe, deliver } = options;
  let child: ChildProcess;
  try {
    child = spawn(shellPath, invocation.args, {
      cwd,
      env,
      stdio: stdioFor(invocation, pipe),
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    if (child.pid === undefined) throw await new Promise((resolve) => child.once("error", resolve));
  } catch (error) {
    if (pipe !== undefined) closePipe(pipe);
    throw error;
  }
  child.on("error", () => undefined);
  if (pipe !== undefined) closeSync(pipe.writeFd);
  feed(child, invocation);
  const output =
    pipe === undefined
      ? readTwo(child.stdout as Readable, child.stderr as Readable, deliver)
      : readPipe(pipe.readFd, deliver);
  return new LocalProcess(child, output, options);
}

export class LocalProcess implements TargetProcess {
  readonly pid: number;
  readonly exited: Promise<number>;
  readonly outputEnded: Promise<void>;
  readonly #output: Output;
  readonly #options: LaunchOptions;
  #reapedAt: number | undefined;
  #hasEnded = false;

  constructor(child: ChildProcess, output: Output, options: LaunchOptions) {
    this.pid = child.pid as number;
    this.#output = output;
    this.#options = options;
    const exited = deferred<number>();
    const ended = deferred<void>();
    let outputHasEnded = false;
    output.ended.then(() => {
      outputHasEnded = true;
      ended.resolve();
    }, ended.reject);
    child.once("exit", (code, signal) => {
      // The clock is read only where something may live on: nearly every command's output has ended by now.
      this.#reapedAt = outputHasEnded ? 0 : uptime();
      exited.resolve(code ?? 128 + constants.signals[signal as NodeJS.Signals]);
    });
    this.exited = exited.promise;
    this.outputEnded = ended.promise;
    Promise.all([this.exited, this.outputEnded]).then(
      () => this.#end(),
      () => undefined,
    );
  }

  async kill(graceMs: number): Promise<KillReport> {
    const report = await this.#killAll(graceMs);
    // What it wrote before its end is still in the pipe; with nobody left to write, the end follows at once.
    await Promise.race([this.outputEnded, sleep(LAST_OUTPUT_MS, undefined, { ref: false })]);
    this.#output.destroy();
    if (report.killConfirmed) this.#end();
    return report;
  }

  letGo(): void {
    this.#end();
    this.#output.letGo();
  }

  #end(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#options.onEnd();
  }

  #killAll(graceMs: number): Promise<KillReport> {
    if (process.platform === "win32") return killWindowsTree(this.pid);
    const { pid } = this;
    const { marker, treeKiller } = this.#options;
    if (treeKiller === undefined) return killGroup(pid, graceMs);
    return treeKiller.kill(() => ({ pid, marker, reapedAt: this.#reapedAt }), graceMs);
  }
}

function stdioFor({ payload }: Invocation, pipe: Pipe | undefined): StdioOptions {
  const output = pipe?.writeFd ?? "pipe";
  if (payload?.fd === 3) return ["ignore", output, output, "pipe"];
  return [payload?.fd === 0 ? "pipe" : "ignore", output, output];
}

function feed(child: ChildProcess, { payload }: Invocation): void {
  if (payload === undefined) return;
  const input = child.stdio[payload.fd] as Writable;
  // A shell that ends before it has read all of it is no error of ours: its exit tells.
  input.on("error", () => undefined);
  input.end(payload.bytes);
}
