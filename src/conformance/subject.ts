/** The means of one case, and the cleaning up after it. */
import { strict as assert } from "node:assert";
import { setTimeout as delay } from "node:timers/promises";
import { type BashOperations, deferred } from "../backend/index.js";
import type {
  ClosableOperations,
  ConformanceLimits,
  Rejection,
  RunningExec,
  RunOptions,
  RunResult,
  Subject,
} from "./case.js";
import { findProcesses, quote, uniqueDigits } from "./shell.js";

/** How long each step of the cleaning up may take: a broken backend must not hold up the run. */
const CLEAN_UP_MS = 2000;
/** How often `eventually` looks. */
const LOOK_AGAIN_MS = 25;

/** What ends a case that cannot be run here. */
export class Skip extends Error {}

export class CaseSubject implements Subject {
  readonly operations: ClosableOperations;
  readonly limits: ConformanceLimits;
  readonly #openOperations: () => ClosableOperations | Promise<ClosableOperations>;
  readonly #opened: ClosableOperations[] = [];
  readonly #folders: { readonly path: string; readonly on: BashOperations }[] = [];
  readonly #naps: string[] = [];

  constructor(
    operations: ClosableOperations,
    limits: ConformanceLimits,
    openOperations: () => ClosableOperations | Promise<ClosableOperations>,
  ) {
    this.operations = operations;
    this.limits = limits;
    this.#openOperations = openOperations;
  }

  async open(): Promise<ClosableOperations> {
    const operations = await this.#openOperations();
    this.#opened.push(operations);
    return operations;
  }

  run(command: string, options: RunOptions = {}): Promise<RunResult> {
    return this.start(command, options).result;
  }

  rejection(command: string, options: RunOptions = {}): Promise<Rejection> {
    return this.start(command, options).rejection();
  }

  start(command: string, options: RunOptions = {}): RunningExec {
    const { cwd = "/", on = this.operations, onData, ...execOptions } = options;
    const chunks: Buffer[] = [];
    const first = deferred<void>();
    const startedAt = performance.now();
    let isSettled = false;
    let late = 0;
    const collect = (chunk: Buffer) => {
      if (isSettled) late += 1;
      chunks.push(chunk);
      first.resolve();
      onData?.(chunk);
    };
    // A backend may throw instead of rejecting: for a caller who awaits it is the same.
    const exec = (async () => on.exec(command, cwd, { ...execOptions, onData: collect }))();
    const result = exec.then(
      (ended) => {
        isSettled = true;
        const output = Buffer.concat(chunks);
        const ending = "ending" in ended ? (ended as RunResult).ending : undefined;
        return { output, text: output.toString(), exitCode: ended.exitCode, ending };
      },
      (error: unknown) => {
        isSettled = true;
        throw error;
      },
    );
    const rejected = result.then(
      ({ exitCode }) => assert.fail(`expected exec to reject; it resolved with the exit code ${exitCode}`),
      (error: unknown): Rejection => ({
        error,
        message: error instanceof Error ? error.message : String(error),
        ms: performance.now() - startedAt,
        output: Buffer.concat(chunks),
      }),
    );
    result.then(
      () => first.reject(new assert.AssertionError({ message: "exec ended without any output" })),
      (error) => first.reject(error),
    );
    // Whoever wants to know asks; a case that ended early did not.
    first.promise.catch(() => undefined);
    rejected.catch(() => undefined);
    return {
      output: () => Buffer.concat(chunks).toString(),
      firstChunk: first.promise,
      isSettled: () => isSettled,
      lateChunks: () => late,
      result,
      rejection: () => rejected,
    };
  }

  async scratch(on: BashOperations = this.operations): Promise<string> {
    const { text, exitCode } = await this.run('cd / && cd "$(mktemp -d)" && pwd -P', { on });
    const path = text.trimEnd();
    assert.ok(
      exitCode === 0 && path.startsWith("/"),
      `the case needs a directory; mktemp -d ended with ${exitCode} and said ${JSON.stringify(text)}`,
    );
    this.#folders.push({ path, on });
    return path;
  }

  async sharesTarget(operations: BashOperations): Promise<boolean> {
    return this.exists(await this.scratch(operations));
  }

  async exists(path: string): Promise<boolean> {
    const { exitCode, text } = await this.run(`[ -e ${quote(path)} ] || [ -L ${quote(path)} ]`);
    assert.ok(exitCode === 0 || exitCode === 1, `looking for a file ended with ${exitCode}: ${text}`);
    return exitCode === 0;
  }

  nap(): string {
    const nap = `61.${uniqueDigits()}`;
    this.#naps.push(nap);
    return nap;
  }

  async processes(text: string): Promise<number[]> {
    return this.#findProcesses(text, {});
  }

  async #findProcesses(text: string, options: RunOptions): Promise<number[]> {
    const found = await this.run(findProcesses(text), options);
    return [...found.text.matchAll(/^(?:\/proc\/| *)(\d+)/gm)].map(([, pid]) => Number(pid));
  }

  async eventually(check: () => Promise<void>, withinMs = 5000): Promise<void> {
    const until = performance.now() + withinMs;
    for (;;) {
      try {
        return await check();
      } catch (error) {
        if (error instanceof Skip || performance.now() >= until) throw error;
      }
      await delay(LOOK_AGAIN_MS);
    }
  }

  skip(reason: string): never {
    throw new Skip(reason);
  }

  /** Kills what the case has left, removes its directories, closes what it opened. Never throws. */
  async cleanUp(): Promise<void> {
    const steps = [
      ...this.#naps.map((nap) => this.#killAll(nap)),
      ...this.#folders.map(({ path, on }) => this.#removeFolder(path, on)),
    ];
    await Promise.all(steps.map(withinBounds));
    await Promise.all(this.#opened.map(async (operations) => withinBounds(closeOperations(operations))));
  }

  async #killAll(nap: string): Promise<void> {
    const pids = await this.#findProcesses(nap, { timeout: CLEAN_UP_MS / 1000 });
    if (pids.length > 0) await this.run(`kill -KILL ${pids.join(" ")}`, { timeout: CLEAN_UP_MS / 1000 });
  }

  async #removeFolder(path: string, on: BashOperations): Promise<void> {
    // One may have been made unreadable, and a backend that is closed by now cannot remove anything.
    const command = `chmod -R u+rwx ${quote(path)} 2>/dev/null; rm -rf ${quote(path)}`;
    const timeout = CLEAN_UP_MS / 1000;
    await this.run(command, { on, timeout }).catch(() => this.run(command, { timeout }));
  }
}

async function closeOperations(operations: ClosableOperations): Promise<void> {
  await operations.close?.();
}

async function withinBounds(step: Promise<void>): Promise<void> {
  const bound = new AbortController();
  await Promise.race([
    step.catch(() => undefined),
    delay(CLEAN_UP_MS, undefined, { signal: bound.signal }).catch(() => undefined),
  ]);
  bound.abort();
}
