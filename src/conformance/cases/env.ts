import { strict as assert } from "node:assert";
import { MARKER_VARIABLE } from "../../backend/index.js";
import type { ConformanceCase, Subject } from "../case.js";
import { patternFor, quote, uniqueDigits } from "../shell.js";

/** A name that nothing else has. */
const uniqueName = () => `CONFORMANCE_${uniqueDigits()}`;

/** What a host passes: its own environment, with additions. Values of any type: the caller may be JavaScript. */
function hostEnvWith(additions: Readonly<Record<string, unknown>>): NodeJS.ProcessEnv {
  return { ...process.env, ...additions } as NodeJS.ProcessEnv;
}

async function expectValue(subject: Subject, value: string): Promise<void> {
  const name = uniqueName();
  const { text } = await subject.run(`printf '[%s]' "$${name}"`, { env: hostEnvWith({ [name]: value }) });
  if (text === `[${value}]`) return;
  assert.equal(text.length, value.length + 2, "the length of the value between brackets");
  assert.equal(text, `[${value}]`);
}

/** Expects that exec refuses the additions, names the variable, never its value, and runs nothing. */
async function expectRefusal(subject: Subject, name: string, value: string): Promise<void> {
  const marker = `${await subject.scratch()}/ran`;
  const { message } = await subject.rejection(`: > ${quote(marker)}`, {
    env: hostEnvWith({ [name]: value }),
  });
  assert.ok(message.includes(name), `the message names the variable ${name}, got ${message.slice(0, 300)}`);
  assert.ok(!message.includes(value), "the message does not hold the value");
  assert.equal(await subject.exists(marker), false, "nothing runs");
}

const ODD_VALUES: Readonly<Record<string, string>> = {
  newlines: "one\ntwo\n\nfour\n",
  quotes: 'it\'s "quoted" `so` $(so) ${HOME} \\n \\',
  unicode: "ü€😀\u{2028}\u{FEFF}",
  blanks: "  two  spaces \t",
  empty: "",
  dashes: "-n --help",
  "control-characters": "\x01\x1b[31m\r\x7f",
};

export const envCases: readonly ConformanceCase[] = [
  {
    id: "env/additions",
    title: "what the caller adds arrives, exported",
    promise: "environment",
    async run(subject) {
      const name = uniqueName();
      const { text } = await subject.run(`echo "$${name}"; sh -c 'echo "$${name}"'`, {
        env: hostEnvWith({ [name]: "bar" }),
      });
      assert.equal(text, "bar\nbar\n");
    },
  },
  ...Object.entries(ODD_VALUES).map(
    ([kind, value]): ConformanceCase => ({
      id: `env/value-${kind}`,
      title: `a value arrives as it is: ${kind}`,
      promise: "environment",
      run: (subject) => expectValue(subject, value),
    }),
  ),
  {
    id: "env/value-100-kb",
    title: "a value of 100 KB arrives whole",
    promise: "environment",
    run: (subject) => expectValue(subject, "0123456789".repeat(10_240)),
  },
  {
    id: "env/undefined-and-numbers",
    title: "an undefined value is skipped, a number becomes text",
    promise: "environment",
    async run(subject) {
      const [unset, number] = [uniqueName(), uniqueName()];
      const { text } = await subject.run(`echo "\${${unset}-unset} $${number}"`, {
        env: hostEnvWith({ [unset]: undefined, [number]: 5 }),
      });
      assert.equal(text, "unset 5\n");
    },
  },
  {
    id: "env/names",
    title: "a name that no shell can export is refused by name before anything runs",
    promise: "environment",
    async run(subject) {
      for (const name of ["CONFORMANCE-DASH", "1CONFORMANCE", "CONFORMANCE SPACE", "CONFORMANCE=X"]) {
        await expectRefusal(subject, name, `value-${uniqueDigits()}`);
      }
    },
  },
  {
    id: "env/too-large",
    title: "a value that no process can be given is refused by its name before anything runs",
    promise: "environment",
    run: (subject) => expectRefusal(subject, uniqueName(), "x".repeat(131_072)),
  },
  {
    id: "env/nul",
    title: "a value with a NUL byte is refused by its name before anything runs",
    promise: "environment",
    run: (subject) => expectRefusal(subject, uniqueName(), `secret\0${uniqueDigits()}`),
  },
  {
    id: "env/not-passed",
    title: "a variable of the host that the caller did not pass does not arrive",
    promise: "environment",
    async run(subject) {
      const [secret, addition] = [uniqueName(), uniqueName()];
      const env = hostEnvWith({ [addition]: "1" });
      process.env[secret] = "secret";
      try {
        const { text } = await subject.run(`echo "\${${secret}-unset} $${addition}"`, { env });
        assert.equal(text, "unset 1\n");
      } finally {
        delete process.env[secret];
      }
    },
  },
  {
    id: "env/does-not-stick",
    title: "what was passed to one command is not seen by the next",
    promise: "environment",
    async run(subject) {
      const name = uniqueName();
      const print = `echo "\${${name}-unset}"`;
      await subject.run(print, { env: hostEnvWith({ [name]: "1" }) });
      assert.equal((await subject.run(print, { env: hostEnvWith({}) })).text, "unset\n", "with another env");
      assert.equal((await subject.run(print)).text, "unset\n", "without env");
    },
  },
  {
    id: "env/caller-owns-it",
    title: "the caller's options and environment are not written to",
    promise: "environment",
    async run(subject) {
      const env = Object.freeze(hostEnvWith({ CONFORMANCE_FROZEN: "1" }));
      const chunks: Buffer[] = [];
      const options = Object.freeze({ env, onData: (chunk: Buffer) => void chunks.push(chunk) });
      await subject.operations.exec('echo "$CONFORMANCE_FROZEN"', "/", options);
      assert.equal(Buffer.concat(chunks).toString(), "1\n");
    },
  },
  {
    id: "env/only-the-marker",
    title: `no variable of ours is visible but ${MARKER_VARIABLE}`,
    promise: "exactly bash",
    async run(subject) {
      // `set` also lists what is not exported; of a function it lists the body, hence the anchors.
      const { text } = await subject.run("set | grep -i '^[a-z_]*bash_backends[a-z_]*=' | cut -d= -f1; true");
      const names = text.split("\n").filter((name) => name !== "");
      assert.deepEqual(
        names.filter((name) => name !== MARKER_VARIABLE),
        [],
      );
    },
  },
  {
    id: "env/no-copy-of-the-command",
    title: "no variable in the environment holds the command",
    promise: "exactly bash",
    async run(subject) {
      const token = uniqueDigits();
      const { text, exitCode } = await subject.run(`# ${token}\nenv | grep ${patternFor(token)}`);
      assert.deepEqual({ text, exitCode }, { text: "", exitCode: 1 });
    },
  },
];
