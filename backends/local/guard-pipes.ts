/** Anonymous pipes, made by the guard in stock and opened here through /proc. No name in any file system. */
import { BackendError, type Deferred, deferred } from "../../src/backend/index.js";
import type { Guard } from "./guard.js";
import { openPipe, type Pipe, type PipeSource } from "./pipe.js";

/** How many pipes one request asks for at least; asked for again when a quarter is left. */
const BATCH = 16;

/** How many at most, far below the usual limit of 1024 descriptors in the guard. */
const MAX_BATCH = 256;

export class GuardPipes implements PipeSource {
  readonly #guard: Guard;
  #stock: number[] = [];
  #used: number[] = [];
  #waiting: Deferred<Pipe>[] = [];
  #isAsking = false;

  constructor(guard: Guard) {
    this.#guard = guard;
  }

  take(): Promise<Pipe> | Pipe {
    const fd = this.#stock.pop();
    if (this.#stock.length < BATCH / 4) this.#ask();
    if (fd !== undefined) return this.#open(fd);
    const waiter = deferred<Pipe>();
    this.#waiting.push(waiter);
    return waiter.promise;
  }

  #open(fd: number): Pipe {
    // What opening fails with (EMFILE) is about this process: the pipe itself is still good, but costs nothing.
    this.#used.push(fd);
    try {
      return openPipe(`/proc/${this.#guard.pid}/fd/${fd}`);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== "EMFILE" && code !== "ENFILE") this.#guard.giveUp();
      throw error;
    }
  }

  async #ask(): Promise<void> {
    if (this.#isAsking) return;
    this.#isAsking = true;
    try {
      const count = Math.min(MAX_BATCH, Math.max(BATCH, this.#waiting.length));
      const made = await this.#guard.makePipes(count, this.#used.splice(0));
      if (made.length === 0)
        throw new BackendError("local", "SPAWN_FAILED", "the guard can make no more pipes");
      this.#stock.push(...made);
      this.#serve();
    } catch (error) {
      for (const waiter of this.#waiting.splice(0)) waiter.reject(error);
    } finally {
      this.#isAsking = false;
    }
    if (this.#waiting.length > 0) this.#ask();
  }

  #serve(): void {
    while (this.#stock.length > 0) {
      const waiter = this.#waiting.shift();
      if (waiter === undefined) return;
      try {
        waiter.resolve(this.#open(this.#stock.pop() as number));
      } catch (error) {
        waiter.reject(error);
      }
    }
  }
}
