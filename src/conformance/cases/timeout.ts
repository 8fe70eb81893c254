import { strict as assert } from "node:assert";
import type { ConformanceCase } from "../case.js";
import { quote, waitForFile } from "../shell.js";
import { assertBounded, assertNoneLeft, assertStopped, CHATTER } from "./stopping.js";

/** The limit of most cases below, in seconds. */
const LIMIT = 0.3;

const REFUSED: Readonly<Record<string, unknown>> = {
  zero: 0,
  negative: -1,
  nan: Number.NaN,
  infinity: Number.POSITIVE_INFINITY,
  "minus-infinity": Number.NEGATIVE_INFINITY,
  "too-large": 2_147_483.648,
  "milliseconds-of-a-year": 31_536_000_000,
  text: "5",
};

export const timeoutCases: readonly ConformanceCase[] = [
  ...Object.entries(REFUSED).map(
    ([name, timeout]): ConformanceCase => ({
      id: `timeout/refuses-${name}`,
      title: `a timeout of ${typeof timeout === "string" ? `the text "${timeout}"` : timeout} is refused before anything runs`,
      promise: "time limits",
      async run(subject) {
        const marker = `${await subject.scratch()}/ran`;
        const { message } = await subject.rejection(`: > ${quote(marker)}`, { timeout: timeout as number });
        assert.equal(await subject.exists(marker), false, "nothing runs");
        assert.doesNotMatch(message, /^timeout:/, "a wrong argument is not a limit that was reached");
        assert.match(message, /time/i, "the message says what is wrong");
      },
    }),
  ),
  {
    id: "timeout/largest",
    title: "the largest timeout, 2147483.647 s, is one",
    promise: "time limits",
    async run(subject) {
      const { text, exitCode } = await subject.run("sleep 0.1; echo done", { timeout: 2_147_483.647 });
      assert.deepEqual({ text, exitCode }, { text: "done\n", exitCode: 0 });
    },
  },
  {
    id: "timeout/not-reached",
    title: "a limit that is not reached changes nothing",
    promise: "time limits",
    async run(subject) {
      const { text, exitCode } = await subject.run("echo done; exit 3", { timeout: 20 });
      assert.deepEqual({ text, exitCode }, { text: "done\n", exitCode: 3 });
    },
  },
  {
    id: "timeout/message",
    title: "at the limit exec rejects with timeout:<seconds>, not before",
    promise: "time limits",
    async run(subject) {
      const rejection = await subject.rejection(`sleep ${subject.nap()}`, { timeout: LIMIT });
      assertStopped(rejection, `timeout:${LIMIT}`, "TIMEOUT");
      // Node's timers may fire up to a millisecond early.
      assert.ok(
        rejection.ms >= LIMIT * 1000 - 1,
        `not before the limit of ${LIMIT} s, took ${rejection.ms} ms`,
      );
    },
  },
  {
    id: "timeout/message-whole-seconds",
    title: "the message holds the number as the caller wrote it",
    promise: "time limits",
    async run(subject) {
      assertStopped(
        await subject.rejection(`sleep ${subject.nap()}`, { timeout: 1 }),
        "timeout:1",
        "TIMEOUT",
      );
    },
  },
  {
    id: "timeout/bounded",
    title: "at the limit exec settles within the grace and a second",
    promise: "the call is bounded",
    async run(subject) {
      const { ms } = await subject.rejection(`sleep ${subject.nap()}`, { timeout: LIMIT });
      await assertBounded(subject, ms - LIMIT * 1000);
    },
  },
  {
    id: "timeout/bounded-ignoring-term",
    title: "a command that ignores SIGTERM is dead after the grace, and exec settles",
    promise: "the call is bounded",
    async run(subject) {
      const nap = subject.nap();
      const command = `trap '' TERM INT HUP; echo ready; sleep ${nap}; sleep ${nap}`;
      const rejection = await subject.rejection(command, { timeout: LIMIT });
      assertStopped(rejection, `timeout:${LIMIT}`, "TIMEOUT");
      await assertBounded(subject, rejection.ms - LIMIT * 1000);
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "timeout/bounded-stopped-process",
    title: "a command that stopped itself is dead after the grace, and exec settles",
    promise: "the call is bounded",
    async run(subject) {
      const nap = subject.nap();
      const rejection = await subject.rejection(`sleep ${nap} & kill -STOP $$`, { timeout: LIMIT });
      assertStopped(rejection, `timeout:${LIMIT}`, "TIMEOUT");
      await assertBounded(subject, rejection.ms - LIMIT * 1000);
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "timeout/output-before",
    title: "what was written before the limit has been delivered",
    promise: "time limits",
    async run(subject) {
      const { output } = await subject.rejection(`echo before; sleep ${subject.nap()}`, { timeout: 1 });
      assert.match(output.toString(), /^before\n/);
    },
  },
  {
    id: "timeout/term-first",
    title: "a command that handles SIGTERM has the grace to clean up",
    promise: "nothing is left behind",
    async run(subject) {
      const folder = await subject.scratch();
      const command = `trap ': > cleaned; exit 0' TERM; : > ready; sleep ${subject.nap()} & wait`;
      const rejection = await subject.rejection(command, { cwd: folder, timeout: 1 });
      assertStopped(rejection, "timeout:1", "TIMEOUT");
      assert.equal(await subject.exists(`${folder}/ready`), true, "the command had set its trap");
      await subject.eventually(async () => {
        assert.equal(await subject.exists(`${folder}/cleaned`), true, "SIGTERM comes before SIGKILL");
      }, 1000);
    },
  },
  {
    id: "timeout/after-the-shell",
    title: "the limit also holds while a background job goes on writing after the shell's end",
    promise: "time limits",
    async run(subject) {
      const nap = subject.nap();
      const command = `(sleep ${nap} & ${CHATTER}) & sleep 0.1; exit 7`;
      const rejection = await subject.rejection(command, { timeout: 0.5 });
      assertStopped(rejection, "timeout:0.5", "TIMEOUT");
      await assertBounded(subject, rejection.ms - 500);
      await assertNoneLeft(subject, nap);
    },
  },
  {
    id: "timeout/nothing-after",
    title: "no output is delivered after exec has rejected",
    promise: "bytes untouched",
    async run(subject) {
      // Ignores SIGTERM and left the group: whoever does not kill it still reads from it.
      const loop = `trap "" TERM; n=0; while [ $n -lt 300 ]; do n=$((n+1)); echo x; sleep 0.01; done`;
      const running = subject.start(`sh -c ${quote(loop)} & sleep ${subject.nap()}`, { timeout: LIMIT });
      assertStopped(await running.rejection(), `timeout:${LIMIT}`, "TIMEOUT");
      // Another exec, so that whatever is on its way has come.
      await subject.run("sleep 0.3");
      assert.equal(running.lateChunks(), 0, "chunks that came after exec had rejected");
    },
  },
  {
    id: "timeout/next-line-does-not-run",
    title: "the command after the one that was cut short does not run",
    promise: "time limits",
    async run(subject) {
      const folder = await subject.scratch();
      const command = `sleep ${subject.nap()}; : > next; sleep ${subject.nap()} || : > other`;
      await subject.rejection(command, { cwd: folder, timeout: LIMIT });
      await subject.run("sleep 0.2");
      assert.equal(
        (await subject.run("ls", { cwd: folder })).text,
        "",
        "files that later commands have made",
      );
    },
  },
  {
    id: "timeout/others-go-on",
    title: "the limit of one command does not touch another",
    promise: "time limits",
    async run(subject) {
      const go = `${await subject.scratch()}/go`;
      const other = subject.start(`echo ready; ${waitForFile(go)}; echo ended`);
      await other.firstChunk;
      await subject.rejection(`sleep ${subject.nap()}`, { timeout: LIMIT });
      await subject.run(`: > ${quote(go)}`);
      assert.equal((await other.result).text, "ready\nended\n");
    },
  },
];
