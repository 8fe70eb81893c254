import { mkdtempSync, readFileSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { runCli, startCli } from "../support/cli.js";

const folder = realpathSync(mkdtempSync(join(tmpdir(), "bash-backends-cli-")));
afterAll(() => rmSync(folder, { recursive: true }));

const exec = (...args: string[]) => runCli(["exec", ...args], { cwd: folder });

describe("the command's text", () => {
  test("one argument is read by bash", async () => {
    expect(await exec("echo a   b; echo $((1+1))")).toMatchObject({
      code: 0,
      stdout: "a b\n2\n",
      stderr: "",
    });
  });

  test("a target where the command should be is refused: nothing runs here instead", async () => {
    const { code, stdout, stderr } = await runCli(["exec", "ssh://build", "echo", "never"]);
    expect([code, stdout]).toEqual([2, ""]);
    expect(stderr).toContain("ssh://build is a target, not a command: write --target ssh://build");
  });

  test("several arguments are joined by a space and read by bash again, as with ssh", async () => {
    expect((await exec("echo", "a   b", "$((1+1))")).stdout).toBe("a b 2\n");
  });

  test("what stands behind the first word belongs to the command", async () => {
    expect((await exec("echo", "--json", "--", "-t")).stdout).toBe("--json -- -t\n");
  });

  test("-- lets a command begin with a dash", async () => {
    const { code, stdout } = await exec("--", "-x");
    expect(code).toBe(127);
    expect(stdout).toContain("-x: command not found");
  });

  test("quotes, newlines and other alphabets arrive as they are", async () => {
    expect((await exec("printf '%s|' \"a'b\" 'c\nd' 'é€😀'")).stdout).toBe("a'b|c\nd|é€😀|");
  });

  test("an empty command does nothing and succeeds", async () => {
    expect(await exec("")).toMatchObject({ code: 0, stdout: "", stderr: "" });
  });
});

describe("the exit code", () => {
  test.each([
    ["exit 3", 3],
    ["exit 300", 44],
    ["kill -9 $$", 137],
    ["no-such-command-here", 127],
    ["if", 2],
  ])("%s gives %i", async (command, code) => {
    expect(await exec(command)).toMatchObject({ code, signal: null });
  });

  test("a missing directory gives 125 and one line", async () => {
    expect(await exec("--cwd", "/no/such place", "echo hi")).toEqual({
      code: 125,
      signal: null,
      stdout: "",
      stderr: "bash-backends: local: Working directory does not exist: /no/such place (CWD_MISSING)\n",
    });
  });

  test("a name with a newline in it stays one line of a message", async () => {
    const { stderr } = await exec("--cwd", "/no/such\nplace", "true");
    expect(stderr).toBe(
      "bash-backends: local: Working directory does not exist: /no/such\\nplace (CWD_MISSING)\n",
    );
  });

  test("the time limit gives 124 and keeps what was written", async () => {
    const started = performance.now();
    const { code, stdout, stderr } = await exec("--timeout", "0.5", "echo first; sleep 60");
    expect({ code, stdout }).toEqual({ code: 124, stdout: "first\n" });
    expect(stderr).toBe("bash-backends: the time limit was reached (timeout:0.5)\n");
    expect(performance.now() - started).toBeLessThan(20_000);
  });

  test("a background job that is let go changes nothing about it", async () => {
    const { code, stdout, stderr } = await exec("sleep 5 & echo hi; exit 4");
    expect({ code, stdout, stderr }).toEqual({ code: 4, stdout: "hi\n", stderr: "" });
  });
});

describe("wrong arguments give 2 and one line", () => {
  test.each<[string[], string]>([
    [[], "missing required argument 'command'"],
    [["--timeout", "0", "true"], "must be a number of seconds above 0, at most 2147483.647"],
    [["--timeout", "-1", "true"], "must be a number of seconds above 0"],
    [["--timeout", "1e3", "true"], "must be a number of seconds above 0"],
    [["--timeout", "NaN", "true"], "must be a number of seconds above 0"],
    [["--timeout", "2147483.648", "true"], "must be a number of seconds above 0"],
    [["--timeout", "", "true"], "must be a number of seconds above 0"],
    [["--cwd", "", "true"], "It must name a directory"],
    [["--tiemout", "3", "true"], "unknown option '--tiemout' (Did you mean --timeout?)"],
    [["--target", "loacl", "true"], 'unknown target "loacl". Did you mean local? Known: local'],
    [["--target", "ssh://me@host", "true"], "ssh:// targets are not in this version"],
    [["--target", "docker://box", "true"], "docker:// targets are not in this version"],
    [["--target", "local?x=1", "true"], 'unknown parameter of local "x". Known: transport, shell'],
    [["--env", "NOT_SET_ANYWHERE", "true"], "--env NOT_SET_ANYWHERE: it has no value here"],
  ])("%j", async (args, message) => {
    const { code, stdout, stderr } = await exec(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: "" });
    expect(stderr).toContain(message);
    expect(stderr).toMatch(/^bash-backends: [^\n]+\n$/);
  });

  test("a wrong --env shows no value", async () => {
    const { code, stderr } = await exec("--env", "1BAD=hunter2", "true");
    expect(code).toBe(2);
    expect(stderr).toBe('bash-backends: --env: no shell can export the name "1BAD"\n');
  });
});

