import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { runCli } from "../support/cli.js";

const { version } = JSON.parse(readFileSync("package.json", "utf8"));

test("--version tells the package's", async () => {
  expect(await runCli(["--version"])).toMatchObject({ code: 0, stdout: `${version}\n`, stderr: "" });
});

test("--help names both commands and shows examples", async () => {
  const { code, stdout } = await runCli(["--help"]);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Usage: bash-backends /);
  expect(stdout).toMatch(/^ {2}exec \[options\] <command\.\.\.>/m);
  expect(stdout).toMatch(/^ {2}conform \[options\] \[target\]/m);
  expect(stdout).toContain("Examples:\n  bash-backends exec ");
});

test("exec --help teaches quoting, targets and exit codes", async () => {
  const { code, stdout } = await runCli(["exec", "--help"]);
  expect(code).toBe(0);
  for (const line of [
    "local?transport=stdin",
    "--timeout <seconds>",
    "--env <name=value>",
    "124  the time limit",
  ]) {
    expect(stdout).toContain(line);
  }
});

test("conform --help shows what a module looks like", async () => {
  const { code, stdout } = await runCli(["conform", "--help"]);
  expect(code).toBe(0);
  expect(stdout).toContain("export default () => ({ async exec(command, cwd, {");
  expect(stdout).toContain("N passed, N failed, N skipped");
});

test("no line of a help text is wider than a terminal of 120 columns", async () => {
  for (const args of [["--help"], ["exec", "--help"], ["conform", "--help"]]) {
    const { stdout } = await runCli(args);
    expect(stdout.split("\n").filter((line) => line.length > 120)).toEqual([]);
  }
});

test("without arguments the help goes to stderr, with the code of wrong arguments", async () => {
  const { code, stdout, stderr } = await runCli([]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
  expect(stderr).toMatch(/^Usage: bash-backends /);
});

test("an unknown command is told with the nearest one", async () => {
  expect(await runCli(["exce", "ls"])).toMatchObject({
    code: 2,
    stdout: "",
    stderr: "bash-backends: unknown command 'exce' (Did you mean exec?)\n",
  });
});
