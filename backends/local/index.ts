/** The door `bash-backends/local`: commands run on this machine. */
import {
  type BashBackend,
  createBackend,
  createMarker,
  DEFAULT_KILL_GRACE_MS,
} from "../../src/backend/index.js";
import { checkOptions, type LocalBashOptions } from "./options.js";
import { LocalRoad } from "./road.js";

export type { CommandTransport, LocalBashOptions } from "./options.js";

/**
 * Runs commands as child processes of the host.
 *
 * Nothing is started before the first exec. `env` is the whole environment of a command, as with `spawn`; left
 * out: the host's own.
 *
 * @throws TypeError or RangeError for a wrong option
 */
export function createLocalBashOperations(options: LocalBashOptions = {}): BashBackend {
  checkOptions(options);
  const { shellPath, commandTransport = "arg", killGraceMs = DEFAULT_KILL_GRACE_MS, drain } = options;
  const marker = createMarker();
  const road = new LocalRoad({ shellPath, transport: commandTransport, killGraceMs, marker });
  return createBackend(road, { killGraceMs, drain, marker });
}