describe("where it runs", () => {
  test("the directory is this one, or the one that --cwd names", async () => {
    expect((await exec("pwd -P")).stdout).toBe(`${folder}\n`);
    expect((await exec("--cwd", "/", "pwd")).stdout).toBe("/\n");
  });

  test("the variables are those from here, and those of --env", async () => {
    const { stdout } = await runCli(["exec", "-e", "A=1=2", "-e", "B=", "-e", "C", 'echo "$A|$B|$C|$D"'], {
      env: { A: "here", C: "c", D: "d" },
    });
    expect(stdout).toBe("1=2||c|d\n");
  });

  test("standard input is at its end", async () => {
    expect(await exec("cat; echo done")).toMatchObject({ code: 0, stdout: "done\n" });
  });

  test("transport=stdin keeps the command off every command line", async () => {
    const { stdout } = await exec(
      "-t",
      "local?transport=stdin",
      "tr '\\0' ' ' </proc/$$/cmdline; : secret-word",
    );
    expect(stdout).not.toContain("secret-word");
    expect(stdout).toContain("bash");
  });

  test("shell= runs the command with that shell", async () => {
    expect((await exec("-t", "local?shell=/bin/sh", 'echo "[$BASH_VERSION] $0"')).stdout).toContain(
      "/bin/sh",
    );
  });
});

describe("the output", () => {
  test("stdout and stderr come in the order of the writes, on stdout", async () => {
    const { stdout, stderr } = await exec("for i in $(seq 1000); do echo o$i; echo e$i >&2; done");
    expect(stdout).toBe(Array.from({ length: 1000 }, (_, i) => `o${i + 1}\ne${i + 1}\n`).join(""));
    expect(stderr).toBe("");
  });

  test("its first part comes while the command still runs", async () => {
    const running = startCli([
      "exec",
      `echo first; until [ -e ${folder}/go ]; do sleep 0.02; done; echo last`,
    ]);
    await running.stdoutHolds("first");
    await exec("touch go");
    expect(await running.ended).toMatchObject({ code: 0, stdout: "first\nlast\n" });
  });
});

describe("--json", () => {
  const json = async (...args: string[]) => {
    const { code, stdout, stderr } = await exec("--json", ...args);
    expect(stdout).toMatch(/^\{.*\}\n$/);
    return { code, stderr, report: JSON.parse(stdout) };
  };

  test("prints one object and nothing else", async () => {
    expect(await json("echo hi; exit 3")).toEqual({
      code: 3,
      stderr: "",
      report: { exitCode: 3, cancelled: false, ending: "complete", output: "hi\n" },
    });
  });

  test("tells a timeout", async () => {
    expect(await json("--timeout", "0.5", "echo hi; sleep 60")).toEqual({
      code: 124,
      stderr: "",
      report: { exitCode: null, timedOut: 0.5, cancelled: false, ending: null, output: "hi\n" },
    });
  });

  test("tells that a background job was let go", async () => {
    const { code, report } = await json("sleep 5 & echo hi");
    expect({ code, report }).toEqual({
      code: 0,
      report: { exitCode: 0, cancelled: false, ending: "left-open", output: "hi\n" },
    });
  });

  test("gives text without escape sequences", async () => {
    const { report } = await json("printf '\\033[31mred\\033[0m\\r\\n50%%\\r100%%\\n'");
    expect(report.output).toBe("red\n100%\n");
  });

  test("gives the end of a long output, and a file with all of it", async () => {
    const { report } = await json("seq 100000");
    const { output, truncated, fullOutputPath } = report;
    expect(truncated).toBe(true);
    expect(output).toMatch(/^\d+\n[\s\S]*\n99999\n100000\n$/);
    expect(output.length).toBeLessThanOrEqual(51_200);
    expect(readFileSync(fullOutputPath, "utf8")).toBe((await exec("seq 100000")).stdout);
    rmSync(fullOutputPath);
  });

  test("tells a failed road, and exits with 125", async () => {
    expect(await json("--cwd", "/no/such", "true")).toEqual({
      code: 125,
      stderr: "",
      report: {
        exitCode: null,
        cancelled: false,
        ending: null,
        output: "",
        error: { code: "CWD_MISSING", message: "Working directory does not exist: /no/such" },
      },
    });
  });
});

describe("--verbose", () => {
  test("tells on stderr what happens, and no secret", async () => {
    const { code, stdout, stderr } = await exec(
      "--verbose",
      "-e",
      "TOKEN=hunter2",
      "echo hi; exit 3 # s3cret",
    );
    expect({ code, stdout }).toEqual({ code: 3, stdout: "hi\n" });
    expect(stderr).toContain(`bash-backends: target local, in ${folder}\n`);
    expect(stderr).toMatch(/^bash-backends: shell \S+, version \S+$/m);
    expect(stderr).toMatch(/^bash-backends: keeps .*killsTree.*; not noArgv$/m);
    expect(stderr).toMatch(/^bash-backends: exit 3; \d+ ms$/m);
    expect(stderr).not.toMatch(/hunter2|s3cret/);
  });

  test("tells which processes a timeout ended", async () => {
    const { stderr } = await exec("--verbose", "--timeout", "0.5", "sleep 60; true");
    expect(stderr).toMatch(/^bash-backends: local: timeout:0\.5 \(TIMEOUT\); ended the processes \d+/m);
  });

  test("tells that a background job was let go", async () => {
    const { stderr } = await exec("--verbose", "sleep 5 & echo hi");
    expect(stderr).toContain("a background job still holds the output and was let go");
  });
});
