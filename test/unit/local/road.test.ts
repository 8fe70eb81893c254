/** What becomes of an exec when something around it is missing, too large, or killed. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { inspect } from "node:util";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createLocalBashOperations, type LocalBashOptions } from "../../../backends/local/index.js";
import { LocalRoad } from "../../../backends/local/road.js";
import { type BashBackend, createMarker, type ExecOptions } from "../../../src/backend/index.js";
import { eventually, isAlive, processesWith, uniqueTag } from "../../support/processes.js";

const folder = mkdtempSync(join(tmpdir(), "road-test-"));
const opened: BashBackend[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((backend) => backend.close()));
});
afterAll(() => rmSync(folder, { recursive: true }));

function open(options: LocalBashOptions = {}): BashBackend {
  const backend = createLocalBashOperations(options);
  opened.push(backend);
  return backend;
}

async function run(
  backend: BashBackend,
  command: string,
  options: Partial<ExecOptions> & { cwd?: string } = {},
) {
  const { cwd = folder, ...rest } = options;
  const chunks: Buffer[] = [];
  const result = await backend.exec(command, cwd, { onData: (chunk) => chunks.push(chunk), ...rest });
  return { ...result, output: Buffer.concat(chunks).toString() };
}

/** The guards that this process has: their script is on their command line. */
const guards = () => processesWith("# The guard: a shell beside the host").filter(isChild);
function hasDescriptors(pid: number): boolean {
  try {
    return readdirSync(`/proc/${pid}/fd`).length > 0;
  } catch {
    return false;
  }
}

function isChild(pid: number): boolean {
  if (!isAlive(pid)) return false;
  return (
    readFileSync(`/proc/${pid}/stat`, "latin1").split(") ").at(-1)?.split(" ")[1] === String(process.pid)
  );
}

describe("a working directory", () => {
  test("that is missing, a file, or below a file is told as clearly", async () => {
    const backend = open();
    const file = join(folder, "file");
    writeFileSync(file, "");
    const failure = (cwd: string) => run(backend, "echo never", { cwd });
    await expect(failure("/no/such/folder")).rejects.toMatchObject({
      code: "CWD_MISSING",
      message: "Working directory does not exist: /no/such/folder",
    });
    await expect(failure(file)).rejects.toMatchObject({
      code: "CWD_INVALID",
      message: `Working directory is not a directory: ${file}`,
    });
    await expect(failure(join(file, "below"))).rejects.toMatchObject({
      code: "CWD_INVALID",
      message: `Working directory is below a file: ${file}/below`,
    });
    await expect(failure(`/${"x".repeat(300)}`)).rejects.toMatchObject({
      code: "CWD_INVALID",
      message: expect.stringContaining("(ENAMETOOLONG)"),
    });
  });

  test("may have any name", async () => {
    const backend = open();
    for (const name of ["-n", "a b", "it's", '"$HOME"`id`', "new\nline", "€ \\", "%s"]) {
      mkdirSync(join(folder, name));
      expect((await run(backend, "pwd", { cwd: join(folder, name) })).output).toBe(`${join(folder, name)}\n`);
    }
  });
});

describe("a shell", () => {
  test("that the caller names wrongly is an error of the exec", async () => {
    await expect(run(open({ shellPath: "/no/such/shell" }), "true")).rejects.toMatchObject({
      code: "NO_SHELL",
      message: "Custom shell path not found: /no/such/shell",
    });
  });

  test("that goes away later is an error that names it", async () => {
    const shellPath = join(folder, "shell");
    writeFileSync(shellPath, '#!/bin/sh\nexec /bin/sh "$@"\n', { mode: 0o755 });
    const backend = open({ shellPath });
    expect((await run(backend, "echo hi")).output).toBe("hi\n");
    rmSync(shellPath);
    await expect(run(backend, "echo hi")).rejects.toMatchObject({
      code: "NO_SHELL",
      message: `the shell ${shellPath} cannot be started: ENOENT`,
    });
  });

  test("is told in the capabilities once it is known", async () => {
    const backend = open();
    expect(backend.capabilities.shell).toBeUndefined();
    await run(backend, "true");
    expect(backend.capabilities.shell).toEqual({
      path: "/bin/bash",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
    });
    const dash = open({ shellPath: "/bin/dash" });
    expect((await run(dash, "echo $0")).output).toBe("/bin/dash\n");
    expect(dash.capabilities.shell).toEqual({ path: "/bin/dash", version: undefined });
  });
});

