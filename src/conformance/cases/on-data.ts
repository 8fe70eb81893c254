import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";
import { assertBounded, assertNoneLeft } from "./stopping.js";

/** Runs `work` while nothing else handles the host's uncaught exceptions, and fails where there was one. */
async function withoutUncaught(work: () => Promise<void>): Promise<void> {
  const uncaught: unknown[] = [];
  const collect = (error: unknown) => void uncaught.push(error);
  process.on("uncaughtException", collect);
  process.on("unhandledRejection", collect);
  try {
    await work();
    // Rejections count as unhandled only after the tick in which nobody handled them.
    await new Promise((resolve) => setTimeout(resolve, 50));
    assert.deepEqual(uncaught, [], "exceptions that nobody could catch");
  } finally {
    process.off("uncaughtException", collect);
    process.off("unhandledRejection", collect);
  }
}

/** Runs a command whose `call`th chunk makes onData throw; expects exec to reject with just that. */
async function expectThrown(subject: Subject, command: string, call: number, thrown: unknown): Promise<void> {
  let calls = 0;
  let thrownAt = 0;
  const onData = () => {
    calls += 1;
    if (calls !== call) return;
    thrownAt = performance.now();
    throw thrown;
  };
  await withoutUncaught(async () => {
    const { error } = await subject.rejection(command, { onData });
    assert.equal(error, thrown, "exec rejects with what onData threw");
    await assertBounded(subject, performance.now() - thrownAt);
    await subject.run("sleep 0.1");
    assert.equal(calls, call, "onData is not called again after it threw");
  });
}

export const onDataCases: readonly ConformanceCase[] = [
  {
    id: "on-data/throws",
    title: "an onData that throws ends the command, and exec rejects with its error",
    promise: "a throwing onData",
    isAlone: true,
    async run(subject) {
      const nap = subject.nap();
      await expectThrown(subject, `echo one; sleep ${nap}; echo two`, 1, new Error("the disk is full"));
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "on-data/throws-later",
    title: "an onData that throws at a later chunk, while more is coming, ends the command",
    promise: "a throwing onData",
    isAlone: true,
    async run(subject) {
      const nap = subject.nap();
      const chatter = `(sleep ${nap} & n=0; while [ $n -lt 500 ]; do n=$((n+1)); echo x; sleep 0.02; done)`;
      await expectThrown(subject, chatter, 3, new RangeError("too much"));
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "on-data/throws-at-the-end",
    title: "an onData that throws at the last chunk makes exec reject, too",
    promise: "a throwing onData",
    isAlone: true,
    run: (subject) => expectThrown(subject, "echo only", 1, new Error("the disk is full")),
  },
  {
    id: "on-data/throws-anything",
    title: "what onData throws need not be an Error",
    promise: "a throwing onData",
    isAlone: true,
    async run(subject) {
      await expectThrown(subject, "echo only", 1, "text");
      await expectThrown(subject, "echo only", 1, undefined);
    },
  },
  {
    id: "on-data/backend-goes-on",
    title: "after an onData that threw the backend runs other commands",
    promise: "a throwing onData",
    isAlone: true,
    async run(subject) {
      await expectThrown(subject, "echo one; sleep 0.2; echo two", 1, new Error("the disk is full"));
      assert.equal((await subject.run("echo still here")).text, "still here\n");
    },
  },
  {
    id: "on-data/nothing-after-the-end",
    title: "no chunk comes after exec has resolved",
    promise: "bytes untouched",
    async run(subject) {
      const all = Array.from({ length: 20 }, (_, id) => subject.start(`echo ${id}; head -c 30000 /dev/zero`));
      await Promise.all(all.map(({ result }) => result));
      await subject.run("sleep 0.2");
      assert.deepEqual(
        all.map((running) => running.lateChunks()),
        all.map(() => 0),
      );
    },
  },
];
