import type { Plugin } from "vite";
import { defineConfig } from "vitest/config";

/** The build takes shell scripts in as text (tsup.config.ts); so must the tests. */
const shellScripts: Plugin = {
  name: "shell-scripts",
  transform: (code, id) => (id.endsWith(".sh") ? `export default ${JSON.stringify(code)}` : undefined),
};

export default defineConfig({
  plugins: [shellScripts],
  define: { BASH_BACKENDS_VERSION: JSON.stringify("test") },
  test: {
    include: ["test/**/*.test.ts"],
    globalSetup: ["test/support/requirements-report.ts"],
    testTimeout: 30_000,
    hookTimeout: 60_000,
    // Tests count processes and descriptors of their own process: no threads.
    pool: "forks",
    maxWorkers: 2,
  },
});