describe("an error", () => {
  test("holds neither the command nor a variable's value, however deep one looks", async () => {
    const backend = open();
    const secret = "s3cr3t";
    const env = { PATH: process.env.PATH, TOKEN: secret };
    const errors = await Promise.all([
      run(backend, `echo ${secret}`, { cwd: "/no/such/folder", env }).catch((error: unknown) => error),
      run(backend, `sleep 30; echo ${secret}`, { timeout: 0.1, env }).catch((error: unknown) => error),
      run(open({ shellPath: `/no/such/shell` }), `echo ${secret}`, { env }).catch((error: unknown) => error),
    ]);
    for (const error of errors) {
      expect(error).toBeInstanceOf(Error);
      expect(inspect(error, { depth: 20, showHidden: true })).not.toContain(secret);
    }
  });
});

describe("an environment", () => {
  const variable = (i: number) => [`V${i}`, "x".repeat(100_000)];

  test("that leaves no room for the command as an argument gets it on a pipe", async () => {
    const env = {
      PATH: process.env.PATH,
      ...Object.fromEntries(Array.from({ length: 20 }, (_, i) => variable(i))),
    };
    const command = `: ${"x".repeat(120_000)}; echo $\{#V19}`;
    expect((await run(open(), command, { env })).output).toBe("100000\n");
  });

  test("that no process can be given is an error that says so", async () => {
    const env = Object.fromEntries(Array.from({ length: 200 }, (_, i) => variable(i)));
    await expect(run(open(), "true", { env })).rejects.toMatchObject({
      code: "SPAWN_FAILED",
      message:
        "the command could not be started: its environment is too large (E2BIG): pass fewer or shorter variables",
    });
  });
});

describe("a guard that somebody kills", () => {
  test("is replaced at once where something runs, and by the next exec", async () => {
    const backend = open();
    const tag = uniqueTag();
    const running = run(backend, `sleep 300.${tag}`, { timeout: 2 });
    await eventually(() => expect(processesWith(`sleep 300.${tag}`)).toHaveLength(1));
    const [first] = guards() as [number];
    process.kill(first, "SIGKILL");
    await eventually(() => expect(guards().filter((pid) => pid !== first && isAlive(pid))).toHaveLength(1));
    await expect(running).rejects.toMatchObject({ code: "TIMEOUT", killConfirmed: true });
    await run(backend, "true");
    const [second] = guards() as [number];
    process.kill(second, "SIGKILL");
    // Busy, so that its end cannot be told before the next exec asks it for a pipe.
    while (hasDescriptors(second));
    expect((await run(backend, "echo still here")).output).toBe("still here\n");
    expect(guards()).toHaveLength(1);
  });
});

describe("close", () => {
  test("ends the guard, also when nothing ever ran or something still does", async () => {
    await open().close();
    const backend = open();
    const tag = uniqueTag();
    const running = run(backend, `trap '' TERM; sleep 300.${tag}; sleep 301.${tag}`);
    const rejected = expect(running).rejects.toMatchObject({ code: "CLOSED", killConfirmed: true });
    await eventually(() => expect(processesWith(tag).length).toBeGreaterThanOrEqual(2));
    await backend.close();
    await rejected;
    expect(processesWith(tag)).toEqual([]);
    expect(guards()).toEqual([]);
  });

  test("is noticed by a start that is under way", async () => {
    const marker = createMarker();
    const road = new LocalRoad({ shellPath: undefined, transport: "arg", killGraceMs: 0, marker });
    const job = {
      command: "true",
      cwd: folder,
      env: undefined,
      marker: marker.next(),
      deliver: () => undefined,
    };
    await expect(road.start({ ...job, cancelled: AbortSignal.abort() })).rejects.toThrow("aborted");
    await road.close();
  });

  test("during the first start lets nothing run", async () => {
    const backend = open();
    const mark = join(folder, "never");
    const running = run(backend, `echo >${mark}`);
    const rejected = expect(running).rejects.toMatchObject({ code: "CLOSED" });
    await backend.close();
    await rejected;
    expect(existsSync(mark)).toBe(false);
    expect(guards()).toEqual([]);
  });
});

test("options that are none are refused by name", () => {
  expect(() => open({ commandTransport: "argv" as "arg" })).toThrow(
    'commandTransport must be "arg" or "stdin", got "argv"',
  );
  expect(() => open({ shellPath: "" })).toThrow("shellPath must be the path of a shell");
  expect(() => open({ killGraceMs: -1 })).toThrow("killGraceMs must be between");
});

test("a host inside a job leaves its own jobs to be found by the outer one", async () => {
  const outer = open();
  const { output } = await run(outer, "echo $BASH_BACKENDS_JOB");
  process.env.BASH_BACKENDS_JOB = output.trim();
  try {
    const inner = await run(open(), "echo $BASH_BACKENDS_JOB");
    expect(inner.output).toMatch(new RegExp(`^${output.trim()},[0-9a-f]{24}-00000001\n$`));
  } finally {
    delete process.env.BASH_BACKENDS_JOB;
  }
});
