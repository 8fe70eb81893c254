import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";
import { quote } from "../shell.js";

/** Those that end a shell and have the same number on Linux, macOS and the BSDs. Bash ignores SIGQUIT. */
const SIGNALS = { HUP: 1, INT: 2, KILL: 9, SEGV: 11, PIPE: 13, TERM: 15 };

async function expectExit(subject: Subject, command: string, expected: number): Promise<string> {
  const { exitCode, text } = await subject.run(command);
  assert.equal(exitCode, expected, `${JSON.stringify(command)} exits with ${expected}, got ${exitCode}`);
  return text;
}

export const exitCodeCases: readonly ConformanceCase[] = [
  {
    id: "exit-codes/plain",
    title: "the exit code of a command is told as it is",
    promise: "exit codes",
    async run(subject) {
      for (const code of [0, 1, 2, 42, 126, 127, 128, 254, 255])
        await expectExit(subject, `exit ${code}`, code);
    },
  },
  {
    id: "exit-codes/modulo-256",
    title: "exit 300 is 44, as the kernel has it",
    promise: "exit codes",
    run: async (subject) => void (await expectExit(subject, "exit 300", 44)),
  },
  {
    id: "exit-codes/last-command",
    title: "without exit the code is that of the last command",
    promise: "exit codes",
    run: async (subject) => void (await expectExit(subject, "true; false; (exit 7)", 7)),
  },
  ...Object.entries(SIGNALS).map(
    ([name, number]): ConformanceCase => ({
      id: `exit-codes/signal-${name.toLowerCase()}`,
      title: `a shell that dies of SIG${name} exits with ${128 + number}`,
      promise: "exit codes",
      // The sleep gives a signal that is ignored by mistake the time to show that it is.
      run: async (subject) =>
        void (await expectExit(subject, `ulimit -c 0; kill -${name} $$; sleep 0.2; exit 99`, 128 + number)),
    }),
  ),
  {
    id: "exit-codes/signal-of-child",
    title: "a child that dies of a signal does not end the shell, which sees 128+n",
    promise: "exit codes",
    async run(subject) {
      const text = await expectExit(subject, "sh -c 'kill -9 $$'; echo rc=$?", 0);
      assert.match(text, /^rc=137$/m, `the shell sees 137, its output was ${JSON.stringify(text)}`);
    },
  },
  {
    id: "exit-codes/not-found",
    title: "an unknown command exits with 127 and is named",
    promise: "exactly bash",
    async run(subject) {
      const text = await expectExit(subject, "no-such-command-here --flag", 127);
      assert.match(text, /no-such-command-here.*not found/, "the shell's message names the command");
    },
  },
  {
    id: "exit-codes/not-executable",
    title: "a file that may not be executed exits with 126",
    promise: "exactly bash",
    async run(subject) {
      const file = `${await subject.scratch()}/plain`;
      await expectExit(subject, `echo true > ${quote(file)}; chmod 644 ${quote(file)}; ${quote(file)}`, 126);
    },
  },
  {
    id: "exit-codes/syntax-error",
    title: "a syntax error exits with 2, says so, and runs nothing",
    promise: "exactly bash",
    async run(subject) {
      const text = await expectExit(subject, "if then echo ran; fi", 2);
      assert.match(text, /syntax error/i, "the shell's message is part of the output");
    },
  },
  {
    id: "exit-codes/nothing-to-do",
    title: "an empty, blank or comment-only command exits with 0 and says nothing",
    promise: "exactly bash",
    async run(subject) {
      for (const command of ["", " ", "\n\n", "\t", "# only a comment", "\n# one\n# two\n"]) {
        const text = await expectExit(subject, command, 0);
        assert.equal(text, "", `${JSON.stringify(command)} says nothing, got ${JSON.stringify(text)}`);
      }
    },
  },
  {
    id: "exit-codes/no-errexit",
    title: "a command that fails does not stop the next one",
    promise: "exactly bash",
    async run(subject) {
      const text = await expectExit(subject, "false; echo went on; false | true; echo $?", 0);
      assert.equal(text, "went on\n0\n");
    },
  },
  {
    id: "exit-codes/output-of-failure",
    title: "a failing command's output is delivered too",
    promise: "exit codes",
    async run(subject) {
      const text = await expectExit(subject, "echo out; echo err >&2; exit 3", 3);
      assert.equal(text.split("\n").sort().join("\n"), "\nerr\nout");
    },
  },
];
