/** The supervisor under the shells that it must run under, through the command backend. */
import { existsSync } from "node:fs";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { createCommandBashOperations } from "../../../backends/command/index.js";
import type { BashBackend, ExecOptions } from "../../../src/backend/index.js";
import { makePathWithoutBash } from "../../support/no-bash.js";
import { eventually, processesWith, uniqueTag } from "../../support/processes.js";

const noBash = makePathWithoutBash();
afterAll(() => noBash.remove());
const shells: Record<string, string[]> = {
  bash: ["sh"],
  dash: ["env", `PATH=${noBash.path}`, "/bin/dash"],
  ...(existsSync("/bin/busybox") && {
    "dash behind busybox": ["env", `PATH=${noBash.path}`, "/bin/busybox", "sh"],
  }),
};
const opened: BashBackend[] = [];
afterEach(async () => {
  await Promise.all(opened.splice(0).map((backend) => backend.close()));
});

function open(argv: readonly string[], options = {}): BashBackend {
  const backend = createCommandBashOperations({ argv, killGraceMs: 300, ...options });
  opened.push(backend);
  return backend;
}

async function run(
  backend: BashBackend,
  command: string,
  options: Partial<ExecOptions> & { cwd?: string } = {},
) {
  const { cwd = "/tmp", ...rest } = options;
  const chunks: Buffer[] = [];
  const result = await backend.exec(command, cwd, { onData: (chunk) => chunks.push(chunk), ...rest });
  return { ...result, output: Buffer.concat(chunks).toString() };
}

describe.each(Object.entries(shells))("a command under a supervisor in %s", (_name, argv) => {
  test("gives its output and exit code, cold and warm", async () => {
    const backend = open(argv);
    for (const code of [7, 0, 255]) {
      const command = `echo out; echo err >&2; cat; exit ${code}`;
      expect(await run(backend, command)).toEqual({
        exitCode: code,
        ending: "complete",
        output: "out\nerr\n",
      });
    }
    expect(await run(backend, "kill -KILL $$")).toMatchObject({ exitCode: 137, output: "" });
    expect(await run(backend, "if then")).toMatchObject({ exitCode: 2 });
  });

  test("gets the caller's variables, but not those that describe the host", async () => {
    const env = { ...process.env, A: 'it\'s\n"x" \\ $HOME', B: "\\n", PATH: "/nowhere" };
    const command = 'printf "%s|" "$A" "$B"; case $PATH in /nowhere) echo wrong;; esac';
    expect((await run(open(argv), command, { env })).output).toBe('it\'s\n"x" \\ $HOME|\\n|');
  });

  test("may be larger than any argument, and reads no byte of what follows it", async () => {
    const backend = open(argv);
    const command = `: ${"x".repeat(300_000)}\ncat\necho end`;
    expect(await run(backend, command)).toMatchObject({ exitCode: 0, output: "end\n" });
    expect(await run(backend, "echo next")).toMatchObject({ output: "next\n" });
  });

  test("is not run where its directory is missing or a file", async () => {
    const backend = open(argv);
    await expect(run(backend, "echo never", { cwd: "/no/such" })).rejects.toMatchObject({
      code: "CWD_MISSING",
      message: "Working directory does not exist: /no/such",
    });
    await expect(run(backend, "echo never", { cwd: "/etc/passwd" })).rejects.toMatchObject({
      code: "CWD_INVALID",
    });
    expect((await run(backend, "pwd", { cwd: "/usr/share" })).output).toBe("/usr/share\n");
  });

  test("dies at its time limit with all that it started", async () => {
    const tag = uniqueTag();
    const command = `trap '' TERM; (setsid sleep 300.${tag} &) ; env -i /bin/sleep 301.${tag} & sleep 302.${tag}; sleep 303.${tag}`;
    await expect(run(open(argv), command, { timeout: 0.5 })).rejects.toMatchObject({
      message: "timeout:0.5",
    });
    await eventually(() => expect(processesWith(tag)).toEqual([]));
  });

  test("dies when the host goes away, and when it is silent", async () => {
    const tag = uniqueTag();
    const backend = open(argv, { heartbeatMs: 60_000, silenceLimitMs: 1000 });
    const silent = run(backend, `sleep 300.${tag}`).catch((error: unknown) => error);
    await eventually(() => expect(processesWith(tag).length).toBeGreaterThan(0));
    await eventually(() => expect(processesWith(tag)).toEqual([]));
    expect(await silent).toMatchObject({ code: "CONNECTION_LOST" });
    const closing = run(open(argv), `sleep 301.${tag}`).catch((error: unknown) => error);
    await eventually(() => expect(processesWith(tag).length).toBeGreaterThan(0));
    await Promise.all(opened.splice(0).map((each) => each.close()));
    expect(await closing).toMatchObject({ code: "CLOSED" });
    await eventually(() => expect(processesWith(tag)).toEqual([]));
  });

  test("leaves nothing behind that close() would wait for in vain", async () => {
    const backend = open(argv);
    await run(backend, "true");
    // The spare is ready, and does not keep this process alive.
    await new Promise((resolve) => setTimeout(resolve, 200));
    await backend.close();
  });

  test("lets a background job go on unharmed", async () => {
    const backend = open(argv);
    const folder = (await run(backend, "mktemp -d")).output.trim();
    const job = `(sleep 0.4; head -c 100000 /dev/zero && echo done >${folder}/end) &`;
    expect(await run(backend, job)).toMatchObject({ exitCode: 0, ending: "left-open" });
    await eventually(async () => expect((await run(backend, `cat ${folder}/end`)).output).toBe("done\n"));
    await run(backend, `rm -r ${folder}`);
  });
});

describe("a program that leads to no shell", () => {
  test.each([
    ["/no/such/program", "CONNECT_FAILED", "/no/such/program cannot be started"],
    ["false", "NO_SHELL", "no POSIX shell answered: false ended with code 1"],
  ])("is an error that says so: %s", async (program, code, message) => {
    await expect(run(open([program]), "true")).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message),
    });
  });

  test("is given up when it never answers", async () => {
    const tag = uniqueTag();
    const backend = open(["sleep", `300.${tag}`], { startTimeoutMs: 300 });
    await expect(run(backend, "true")).rejects.toMatchObject({
      code: "CONNECT_FAILED",
      message: expect.stringContaining("no shell answered within 300 ms"),
    });
    await eventually(() => expect(processesWith(tag)).toEqual([]));
  });

  test("must be named", () => {
    expect(() => createCommandBashOperations({ argv: [] })).toThrow("argv must be a list of strings");
  });
});
