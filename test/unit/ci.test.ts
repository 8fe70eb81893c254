import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bash-backends-sum-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

function report(
  name: string,
  numPassedTests: number,
  numFailedTests: number,
  testResults: unknown[] = [],
): void {
  const counts = { numPassedTests, numFailedTests, numPendingTests: 1, numTodoTests: 0, testResults };
  writeFileSync(join(folder, name), JSON.stringify(counts));
}

function sum(status: number): { line: string; code: number | null } {
  const { stdout, status: code } = spawnSync(
    process.execPath,
    [".ci/sum-results.mjs", folder, String(status)],
    {
      encoding: "utf8",
    },
  );
  return { line: stdout, code };
}

test("the reports are added up, and the plain line comes last", () => {
  report("a.json", 10, 0);
  report("b.json", 5, 0);
  expect(sum(0)).toEqual({ line: "2 skipped\n15 passed, 0 failed\n", code: 0 });
});

test("a failed test fails the run", () => {
  report("a.json", 10, 2);
  expect(sum(1)).toEqual({ line: "1 skipped\n10 passed, 2 failed\n", code: 1 });
});

test("a file of tests that could not be loaded counts as a failure", () => {
  report("a.json", 10, 0, [
    { status: "failed", assertionResults: [] },
    { status: "passed", assertionResults: [{}] },
  ]);
  expect(sum(1)).toEqual({ line: "1 skipped\n10 passed, 1 failed\n", code: 1 });
});

test("a step that failed without a failed test counts as a failure", () => {
  report("a.json", 10, 0);
  expect(sum(2)).toEqual({ line: "1 skipped\n10 passed, 1 failed\n", code: 1 });
});

test("a run without a report has not passed", () => {
  expect(sum(0)).toEqual({ line: "0 skipped\n0 passed, 0 failed\n", code: 1 });
});
