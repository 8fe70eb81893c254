/** What the cases about time limits, aborts and close() have in common: how an exec that was stopped ends. */
import { strict as assert } from "node:assert";
import { BackendError } from "../../backend/index.js";
import type { Rejection, Subject } from "../case.js";

/** The promise: beyond the grace, an exec settles within a second. */
const SETTLE_MS = 1000;

/** Shell text that goes on writing; not for ever: a broken backend must not leave it for long. */
export const CHATTER = "n=0; while [ $n -lt 1500 ]; do n=$((n+1)); echo x; sleep 0.02; done";

/** Our own errors carry more than the contract's message. */
export function assertStopped({ error, message }: Rejection, expected: string, code: string): void {
  assert.ok(error instanceof Error, `exec rejects with an Error, got ${typeof error}`);
  assert.equal(message, expected, "the message, by which hosts tell why");
  if (!(error instanceof BackendError)) return;
  assert.equal(error.code, code);
  assert.ok(Array.isArray(error.killed), "killed lists process ids");
  assert.equal(error.killConfirmed, true, "all that was killed was seen dead");
}

/** Steps of a kill that wait for the machine: TERM, the looks for what is left, KILL. */
const KILL_STEPS = 3;

/** @param ms from the reason to stop until the exec settled */
export async function assertBounded(subject: Subject, ms: number): Promise<void> {
  const limitMs = subject.limits.killGraceMs + SETTLE_MS;
  if (ms <= limitMs) return;
  // It was late. Where a command that does nothing takes long, too, it is the machine that is.
  const startedAt = performance.now();
  await subject.run(":");
  const allowanceMs = KILL_STEPS * (performance.now() - startedAt);
  assert.ok(
    ms <= limitMs + allowanceMs,
    `exec settles within ${limitMs} ms after the reason to stop, took ${Math.round(ms)} ms ` +
      `(${Math.round(allowanceMs)} ms more would have passed, for how busy the machine is)`,
  );
}

/** Survivors are looked for on the target itself. */
export async function assertNoneLeft(subject: Subject, nap: string): Promise<void> {
  await subject.eventually(async () => {
    assert.deepEqual(await subject.processes(nap), [], `processes that still run sleep ${nap}`);
  }, 1500);
}
