/** What an exec that gave no result means for people and for the exit code. */
import { BackendError } from "../backend/index.js";
import { EXIT_ROAD_FAILED, EXIT_TIMEOUT, EXIT_USAGE } from "./exit-codes.js";
import type { Interruption } from "./interruption.js";
import { describeError, say } from "./message.js";

/** Says what went wrong, where the exit code alone does not, and gives that code. */
export function explainFailure(error: unknown, interruption: Interruption): number {
  if (error instanceof BackendError) {
    if (error.killConfirmed === false) say("not everything was seen to end; the target ends the rest");
    if (error.code === "ABORTED" && interruption.exitCode !== undefined) return interruption.exitCode;
    if (error.code === "TIMEOUT") {
      say(`the time limit was reached (${error.message})`);
      return EXIT_TIMEOUT;
    }
  }
  say(describeError(error));
  return isUsage(error) ? EXIT_USAGE : EXIT_ROAD_FAILED;
}

/** The contract refuses wrong arguments by these two classes, before anything runs. */
function isUsage(error: unknown): boolean {
  return error instanceof TypeError || error instanceof RangeError;
}
