/** Runs the suite on one mutant, in a process of its own: a mutant may leak, crash, or block. Prints the results as JSON. */
import { runConformance } from "../../src/conformance/index.js";
import { MUTANT_LIMITS, MUTANTS, reference } from "./mutants.js";

/** How long a case may take on a mutant. */
const CASE_TIMEOUT_MS = 5000;

/** Most cases on a mutant wait for something that does not come: they can do so together. */
const CONCURRENCY = 4;

const [name, ...only] = process.argv.slice(2);
const mutant = MUTANTS.find((one) => one.name === name);
if (mutant === undefined && name !== "none") throw new RangeError(`no mutant is named ${name}`);
// What a mutant throws in a turn of its own fails the case that looks for it; the others go on.
process.on("uncaughtException", () => undefined);
process.on("unhandledRejection", () => undefined);

const { results } = await runConformance(mutant === undefined ? () => reference() : () => mutant.open(), {
  caseTimeoutMs: CASE_TIMEOUT_MS,
  concurrency: CONCURRENCY,
  limits: MUTANT_LIMITS,
  ...(only.length > 0 && { only }),
});
// A mutant may keep the event loop alive.
process.stdout.write(JSON.stringify(results), () => process.exit(0));
