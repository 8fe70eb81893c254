import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";

/** With an open stdin these would wait for ever. */
const NO_INPUT_LIMIT_SECONDS = 4;

async function expectText(subject: Subject, command: string, expected: string): Promise<void> {
  const { text } = await subject.run(command, { timeout: NO_INPUT_LIMIT_SECONDS });
  assert.equal(text, expected, `the output of ${command}`);
}

export const stdinCases: readonly ConformanceCase[] = [
  {
    id: "stdin/cat",
    title: "cat returns at once: stdin is at its end",
    promise: "no stdin, no terminal",
    run: (subject) => expectText(subject, "cat; echo rc=$?", "rc=0\n"),
  },
  {
    id: "stdin/read",
    title: "read finds nothing and fails",
    promise: "no stdin, no terminal",
    run: (subject) => expectText(subject, 'read -r line; echo "rc=$? line=[$line]"', "rc=1 line=[]\n"),
  },
  {
    id: "stdin/child",
    title: "a child and a background job find stdin at its end too",
    promise: "no stdin, no terminal",
    run: (subject) =>
      expectText(subject, "sh -c 'cat | wc -c' | tr -d ' '; cat & wait $!; echo rc=$?", "0\nrc=0\n"),
  },
  {
    id: "stdin/script-is-not-input",
    title: "a command that reads stdin does not eat the rest of the script",
    promise: "no stdin, no terminal",
    run: (subject) => expectText(subject, "echo one\ncat\nread -r x\necho after", "one\nafter\n"),
  },
  {
    id: "stdin/no-terminal",
    title: "neither stdin nor stdout nor stderr is a terminal",
    promise: "no stdin, no terminal",
    run: (subject) =>
      expectText(
        subject,
        "for fd in 0 1 2; do [ -t $fd ] && echo $fd is a terminal; done; echo done",
        "done\n",
      ),
  },
  {
    id: "stdin/no-controlling-terminal",
    title: "there is no controlling terminal to prompt on",
    promise: "no stdin, no terminal",
    run: (subject) =>
      expectText(subject, "(: > /dev/tty) 2> /dev/null && echo terminal || echo none", "none\n"),
  },
];
