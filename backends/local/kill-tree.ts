/** Ends all that one command started: TERM first for all of it, KILL after the grace, looked for again until gone. */
import { setTimeout as sleep } from "node:timers/promises";
import type { KillReport } from "../../src/backend/index.js";
import type { ProcessEntry } from "./process-table.js";
import { findMembers, type TreeRoot } from "./process-tree.js";

/** How long to wait between two looks, in milliseconds; first shorter, since most commands end at once. */
const LOOK_MS = [5, 10, 20];

/** A process between fork and exec does not show its marker yet: only two empty looks in a row are an end. */
const EMPTY_LOOKS = 2;

/** How long after the grace killed processes are looked for, in milliseconds: some wait for a disk that hangs. */
const CONFIRM_MS = 800;

/**
 * @param currentRoot asked at each look: the shell may end meanwhile
 * @param graceMs how long a process may outlive TERM
 */
export async function killTree(currentRoot: () => TreeRoot, graceMs: number): Promise<KillReport> {
  const killed = new Set<number>();
  const startedAt = performance.now();
  terminate(currentRoot(), killed);
  for (let look = 0, empty = 0; empty < EMPTY_LOOKS; look += 1) {
    const sweptAt = performance.now();
    const members = findMembers(currentRoot());
    const now = performance.now();
    if (now - startedAt >= graceMs + CONFIRM_MS)
      return { killed: [...killed], killConfirmed: members.length === 0 };
    if (members.length === 0) empty += 1;
    else {
      empty = 0;
      if (now - startedAt >= graceMs) killAll(currentRoot(), members, killed);
      else terminateNew(members, killed);
    }
    // On a machine with thousands of processes a look takes long: leave the event loop as much time for others.
    if (empty < EMPTY_LOOKS) await sleep(Math.max(LOOK_MS[look] ?? 20, now - sweptAt));
  }
  return { killed: [...killed], killConfirmed: true };
}

/**
 * TERM for the whole tree at once. The group is stopped meanwhile: in `a; b` the end of `a` must not let the shell
 * start `b` before its own TERM has come.
 */
function terminate(root: TreeRoot, killed: Set<number>): void {
  const hasGroup = root.reapedAt === undefined;
  if (hasGroup) send(-root.pid, "SIGSTOP");
  const members = findMembers(root);
  const others = hasGroup ? members.filter(({ group }) => group !== root.pid) : members;
  for (const { pid } of members) killed.add(pid);
  if (hasGroup) send(-root.pid, "SIGTERM");
  for (const { pid } of others) send(pid, "SIGTERM");
  if (hasGroup) send(-root.pid, "SIGCONT");
}

/** What was forked while the others got their TERM. */
function terminateNew(members: readonly ProcessEntry[], killed: Set<number>): void {
  for (const { pid } of members) {
    if (killed.has(pid)) continue;
    killed.add(pid);
    send(pid, "SIGTERM");
  }
}

function killAll(root: TreeRoot, members: readonly ProcessEntry[], killed: Set<number>): void {
  // The group's number is its own only until the shell's end was told: kill(2) would take any other group by it.
  if (root.reapedAt === undefined) send(-root.pid, "SIGKILL");
  for (const { pid } of members) {
    killed.add(pid);
    send(pid, "SIGKILL");
  }
}

/** @param pid a process, or minus the number of a group */
export function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // ESRCH: it has ended. EPERM: another user's; the look that follows finds it alive, and says so.
  }
}
