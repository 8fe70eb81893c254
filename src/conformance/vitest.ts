/** The door `bash-backends/conformance/vitest`: each case as a test of its own. */
import { afterAll, describe, test } from "vitest";
import {
  ConformanceSession,
  DEFAULT_CASE_TIMEOUT_MS,
  type OpenOperations,
  type SessionOptions,
} from "./session.js";

/** Beyond a case's own time: what its cleaning up may take. */
const CLEAN_UP_MS = 10_000;

export type { OpenOperations, SessionOptions } from "./session.js";

/**
 * @param name of the backend
 * @param open gives a fresh backend at each call, opened with its defaults or with what `options.limits` states
 */
export function describeConformance(name: string, open: OpenOperations, options: SessionOptions = {}): void {
  const { caseTimeoutMs = DEFAULT_CASE_TIMEOUT_MS } = options;
  describe(`conformance of ${name}`, () => {
    const session = new ConformanceSession(open, options);
    afterAll(() => session.close());
    for (const testCase of session.cases) {
      test(`${testCase.id}: ${testCase.title}`, { timeout: caseTimeoutMs + CLEAN_UP_MS }, async ({
        skip,
      }) => {
        const { status, reason } = await session.run(testCase);
        if (status === "skipped") skip(reason);
        if (status === "failed") throw new Error(reason);
      });
    }
  });
}
