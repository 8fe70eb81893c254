import { strict as assert } from "node:assert";
import type { ConformanceCase } from "../case.js";

/** `count` pairs of lines, as the commands below write them. */
function pairs(count: number): string {
  return Array.from({ length: count }, (_, index) => `out ${index + 1}\nerr ${index + 1}\n`).join("");
}

/** Says where two outputs part: the whole of them would fill a screen. */
function assertSameLines(actual: string, expected: string): void {
  const lines = actual.split("\n");
  const wrong = expected.split("\n").findIndex((line, index) => line !== lines[index]);
  if (wrong < 0 && actual === expected) return;
  const missing = `${expected.length} characters expected, ${actual.length} seen`;
  const where =
    wrong < 0 ? "after the last line" : `at line ${wrong + 1}, which is ${JSON.stringify(lines[wrong])}`;
  assert.fail(`stdout and stderr arrive in the order of their writes; they part ${where} (${missing})`);
}

export const orderCases: readonly ConformanceCase[] = [
  {
    id: "order/10000-lines",
    title: "10,000 lines that go to stdout and stderr in turns arrive in turns",
    promise: "true order",
    requires: "trueOrder",
    async run(subject) {
      const { text } = await subject.run(
        "i=0; while [ $i -lt 5000 ]; do i=$((i+1)); echo out $i; echo err $i >&2; done",
      );
      assertSameLines(text, pairs(5000));
    },
  },
  {
    id: "order/processes",
    title: "lines of different processes on stdout and stderr arrive in the order of their writes",
    promise: "true order",
    requires: "trueOrder",
    async run(subject) {
      const { text } = await subject.run(
        'i=0; while [ $i -lt 60 ]; do i=$((i+1)); sh -c "echo out $i"; sh -c "echo err $i >&2"; done',
      );
      assertSameLines(text, pairs(60));
    },
  },
  {
    id: "order/open-by-path",
    title: "/dev/stdout and /dev/stderr can be opened",
    promise: "true order",
    requires: "trueOrder",
    async run(subject) {
      const { text, exitCode } = await subject.run(
        "echo one > /dev/stdout && echo two > /dev/stderr && echo three >> /dev/stdout && echo four",
      );
      assert.deepEqual({ text, exitCode }, { text: "one\ntwo\nthree\nfour\n", exitCode: 0 });
    },
  },
  {
    id: "order/tee",
    title: "tee writes to /dev/stderr and to stdout",
    promise: "true order",
    requires: "trueOrder",
    async run(subject) {
      const { text, exitCode } = await subject.run("echo twice | tee /dev/stderr");
      assert.deepEqual({ text, exitCode }, { text: "twice\ntwice\n", exitCode: 0 });
    },
  },
];
