/** A report as JUnit XML, the form that CI servers show as a list of tests. */
import type { ConformanceReport } from "./runner.js";
import type { CaseResult } from "./session.js";

/** @param name of the test suite: usually the target's */
export function toJUnit(report: ConformanceReport, name: string): string {
  const { results, failed, skipped } = report;
  const seconds = results.reduce((sum, { ms }) => sum + ms, 0) / 1000;
  const counts = `tests="${results.length}" failures="${failed}" skipped="${skipped}" time="${seconds}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${counts}>`,
    `  <testsuite name="${escapeXml(name)}" ${counts}>`,
    ...results.map((result) => `    ${testCaseElement(result)}`),
    "  </testsuite>",
    "</testsuites>",
    "",
  ].join("\n");
}

function testCaseElement({ id, title, status, reason = "", ms }: CaseResult): string {
  const group = id.split("/", 1).join("");
  const attributes = `classname="${escapeXml(group)}" name="${escapeXml(`${id}: ${title}`)}" time="${ms / 1000}"`;
  if (status === "passed") return `<testcase ${attributes}/>`;
  const element = status === "failed" ? "failure" : "skipped";
  return `<testcase ${attributes}><${element} message="${escapeXml(reason)}"/></testcase>`;
}

const ENTITIES: Readonly<Record<string, string>> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" };

/**
 * Makes text fit for an attribute. What XML 1.0 cannot hold in any form (section 2.2: most control characters, lone
 * surrogates) becomes U+FFFD: a reason may quote the output of a command.
 */
function escapeXml(text: string): string {
  return text
    .replace(/[^\t\n\r\u{20}-\u{D7FF}\u{E000}-\u{FFFD}\u{10000}-\u{10FFFF}]/gu, "\u{FFFD}")
    .replace(/[&<>"]/g, (letter) => ENTITIES[letter] ?? letter)
    .replace(/[\t\n\r]/g, (letter) => `&#${letter.charCodeAt(0)};`);
}
