/** Which case fails on which mutant. */
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { ALL_CASES, type CaseResult } from "../../src/conformance/index.js";
import { AIMS } from "./mutant-aims.js";
import { MUTANTS } from "./mutants.js";

const WORKER = fileURLToPath(new URL("./mutant-worker.ts", import.meta.url));
const TYPESCRIPT = new URL("./typescript.mjs", import.meta.url).href;

/** Mutants that are worked on at once. They wait more than they compute. */
const WORKERS = 2;

/** Mutants for each process. Its start takes as long as a mutant's few cases. */
const BATCH = 6;

export interface Matrix {
  /** Results on the backend that all mutants are made from: none may have failed. */
  readonly reference: readonly CaseResult[];
  /** Results of the cases that were run on it, by the mutant's name. */
  readonly results: ReadonlyMap<string, readonly CaseResult[]>;
  /** Ids of the cases that no mutant fails: they may not test anything. */
  readonly emptyRows: readonly string[];
  /** Names of the mutants that no case fails on. */
  readonly emptyColumns: readonly string[];
}

export interface MatrixOptions {
  /** Whether every case runs on every mutant, or only those that the mutant is aimed at. */
  readonly isFull: boolean;
  readonly onMutant?: (name: string, results: readonly CaseResult[]) => void;
}

export async function computeMatrix({ isFull, onMutant }: MatrixOptions): Promise<Matrix> {
  const results = new Map<string, readonly CaseResult[]>();
  const reference = await runReference();
  const batches = inBatches(
    MUTANTS.map(({ name }) => [name, isFull ? [] : (AIMS[name] ?? [])] as const),
    isFull ? 1 : BATCH,
  ).values();
  const work = async () => {
    for (const batch of batches) {
      for (const [name, seen] of await runWorker(batch)) {
        results.set(name, seen);
        onMutant?.(name, seen);
      }
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, work));

  const caught = new Set([...results.values()].flatMap(failures));
  // What this machine cannot run (a case for other users than root) cannot be caught on it either.
  const skipped = new Set(reference.flatMap(({ id, status }) => (status === "skipped" ? [id] : [])));
  const ran = new Set(
    [...results.values()].flat().flatMap(({ id, status }) => (status === "skipped" ? [] : [id])),
  );
  return {
    reference,
    results,
    emptyRows: ALL_CASES.map(({ id }) => id).filter(
      (id) => !caught.has(id) && (!skipped.has(id) || ran.has(id)),
    ),
    emptyColumns: MUTANTS.map(({ name }) => name).filter(
      (name) => failures(results.get(name) ?? []).length === 0,
    ),
  };
}

/** By itself; and what fails a second time alone, for how busy the machine was must not decide. */
async function runReference(): Promise<readonly CaseResult[]> {
  const [[, first] = ["none", []]] = await runWorker([["none", []]]);
  const failed = failures(first);
  if (failed.length === 0) return first;
  const [[, second] = ["none", []]] = await runWorker([["none", failed]]);
  return first.map((result) => second.find(({ id }) => id === result.id) ?? result);
}

function failures(results: readonly CaseResult[]): string[] {
  return results.filter(({ status }) => status === "failed").map(({ id }) => id);
}

/** A line for each case, with the mutants that fail it; then one for each mutant. */
export function printMatrix({ results }: Matrix): string {
  const failed = new Map(MUTANTS.map(({ name }) => [name, new Set(failures(results.get(name) ?? []))]));
  const rows = ALL_CASES.map(({ id }) => {
    const by = MUTANTS.filter(({ name }) => failed.get(name)?.has(id)).map(({ name }) => name);
    return `${String(by.length).padStart(4)}  ${id.padEnd(44)} ${by.join(" ")}`;
  });
  const columns = MUTANTS.map(({ name, sentence }) => {
    const count = `${failed.get(name)?.size ?? 0}/${results.get(name)?.length ?? 0}`;
    return `${count.padStart(8)}  ${name.padEnd(28)} ${sentence}`;
  });
  return [
    "Each case, and the mutants that fail it:",
    ...rows,
    "",
    "Each mutant, how many of the cases that ran on it fail, and what is wrong with it:",
    ...columns,
  ].join("\n");
}

/**
 * The shortest work that still shows each case and each mutant caught: a case goes to the mutant that fails it
 * soonest, and each mutant keeps the three that fail on it soonest.
 */
export function proposeAims({ results }: Matrix): Record<string, string[]> {
  const all = [...results].flatMap(([name, seen]) =>
    seen.filter(({ status }) => status === "failed").map(({ id, ms }) => ({ name, id, ms })),
  );
  all.sort((a, b) => a.ms - b.ms);
  const aims: Record<string, string[]> = Object.fromEntries(MUTANTS.map(({ name }) => [name, []]));
  const caught = new Set<string>();
  for (const { name, id } of all) {
    const mine = aims[name] ?? [];
    if (mine.length < 3 || !caught.has(id)) mine.push(id);
    caught.add(id);
  }
  return aims;
}

function inBatches<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

type Work = readonly (readonly [name: string, only: readonly string[]])[];

async function runWorker(work: Work): Promise<[name: string, results: readonly CaseResult[]][]> {
  const words = ["--import", TYPESCRIPT, WORKER, JSON.stringify(work)];
  const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 26 });
  return JSON.parse(stdout);
}
