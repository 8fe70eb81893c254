import { strict as assert } from "node:assert";
import { BackendError } from "../../backend/index.js";
import type { ConformanceCase, Subject } from "../case.js";
import { quote, uniqueDigits } from "../shell.js";

const ODD_NAMES = [
  "two  words",
  'it\'s "quoted"',
  "$HOME",
  "`id`",
  "$(id)",
  "back\\slash",
  "new\nline",
  "-n",
  "--",
  "a;b&c|d>e",
  "*?[a]",
  "#hash",
  "ünïcödé-€-😀",
  " leading and trailing ",
];

/** Expects that exec rejects for the directory `cwd`, names it, and has run nothing. */
async function expectRefusal(subject: Subject, cwd: string, code: string): Promise<string> {
  const marker = `${await subject.scratch()}/ran`;
  const { error, message } = await subject.rejection(`: > ${quote(marker)}`, { cwd });
  assert.equal(await subject.exists(marker), false, "nothing runs");
  assert.ok(message.includes(cwd), `the message names the directory ${cwd}, got ${message}`);
  if (error instanceof BackendError) assert.equal(error.code, code);
  return message;
}

export const cwdCases: readonly ConformanceCase[] = [
  {
    id: "cwd/runs-there",
    title: "the command runs in the directory",
    promise: "working directory",
    async run(subject) {
      const cwd = await subject.scratch();
      const { text } = await subject.run("pwd -P; : > made-here", { cwd });
      assert.equal(text, `${cwd}\n`);
      assert.equal(await subject.exists(`${cwd}/made-here`), true, "a relative name is below the directory");
    },
  },
  {
    id: "cwd/odd-names",
    title: "spaces, quotes, $, backticks, newlines and a leading - in the directory's name mean themselves",
    promise: "working directory",
    async run(subject) {
      const folder = await subject.scratch();
      const paths = ODD_NAMES.map((name) => `${folder}/${name}`);
      const made = await subject.run(`mkdir ${paths.map(quote).join(" ")}`);
      assert.equal(made.exitCode, 0, `mkdir says ${made.text}`);
      const ran = await Promise.all(
        paths.map((cwd) => subject.run('printf %s "$(pwd -P; echo x)"', { cwd })),
      );
      assert.deepEqual(
        ran.map(({ text }) => text),
        paths.map((path) => `${path}\nx`),
      );
    },
  },
  {
    id: "cwd/does-not-stick",
    title: "neither cd nor a variable nor an option of one command is seen by the next",
    promise: "working directory",
    async run(subject) {
      const cwd = await subject.scratch();
      await subject.run("mkdir below; cd below; STICKY=1; export STICKY; set -f; umask 777", { cwd });
      const { text } = await subject.run(
        'pwd -P; echo "${STICKY-unset}"; case $- in *f*) echo noglob;; esac',
        {
          cwd,
        },
      );
      assert.equal(text, `${cwd}\nunset\n`);
    },
  },
  {
    id: "cwd/missing",
    title: "a missing directory is refused as such before anything runs",
    promise: "working directory",
    async run(subject) {
      const cwd = `/no-such-directory-${uniqueDigits()}/below`;
      const message = await expectRefusal(subject, cwd, "CWD_MISSING");
      // The words are the contract's: hosts show them as they are.
      assert.ok(
        message.includes(`Working directory does not exist: ${cwd}`),
        `expected "Working directory does not exist: ${cwd}", got ${JSON.stringify(message)}`,
      );
    },
  },
  {
    id: "cwd/file",
    title: "a file as the directory is refused, by its name, before anything runs",
    promise: "working directory",
    async run(subject) {
      const file = `${await subject.scratch()}/file`;
      await subject.run(`: > ${quote(file)}`);
      await expectRefusal(subject, file, "CWD_INVALID");
    },
  },
  {
    id: "cwd/not-enterable",
    title: "a directory that may not be entered is refused, by its name, before anything runs",
    promise: "working directory",
    async run(subject) {
      const cwd = `${await subject.scratch()}/closed`;
      const { text } = await subject.run(
        `mkdir -m 000 ${quote(cwd)}; (cd ${quote(cwd)}) 2>/dev/null && echo open`,
      );
      if (text === "open\n") subject.skip("commands run as root here, who may enter every directory");
      await expectRefusal(subject, cwd, "CWD_INVALID");
    },
  },
  {
    id: "cwd/wrong-arguments",
    title: "an empty name, or one with a NUL byte, is refused before anything runs",
    promise: "working directory",
    async run(subject) {
      const marker = `${await subject.scratch()}/ran`;
      for (const cwd of ["", "/\0tmp"]) await subject.rejection(`: > ${quote(marker)}`, { cwd });
      assert.equal(await subject.exists(marker), false, "nothing runs");
    },
  },
];
