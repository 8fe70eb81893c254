/** All cases, in the order in which they run: what everything else rests on comes first. */
import type { ConformanceCase } from "../case.js";
import { abortCases } from "./abort.js";
import { backgroundCases } from "./background.js";
import { byteCases } from "./bytes.js";
import { closeCases } from "./close.js";
import { concurrencyCases } from "./concurrency.js";
import { cwdCases } from "./cwd.js";
import { differentialCases } from "./differential.js";
import { envCases } from "./env.js";
import { exitCodeCases } from "./exit-codes.js";
import { largeOutputCases } from "./large-output.js";
import { leakCases } from "./leaks.js";
import { onDataCases } from "./on-data.js";
import { orderCases } from "./order.js";
import { secretCases } from "./secrets.js";
import { stdinCases } from "./stdin.js";
import { streamingCases } from "./streaming.js";
import { survivorCases } from "./survivors.js";
import { timeoutCases } from "./timeout.js";
import { transportCases } from "./transport.js";

export const ALL_CASES: readonly ConformanceCase[] = [
  ...exitCodeCases,
  ...byteCases,
  ...orderCases,
  ...streamingCases,
  ...stdinCases,
  ...cwdCases,
  ...envCases,
  ...transportCases,
  ...secretCases,
  ...differentialCases,
  ...timeoutCases,
  ...abortCases,
  ...survivorCases,
  ...backgroundCases,
  ...largeOutputCases,
  ...concurrencyCases,
  ...onDataCases,
  ...leakCases,
  ...closeCases,
];
