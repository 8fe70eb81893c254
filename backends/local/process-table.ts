/** What /proc tells about the processes of this machine: proc(5). */
import { readdirSync, readFileSync } from "node:fs";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it was started, in seconds since boot. */
  readonly startedAt: number;
  /** Whether its environment, as it was at its last exec, holds the marker. */
  readonly isMarked: boolean;
}

/** Clock ticks a second in /proc: USER_HZ, 100 in every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** Whether this machine has a /proc of the Linux kind. */
export function hasProcessTable(): boolean {
  return readProcess(String(process.pid), Buffer.alloc(0)) !== undefined;
}

/** All living processes that may be looked at; zombies are dead. Takes 10–30 µs a process. */
export function readProcessTable(marker: string): ProcessEntry[] {
  const needle = Buffer.from(marker);
  const entries: ProcessEntry[] = [];
  for (const name of readdirSync("/proc")) {
    if (!isNumber(name)) continue;
    const entry = readProcess(name, needle);
    if (entry !== undefined) entries.push(entry);
  }
  return entries;
}

function readProcess(pid: string, marker: Buffer): ProcessEntry | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, "latin1");
    // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      startedAt: Number(fields[19]) / TICKS_PER_SECOND,
      isMarked: holds(pid, marker),
    };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

function holds(pid: string, marker: Buffer): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`).includes(marker);
  } catch {
    // Another user's process: neither to be read nor to be killed.
    return false;
  }
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}
