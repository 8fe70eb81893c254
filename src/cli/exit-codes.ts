/** What the command's own exit code says. Those of `timeout(1)` and of a shell, where they have one. */
import { constants } from "node:os";

/** A case of the conformance suite has failed. */
export const EXIT_FAILED = 1;
/** The arguments are wrong; nothing was run. */
export const EXIT_USAGE = 2;
/** The time limit was reached. */
export const EXIT_TIMEOUT = 124;
/** The road failed: no command ran, or nobody knows how it ended. */
export const EXIT_ROAD_FAILED = 125;
/** Whoever read the output has gone. */
export const EXIT_BROKEN_PIPE: number = signalExitCode("SIGPIPE");

/** As a shell tells a death by signal. */
export function signalExitCode(signal: NodeJS.Signals): number {
  return 128 + constants.signals[signal];
}
