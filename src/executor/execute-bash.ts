/** Runs a command through any operations and makes of its bytes what a host shows and a model reads. */
import { addAbortListener, type BashOperations, removeAbortListener } from "../backend/index.js";
import { type Collected, OutputCollector } from "./collector.js";
import { checkOptions, type ExecuteBashOptions } from "./options.js";
import { type BashResult, resultOf, type Settled } from "./result.js";

/**
 * Runs `command` in `cwd` through `operations`, ours or another's.
 *
 * Settles when the operations do; data that they deliver afterwards is dropped. Memory stays bounded, whatever
 * comes.
 *
 * @returns also for a command that was aborted, ran into its time limit, or whose exit nobody knows
 * @throws RunError where the road failed: a `BackendError` with the `output` so far, and the road's error as `cause`
 * @throws TypeError or RangeError for wrong arguments, from here or from the operations, as they are
 * @throws what `onChunk` throws, after the command was ended
 */
export async function executeBash(
  command: string,
  cwd: string,
  operations: BashOperations,
  options: ExecuteBashOptions = {},
): Promise<BashResult> {
  const run = new Run(operations, options);
  const settled = await run.exec(command, cwd);
  return resultOf(settled, run.collect(settled), {
    backendName: nameOf(operations),
    timeout: options.timeout,
    isAborted: options.signal?.aborted ?? false,
  });
}

class Run {
  readonly #operations: BashOperations;
  readonly #options: ExecuteBashOptions;
  readonly #collector: OutputCollector;
  /** Ends the command for the caller's signal, and for a listener that throws. */
  readonly #stop = new AbortController();
  #takesData = true;
  #thrown: { readonly error: unknown } | undefined;

  constructor(operations: BashOperations, options: ExecuteBashOptions) {
    if (typeof operations?.exec !== "function") throw new TypeError("operations must have a method exec");
    const { onChunk } = options;
    const onText = onChunk && ((text: string) => this.#tell(onChunk, text));
    this.#operations = operations;
    this.#options = options;
    this.#collector = new OutputCollector({ ...checkOptions(options), onText });
  }

  async exec(command: string, cwd: string): Promise<Settled> {
    const { signal, timeout, env } = this.#options;
    // Operations that only listen for the event would run the command.
    if (signal?.aborted) return { error: signal.reason };
    const abort = () => this.#stop.abort(signal?.reason);
    // Not `AbortSignal.any`: for a signal that outlives many runs, as a session's does, it has leaked in Node 20 and 22.
    if (signal !== undefined) addAbortListener(signal, abort);
    try {
      const value = await this.#operations.exec(command, cwd, {
        onData: (data) => this.#take(data),
        signal: this.#stop.signal,
        ...(timeout !== undefined && { timeout }),
        ...(env !== undefined && { env }),
      });
      return { value };
    } catch (error) {
      return { error };
    } finally {
      this.#takesData = false;
      if (signal !== undefined) removeAbortListener(signal, abort);
    }
  }

  /** @throws what makes a result impossible; then no file stays */
  collect(settled: Settled): Collected {
    try {
      if (this.#thrown !== undefined) throw this.#thrown.error;
      if ("error" in settled && isArgumentError(settled.error)) throw settled.error;
      return this.#collector.finish();
    } catch (error) {
      this.#collector.discard();
      throw error;
    }
  }

  /** Never throws: in foreign operations that would be an uncaught exception, and the command would go on. */
  #take(data: Buffer): void {
    if (!this.#takesData) return;
    try {
      this.#collector.add(data);
    } catch (error) {
      this.#fail(error);
    }
  }

  #tell(onChunk: (text: string) => unknown, text: string): void {
    const returned = onChunk(text);
    if (returned instanceof Promise) returned.catch((error: unknown) => this.#fail(error));
  }

  #fail(error: unknown): void {
    this.#takesData = false;
    this.#thrown ??= { error };
    this.#stop.abort();
  }
}

function nameOf(operations: BashOperations): string {
  return "name" in operations && typeof operations.name === "string" ? operations.name : "operations";
}

function isArgumentError(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
