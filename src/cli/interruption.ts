/** Turns the signals that end a program into the abort of a command. */
import { signalExitCode } from "./exit-codes.js";

const SIGNALS = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

export class Interruption {
  readonly #controller = new AbortController();
  readonly #onSignal = (signal: NodeJS.Signals) => this.#interrupt(signal);
  #exitCode: number | undefined;

  /** Aborted at the first signal. At the second one the process exits, and the command is left to the guard. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** The exit code that tells of the first signal; `undefined` while there was none. */
  get exitCode(): number | undefined {
    return this.#exitCode;
  }

  listen(): void {
    for (const signal of SIGNALS) process.on(signal, this.#onSignal);
  }

  /** From now on a signal ends this process at once, as it would without us. */
  stopListening(): void {
    for (const signal of SIGNALS) process.off(signal, this.#onSignal);
  }

  /**
   * Runs something that blocks the event loop, where no handler could be called: a signal then ends the process by
   * itself, and the guard ends the command.
   */
  whileBlocked(block: () => void): void {
    this.stopListening();
    try {
      block();
    } finally {
      this.listen();
    }
  }

  #interrupt(signal: NodeJS.Signals): void {
    const code = signalExitCode(signal);
    if (this.#exitCode !== undefined) process.exit(code);
    this.#exitCode = code;
    this.#controller.abort();
  }
}
