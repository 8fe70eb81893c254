import { readFileSync } from "node:fs";
import { defineConfig } from "tsup";

const { version } = JSON.parse(readFileSync("package.json", "utf8")) as { version: string };

export default defineConfig({
  entry: {
    index: "src/index.ts",
    backend: "src/backend/index.ts",
    local: "backends/local/index.ts",
    command: "backends/command/index.ts",
    conformance: "src/conformance/index.ts",
    "conformance/vitest": "src/conformance/vitest.ts",
    cli: "src/cli/main.ts",
  },
  format: "esm",
  target: "node20",
  // One copy of every module: `instanceof BackendError` must hold across the package's doors.
  splitting: true,
  dts: true,
  clean: true,
  external: ["vitest"],
  loader: { ".sh": "text" },
  define: { BASH_BACKENDS_VERSION: JSON.stringify(version) },
});
