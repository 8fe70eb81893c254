/** Which case fails on which mutant. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ALL_CASES, type CaseResult } from "../../src/conformance/index.js";
import { MUTANTS, type Mutant } from "./mutants.js";

const WORKER = fileURLToPath(new URL("./mutant-worker.ts", import.meta.url));

/** Mutants that are worked on at once. They wait more than they compute. */
const WORKERS = 2;

export interface Matrix {
  /** Results on the backend that all mutants are made from: none may have failed. */
  readonly reference: readonly CaseResult[];
  /** Ids of the cases that fail, by the mutant's name. */
  readonly failures: ReadonlyMap<string, ReadonlySet<string>>;
  /** Cases that were run and that no mutant fails: they may not test anything. */
  readonly caught: { readonly emptyRows: readonly string[]; readonly emptyColumns: readonly string[] };
}

export interface MatrixOptions {
  /** Whether every case runs on every mutant, or only those that the mutant is aimed at. */
  readonly isFull: boolean;
  readonly onMutant?: (name: string, failed: number, ran: number) => void;
}

export async function computeMatrix({ isFull, onMutant }: MatrixOptions): Promise<Matrix> {
  const failures = new Map<string, ReadonlySet<string>>();
  const reference = await runWorker("none", []);
  const queue = MUTANTS.values();
  const work = async () => {
    for (const { name, aims } of queue) {
      const results = await runWorker(name, isFull ? [] : aims);
      const failed = results.filter(({ status }) => status === "failed").map(({ id }) => id);
      failures.set(name, new Set(failed));
      onMutant?.(name, failed.length, results.length);
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));
  // What cannot be run on this machine, not even on the reference, cannot be caught here.
  const skipped = new Set(reference.filter(({ status }) => status === "skipped").map(({ id }) => id));
  const isCaught = (id: string) => [...failures.values()].some((failed) => failed.has(id));
  return {
    reference,
    failures,
    caught: {
      emptyRows: ALL_CASES.map(({ id }) => id).filter((id) => !isCaught(id) && !isHopeless(id, skipped)),
      emptyColumns: MUTANTS.map(({ name }) => name).filter((name) => failures.get(name)?.size === 0),
    },
  };
}

/** Whether neither the reference nor a mutant can run the case here. */
function isHopeless(id: string, skipped: ReadonlySet<string>): boolean {
  // A mutant may declare what the reference does not.
  return skipped.has(id) && id !== "secrets/command";
}

/** One line for each case: how many mutants it catches, and some of them; then one for each mutant. */
export function printMatrix({ failures }: Matrix): string {
  const rows = ALL_CASES.map(({ id }) => {
    const by = MUTANTS.filter(({ name }) => failures.get(name)?.has(id)).map(({ name }) => name);
    return `${String(by.length).padStart(4)}  ${id.padEnd(44)} ${by.join(" ")}`;
  });
  const columns = MUTANTS.map(({ name, sentence }: Mutant) => {
    const count = failures.get(name)?.size ?? 0;
    return `${String(count).padStart(4)}  ${name.padEnd(28)} ${sentence}`;
  });
  return [
    "Each case, and the mutants that fail it:",
    ...rows,
    "",
    "Each mutant, and how many cases it fails:",
    ...columns,
  ].join("\n");
}

async function runWorker(name: string, only: readonly string[]): Promise<readonly CaseResult[]> {
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", "tsx", WORKER, name, ...only], {
    maxBuffer: 2 ** 26,
  });
  return JSON.parse(stdout) as readonly CaseResult[];
}
