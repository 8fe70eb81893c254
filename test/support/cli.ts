/** Runs the built command as a user does: in a process of its own. */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";

/** The built command. `npm test` builds before it tests. */
export const CLI: string = fileURLToPath(new URL("../../dist/cli.js", import.meta.url));

export interface CliResult {
  /** `null` where it died of a signal. */
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

/** A command that was started. */
export interface RunningCli {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly ended: Promise<CliResult>;
  /** Resolves when stdout holds that text. Rejects when the process ends without it. */
  stdoutHolds(text: string): Promise<void>;
}

export function startCli(args: readonly string[], { env = {}, cwd }: CliOptions = {}): RunningCli {
  const { FORCE_COLOR: _, NO_COLOR: __, ...hostEnv } = process.env;
  const child = spawn(process.execPath, [CLI, ...args], {
    cwd,
    env: { ...hostEnv, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let stdout = "";
  let stderr = "";
  let look = () => {};
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    stdout += text;
    look();
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    stderr += text;
  });
  const ended = new Promise<CliResult>((resolve) => {
    child.on("close", (code, signal) => resolve({ code, signal, stdout, stderr }));
  });
  return {
    child,
    pid: child.pid as number,
    ended,
    stdoutHolds: (text) =>
      new Promise((resolve, reject) => {
        look = () => stdout.includes(text) && resolve();
        look();
        ended.then(() => reject(new Error(`ended without ${text}; stderr: ${stderr}`)));
      }),
  };
}

export function runCli(args: readonly string[], options?: CliOptions): Promise<CliResult> {
  return startCli(args, options).ended;
}
