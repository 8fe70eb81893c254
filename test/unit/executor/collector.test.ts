import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterAll, expect, test } from "vitest";
import { OutputCollector } from "../../../src/executor/collector.js";
import { chunkSizes, inChunks, rawOutput } from "./output.js";
import { cleanReference, excerptReference, textBeforeReturns } from "./reference.js";

const directory = mkdtempSync(join(tmpdir(), "collector-test-"));
afterAll(() => rmSync(directory, { recursive: true }));

type Settings = typeof settings extends fc.Arbitrary<infer Value> ? Value : never;

/** Batches are far smaller than in use, so that the ways of reading them meet every border. */
const settings = fc.record({
  keep: fc.constantFrom("tail" as const, "head" as const),
  maxBytes: fc.integer({ min: 1, max: 120 }),
  maxLines: fc.oneof(fc.integer({ min: 1, max: 12 }), fc.constant(Number.POSITIVE_INFINITY)),
  batchBytes: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 20, max: 600 })),
});

function collect(chunks: Buffer[], options: Settings, onText?: (text: string) => void) {
  const maxFileBytes = Number.POSITIVE_INFINITY;
  const collector = new OutputCollector({ ...options, directory, maxFileBytes, onText });
  for (const chunk of chunks) {
    const reused = Buffer.from(chunk);
    collector.add(reused);
    reused.fill("!");
  }
  return collector.finish();
}

/** Thousands of small files and comparisons, on a machine that may be busy. */
const SLOW = { timeout: 120_000 };

test(
  "the excerpt equals that of the whole clean text, for any output, chunks, batches and limits",
  SLOW,
  () => {
    fc.assert(
      fc.property(rawOutput, chunkSizes, settings, (bytes, sizes, options) => {
        const expected = excerptReference(cleanReference(bytes), options.keep, options);
        const { output, truncated, fullOutputPath } = collect(inChunks(bytes, sizes), options);
        expect({ text: output, truncated }).toEqual(expected);
        if (truncated) {
          expect(readFileSync(String(fullOutputPath)).equals(bytes)).toBe(true);
          rmSync(String(fullOutputPath));
        }
        expect(readdirSync(directory)).toEqual([]);
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 500) },
    );
  },
);

test(
  "all texts for a listener together are the clean text with one CR before each rewriting of a line",
  SLOW,
  () => {
    fc.assert(
      fc.property(rawOutput, chunkSizes, settings, (bytes, sizes, options) => {
        const texts: string[] = [];
        const { fullOutputPath } = collect(inChunks(bytes, sizes), options, (text) => texts.push(text));
        if (fullOutputPath !== undefined) rmSync(fullOutputPath);
        expect(texts.join("")).toBe(textBeforeReturns(bytes));
        expect(texts).not.toContain("");
      }),
      { numRuns: Number(process.env.FC_RUNS ?? 500) },
    );
  },
);

test("the rest of a sequence at the start of a batch does not count as text, nor does an unfinished line", () => {
  const raw = Buffer.from(`\x1b]0;${"t".repeat(16)}${"t".repeat(6)}\n${"y".repeat(13)}\rz`);
  const { output, truncated } = collect([raw], { keep: "tail", maxBytes: 4, maxLines: 9, batchBytes: 20 });
  expect({ output, truncated }).toEqual({ output: "\nz", truncated: false });
});
