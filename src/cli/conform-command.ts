/** `bash-backends conform`: holds a backend to the promises and tells which it keeps. */
import { closeSync, openSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import { ALL_CASES, type ConformanceReport, runConformance, toJUnit } from "../conformance/index.js";
import { painter } from "./colours.js";
import { ConformProgress } from "./conform-progress.js";
import { findSource } from "./conform-source.js";
import { conformTable } from "./conform-table.js";
import { EXIT_FAILED } from "./exit-codes.js";
import { Interruption } from "./interruption.js";
import { say } from "./message.js";
import { UsageError } from "./usage-error.js";
import { writeText } from "./writer.js";

/** As commander hands them over. */
export interface ConformFlags {
  readonly module?: string;
  readonly json: boolean;
  readonly junit?: string;
  /** Ids of cases, or names of groups. */
  readonly only?: readonly string[];
  readonly list: boolean;
}

/** @returns the exit code for this process: 0 only where no case has failed */
export async function conformCommand(target: string | undefined, flags: ConformFlags): Promise<number> {
  if (flags.list) {
    writeText(1, ALL_CASES.map(({ id, title }) => `${id}  ${title}\n`).join(""));
    return 0;
  }
  checkNames(flags.only ?? []);
  const source = await findSource(target, flags.module);
  const junitFd = flags.junit === undefined ? undefined : openReport(flags.junit);
  const interruption = new Interruption();
  const progress = new ConformProgress(isatty(2));
  interruption.listen();
  interruption.signal.addEventListener("abort", () => say("ends after this case; once more ends it at once"));
  try {
    const report = await runConformance(source.open, {
      only: flags.only,
      signal: interruption.signal,
      onResult: (result) => progress.add(result),
    });
    progress.end();
    if (junitFd !== undefined) writeSync(junitFd, toJUnit(report, source.name));
    writeText(
      1,
      flags.json ? `${JSON.stringify(asData(report))}\n` : conformTable(report, painter(isatty(1))),
    );
    return report.failed === 0 ? 0 : EXIT_FAILED;
  } catch (error) {
    progress.end();
    if (interruption.exitCode !== undefined) return interruption.exitCode;
    throw error;
  } finally {
    if (junitFd !== undefined) closeSync(junitFd);
    interruption.stopListening();
  }
}

/** The fields that are promised, and no others that the runner may come to add. */
function asData({ passed, failed, skipped, results }: ConformanceReport): ConformanceReport {
  return {
    passed,
    failed,
    skipped,
    results: results.map(({ id, title, status, reason, ms }) => ({
      id,
      title,
      status,
      ...(reason !== undefined && { reason }),
      ms,
    })),
  };
}

function checkNames(names: readonly string[]): void {
  const known = ({ id }: { readonly id: string }, name: string) => id === name || id.startsWith(`${name}/`);
  const unknown = names.filter((name) => !ALL_CASES.some((testCase) => known(testCase, name)));
  if (unknown.length > 0) {
    throw new UsageError(`--only: no case or group is named ${unknown.join(", ")}; see conform --list`);
  }
}

/** Before the run: nobody should wait a minute for a report that cannot be written. */
function openReport(file: string): number {
  try {
    return openSync(file, "w");
  } catch (error) {
    throw new UsageError(`--junit ${file}: it cannot be written (${(error as NodeJS.ErrnoException).code})`);
  }
}
