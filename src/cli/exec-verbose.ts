/** What `exec --verbose` tells on stderr: facts about the target and the ending, never the command or a variable. */
import { BackendError, type BashBackend, type ExecResult } from "../backend/index.js";
import { describeError, say } from "./message.js";

export class ExecLog {
  readonly #startedAt = performance.now();
  readonly #isVerbose: boolean;

  constructor(isVerbose: boolean) {
    this.#isVerbose = isVerbose;
  }

  begin(target: string, cwd: string): void {
    this.#tell(`target ${target}, in ${cwd}`);
  }

  /** After the exec: only then are the shell and the capabilities known. */
  end(backend: BashBackend, outcome: { readonly result: ExecResult } | { readonly error: unknown }): void {
    const { shell, ...promises } = backend.capabilities;
    if (shell !== undefined) this.#tell(`shell ${shell.path}, version ${shell.version ?? "not told"}`);
    const entries = Object.entries(promises);
    const names = (isKept: boolean) => entries.filter(([, kept]) => kept === isKept).map(([name]) => name);
    this.#tell(
      `keeps ${names(true).join(", ") || "nothing"}; not ${names(false).join(", ") || "missing any"}`,
    );
    this.#tell(`${this.#ending(outcome)}; ${Math.round(performance.now() - this.#startedAt)} ms`);
  }

  #ending(outcome: { readonly result: ExecResult } | { readonly error: unknown }): string {
    if ("result" in outcome) {
      const { exitCode, ending } = outcome.result;
      const note = ending === "left-open" ? "; a background job still holds the output and was let go" : "";
      return `exit ${exitCode}${note}`;
    }
    const { error } = outcome;
    const killed = error instanceof BackendError ? error.killed : undefined;
    const ended = killed === undefined ? "" : `; ended the processes ${killed.join(", ") || "(none)"}`;
    return `${describeError(error)}${ended}`;
  }

  #tell(text: string): void {
    if (this.#isVerbose) say(text);
  }
}
