import { strict as assert } from "node:assert";
import type { ConformanceCase, RunResult, Subject } from "../case.js";
import { waitForFile } from "../shell.js";

/** For starting the command, beyond what the drain takes. */
const MARGIN_MS = 1000;

async function timed(run: Promise<RunResult>): Promise<RunResult & { ms: number }> {
  const startedAt = performance.now();
  const result = await run;
  return { ...result, ms: performance.now() - startedAt };
}

function assertEnding({ ending }: RunResult, expected: RunResult["ending"]): void {
  // A foreign backend does not tell.
  if (ending !== undefined) assert.equal(ending, expected, "ending");
}

/** Starts a job that holds the output, is let go, and then does `work`; returns what it leaves in the file `end`. */
async function workAfterTheReturn(subject: Subject, work: string): Promise<{ end: string; late: number }> {
  const folder = await subject.scratch();
  const job = `${waitForFile(`${folder}/go`)}; ${work}`;
  const running = subject.start(`(${job}) & echo started`, { cwd: folder });
  const result = await running.result;
  assert.equal(result.text, "started\n");
  assertEnding(result, "left-open");
  await subject.run(": > go", { cwd: folder });
  let end = "";
  await subject.eventually(async () => {
    end = (await subject.run("cat end", { cwd: folder })).text;
    assert.match(end, /^rc=/, "how the job's last write ended; it has not come to its end");
  });
  return { end, late: running.lateChunks() };
}

export const backgroundCases: readonly ConformanceCase[] = [
  {
    id: "background/silent",
    title: "a silent background job does not hold up the call",
    promise: "background jobs",
    async run(subject) {
      const result = await timed(subject.run(`sleep ${subject.nap()} & echo hi`));
      assert.deepEqual({ text: result.text, exitCode: result.exitCode }, { text: "hi\n", exitCode: 0 });
      assertEnding(result, "left-open");
      const limitMs = subject.limits.drainQuietMs + MARGIN_MS;
      assert.ok(result.ms < limitMs, `returns within ${limitMs} ms, took ${Math.round(result.ms)} ms`);
    },
  },
  {
    id: "background/lives-on",
    title: "a background job lives on after the call",
    promise: "background jobs",
    async run(subject) {
      const [open, redirected] = [subject.nap(), subject.nap()];
      await subject.run(`sleep ${open} & sleep ${redirected} >/dev/null 2>&1 & echo hi`);
      await subject.run("sleep 0.2");
      assert.equal((await subject.processes(open)).length, 1, "the job that holds the output lives");
      assert.equal((await subject.processes(redirected)).length, 1, "the job with its own output lives");
    },
  },
  {
    id: "background/redirected",
    title: "a background job that does not hold the output leaves it complete",
    promise: "background jobs",
    async run(subject) {
      const result = await subject.run(`sleep ${subject.nap()} >/dev/null 2>&1 & echo hi`);
      assert.equal(result.text, "hi\n");
      assertEnding(result, "complete");
    },
  },
  {
    id: "background/exit-code",
    title: "the exit code is the shell's, whatever the background job does",
    promise: "background jobs",
    async run(subject) {
      const { exitCode } = await subject.run(`sleep ${subject.nap()} & exit 3`);
      assert.equal(exitCode, 3);
    },
  },
  {
    id: "background/late",
    title: "what a background job writes soon after the shell's end is delivered",
    promise: "background jobs",
    async run(subject) {
      const result = await subject.run(
        "(for i in 1 2 3 4 5 6 7 8; do echo late $i; sleep 0.03; done) & echo now",
      );
      const lines = result.text.split("\n").filter((line) => line !== "now");
      assert.equal(lines.join("\n"), [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `late ${i}\n`).join(""));
      assertEnding(result, "complete");
    },
  },
  {
    id: "background/chatty",
    title: "a background job that writes for ever is let go in the end, with the shell's exit code",
    promise: "background jobs",
    async run(subject) {
      const folder = await subject.scratch();
      const chatter = "n=0; while [ $n -lt 2000 ] && [ ! -e stop ]; do n=$((n+1)); echo x; sleep 0.02; done";
      let lastAt = performance.now();
      const onData = () => {
        lastAt = performance.now();
      };
      const result = await timed(subject.run(`(${chatter}) & exit 7`, { cwd: folder, onData }));
      const silenceMs = performance.now() - lastAt;
      await subject.run(": > stop", { cwd: folder });
      assert.equal(result.exitCode, 7);
      assert.ok(result.text.length > 4, "what it writes in the meantime is delivered");
      assertEnding(result, "left-open");
      const { drainMaxMs, drainQuietMs } = subject.limits;
      const seen = `took ${Math.round(result.ms)} ms`;
      assert.ok(
        result.ms < drainMaxMs + MARGIN_MS,
        `it is let go within ${drainMaxMs + MARGIN_MS} ms, ${seen}`,
      );
      // On a busy machine even this job may be silent for long enough to be let go.
      if (silenceMs >= drainQuietMs) return;
      assert.ok(result.ms >= drainMaxMs - 1, `it is listened to for ${drainMaxMs} ms, ${seen}`);
    },
  },
  {
    id: "background/writes-after-the-return",
    title: "a background job that writes after the call has returned is not hurt by it, and not delivered",
    promise: "background jobs",
    async run(subject) {
      // An external command: its exit code tells of SIGPIPE (141) and EPIPE (1).
      const { end, late } = await workAfterTheReturn(subject, '/bin/echo one; echo "rc=$?" > end');
      assert.equal(end, "rc=0\n", "how the job's write ended");
      assert.equal(late, 0, "chunks that came after the return");
    },
  },
  {
    id: "background/writes-much-after-the-return",
    title: "a background job may write more than a pipe holds after the call has returned",
    promise: "background jobs",
    async run(subject) {
      const { end, late } = await workAfterTheReturn(
        subject,
        'head -c 1048576 /dev/zero; echo "rc=$?" > end',
      );
      assert.equal(end, "rc=0\n", "how the job's write ended");
      assert.equal(late, 0, "chunks that came after the return");
    },
  },
  {
    id: "background/closed-output",
    title: "a command that closes its output is waited for all the same",
    promise: "background jobs",
    async run(subject) {
      const result = await timed(subject.run("echo before; exec >&- 2>&-; sleep 0.5; exit 5"));
      assert.deepEqual({ text: result.text, exitCode: result.exitCode }, { text: "before\n", exitCode: 5 });
      assert.ok(result.ms >= 499, `it ends with its shell, after 500 ms; took ${Math.round(result.ms)} ms`);
    },
  },
  {
    id: "background/close-lets-go",
    title: "close() does not end a background job that was let go",
    promise: "background jobs",
    requires: "close",
    async run(subject) {
      const operations = await subject.open();
      if (!(await subject.sharesTarget(operations))) subject.skip("the target ends with the backend");
      const nap = subject.nap();
      await subject.run(`sleep ${nap} & echo hi`, { on: operations });
      await operations.close?.();
      await subject.run("sleep 0.2");
      assert.equal((await subject.processes(nap)).length, 1, `sleep ${nap} lives`);
    },
  },
  {
    id: "background/many",
    title: "many calls that leave a background job behind return at once, each with its own output",
    promise: "background jobs",
    async run(subject) {
      const nap = subject.nap();
      const texts = await Promise.all(
        Array.from({ length: 10 }, async (_, id) => (await subject.run(`sleep ${nap} & echo ${id}`)).text),
      );
      assert.deepEqual(
        texts,
        Array.from({ length: 10 }, (_, id) => `${id}\n`),
      );
    },
  },
];
