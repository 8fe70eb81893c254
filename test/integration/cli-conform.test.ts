import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCli, startCli } from "../support/cli.js";
import { eventually, processesWith, uniqueTag } from "../support/processes.js";

const folder = mkdtempSync(join(tmpdir(), "bash-backends-conform-"));
afterAll(() => rmSync(folder, { recursive: true }));

const conform = (...args: string[]) => runCli(["conform", ...args], { cwd: folder });

function moduleFile(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return name;
}

/** Does nothing and says that all went well. */
const LIAR = "export default () => ({ exec: async () => ({ exitCode: 0 }) });";

describe("a target", () => {
  test("gets a table that ends with the counts, and 0 where none failed", async () => {
    const { code, stdout, stderr } = await conform("local?transport=stdin", "--only", "exit-codes");
    expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
    expect(stdout).toMatch(/^exit-codes\n {2}passed {3}\S+/);
    expect(stdout).toMatch(/\n[1-9]\d* passed, 0 failed, 0 skipped\n$/);
  });

  test("is local where none is named", async () => {
    const { code, stdout } = await conform("--only", "exit-codes", "--json");
    expect({ code, failed: JSON.parse(stdout).failed }).toEqual({ code: 0, failed: 0 });
  });

  test("that is mistyped gives 2 and one line", async () => {
    expect(await conform("lcoal")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: 'bash-backends: unknown target "lcoal". Did you mean local? Known: local\n',
    });
  });
});

describe("a module", () => {
  test("that breaks promises gives 1, with the reasons in the table", async () => {
    const { code, stdout } = await conform("--module", moduleFile("liar.mjs", LIAR), "--only", "exit-codes");
    expect(code).toBe(1);
    expect(stdout).toMatch(/\nfailed:\n {2}exit-codes\/\S+: /);
    expect(stdout).toMatch(/\n\d+ passed, [1-9]\d* failed, 0 skipped\n$/);
  });

  test("may give a promise of operations", async () => {
    const file = moduleFile("promise.mjs", LIAR.replace("() =>", "async () =>"));
    const { code, stdout } = await conform("--json", "--module", file, "--only", "exit-codes");
    expect(code).toBe(1);
    expect(JSON.parse(stdout)).toEqual({
      passed: expect.any(Number),
      failed: expect.any(Number),
      skipped: 0,
      results: expect.arrayContaining([
        {
          id: expect.stringMatching(/^exit-codes\//),
          title: expect.any(String),
          status: "failed",
          reason: expect.any(String),
          ms: expect.any(Number),
        },
      ]),
    });
  });

  test.each([
    ["missing.mjs", undefined, 2, "--module missing.mjs: there is no such file"],
    ["broken.mjs", "export default (", 2, "--module broken.mjs: it cannot be loaded: Unexpected"],
    ["thrower.mjs", "throw new Error('no')", 2, "--module thrower.mjs: it cannot be loaded: no"],
    ["empty.mjs", "", 2, "must be a function that gives operations, got undefined"],
    ["object.mjs", "export default {}", 2, "must be a function that gives operations, got object"],
    ["nothing.mjs", "export default () => ({})", 125, "what its default export gives has no method exec"],
    ["fails.mjs", "export default () => { throw new Error('no road') }", 125, "no road"],
  ])("%s gives one line that says what is wrong", async (name, text, exitCode, message) => {
    if (text !== undefined) moduleFile(name, text);
    const { code, stdout, stderr } = await conform("--module", name);
    expect({ code, stdout }).toEqual({ code: exitCode, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^bash-backends: [^\n]+\n$/);
  });

  test("and a target at once are refused", async () => {
    expect(await conform("local", "--module", moduleFile("liar.mjs", LIAR))).toMatchObject({
      code: 2,
      stderr: "bash-backends: give a target or --module FILE, not both\n",
    });
  });

  test("that holds the event loop open does not hold up the end", async () => {
    const file = moduleFile("holder.mjs", `setInterval(() => {}, 1000);\n${LIAR}`);
    expect((await conform("--module", file, "--only", "exit-codes")).code).toBe(1);
  });
});

describe("reports", () => {
  test("--junit writes one for CI servers", async () => {
    const { code } = await conform("--only", "exit-codes", "--junit", "report.xml");
    expect(code).toBe(0);
    const report = readFileSync(join(folder, "report.xml"), "utf8");
    expect(report).toMatch(/^<\?xml .*\n<testsuites tests="\d+" failures="0"/);
    expect(report).toContain('name="local"');
  });

  test("one that cannot be written is told before the run", async () => {
    expect(await conform("--junit", "no/such/folder.xml")).toMatchObject({
      code: 2,
      stdout: "",
      stderr: "bash-backends: --junit no/such/folder.xml: it cannot be written (ENOENT)\n",
    });
  });

  test("--list names the cases and runs none", async () => {
    const { code, stdout } = await conform("--list");
    expect(code).toBe(0);
    expect(stdout.trim().split("\n").length).toBeGreaterThanOrEqual(70);
    expect(stdout).toMatch(/^exit-codes\/\S+ {2}\S/m);
  });

  test("an unknown name in --only is told with the way to find the right one", async () => {
    expect(await conform("--only", "exit-codez")).toMatchObject({
      code: 2,
      stderr: "bash-backends: --only: no case or group is named exit-codez; see conform --list\n",
    });
  });
});

describe("a signal", () => {
  test("ends the run after the case that is under way", async () => {
    const nap = `300.${uniqueTag()}`;
    const file = moduleFile(
      "slow.mjs",
      `import { spawnSync } from "node:child_process";
       export default () => ({ exec: () => new Promise((r) => setTimeout(r, 300, { exitCode: 0 })) });
       process.title = "slow ${nap}";`,
    );
    const running = startCli(["conform", "--module", join(folder, file)]);
    await eventually(() => expect(processesWith(`slow ${nap}`)).toHaveLength(1));
    running.child.kill("SIGINT");
    const { code, stdout, stderr } = await running.ended;
    expect({ code, stdout }).toEqual({ code: 130, stdout: "" });
    expect(stderr).toBe("bash-backends: ends after this case; once more ends it at once\n");
  });
});
