import { expect, test } from "vitest";
import { type CaseResult, toJUnit } from "../../../src/conformance/index.js";

const result = (more: Partial<CaseResult>): CaseResult => ({
  id: "group/name",
  title: "works",
  status: "passed",
  ms: 1500,
  ...more,
});

test("each result is a test case of its suite, with its time in seconds", () => {
  const report = {
    passed: 1,
    failed: 1,
    skipped: 1,
    results: [
      result({}),
      result({ status: "failed", reason: "wrong" }),
      result({ status: "skipped", reason: "not here" }),
    ],
  };
  expect(toJUnit(report, "local")).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites tests="3" failures="1" skipped="1" time="4.5">
  <testsuite name="local" tests="3" failures="1" skipped="1" time="4.5">
    <testcase classname="group" name="group/name: works" time="1.5"/>
    <testcase classname="group" name="group/name: works" time="1.5"><failure message="wrong"/></testcase>
    <testcase classname="group" name="group/name: works" time="1.5"><skipped message="not here"/></testcase>
  </testsuite>
</testsuites>
`,
  );
});

test("what would be markup, or is not allowed in XML at all, is escaped", () => {
  const reason = '<a href="x">&amp;\n\t\r\u0000\u001b[31m\ud800 € 😀 ]]>';
  const report = { passed: 0, failed: 1, skipped: 0, results: [result({ status: "failed", reason })] };
  expect(toJUnit(report, '"<&>"')).toContain('<testsuite name="&quot;&lt;&amp;&gt;&quot;"');
  expect(toJUnit(report, "")).toContain(
    'message="&lt;a href=&quot;x&quot;&gt;&amp;amp;&#10;&#9;&#13;\u{FFFD}\u{FFFD}[31m\u{FFFD} € 😀 ]]&gt;"',
  );
});
