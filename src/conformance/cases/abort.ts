import { strict as assert } from "node:assert";
import { setTimeout as delay } from "node:timers/promises";
import type { ConformanceCase, RunningExec, Subject } from "../case.js";
import { quote, waitForFile } from "../shell.js";
import { assertBounded, assertNoneLeft, assertStopped, CHATTER } from "./stopping.js";

/** Starts a command, waits for its first output, aborts, and tells how long the exec took to settle from there. */
async function abortWhileRunning(subject: Subject, command: string, reason?: unknown) {
  const controller = new AbortController();
  const running = subject.start(command, { signal: controller.signal });
  await running.firstChunk;
  const abortedAt = performance.now();
  controller.abort(reason);
  const rejection = await running.rejection();
  return { rejection, ms: performance.now() - abortedAt, running };
}

/**
 * Aborts when told to, and holds the exec to the rule: it had not settled, so it rejects with `aborted`. Exact when
 * called from a timer or another task of its own: what has settled by then has told so.
 */
async function expectAbortedUnlessSettled(running: RunningExec, controller: AbortController): Promise<void> {
  const wasSettled = running.isSettled();
  controller.abort();
  if (wasSettled) return;
  assertStopped(await running.rejection(), "aborted", "ABORTED");
}

/** At how many moments an abort is tried, and how long the trying may go on. */
const MOMENTS = 60;
const MOMENTS_LIMIT_MS = 3000;

