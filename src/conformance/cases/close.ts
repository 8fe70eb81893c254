import { strict as assert } from "node:assert";
import { BackendError } from "../../backend/index.js";
import type { ClosableOperations, ConformanceCase, Rejection, Subject } from "../case.js";
import { quote } from "../shell.js";
import { assertBounded, assertNoneLeft } from "./stopping.js";

function assertClosed({ error }: Rejection): void {
  assert.ok(error instanceof Error, "exec rejects with an Error");
  if (error instanceof BackendError) assert.equal(error.code, "CLOSED");
}

/** Closes a fresh backend while `command` runs on it; it names a nap that must be gone afterwards. */
async function expectNoneLeft(subject: Subject, command: (nap: string) => string): Promise<void> {
  const operations = await subject.open();
  const sharesTarget = await subject.sharesTarget(operations);
  const nap = subject.nap();
  const running = subject.start(command(nap), { on: operations });
  await running.firstChunk;
  const closedAt = performance.now();
  await Promise.all([operations.close?.(), running.rejection().then(assertClosed)]);
  await assertBounded(subject, performance.now() - closedAt);
  // Where the target ended with its backend, nothing can be looked for, and nothing can be left.
  if (sharesTarget) await assertNoneLeft(subject, nap);
}

async function closed(subject: Subject): Promise<ClosableOperations> {
  const operations = await subject.open();
  await subject.run("echo hi", { on: operations });
  await operations.close?.();
  return operations;
}

export const closeCases: readonly ConformanceCase[] = [
  {
    id: "close/refuses",
    title: "after close() every exec is refused, and nothing runs",
    promise: "close",
    requires: "close",
    async run(subject) {
      const marker = `${await subject.scratch()}/ran`;
      const on = await closed(subject);
      assertClosed(await subject.rejection(`: > ${quote(marker)}`, { on }));
      assertClosed(await subject.rejection("echo", { on, timeout: 1, signal: new AbortController().signal }));
      assert.equal(await subject.exists(marker), false, "nothing runs");
    },
  },
  {
    id: "close/twice",
    title: "close() may be called twice, also at once, and on a backend that was never used",
    promise: "close",
    requires: "close",
    async run(subject) {
      const used = await closed(subject);
      await used.close?.();
      const unused = await subject.open();
      await Promise.all([unused.close?.(), unused.close?.()]);
      await unused.close?.();
      assertClosed(await subject.rejection("echo", { on: unused }));
    },
  },
  {
    id: "close/ends-running",
    title: "close() kills what still runs; its exec rejects",
    promise: "close",
    requires: "close",
    run: (subject) => expectNoneLeft(subject, (nap) => `echo ready; sleep ${nap}; sleep ${nap}`),
  },
  {
    id: "close/ends-ignoring-term",
    title: "close() kills what ignores SIGTERM",
    promise: "close",
    requires: "close",
    run: (subject) =>
      expectNoneLeft(subject, (nap) => `trap '' TERM; echo ready; sleep ${nap}; sleep ${nap}`),
  },
  {
    id: "close/ends-escaped",
    title: "close() kills what left the session of a command that still runs",
    promise: "close",
    requires: "close",
    async run(subject) {
      const { exitCode } = await subject.run("command -v setsid >/dev/null");
      if (exitCode !== 0) subject.skip("the target has no setsid");
      if (subject.operations.capabilities?.sweepsMarker === false) {
        subject.skip("the backend declares sweepsMarker: false");
      }
      await expectNoneLeft(subject, (nap) => `setsid sleep ${nap} & echo ready; sleep ${nap}`);
    },
  },
  {
    id: "close/while-starting",
    title: "close() in the same tick as a call ends what was being started",
    promise: "close",
    requires: "close",
    async run(subject) {
      const operations = await subject.open();
      const sharesTarget = await subject.sharesTarget(operations);
      const nap = subject.nap();
      const all = [1, 2, 3].map(() => subject.start(`sleep ${nap}; sleep ${nap}`, { on: operations }));
      await operations.close?.();
      for (const running of all) assertClosed(await running.rejection());
      if (sharesTarget) await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "close/one-backend",
    title: "close() ends nothing of another backend",
    promise: "close",
    requires: "close",
    async run(subject) {
      const running = subject.start("echo ready; sleep 0.6; echo ended");
      await running.firstChunk;
      await closed(subject);
      assert.equal((await running.result).text, "ready\nended\n");
    },
  },
  {
    id: "close/await-using",
    title: "await using closes the backend",
    promise: "close",
    requires: "close",
    async run(subject) {
      const operations: ClosableOperations & Partial<AsyncDisposable> = await subject.open();
      const dispose = operations[Symbol.asyncDispose];
      if (dispose === undefined) return subject.skip("the backend has no [Symbol.asyncDispose]()");
      await subject.run("echo hi", { on: operations });
      await dispose.call(operations);
      assertClosed(await subject.rejection("echo", { on: operations }));
    },
  },
];
