/** All that one command started, as far as it can be found: its group, its session, and what left both. */
import type { ProcessEntry } from "./process-table.js";

export interface TreeRoot {
  /** The shell's process, which leads its own session and group. */
  readonly pid: number;
  /** The unguessable text in the environment of all that it started. */
  readonly marker: string;
  /**
   * When the shell's end was told, in seconds since boot; `undefined` while its number is still its own. Afterwards
   * the number may belong to a stranger, and only what had been there before may be taken for the shell's.
   */
  readonly reapedAt: number | undefined;
}

/**
 * The members of a tree: those with the marker, those in a session with one of them (a member may have emptied its
 * environment), and their descendants.
 */
export function findMembers(root: TreeRoot, table: readonly ProcessEntry[]): ProcessEntry[] {
  const isMarked = ({ markers }: ProcessEntry) => markers.includes(root.marker);
  const sessions = new Set(table.filter(isMarked).map(({ session }) => session));
  const members = new Set<number>();
  for (const entry of table) {
    if (sessions.has(entry.session) || belongsToSession(entry, root)) members.add(entry.pid);
  }
  addDescendants(members, table);
  // The host can be none of them; a bug in the lines above must not be its end.
  return table.filter(({ pid }) => members.has(pid) && pid !== process.pid && pid !== 1);
}

function belongsToSession(entry: ProcessEntry, { pid, reapedAt }: TreeRoot): boolean {
  if (entry.session !== pid) return false;
  return reapedAt === undefined || entry.startedAt < reapedAt;
}

function addDescendants(members: Set<number>, table: readonly ProcessEntry[]): void {
  if (members.size === 0) return;
  let before = -1;
  while (members.size !== before) {
    before = members.size;
    for (const { pid, parent } of table) if (members.has(parent)) members.add(pid);
  }
}
