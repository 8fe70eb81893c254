/** What the local backend holds ready between commands: the shell that was found, the guard, the pipes. */
import type { Marker } from "../../src/backend/index.js";
import { FIFO_PARENTS, FifoPipes } from "./fifo-pipes.js";
import { Guard } from "./guard.js";
import { GuardPipes } from "./guard-pipes.js";
import type { PipeSource } from "./pipe.js";
import { askVersion, findShell, type LocalShell } from "./shell.js";

export interface GroundOptions {
  readonly shellPath: string | undefined;
  readonly marker: Marker;
  readonly killGraceMs: number;
  /** A shell that we know, to run the guard with. Left out: the one that would be found for commands. */
  readonly guardShellPath?: string | undefined;
  /** Where pipes with names may be made, when there are no others. Left out: memory, then the temp folder. */
  readonly fifoParents?: readonly string[] | undefined;
}

export class Ground {
  readonly shell: LocalShell;
  /** `undefined` on Windows, which has no shell of the kind that a guard needs. */
  readonly guard: Guard | undefined;
  /** `undefined` where no real pipe can be had. */
  readonly pipes: PipeSource | undefined;

  /**
   * Takes 3–5 ms: once a backend, and once more should somebody have killed the guard.
   *
   * @throws BackendError with code `NO_SHELL`, or `SPAWN_FAILED` when the guard cannot be started: without it the
   *   host's death would leave commands behind
   */
  static async prepare(options: GroundOptions): Promise<Ground> {
    const { shellPath, marker, killGraceMs, fifoParents = FIFO_PARENTS } = options;
    const choice = findShell(shellPath);
    if (process.platform === "win32") return new Ground(await askVersion(choice), undefined, undefined);
    const [shell, guard] = await Promise.all([
      askVersion(choice),
      Guard.start({
        shellPath: options.guardShellPath ?? findShell(undefined).path,
        markerPrefix: marker.prefix,
        killGraceMs,
      }),
    ]);
    return new Ground(
      shell,
      guard,
      guard.makesPipes ? new GuardPipes(guard) : await openFifos(guard, fifoParents),
    );
  }

  private constructor(shell: LocalShell, guard: Guard | undefined, pipes: PipeSource | undefined) {
    this.shell = shell;
    this.guard = guard;
    this.pipes = pipes;
  }

  get isUsable(): boolean {
    return this.guard?.isAlive ?? true;
  }

  async close(options: { readonly jobsRun: boolean }): Promise<void> {
    await this.guard?.dismiss(options);
    if (this.pipes instanceof FifoPipes) this.pipes.close();
  }
}

async function openFifos(guard: Guard, parents: readonly string[]): Promise<FifoPipes | undefined> {
  for (const parent of parents) {
    try {
      const pipes = await FifoPipes.open(parent);
      guard.removeInTheEnd(pipes.folder);
      return pipes;
    } catch {
      // Read-only, full, or not there: the next place.
    }
  }
  return undefined;
}
