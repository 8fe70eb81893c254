// sum-results.mjs FOLDER STATUS: prints the sum of vitest's JSON reports in a folder, `N passed, N failed` last.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const [folder, status] = process.argv.slice(2);
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const name of readdirSync(folder).filter((file) => file.endsWith(".json"))) {
  const report = JSON.parse(readFileSync(join(folder, name), "utf8"));
  sum.passed += report.numPassedTests;
  sum.failed += report.numFailedTests + suitesWithoutTests(report);
  sum.skipped += report.numPendingTests + report.numTodoTests;
}
// A step that failed without a failed test (a build, an install, a lint) must not read like success.
if (status !== "0" && sum.failed === 0) sum.failed = 1;

console.log(`${sum.skipped} skipped`);
console.log(`${sum.passed} passed, ${sum.failed} failed`);
process.exitCode = sum.failed === 0 && sum.passed > 0 ? 0 : 1;

/** A test file that could not be loaded has failed, but has no failed test. */
function suitesWithoutTests({ testResults }) {
  return testResults.filter(
    ({ status, assertionResults }) => status === "failed" && assertionResults.length === 0,
  ).length;
}
