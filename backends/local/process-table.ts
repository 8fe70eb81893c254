/** What /proc tells about the processes of this machine: proc(5). */
import { closeSync, openSync, readdirSync, readFileSync, readSync } from "node:fs";
import { MARKER_VARIABLE } from "../../src/backend/index.js";

export interface ProcessEntry {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  /** When it was started, in seconds since boot. */
  readonly startedAt: number;
  /** The markers in its environment, as that was at its last exec; empty for a process of no job. */
  readonly markers: string;
}

/** Clock ticks a second in /proc: USER_HZ, 100 in every Linux that Node runs on. */
const TICKS_PER_SECOND = 100;

/** One buffer for all reading: `readFileSync`, with its fstat(2) and growing buffers, takes several times as long. */
const buffer = Buffer.allocUnsafeSlow(256 * 1024);

const MARKER_ENTRY = Buffer.from(`${MARKER_VARIABLE}=`);

/** Whether this machine has a /proc of the Linux kind. */
export function hasProcessTable(): boolean {
  return readProcess(String(process.pid)) !== undefined;
}

/** How often what was started during a look is looked for in the same look. */
const MAX_CHASES = 20;

/**
 * All living processes that may be looked at; zombies are dead. Takes some 50 µs a process.
 *
 * A process that forks again and again could be a new one each time that the list is read: what has come meanwhile
 * is read in the same look, which takes a fraction of the first reading, until nothing new has come.
 */
export function readProcessTable(): ProcessEntry[] {
  const entries: ProcessEntry[] = [];
  const seen = new Set<string>();
  for (let chase = 0; chase <= MAX_CHASES; chase += 1) {
    const fresh = readdirSync("/proc").filter((name) => isNumber(name) && !seen.has(name));
    if (fresh.length === 0) break;
    for (const name of fresh) {
      seen.add(name);
      const entry = readProcess(name);
      if (entry !== undefined) entries.push(entry);
    }
  }
  return entries;
}

function readProcess(pid: string): ProcessEntry | undefined {
  try {
    const stat = readProc(`/proc/${pid}/stat`).toString("latin1");
    // The second field is the program's name in parentheses, which may itself hold spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    if (fields[0] === "Z" || fields[0] === "X") return undefined;
    return {
      pid: Number(pid),
      parent: Number(fields[1]),
      group: Number(fields[2]),
      session: Number(fields[3]),
      startedAt: Number(fields[19]) / TICKS_PER_SECOND,
      markers: readMarkers(pid),
    };
  } catch {
    // It has ended meanwhile.
    return undefined;
  }
}

function readMarkers(pid: string): string {
  try {
    const environment = readProc(`/proc/${pid}/environ`);
    // Every entry of that name, and no other's value: a process may have any environment, also a doubled name.
    const markers: string[] = [];
    for (
      let at = environment.indexOf(MARKER_ENTRY);
      at >= 0;
      at = environment.indexOf(MARKER_ENTRY, at + 1)
    ) {
      if (at > 0 && environment[at - 1] !== 0) continue;
      const end = environment.indexOf(0, at);
      markers.push(environment.toString("latin1", at + MARKER_ENTRY.length, end < 0 ? undefined : end));
    }
    return markers.join();
  } catch {
    // Another user's process: neither to be read nor to be killed.
    return "";
  }
}

/** @returns bytes that are good until the next call */
function readProc(path: string): Buffer {
  const fd = openSync(path, "r");
  try {
    const length = readSync(fd, buffer, 0, buffer.length, 0);
    return length < buffer.length ? buffer.subarray(0, length) : readFileSync(path);
  } finally {
    closeSync(fd);
  }
}

function isNumber(name: string): boolean {
  const first = name.charCodeAt(0);
  return first >= 0x30 && first <= 0x39;
}
