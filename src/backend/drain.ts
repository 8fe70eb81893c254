/** Waits for the output's end after the shell has exited, while background processes may still hold it open. */
import type { Ending } from "./contract.js";
import { deferred } from "./deferred.js";

export interface DrainLimits {
  /** Silence after which a still open output is let go, in milliseconds. */
  readonly quietMs: number;
  /** How long after the shell's exit a background process that goes on writing is listened to, in milliseconds. */
  readonly maxMs: number;
}

/** Long enough for the pauses of a git hook that outlives git, short enough that nobody waits for `sleep 60 &`. */
export const DEFAULT_DRAIN: DrainLimits = { quietMs: 100, maxMs: 5000 };

export class Drain {
  readonly #limits: DrainLimits;
  #quietTimer: NodeJS.Timeout | undefined;
  #deliveries = 0;

  constructor(limits: DrainLimits) {
    this.#limits = limits;
  }

  /** To be called at each delivery: the output is not quiet. */
  noticeDelivery(): void {
    this.#deliveries += 1;
    this.#quietTimer?.refresh();
  }

  /** Resolves when the output has ended, or is quiet, or was listened to long enough. */
  async wait(outputEnded: Promise<void>): Promise<Ending> {
    const { promise, resolve, reject } = deferred<Ending>();
    const giveUp = () => resolve("left-open");
    const maxTimer = setTimeout(giveUp, this.#limits.maxMs);
    const lookAgain = () => {
      // A blocked event loop fires timers before it reads: what is waiting in the pipe is no silence.
      const before = this.#deliveries;
      setImmediate(() => {
        if (this.#deliveries === before) giveUp();
        else this.#quietTimer?.refresh();
      });
    };
    this.#quietTimer = setTimeout(lookAgain, this.#limits.quietMs);
    outputEnded.then(() => resolve("complete"), reject);
    try {
      return await promise;
    } finally {
      clearTimeout(maxTimer);
      clearTimeout(this.#quietTimer);
      this.#quietTimer = undefined;
    }
  }
}
