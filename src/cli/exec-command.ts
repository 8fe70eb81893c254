/** `bash-backends exec`: one command, its raw output, its exit code. */
import { openTarget } from "../config/registry.js";
import { explainFailure } from "./exec-failure.js";
import type { ExecFlags } from "./exec-flags.js";
import { runForJson } from "./exec-json.js";
import { type ExecRun, execOptions } from "./exec-run.js";
import { ExecLog } from "./exec-verbose.js";
import { EXIT_BROKEN_PIPE } from "./exit-codes.js";
import { Interruption } from "./interruption.js";
import { UsageError } from "./usage-error.js";
import { ReaderGoneError, Writer } from "./writer.js";

/**
 * @param words one: the text of the command; several: its words, joined by a space, as with `ssh`
 * @returns the exit code for this process
 */
export async function execCommand(words: readonly string[], flags: ExecFlags): Promise<number> {
  refuseTargetAsWord(words);
  const backend = await openTarget(flags.target);
  const interruption = new Interruption();
  interruption.listen();
  try {
    const run = flags.json ? runForJson : runForPeople;
    return await run({ backend, command: words.join(" "), flags, interruption });
  } finally {
    await backend.close();
    interruption.stopListening();
  }
}

/** Whoever forgets --target must not have the rest run here. No program's name looks like that. */
function refuseTargetAsWord([first = "", ...rest]: readonly string[]): void {
  if (rest.length === 0 || !/^[a-z][a-z0-9+.-]*:\/\//i.test(first)) return;
  throw new UsageError(`${first} is a target, not a command: write --target ${first}`);
}

async function runForPeople(run: ExecRun): Promise<number> {
  const { backend, command, flags, interruption } = run;
  const { cwd, ...options } = execOptions(run);
  const log = new ExecLog(flags.verbose);
  log.begin(flags.target, cwd);
  const writer = new Writer(1, {
    giveUpAtMs: flags.timeout === undefined ? undefined : performance.now() + flags.timeout * 1000,
    whileBlocked: (wait) => interruption.whileBlocked(wait),
  });
  try {
    const result = await backend.exec(command, cwd, {
      ...options,
      onData: (chunk) => writer.write(chunk),
    });
    log.end(backend, { result });
    return result.exitCode;
  } catch (error) {
    if (error instanceof ReaderGoneError) return EXIT_BROKEN_PIPE;
    log.end(backend, { error });
    return explainFailure(error, interruption);
  } finally {
    writer.close();
  }
}
