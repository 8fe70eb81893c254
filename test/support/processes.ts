/** Looks at the processes of this machine, for tests that claim that something is alive or dead. */
import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** Ids of the living processes whose command line holds the text. Zombies have none. */
export function processesWith(text: string): number[] {
  const found: number[] = [];
  for (const name of readdirSync("/proc")) {
    if (!/^\d+$/.test(name)) continue;
    try {
      const commandLine = readFileSync(`/proc/${name}/cmdline`, "utf8").replaceAll("\0", " ");
      if (commandLine.includes(text) && Number(name) !== process.pid) found.push(Number(name));
    } catch {
      // It has ended meanwhile.
    }
  }
  return found;
}

export function isAlive(pid: number): boolean {
  try {
    return !/^\d+ \(.*\) [ZX] /s.test(readFileSync(`/proc/${pid}/stat`, "latin1"));
  } catch {
    return false;
  }
}

/** A number that stands in no other command line: `sleep 300.<tag>` can be found by it. */
export function uniqueTag(): string {
  return `${process.pid}${Math.floor(Math.random() * 1e9)}`;
}

/** Tries until the assertion holds; fails with its last error after the limit. */
export async function eventually(assertion: () => void | Promise<void>, limitMs = 10_000): Promise<void> {
  const deadline = performance.now() + limitMs;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() >= deadline) throw error;
      await sleep(20);
    }
  }
}
