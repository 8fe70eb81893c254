/** A project of somebody who uses the package: a folder of its own, outside of this repository. */
import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The root of this repository. */
export const ROOT: string = resolve(import.meta.dirname, "../..");

export interface RunResult {
  /** `null` where it died of a signal. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly cwd?: string;
  readonly env?: NodeJS.ProcessEnv;
}

export class ConsumerProject {
  readonly folder: string = realpathSync(mkdtempSync(join(tmpdir(), "bash-backends-consumer-")));

  constructor() {
    this.write("package.json", JSON.stringify({ name: "consumer", private: true, type: "module" }));
  }

  /** Makes a package of this repository, or the repository itself, one of the project's. */
  link(name: string, target: string = join(ROOT, "node_modules", name)): void {
    const path = join(this.folder, "node_modules", name);
    mkdirSync(dirname(path), { recursive: true });
    symlinkSync(target, path);
  }

  write(name: string, text: string): string {
    const path = join(this.folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
    return path;
  }

  run(
    program: string,
    args: readonly string[],
    { cwd = this.folder, env }: RunOptions = {},
  ): Promise<RunResult> {
    return run(program, args, { cwd, ...(env !== undefined && { env }) });
  }

  /** Runs the text of a module, and gives what it printed as JSON. */
  async evaluate(text: string): Promise<unknown> {
    const { code, stdout, stderr } = await this.run(process.execPath, ["--input-type=module", "-e", text]);
    if (code !== 0) throw new Error(`the module ended with ${code}: ${stderr}`);
    return JSON.parse(stdout);
  }

  /** What the compiler says of the project's files; empty where they are right. */
  typeCheck(files: readonly string[], options: readonly string[] = []): Promise<string> {
    return this.#runCompiler(["--noEmit", ...options, ...files]);
  }

  /** Also makes JavaScript of them, beside them, that the oldest supported Node can run. */
  compile(files: readonly string[]): Promise<string> {
    return this.#runCompiler(["--skipLibCheck", ...files]);
  }

  async #runCompiler(args: readonly string[]): Promise<string> {
    const compiler = join(ROOT, "node_modules/typescript/bin/tsc");
    const strict = ["--strict", "--exactOptionalPropertyTypes", "--module", "nodenext", "--target", "es2022"];
    const lib = ["--lib", "es2023,esnext.disposable", "--types", "node"];
    const { stdout } = await this.run(process.execPath, [compiler, ...strict, ...lib, ...args]);
    return stdout.trim();
  }

  remove(): void {
    rmSync(this.folder, { recursive: true, force: true });
  }
}

/** Runs a program without standard input. */
export function run(program: string, args: readonly string[], options: RunOptions): Promise<RunResult> {
  return new Promise((settle) => {
    const child = execFile(program, args, { ...options, maxBuffer: 2 ** 26 }, (_, stdout, stderr) =>
      settle({ code: child.exitCode, stdout, stderr }),
    );
    child.stdin?.end();
  });
}
