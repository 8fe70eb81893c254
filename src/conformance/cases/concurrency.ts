import { strict as assert } from "node:assert";
import type { ConformanceCase } from "../case.js";
import { quote, waitForFile } from "../shell.js";

export const concurrencyCases: readonly ConformanceCase[] = [
  {
    id: "concurrency/100-at-once",
    title: "100 commands at once all finish, each with its own output and exit code",
    promise: "concurrent",
    isAlone: true,
    async run(subject) {
      const ids = Array.from({ length: 100 }, (_, id) => id);
      const results = await Promise.all(
        ids.map((id) => subject.run(`echo begin ${id}; sleep 0.05; echo end ${id} >&2; exit ${id}`)),
      );
      assert.deepEqual(
        results.map(({ text, exitCode }) => ({ text, exitCode })),
        ids.map((id) => ({ text: `begin ${id}\nend ${id}\n`, exitCode: id })),
      );
    },
  },
  {
    id: "concurrency/truly-at-once",
    title: "commands run side by side, not one after the other",
    promise: "concurrent",
    async run(subject) {
      const cwd = await subject.scratch();
      const meet = (mine: string, other: string) =>
        `: > ${mine}; ${waitForFile(other)}; [ -e ${quote(other)} ] && echo met`;
      const [a, b] = [
        subject.start(meet("a", "b"), { cwd, timeout: 4 }),
        subject.start(meet("b", "a"), { cwd, timeout: 4 }),
      ];
      const texts = [(await a.result).text, (await b.result).text];
      assert.deepEqual(texts, ["met\n", "met\n"], "each waits for what the other does");
    },
  },
  {
    id: "concurrency/own-options",
    title: "commands that run at once each have their own directory and environment",
    promise: "concurrent",
    async run(subject) {
      const folder = await subject.scratch();
      const ids = Array.from({ length: 20 }, (_, id) => id);
      await subject.run(`mkdir ${ids.join(" ")}`, { cwd: folder });
      const texts = await Promise.all(
        ids.map(async (id) => {
          const options = { cwd: `${folder}/${id}`, env: { ...process.env, CONFORMANCE_ID: String(id) } };
          return (await subject.run('sleep 0.05; pwd -P; echo "$CONFORMANCE_ID"', options)).text;
        }),
      );
      assert.deepEqual(
        texts,
        ids.map((id) => `${folder}/${id}\n${id}\n`),
      );
    },
  },
];
