import { strict as assert } from "node:assert";
import { getEventListeners } from "node:events";
import { readdirSync } from "node:fs";
import type { ConformanceCase, RunOptions, Subject } from "../case.js";
import { uniqueDigits } from "../shell.js";

/** How many commands run at once while leaks are looked for: enough to be quick, few enough to be usual. */
const AT_ONCE = 8;

/** Runs many commands of every outcome, in parallel. */
async function runMany(subject: Subject, count: number, options: RunOptions = {}): Promise<void> {
  let left = count;
  const worker = async () => {
    while (left > 0) {
      left -= 1;
      await subject.run(`echo ${left}; exit ${left % 256}`, options);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
}

/** Descriptors, by what they lead to; `undefined` where the system does not tell. */
function openDescriptors(): number | undefined {
  try {
    // One of them is the listing's own, each time.
    return readdirSync("/proc/self/fd").length;
  } catch {
    return undefined;
  }
}

interface Held {
  /** Where the system does not tell: none. */
  readonly descriptors: number;
  readonly timers: number;
}

const held = (): Held => ({ descriptors: openDescriptors() ?? 0, timers: activeResources().Timeout ?? 0 });

/** Backends may keep a stock of pipes, which is not always equally full. One for each exec would be far more. */
function assertNotGrown(before: Held, after: Held): void {
  const isGrown = after.descriptors > before.descriptors + AT_ONCE || after.timers > before.timers + 1;
  assert.ok(
    !isGrown,
    `the host holds more: ${JSON.stringify(before)} before, ${JSON.stringify(after)} after`,
  );
}

/** What keeps the host's event loop alive, counted by kind. */
function activeResources(): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const kind of process.getActiveResourcesInfo()) counts[kind] = (counts[kind] ?? 0) + 1;
  // Timers that have fired and immediates of the test itself: they come and go.
  delete counts.Immediate;
  delete counts.TickObject;
  return counts;
}

export const leakCases: readonly ConformanceCase[] = [
  {
    id: "leaks/1000-execs",
    title: "1000 execs leave no abort listener, descriptor or timer behind in the host",
    promise: "nothing is left behind",
    isAlone: true,
    async run(subject) {
      const { signal } = new AbortController();
      const options = { signal, timeout: 1000 };
      // What a backend keeps for later (connections, pipes) is there after the first ones.
      await runMany(subject, 4 * AT_ONCE, options);
      const before = held();
      await runMany(subject, subject.limits.leakExecs, options);
      assert.equal(getEventListeners(signal, "abort").length, 0, "abort listeners that are left");
      await subject.eventually(async () => assertNotGrown(before, held()), 2000);
    },
  },
  {
    id: "leaks/failures",
    title: "execs that are refused, stopped or aborted leave no descriptor, listener or timer behind",
    promise: "nothing is left behind",
    isAlone: true,
    async run(subject) {
      const { signal } = new AbortController();
      const missing = `/no-such-directory-${uniqueDigits()}`;
      const failMany = async (count: number) => {
        for (let round = 0; round < count; round += 1) {
          await Promise.all([
            subject.rejection("echo", { cwd: missing, signal, timeout: 1000 }),
            subject.rejection(`sleep ${subject.nap()}`, { timeout: 0.05, signal }),
            subject.rejection("echo", { signal: AbortSignal.abort(), timeout: 1000 }),
            subject.rejection("echo \0", { signal, timeout: 1000 }),
          ]);
        }
      };
      await failMany(2);
      const before = held();
      await failMany(12);
      assert.equal(getEventListeners(signal, "abort").length, 0, "abort listeners that are left");
      await subject.eventually(async () => assertNotGrown(before, held()), 2000);
    },
  },
  {
    id: "leaks/idle",
    title: "an idle backend does not keep the host's process alive",
    promise: "close",
    isAlone: true,
    async run(subject) {
      // Also the shared backend is idle now: what it still winds up must not be counted as the new one's.
      await subject.run("sleep 0.2");
      const before = activeResources();
      const operations = await subject.open();
      const { signal } = new AbortController();
      for (const timeout of [1000, 2000]) await subject.run("echo hi", { on: operations, timeout, signal });
      await subject.eventually(async () => {
        const grown = Object.entries(activeResources()).filter(
          ([kind, count]) => count > (before[kind] ?? 0),
        );
        assert.deepEqual(
          Object.fromEntries(grown),
          {},
          "more of these keep the event loop alive than before",
        );
      });
    },
  },
];
