/**
 * Runs the suite on some mutants, in a process of its own: a mutant may leak, crash, or block. Takes its work as JSON,
 * `[[mutant, cases], …]`, and prints the results as JSON, `[[mutant, results], …]`.
 */
import { type CaseResult, type OpenOperations, runConformance } from "../../src/conformance/index.js";
import { MUTANT_LIMITS, MUTANTS, reference } from "./mutants.js";

/** How long a case may take on a mutant. */
const CASE_TIMEOUT_MS = 5000;

/** Most cases on a mutant wait for something that does not come: they can do so together. */
const CONCURRENCY = 4;

// What a mutant throws in a turn of its own fails the case that looks for it; the others go on.
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

const work = JSON.parse(process.argv[2] ?? "[]") as [name: string, only: string[]][];
const done: [name: string, results: readonly CaseResult[]][] = [];
for (const [name, only] of work) {
  const { results } = await runConformance(opener(name), {
    caseTimeoutMs: CASE_TIMEOUT_MS,
    concurrency: CONCURRENCY,
    limits: MUTANT_LIMITS,
    ...(only.length > 0 && { only }),
  });
  done.push([name, results]);
}
// A mutant may keep the event loop alive.
process.stdout.write(JSON.stringify(done), () => process.exit(0));

/** @param name of a mutant, or `none` for the backend that they are made from */
function opener(name: string): OpenOperations {
  const mutant = MUTANTS.find((one) => one.name === name);
  if (mutant === undefined && name !== "none") throw new RangeError(`no mutant is named ${name}`);
  return mutant === undefined ? () => reference() : () => mutant.open();
}
