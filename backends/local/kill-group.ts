/** Ends a process group where no /proc tells about processes: what left the group cannot be found there. */
import { setTimeout as sleep } from "node:timers/promises";
import type { KillReport } from "../../src/backend/index.js";
import { send } from "./signal.js";

const LOOK_MS = 20;

/** How long after SIGKILL the group is looked for, in milliseconds. */
const CONFIRM_MS = 800;

export async function killGroup(pid: number, graceMs: number): Promise<KillReport> {
  for (const signal of ["SIGSTOP", "SIGTERM", "SIGCONT"] as const) send(-pid, signal);
  let killConfirmed = await isGoneWithin(pid, graceMs);
  if (!killConfirmed) {
    send(-pid, "SIGKILL");
    killConfirmed = await isGoneWithin(pid, CONFIRM_MS);
  }
  return { killed: [pid], killConfirmed };
}

async function isGoneWithin(pid: number, ms: number): Promise<boolean> {
  const startedAt = performance.now();
  while (groupExists(pid)) {
    if (performance.now() - startedAt >= ms) return false;
    await sleep(LOOK_MS);
  }
  return true;
}

function groupExists(pid: number): boolean {
  try {
    process.kill(-pid, 0);
    return true;
  } catch (error) {
    // EPERM: there is one, or on macOS what is left of it is a zombie.
    return (error as NodeJS.ErrnoException).code === "EPERM" && process.platform !== "darwin";
  }
}
