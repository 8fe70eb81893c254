import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The build takes shell scripts in as text (tsup.config.ts); so must the tests. */
const shellScripts: Plugin = {
  name: "shell-scripts",
  transform: (code, id) => (id.endsWith(".sh") ? `export default ${JSON.stringify(code)}` : undefined),
};

/** Measure time, or break something in parallel for minutes: whatever runs beside them would decide. */
const CONFORMANCE = "test/conformance/local*.test.ts";
const MUTANTS = "test/conformance/mutants.test.ts";

/** Takes minutes: only in the full run. */
const FULL_CONFORMANCE = "test/conformance/command.test.ts";
const isFull = process.env.TEST_FULL === "1";

/** Files that may run beside one another; the groups run one after the other. */
function group(
  name: string,
  groupOrder: number,
  maxWorkers: number,
  files: { include: string[]; exclude?: string[] },
) {
  return { extends: true, test: { name, sequence: { groupOrder }, maxWorkers, ...files } } as const;
}

export default defineConfig({
  plugins: [shellScripts],
  define: { BASH_BACKENDS_VERSION: JSON.stringify("test") },
  test: {
    globalSetup: ["test/support/requirements-report.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests count processes and descriptors of their own process: no threads.
    pool: "forks",
    projects: [
      group("tests", 0, 2, {
        include: ["test/**/*.test.ts"],
        exclude: [CONFORMANCE, FULL_CONFORMANCE, MUTANTS],
      }),
      group("conformance", 1, 2, { include: isFull ? [CONFORMANCE, FULL_CONFORMANCE] : [CONFORMANCE] }),
      group("mutants", 2, 1, { include: [MUTANTS] }),
    ],
  },
});
