/** Ends trees of processes: TERM first for all of a tree, KILL after the grace, looked for again until it is gone. */
import { type Deferred, deferred, type KillReport } from "../../src/backend/index.js";
import { type ProcessEntry, readProcessTable } from "./process-table.js";
import { findMembers, type TreeRoot } from "./process-tree.js";
import { send } from "./signal.js";

/** How long to wait between two looks, in milliseconds; first shorter, since most commands end at once. */
const LOOK_MS = [5, 10, 20];

/** A process between fork and exec does not show its marker yet: only several empty looks in a row are an end. */
const EMPTY_LOOKS = 3;

/** How long after the grace killed processes are looked for, in milliseconds: some wait for a disk that hangs. */
const CONFIRM_MS = 800;

/** One tree that is being ended. */
interface Kill {
  /** Asked at each look: the shell may end meanwhile. */
  readonly currentRoot: () => TreeRoot;
  readonly graceMs: number;
  readonly startedAt: number;
  readonly report: Deferred<KillReport>;
  readonly killed: Set<number>;
  looks: number;
  emptyLooks: number;
}

/** Looks once for all trees that are being ended: a hundred at once must not take a hundred times as long. */
export class TreeKiller {
  readonly #kills = new Set<Kill>();
  #timer: NodeJS.Timeout | undefined;
  #nextLookAt = 0;

  /** @param graceMs how long a process may outlive TERM */
  kill(currentRoot: () => TreeRoot, graceMs: number): Promise<KillReport> {
    const root = currentRoot();
    // Stopped until all of the tree has its TERM: in `a; b` the end of a must not let the shell start b before.
    if (root.reapedAt === undefined) send(-root.pid, "SIGSTOP");
    const kill: Kill = {
      currentRoot,
      graceMs,
      startedAt: performance.now(),
      report: deferred(),
      killed: new Set(),
      looks: 0,
      emptyLooks: 0,
    };
    this.#kills.add(kill);
    this.#lookIn(0);
    return kill.report.promise;
  }

  #lookIn(ms: number): void {
    clearTimeout(this.#timer);
    const delay = Math.max(ms, this.#nextLookAt - performance.now());
    this.#timer = setTimeout(() => this.#look(), delay);
  }

  #look(): void {
    const startedAt = performance.now();
    const table = readProcessTable();
    for (const kill of this.#kills) {
      if (advance(kill, findMembers(kill.currentRoot(), table))) this.#kills.delete(kill);
    }
    const endedAt = performance.now();
    // On a machine with thousands of processes a look takes long: leave the event loop as much time for others.
    this.#nextLookAt = endedAt + (endedAt - startedAt);
    if (this.#kills.size > 0) this.#lookIn(Math.min(...Array.from(this.#kills, napOf)));
  }
}

function napOf({ looks }: Kill): number {
  return LOOK_MS[looks - 1] ?? 20;
}

/** @returns true when it has ended, or nobody waits for it any more */
function advance(kill: Kill, members: readonly ProcessEntry[]): boolean {
  const elapsed = performance.now() - kill.startedAt;
  const isFirst = kill.looks === 0;
  kill.looks += 1;
  if (isFirst) terminate(kill, members);
  else if (elapsed < kill.graceMs) terminateNew(kill, members);
  else killAll(kill, members);
  kill.emptyLooks = members.length === 0 ? kill.emptyLooks + 1 : 0;
  const killConfirmed = kill.emptyLooks >= EMPTY_LOOKS;
  if (!killConfirmed && elapsed < kill.graceMs + CONFIRM_MS) return false;
  kill.report.resolve({ killed: [...kill.killed], killConfirmed });
  return true;
}

function terminate(kill: Kill, members: readonly ProcessEntry[]): void {
  const { pid: leader, reapedAt } = kill.currentRoot();
  const hasGroup = reapedAt === undefined;
  if (hasGroup) send(-leader, "SIGTERM");
  for (const { pid, group } of members) {
    kill.killed.add(pid);
    if (!hasGroup || group !== leader) send(pid, "SIGTERM");
  }
  if (hasGroup) send(-leader, "SIGCONT");
}

/** What was forked while the others got their TERM. */
function terminateNew(kill: Kill, members: readonly ProcessEntry[]): void {
  for (const { pid } of members) {
    if (kill.killed.has(pid)) continue;
    kill.killed.add(pid);
    send(pid, "SIGTERM");
  }
}

function killAll(kill: Kill, members: readonly ProcessEntry[]): void {
  const { pid: leader, reapedAt } = kill.currentRoot();
  // The group's number is its own only until the shell's end was told: kill(2) would take any other group by it.
  if (members.length > 0 && reapedAt === undefined) send(-leader, "SIGKILL");
  for (const { pid } of members) {
    kill.killed.add(pid);
    send(pid, "SIGKILL");
  }
}
