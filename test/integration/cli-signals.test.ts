import { type ChildProcess, execFile, execFileSync, spawn } from "node:child_process";
import { closeSync, constants, existsSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describe, expect, test } from "vitest";
import { CLI, startCli } from "../support/cli.js";
import { eventually, processesWith, uniqueTag } from "../support/processes.js";

/** In its group, in a group of its own, and as an orphan in a session of its own. */
function tree(nap: string): string {
  return `sleep ${nap} & setsid sleep ${nap} & (setsid sleep ${nap} &) ; until [ "$(pgrep -cf '^sleep ${nap}')" = 3 ]; do sleep 0.02; done; echo up; wait`;
}

async function expectNoneLeft(nap: string): Promise<void> {
  await eventually(() => expect(processesWith(nap)).toEqual([]));
}

describe("a signal to the command line", () => {
  test.each<[NodeJS.Signals, number]>([
    ["SIGINT", 130],
    ["SIGTERM", 143],
    ["SIGHUP", 129],
  ])("%s ends the whole tree and exits with %i", async (signal, code) => {
    const nap = `300.${uniqueTag()}`;
    const running = startCli(["exec", tree(nap)]);
    await running.stdoutHolds("up");
    running.child.kill(signal);
    expect(await running.ended).toEqual({ code, signal: null, stdout: "up\n", stderr: "" });
    // No `eventually`: when it has exited, all of it is dead already.
    expect(processesWith(nap)).toEqual([]);
  });

  test("with --json it is told in the object", async () => {
    const started = join(tmpdir(), `bash-backends-started-${uniqueTag()}`);
    const running = startCli(["exec", "--json", `echo hi; touch ${started}; sleep 300`]);
    await eventually(() => expect(existsSync(started)).toBe(true));
    rmSync(started);
    running.child.kill("SIGTERM");
    const { code, stdout } = await running.ended;
    expect(code).toBe(143);
    expect(JSON.parse(stdout)).toEqual({ exitCode: null, cancelled: true, ending: null, output: "hi\n" });
  });

  test("a second one exits at once, and the tree dies all the same", async () => {
    const nap = `300.${uniqueTag()}`;
    // A grace so long that the first signal alone would not be the end of it.
    const command = `trap 'echo term' TERM; ${tree(nap)}; while :; do sleep 0.02; done`;
    const running = startCli(["exec", "--target", "local?killGraceMs=20000", command]);
    await running.stdoutHolds("up");
    running.child.kill("SIGINT");
    await running.stdoutHolds("term");
    running.child.kill("SIGTERM");
    expect((await running.ended).code).toBe(143);
    // It did not wait for the loop, which is still within its grace.
    const loop = processesWith(nap);
    expect(loop).not.toEqual([]);
    // The guard would end it after the grace.
    for (const pid of loop) process.kill(pid, "SIGKILL");
    await expectNoneLeft(nap);
  });

  test("SIGKILL ends the whole tree, also what left its session", async () => {
    const nap = `300.${uniqueTag()}`;
    const running = startCli(["exec", tree(nap)]);
    await running.stdoutHolds("up");
    running.child.kill("SIGKILL");
    expect(await running.ended).toMatchObject({ code: null, signal: "SIGKILL" });
    await expectNoneLeft(nap);
  });
});

describe("a reader that has gone", () => {
  test("ends the command quietly, with 141", async () => {
    const pipeline = '"$1" "$2" exec yes | head -1; exit $' + "{PIPESTATUS[0]}";
    expect(await runBash(pipeline)).toEqual({ code: 141, stdout: "y\n", stderr: "" });
  });

  test.each(['exec --json "echo hi"', "exec --help", "--version"])(
    "is no reason for a word from %s",
    async (args) => {
      // Nothing is read, and the reader has gone before the first write.
      const { stderr } = await runBash(`{ sleep 0.3; "$1" "$2" ${args}; echo "$?" >&2; } | true`);
      expect(stderr).toBe("141\n");
    },
  );
});

describe("a reader that is slow", () => {
  test("gets every byte, also the last", async () => {
    const { stdout } = await runBash(
      '"$1" "$2" exec "seq 200000; printf end" | { sleep 0.5; sha256sum; }; { seq 200000; printf end; } | sha256sum',
    );
    const [ours, real] = stdout.trim().split("\n");
    expect(ours).toMatch(/^[0-9a-f]{64}/);
    expect(ours).toBe(real);
  });

  test("does not hold up the time limit", async () => {
    const { child, isFull } = startStuck(["exec", "--timeout", "1", "yes"]);
    await eventually(() => expect(isFull()).toBe(true));
    const code = await new Promise((resolve) => child.on("exit", resolve));
    expect(code).toBe(124);
  });

  test("does not hold up a signal, and the command dies", async () => {
    const nap = `300.${uniqueTag()}`;
    const { child, isFull } = startStuck(["exec", `yes; : ${nap}`]);
    await eventually(() => expect(isFull()).toBe(true));
    child.kill("SIGTERM");
    const signal = await new Promise((resolve) => child.on("exit", (_, signal) => resolve(signal)));
    expect(signal).toBe("SIGTERM");
    await eventually(() => expect(processesWith(nap)).toEqual([]));
  });
});

/** Starts the command line with a pipe for stdout that is held open and never read. */
function startStuck(args: readonly string[]): { child: ChildProcess; isFull: () => boolean } {
  const path = join(mkdtempSync(join(tmpdir(), "bash-backends-stuck-")), "pipe");
  execFileSync("mkfifo", [path]);
  const fd = openSync(path, constants.O_RDWR | constants.O_NONBLOCK);
  const own = openSync(path, constants.O_WRONLY);
  const child = spawn(process.execPath, [CLI, ...args], { stdio: ["ignore", own, "ignore"] });
  closeSync(own);
  rmSync(dirname(path), { recursive: true });
  child.on("exit", () => closeSync(fd));
  // A pipe that takes no byte is full.
  const isFull = () => {
    try {
      return writeSync(fd, "x") === 0;
    } catch {
      return true;
    }
  };
  return { child, isFull };
}

/** Runs a script in which "$1" "$2" is the command line. */
function runBash(script: string): Promise<{ code: number | null; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    const args = ["-c", script, "bash", process.execPath, CLI];
    const child = execFile("bash", args, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}