export const abortCases: readonly ConformanceCase[] = [
  {
    id: "abort/before",
    title: "with a signal that is already aborted nothing runs",
    promise: "abort",
    async run(subject) {
      const marker = `${await subject.scratch()}/ran`;
      const rejection = await subject.rejection(`: > ${quote(marker)}`, { signal: AbortSignal.abort() });
      assertStopped(rejection, "aborted", "ABORTED");
      await subject.run("sleep 0.2");
      assert.equal(await subject.exists(marker), false, "nothing runs");
    },
  },
  {
    id: "abort/during",
    title: "an abort ends a running command: exec rejects with aborted",
    promise: "abort",
    async run(subject) {
      const nap = subject.nap();
      const { rejection, ms } = await abortWhileRunning(subject, `echo ready; sleep ${nap}`);
      assertStopped(rejection, "aborted", "ABORTED");
      await assertBounded(subject, ms);
      assert.match(rejection.output.toString(), /^ready\n/, "what was written before has been delivered");
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "abort/reason",
    title: "the message is aborted whatever reason the caller gave",
    promise: "abort",
    async run(subject) {
      const command = `echo ready; sleep ${subject.nap()}`;
      for (const reason of [new Error("the user pressed Escape"), "text", null]) {
        const { rejection } = await abortWhileRunning(subject, command, reason);
        assertStopped(rejection, "aborted", "ABORTED");
      }
      const signal = AbortSignal.timeout(200);
      assertStopped(await subject.rejection(`sleep ${subject.nap()}`, { signal }), "aborted", "ABORTED");
    },
  },
  {
    id: "abort/right-after-the-call",
    title: "an abort in the same tick as the call ends whatever was being started",
    promise: "abort",
    async run(subject) {
      const naps = Array.from({ length: 10 }, () => subject.nap());
      await Promise.all(
        naps.map(async (nap, index) => {
          const controller = new AbortController();
          const running = subject.start(`sleep ${nap}; sleep ${nap}`, { signal: controller.signal });
          for (let turn = 0; turn < index; turn += 1) await null;
          controller.abort();
          assertStopped(await running.rejection(), "aborted", "ABORTED");
        }),
      );
      for (const nap of naps) await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "abort/in-the-last-chunk",
    title: "an abort from within onData beats a command that has just written its last",
    promise: "abort",
    async run(subject) {
      const controller = new AbortController();
      const rejection = await subject.rejection("echo done", {
        signal: controller.signal,
        onData: () => controller.abort(),
      });
      assertStopped(rejection, "aborted", "ABORTED");
    },
  },
  {
    id: "abort/any-moment",
    title:
      "an abort at any moment before exec has settled, also in the tick of the command's end, is an abort",
    promise: "abort",
    isAlone: true,
    async run(subject) {
      const startedAt = performance.now();
      await subject.run("echo done");
      const usualMs = performance.now() - startedAt;
      for (let count = 0; count < MOMENTS && performance.now() < startedAt + MOMENTS_LIMIT_MS; count += 1) {
        // Not in their order: where the time is too short for all, those that are left out are spread.
        const attempt = (count * 17) % MOMENTS;
        const controller = new AbortController();
        const running = subject.start("echo done", { signal: controller.signal });
        // From the start to twice the usual time; in thirds by timer, by immediate, and from the output's arrival.
        if (attempt % 3 === 2) await running.firstChunk;
        else await delay((attempt / MOMENTS) * usualMs * 2);
        if (attempt % 3 > 0) await new Promise((resolve) => setImmediate(resolve));
        await new Promise<void>((resolve, reject) => {
          setTimeout(() => expectAbortedUnlessSettled(running, controller).then(resolve, reject));
        });
      }
    },
  },
  {
    id: "abort/beats-timeout",
    title: "where abort and time limit come at the same moment, it is an abort",
    promise: "abort",
    async run(subject) {
      for (const abortsFirst of [true, false]) {
        const controller = new AbortController();
        const start = () =>
          subject.start(`sleep ${subject.nap()}`, { signal: controller.signal, timeout: 0.4 });
        const early = abortsFirst ? undefined : start();
        await new Promise<void>((resolve) => {
          // Two timers of the same length fire in the order in which they were set.
          setTimeout(() => resolve(expectAbortedUnlessSettled(running, controller)), 400);
          const running = early ?? start();
        });
      }
    },
  },
  {
    id: "abort/bounded-ignoring-term",
    title: "a command that ignores SIGTERM is dead after the grace, and exec settles",
    promise: "the call is bounded",
    async run(subject) {
      const nap = subject.nap();
      const command = `trap '' TERM INT HUP; echo ready; sleep ${nap}; sleep ${nap}`;
      const { rejection, ms } = await abortWhileRunning(subject, command);
      assertStopped(rejection, "aborted", "ABORTED");
      await assertBounded(subject, ms);
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "abort/next-command",
    title: "the command after the one that was aborted does not run",
    promise: "abort",
    async run(subject) {
      const marker = `${await subject.scratch()}/next`;
      await abortWhileRunning(subject, `echo ready; sleep ${subject.nap()}; : > ${quote(marker)}`);
      await subject.run("sleep 0.2");
      assert.equal(await subject.exists(marker), false, "the next command does not run");
    },
  },
  {
    id: "abort/after-the-shell",
    title: "an abort also ends what goes on writing after the shell's end",
    promise: "abort",
    async run(subject) {
      const nap = subject.nap();
      const command = `(sleep ${nap} & ${CHATTER}) & exit 7`;
      const { rejection, ms } = await abortWhileRunning(subject, command);
      assertStopped(rejection, "aborted", "ABORTED");
      await assertBounded(subject, ms);
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "abort/after-the-end",
    title: "an abort after exec has settled changes nothing",
    promise: "abort",
    async run(subject) {
      const controller = new AbortController();
      const { exitCode } = await subject.run("exit 4", { signal: controller.signal });
      controller.abort();
      assert.equal(exitCode, 4);
      assert.equal((await subject.run("echo still here")).text, "still here\n");
    },
  },
  {
    id: "abort/one-of-many",
    title: "an abort ends the command whose signal it is, and no other",
    promise: "abort",
    async run(subject) {
      const go = `${await subject.scratch()}/go`;
      const others = [1, 2, 3].map((id) => subject.start(`echo ready ${id}; ${waitForFile(go)}; echo ended`));
      await Promise.all(others.map(({ firstChunk }) => firstChunk));
      await abortWhileRunning(subject, `echo ready; sleep ${subject.nap()}`);
      await subject.run(`: > ${quote(go)}`);
      const texts = await Promise.all(others.map(async ({ result }) => (await result).text));
      assert.deepEqual(
        texts,
        [1, 2, 3].map((id) => `ready ${id}\nended\n`),
      );
    },
  },
  {
    id: "abort/shared-signal",
    title: "one signal ends all the commands that it was given to",
    promise: "abort",
    async run(subject) {
      const controller = new AbortController();
      const nap = subject.nap();
      const all = [1, 2, 3, 4, 5].map(() =>
        subject.start(`echo ready; sleep ${nap}`, { signal: controller.signal }),
      );
      await Promise.all(all.map(({ firstChunk }) => firstChunk));
      controller.abort();
      for (const running of all) assertStopped(await running.rejection(), "aborted", "ABORTED");
      await assertNoneLeft(subject, nap);
    },
  },
];
