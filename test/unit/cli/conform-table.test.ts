import { expect, test } from "vitest";
import { conformTable } from "../../../src/cli/conform-table.js";

const plain = (_: string, text: string) => text;

test("cases stand by group, reasons at the end, the counts last", () => {
  const table = conformTable(
    {
      passed: 1,
      failed: 1,
      skipped: 1,
      results: [
        { id: "exit/zero", title: "says 0", status: "passed", ms: 3 },
        { id: "abort/before", title: "runs nothing", status: "failed", reason: "it ran\nand ran", ms: 1200 },
        { id: "exit/signal", title: "says 128+n", status: "skipped", reason: "no signals here", ms: 0 },
      ],
    },
    plain,
  );
  expect(table).toBe(`exit
  passed   zero        3 ms  says 0
  skipped  signal      0 ms  says 128+n

abort
  failed   before   1200 ms  runs nothing

skipped:
  exit/signal: no signals here

failed:
  abort/before: it ran
    and ran

1 passed, 1 failed, 1 skipped
`);
});

test("a reason that quotes escape sequences does nothing to the terminal", () => {
  const results = [
    { id: "a/b", title: "t", status: "failed", reason: "\u001b[2Jseen\u0007\u001b]0;x\u0007", ms: 1 },
  ] as const;
  const table = conformTable({ passed: 0, failed: 1, skipped: 0, results }, plain);
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what must not be there
  expect(table).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/);
  expect(table).toContain(String.raw`a/b: \u001b[2Jseen\u0007\u001b]0;x\u0007`);
});

test("a report without cases is the counts alone", () => {
  expect(conformTable({ passed: 0, failed: 0, skipped: 0, results: [] }, plain)).toBe(
    "0 passed, 0 failed, 0 skipped\n",
  );
});
