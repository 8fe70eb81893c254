/**
 * Each command of the corpus runs twice on the same target: as the backend runs it, and as `bash -c -- "$command"`
 * (`sh -c` where there is no bash). Output and exit code must be equal but for the differences that are listed here.
 */
import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";
import { quote } from "../shell.js";
import { CORPUS, type CorpusCommand } from "./differential-corpus.js";

interface Outcome {
  readonly text: string;
  readonly exitCode: number | null;
}

interface ReferenceShell {
  /** The shell's words before `-c -- command`, as shell text; the command's `$0` is that of the backend's shell. */
  readonly words: string;
  readonly isBash: boolean;
}

export const differentialCases: readonly ConformanceCase[] = CORPUS.map((entry) => ({
  id: `differential/${entry.name}`,
  title: `as in bash -c: ${JSON.stringify(entry.command)}`,
  promise: "exactly bash",
  run: (subject) => expectSame(subject, entry),
}));

async function expectSame(subject: Subject, { command, isBashOnly }: CorpusCommand): Promise<void> {
  const cwd = await subject.scratch();
  const shell = await referenceShell(subject);
  if (isBashOnly && !shell.isBash) {
    subject.skip("the command is one for bash, and commands run in another shell here");
  }
  // Replacing the shell leaves the reference the same environment, descriptors, limits and parent.
  const expected = await subject.run(`exec ${shell.words} -c -- ${quote(command)}`, { cwd });
  await subject.run("rm -rf ./*", { cwd });
  const actual = await subject.run(command, { cwd });
  if (isSame(actual, expected)) return;
  assert.fail(
    `${JSON.stringify(command)} must run as bash -c -- runs it. Expected ${show(expected, actual)}; got ${show(actual, expected)}`,
  );
}

async function referenceShell(subject: Subject): Promise<ReferenceShell> {
  const declared = subject.operations.capabilities?.shell;
  if (declared !== undefined && declared.version === undefined) {
    return { words: quote(declared.path), isBash: false };
  }
  if (declared !== undefined) return { words: `-a "$0" ${quote(declared.path)}`, isBash: true };
  const { exitCode } = await subject.run("command -v bash >/dev/null");
  return exitCode === 0 ? { words: '-a "$0" bash', isBash: true } : { words: "sh", isBash: false };
}

/** Whether two outcomes are equal but for what promise 1 lists as differences of a command that travels on a pipe. */
export function isSame(actual: Outcome, expected: Outcome): boolean {
  if (actual.exitCode !== expected.exitCode) return false;
  return WHAT_IS_PARSED.some((pattern) => {
    const [seen, wanted] = [normalise(actual.text, pattern), normalise(expected.text, pattern)];
    // xtrace repeats its + for each level of eval: there is one more.
    return seen === wanted || seen.replace(/^\++ /gm, (trace) => trace.slice(1)) === wanted;
  });
}

function normalise(text: string, whatIsParsed: RegExp): string {
  const lines = text.split("\n").filter((line) => !DEATH_OF_COMMAND.test(line));
  return lines.map((line) => line.replace(whatIsParsed, "$1")).join("\n");
}

/** A shell's message tells what it parses: the command, or the text of an eval. */
const WHAT_IS_PARSED = [
  // bash: -c: line 1: … and bash: eval: line 1: …
  /^(.*?: )(?:-c|eval): (?=line \d+: )/,
  // dash: 1: … and dash: 1: eval: …
  /^(.*?: \d+: )eval: /,
  // busybox: sh: … and sh: eval: line 1: …
  /^(.*?: )eval: line \d+: /,
];

const DEATHS = "Segmentation fault|Killed|Terminated|Aborted|Hangup|Quit|Broken pipe";

/**
 * The line with which a shell tells that a command died of a signal; dash and busybox name the signal alone. There is
 * none where it was the last command: bash -c has become it.
 */
const DEATH_OF_COMMAND = new RegExp(`^(?:.*line \\d+: +\\d+ (?:${DEATHS})\\b.*|(?:${DEATHS}))$`);

/** The outcome, and of a long output what surrounds the first difference. */
function show({ exitCode, text }: Outcome, other: Outcome): string {
  const differs = firstDifference(text, other.text);
  const from = Math.max(0, (differs < 0 ? text.length : differs) - SHOWN_LETTERS / 2);
  const shown = JSON.stringify(text.slice(from, from + SHOWN_LETTERS));
  const where = text.length <= SHOWN_LETTERS ? "" : ` (of ${text.length} letters those from ${from} on)`;
  return `exit code ${exitCode} and ${shown}${where}`;
}

const SHOWN_LETTERS = 400;

function firstDifference(a: string, b: string): number {
  for (let index = 0; index < a.length; index += 1) if (a[index] !== b[index]) return index;
  return -1;
}
