import { strict as assert } from "node:assert";
import type { ConformanceCase } from "../case.js";
import { uniqueDigits } from "../shell.js";

export const secretCases: readonly ConformanceCase[] = [
  {
    id: "secrets/command",
    title: "the command is on no command line of the target while it runs",
    promise: "secrets stay out of sight",
    requires: "noArgv",
    async run(subject) {
      const token = uniqueDigits();
      const running = subject.start(`: ${token}; echo runs; sleep 1; :`);
      await running.firstChunk;
      assert.deepEqual(await subject.processes(token), [], "processes whose arguments hold the command");
      await running.result;
    },
  },
  {
    id: "secrets/environment",
    title: "a variable's value is on no command line of the target while the command runs",
    promise: "secrets stay out of sight",
    async run(subject) {
      const token = uniqueDigits();
      const env = { ...process.env, CONFORMANCE_SECRET: token };
      const running = subject.start('echo "$CONFORMANCE_SECRET"; sleep 1; :', { env });
      await running.firstChunk;
      assert.equal(running.output(), `${token}\n`);
      assert.deepEqual(await subject.processes(token), [], "processes whose arguments hold the value");
      await running.result;
    },
  },
  {
    id: "secrets/messages",
    title: "no error message holds a variable's value, the command or its output",
    promise: "secrets stay out of sight",
    async run(subject) {
      const token = uniqueDigits();
      const env = { ...process.env, CONFORMANCE_SECRET: token };
      const missing = { env, cwd: `/no-such-directory-${uniqueDigits()}` };
      const rejections = [
        await subject.rejection(`: ${token}`, missing),
        await subject.rejection(`echo ${token}; sleep 20`, { env, timeout: 0.2 }),
        await subject.rejection(`echo ${token}\0`, { env }),
      ];
      for (const { message } of rejections) assert.ok(!message.includes(token), `the message is ${message}`);
    },
  },
];
