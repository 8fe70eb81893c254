import { strict as assert } from "node:assert";
import type { ConformanceCase, Requirement, Subject } from "../case.js";
import { quote } from "../shell.js";
import { assertBounded, assertNoneLeft, assertStopped } from "./stopping.js";

interface Escape {
  readonly name: string;
  readonly title: string;
  readonly requires: Requirement;
  /** Starts processes that run `sleep nap`, says ready, and waits. */
  command(nap: string): string;
}

const READY = "echo ready; wait";

/** The ways in which a process outlives the kill of its parent. */
const ESCAPES: readonly Escape[] = [
  {
    name: "group",
    title: "children and grandchildren in the process group",
    requires: "killsTree",
    command: (nap) => `sleep ${nap} & (sleep ${nap}; :) & sh -c 'sleep ${nap}; :' & ${READY}`,
  },
  {
    name: "ignoring-term",
    title: "children that ignore SIGTERM",
    requires: "killsTree",
    command: (nap) => `(trap '' TERM; sleep ${nap}; sleep ${nap}) & ${READY}`,
  },
  {
    name: "nohup",
    title: "a child under nohup",
    requires: "killsTree",
    command: (nap) => `nohup sleep ${nap} >/dev/null 2>&1 & ${READY}`,
  },
  {
    name: "redirected",
    title: "a child that holds none of the shell's descriptors",
    requires: "killsTree",
    command: (nap) => `sleep ${nap} </dev/null >/dev/null 2>&1 & ${READY}`,
  },
  {
    name: "setsid",
    title: "a child that left the session",
    requires: "sweepsMarker",
    command: (nap) => `setsid sleep ${nap} & ${READY}; sleep ${nap}`,
  },
  {
    name: "double-fork",
    title: "a daemon: it left the session, and its parent is gone",
    requires: "sweepsMarker",
    command: (nap) =>
      `sh -c '(setsid setsid sleep ${nap} </dev/null >/dev/null 2>&1 &)'; sleep 0.1; echo ready; sleep ${nap}`,
  },
  {
    name: "setsid-ignoring-term",
    title: "a child that left the session and ignores SIGTERM",
    requires: "sweepsMarker",
    command: (nap) => `setsid sh -c 'trap "" TERM; sleep ${nap}; sleep ${nap}' & sleep 0.1; ${READY}`,
  },
  {
    name: "successor",
    title: "a process that starts another one, outside the session, when it gets SIGTERM",
    requires: "sweepsMarker",
    command: (nap) =>
      `setsid sh -c 'trap "setsid sleep ${nap} & exit" TERM; echo ready; while :; do sleep 0.05; done' & sleep ${nap}`,
  },
];

async function skipWithoutSetsid(subject: Subject, requires: Requirement): Promise<void> {
  if (requires !== "sweepsMarker") return;
  const { exitCode } = await subject.run("command -v setsid >/dev/null");
  if (exitCode !== 0) subject.skip("the target has no setsid");
}

export const survivorCases: readonly ConformanceCase[] = [
  ...ESCAPES.flatMap(({ name, title, requires, command }): ConformanceCase[] => [
    {
      id: `survivors/timeout-${name}`,
      title: `a timeout leaves nothing behind: ${title}`,
      promise: "nothing is left behind",
      requires,
      async run(subject) {
        await skipWithoutSetsid(subject, requires);
        const nap = subject.nap();
        const rejection = await subject.rejection(command(nap), { timeout: 0.6 });
        assertStopped(rejection, "timeout:0.6", "TIMEOUT");
        // The shell may still have told of a child's death when its own came.
        assert.match(rejection.output.toString(), /^ready\n/, "the processes were running by then");
        await assertBounded(subject, rejection.ms - 600);
        await assertNoneLeft(subject, nap);
      },
    },
    {
      id: `survivors/abort-${name}`,
      title: `an abort leaves nothing behind: ${title}`,
      promise: "nothing is left behind",
      requires,
      async run(subject) {
        await skipWithoutSetsid(subject, requires);
        const nap = subject.nap();
        const controller = new AbortController();
        const running = subject.start(command(nap), { signal: controller.signal });
        await running.firstChunk;
        const abortedAt = performance.now();
        controller.abort();
        assertStopped(await running.rejection(), "aborted", "ABORTED");
        await assertBounded(subject, performance.now() - abortedAt);
        await assertNoneLeft(subject, nap);
      },
    },
  ]),
  {
    id: "survivors/term-first",
    title: "what left the session has the grace to clean up, too",
    promise: "nothing is left behind",
    requires: "sweepsMarker",
    async run(subject) {
      await skipWithoutSetsid(subject, "sweepsMarker");
      const cleaned = `${await subject.scratch()}/cleaned`;
      const daemon = `trap ": > ${cleaned}; exit" TERM; sleep ${subject.nap()} & echo ready; wait`;
      const controller = new AbortController();
      const running = subject.start(`setsid sh -c ${quote(daemon)} & sleep ${subject.nap()}`, {
        signal: controller.signal,
      });
      await running.firstChunk;
      controller.abort();
      await running.rejection();
      assert.equal(await subject.exists(cleaned), true, "SIGTERM comes before SIGKILL");
    },
  },
  {
    id: "survivors/strangers-live",
    title: "what belongs to another command is not killed",
    promise: "nothing is left behind",
    requires: "killsTree",
    async run(subject) {
      const [mine, other] = [subject.nap(), subject.nap()];
      await subject.run(`sleep ${other} >/dev/null 2>&1 &`);
      const controller = new AbortController();
      const running = subject.start(`echo ready; sleep ${mine}`, { signal: controller.signal });
      await running.firstChunk;
      controller.abort();
      await running.rejection();
      await assertNoneLeft(subject, mine);
      assert.notDeepEqual(await subject.processes(other), [], "the job of a command that has ended lives on");
    },
  },
];
