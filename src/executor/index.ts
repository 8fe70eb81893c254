/** The executor: from the bytes of any operations to bounded, clean text and a file with the full output. */
export { executeBash } from "./execute-bash.js";
export type { Keep } from "./kept-bytes.js";
export {
  DEFAULT_MAX_BYTES,
  DEFAULT_MAX_FILE_BYTES,
  DEFAULT_MAX_LINES,
  type ExecuteBashOptions,
} from "./options.js";
export type { BashResult, RunError } from "./result.js";
export { FULL_OUTPUT_MAX_AGE_MS } from "./spill-sweep.js";
