/** One line on a terminal that tells how far a run is. */
import type { CaseResult } from "../conformance/index.js";
import { countLine } from "./conform-table.js";
import { writeText } from "./writer.js";

const CLEAR_LINE = "\r\u001b[K";

export class ConformProgress {
  readonly #counts = { passed: 0, failed: 0, skipped: 0 };
  readonly #isShown: boolean;

  constructor(isTerminal: boolean) {
    this.#isShown = isTerminal;
  }

  add({ id, status }: CaseResult): void {
    this.#counts[status] += 1;
    if (this.#isShown) writeText(2, `${CLEAR_LINE}${countLine(this.#counts)}; last ${id}`);
  }

  end(): void {
    if (this.#isShown) writeText(2, CLEAR_LINE);
  }
}
