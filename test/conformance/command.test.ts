import { afterAll } from "vitest";
import { createCommandBashOperations } from "../../backends/command/index.js";
import { describeConformance } from "../../src/conformance/vitest.js";
import { makePathWithoutBash } from "../support/no-bash.js";

describeConformance("the command backend with a shell that finds bash", () =>
  createCommandBashOperations({ argv: ["sh"] }),
);

// The supervisor then runs under /bin/sh itself, which is dash on Debian.
const { path, remove } = makePathWithoutBash();
afterAll(remove);
describeConformance("the command backend with a shell that finds no bash", () =>
  createCommandBashOperations({ argv: ["env", `PATH=${path}`, "sh"] }),
);
