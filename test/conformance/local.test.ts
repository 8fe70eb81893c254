import { createLocalBashOperations } from "../../backends/local/index.js";
import { describeConformance } from "../../src/conformance/vitest.js";

describeConformance("the local backend", () => createLocalBashOperations());
