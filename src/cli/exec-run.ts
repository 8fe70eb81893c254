/** One run of `exec`, as both its forms of output need it. */
import type { BashBackend, ExecOptions } from "../backend/index.js";
import type { ExecFlags } from "./exec-flags.js";
import type { Interruption } from "./interruption.js";

export interface ExecRun {
  readonly backend: BashBackend;
  readonly command: string;
  readonly flags: ExecFlags;
  readonly interruption: Interruption;
}

/** What the flags say, in the words of a backend. */
export function execOptions({ flags, interruption }: ExecRun): Omit<ExecOptions, "onData"> & { cwd: string } {
  const { cwd = process.cwd(), timeout, env } = flags;
  return {
    cwd,
    signal: interruption.signal,
    ...(timeout !== undefined && { timeout }),
    ...(Object.keys(env).length > 0 && { env: { ...process.env, ...env } }),
  };
}
