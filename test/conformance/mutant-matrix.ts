/**
 * `npm run conformance:mutants`: breaks a backend in every known way and prints which cases notice.
 *
 * Each mutant meets the cases that it is aimed at, as in the tests; with `--full` all of them, and `--propose-aims`
 * then prints the table of test/support/mutant-aims.ts anew. Exits with 1 where a case or a mutant is not caught.
 */
import { computeMatrix, printMatrix, proposeAims } from "../support/mutant-matrix.js";

const startedAt = performance.now();
const isFull = process.argv.includes("--full");
const matrix = await computeMatrix({
  isFull,
  onMutant: (name, results) => {
    const failed = results.filter(({ status }) => status === "failed");
    console.error(`${name}: ${failed.length} of ${results.length} cases fail`);
  },
});
const wrong = matrix.reference.filter(({ status }) => status === "failed");
console.log(printMatrix(matrix));
for (const { id, reason } of wrong) console.log(`fails without a mutant: ${id}: ${reason}`);
for (const id of matrix.emptyRows) console.log(`no mutant fails the case ${id}`);
for (const name of matrix.emptyColumns) console.log(`no case fails on the mutant ${name}`);
if (process.argv.includes("--propose-aims")) console.log(JSON.stringify(proposeAims(matrix), null, 2));
console.log(
  `${matrix.reference.length} cases, ${matrix.results.size} mutants, ` +
    `${isFull ? "every case on every mutant" : "each mutant on its aims"}, ` +
    `${Math.round((performance.now() - startedAt) / 1000)} s`,
);
if (wrong.length + matrix.emptyRows.length + matrix.emptyColumns.length > 0) process.exitCode = 1;
