/**
 * `npm run conformance:mutants`: runs every case on every mutant and prints the matrix. With `--aimed` only the cases
 * that each mutant is aimed at, as the tests do. Exits with 1 where a case or a mutant is not caught.
 */
import { computeMatrix, printMatrix } from "../support/mutant-matrix.js";

const startedAt = performance.now();
const matrix = await computeMatrix({
  isFull: !process.argv.includes("--aimed"),
  onMutant: (name, failed, ran) => console.error(`${name}: ${failed} of ${ran} cases fail`),
});
const { emptyRows, emptyColumns } = matrix.caught;
const wrong = matrix.reference.filter(({ status }) => status === "failed");
console.log(printMatrix(matrix));
console.log(
  `\n${matrix.reference.length} cases, ${matrix.failures.size} mutants, ` +
    `${Math.round((performance.now() - startedAt) / 1000)} s`,
);
for (const { id, reason } of wrong) console.log(`fails without a mutant: ${id}: ${reason}`);
for (const id of emptyRows) console.log(`no mutant fails the case ${id}`);
for (const name of emptyColumns) console.log(`no case fails on the mutant ${name}`);
if (wrong.length + emptyRows.length + emptyColumns.length > 0) process.exitCode = 1;
