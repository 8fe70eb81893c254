import { defineConfig } from "vitest/config";

export default defineConfig({
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
