import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";
import { quote, waitForFile } from "../shell.js";

/** The command goes on only after its output has been seen here: it cannot arrive late and still in time. */
async function expectStreamed(subject: Subject, write: string, expected: string): Promise<void> {
  const seen = `${await subject.scratch()}/seen`;
  const running = subject.start(`${write}; ${waitForFile(seen)}; [ -e ${quote(seen)} ] && echo saw it`);
  await running.firstChunk;
  assert.equal(running.output(), expected, "what has arrived while the command runs");
  assert.equal(running.isSettled(), false, "the command runs while its first output arrives");
  await subject.run(`: > ${quote(seen)}`);
  const { text } = await running.result;
  assert.equal(text, `${expected}saw it\n`, "the rest arrives at the end");
}

export const streamingCases: readonly ConformanceCase[] = [
  {
    id: "streaming/first-line",
    title: "the first line arrives while the command still runs",
    promise: "bytes untouched",
    run: (subject) => expectStreamed(subject, "echo first", "first\n"),
  },
  {
    id: "streaming/half-line",
    title: "output without a newline arrives while the command still runs",
    promise: "bytes untouched",
    run: (subject) => expectStreamed(subject, "printf 'Password: '", "Password: "),
  },
  {
    id: "streaming/stderr",
    title: "stderr arrives while the command still runs",
    promise: "bytes untouched",
    run: (subject) => expectStreamed(subject, "echo oops >&2", "oops\n"),
  },
];
