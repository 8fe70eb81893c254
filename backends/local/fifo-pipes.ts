/** Pipes with a name, for machines whose shell or kernel cannot give anonymous ones. A name lives until it is taken. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, unlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { openPipe, type Pipe, type PipeSource } from "./pipe.js";

/** One `mkfifo` of 64 names costs as much as one of 16: nearly all of it is the start of the program. */
const BATCH = 64;

/** Where to make them: memory first, since some temp folders are slow or full. */
export const FIFO_PARENTS: readonly string[] = ["/dev/shm", tmpdir()];

export class FifoPipes implements PipeSource {
  readonly folder: string;
  readonly #stock: string[] = [];
  #making: Promise<void> | undefined;
  #made = 0;

  /** @throws NodeJS.ErrnoException when no folder can be made there */
  static async open(parent: string): Promise<FifoPipes> {
    const pipes = new FifoPipes(parent);
    try {
      await pipes.#make();
    } catch (error) {
      pipes.close();
      throw error;
    }
    return pipes;
  }

  private constructor(parent: string) {
    this.folder = mkdtempSync(join(parent, "bash-backends-"));
  }

  async take(): Promise<Pipe> {
    while (this.#stock.length === 0) await this.#make();
    const path = this.#stock.pop() as string;
    try {
      const pipe = openPipe(path);
      unlinkSync(path);
      return pipe;
    } catch (error) {
      this.#stock.push(path);
      throw error;
    }
  }

  close(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }

  #make(): Promise<void> {
    this.#making ??= this.#makeBatch().finally(() => {
      this.#making = undefined;
    });
    return this.#making;
  }

  async #makeBatch(): Promise<void> {
    const paths = Array.from({ length: BATCH }, () => join(this.folder, String(++this.#made)));
    await promisify(execFile)("mkfifo", ["-m", "600", "--", ...paths]);
    this.#stock.push(...paths);
  }
}
