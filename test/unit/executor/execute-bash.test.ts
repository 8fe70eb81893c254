import { getEventListeners } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { BackendError } from "../../../src/backend/index.js";
import { type ExecuteBashOptions, executeBash } from "../../../src/executor/index.js";
import { running, runningUntilAborted, writing } from "./fake-operations.js";

let tempDir: string;
beforeEach(() => {
  tempDir = mkdtempSync(join(tmpdir(), "execute-bash-test-"));
});
afterEach(() => rmSync(tempDir, { recursive: true }));

function execute(operations: Parameters<typeof executeBash>[2], options: ExecuteBashOptions = {}) {
  return executeBash("command", "/cwd", operations, { tempDir, ...options });
}

function numbers(from: number, to: number): string {
  return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}\n`).join("");
}

/** The file is begun before the command has ended. */
const MORE_THAN_A_BATCH = numbers(1, 180_000);

describe("a command that ran", () => {
  test("gives its text and its exit code, and nothing else", async () => {
    const result = await execute(writing(["\x1b[31mred", "\x1b[0m\r\n"], { exitCode: 3 }));
    expect(result).toStrictEqual({ output: "red\n", exitCode: 3, cancelled: false, truncated: false });
    expect(readdirSync(tempDir)).toEqual([]);
  });

  test("gets the command, the directory, the time limit and the environment", async () => {
    const exec = vi.fn(async () => ({ exitCode: 0 }));
    await executeBash("ls", "/srv", { exec }, { timeout: 5, env: { A: "b" } });
    await executeBash("ls", "/srv", { exec });
    const given = { onData: expect.any(Function), signal: expect.any(AbortSignal) };
    expect(exec.mock.calls).toEqual([
      ["ls", "/srv", { ...given, timeout: 5, env: { A: "b" } }],
      ["ls", "/srv", given],
    ]);
    expect(Object.keys((exec.mock.calls[1] as unknown[])[2] as object)).toEqual(["onData", "signal"]);
  });

  test("says that a background process was let go", async () => {
    const result = await execute(writing(["hi\n"], { ending: "left-open" }));
    expect(result).toStrictEqual({
      output: "hi\n",
      exitCode: 0,
      cancelled: false,
      truncated: false,
      leftOpen: true,
    });
    expect(await execute(writing([], { ending: "complete" }))).not.toHaveProperty("leftOpen");
  });

  test("of which nobody knows the exit has an error instead of a code", async () => {
    expect(await execute(writing(["hi\n"], { exitCode: null }))).toStrictEqual({
      output: "hi\n",
      exitCode: undefined,
      cancelled: false,
      truncated: false,
      error: { code: "EXIT_UNKNOWN", message: "operations did not tell how the command has ended" },
    });
  });
});

describe("a time limit", () => {
  test.each([
    ["of ours", new BackendError("local", "TIMEOUT", "timeout:0.5"), 0.5],
    ["of other operations", new Error("timeout:5"), 5],
    ["so short that its number has an exponent", new Error("timeout:1e-7"), 1e-7],
  ])("%s gives the output so far and its seconds", async (_name, error, seconds) => {
    const result = await execute(writing(["so far"], { error }));
    expect(result).toStrictEqual({
      output: "so far",
      exitCode: undefined,
      cancelled: false,
      truncated: false,
      timedOut: seconds,
    });
  });

  test("is told by the code alone where the message has no number", async () => {
    const error = Object.assign(new Error("too slow"), { code: "TIMEOUT" });
    expect(await execute(writing([], { error }), { timeout: 7 })).toMatchObject({ timedOut: 7 });
  });
});

describe("an abort", () => {
  test("gives the output so far", async () => {
    const controller = new AbortController();
    const result = execute(runningUntilAborted("so far"), { signal: controller.signal });
    controller.abort();
    const cancelled = { exitCode: undefined, cancelled: true, truncated: false };
    expect(await result).toStrictEqual({ output: "so far", ...cancelled });
  });

  test.each([
    ["by message", new Error("aborted")],
    ["by code", new BackendError("local", "ABORTED", "aborted")],
  ])("that nobody here has asked for is recognised %s", async (_name, error) => {
    expect(await execute(writing(["x"], { error }))).toMatchObject({ output: "x", cancelled: true });
  });

  test("beats a time limit, an exit code and a failing road", async () => {
    for (const end of [
      { error: new Error("timeout:5") },
      { exitCode: 0 },
      { exitCode: null },
      { error: new Error("EPIPE") },
    ]) {
      const controller = new AbortController();
      const operations = running(async (options) => {
        controller.abort();
        return writing([], end).exec("", "", options);
      });
      const result = await execute(operations, { signal: controller.signal });
      expect(result).toStrictEqual({ output: "", exitCode: undefined, cancelled: true, truncated: false });
    }
  });

  test("that came before runs nothing", async () => {
    const exec = vi.fn();
    const result = await execute({ exec }, { signal: AbortSignal.abort() });
    expect(result).toMatchObject({ cancelled: true, exitCode: undefined, output: "" });
    expect(exec).not.toHaveBeenCalled();
  });

  test("passes its reason on, and leaves no listener behind", async () => {
    const controller = new AbortController();
    const remove = vi.spyOn(controller.signal, "removeEventListener");
    const add = vi.spyOn(controller.signal, "addEventListener");
    let reason: unknown;
    const operations = running(async ({ signal }) => {
      controller.abort("because");
      reason = signal?.reason;
      return { exitCode: 0 };
    });
    await execute(operations, { signal: controller.signal });
    expect(reason).toBe("because");
    expect(add).toHaveBeenCalledTimes(1);
    expect(remove).toHaveBeenCalledWith("abort", add.mock.calls[0]?.[1]);
  });
});

test("a signal that many runs share has one listener of ours, and none when they have ended", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const runs = Array.from({ length: 20 }, () => execute(runningUntilAborted("x"), { signal }));
  expect(getEventListeners(signal, "abort")).toHaveLength(1);
  controller.abort();
  for (const result of await Promise.all(runs))
    expect(result).toMatchObject({ cancelled: true, output: "x" });
  expect(getEventListeners(signal, "abort")).toHaveLength(0);
});

describe("a road that fails", () => {
  test("rejects with the output so far, and its own error as the cause", async () => {
    const cause = new BackendError("ssh", "CONNECTION_LOST", "the line is cut", {
      killed: [7],
      killConfirmed: false,
    });
    const error = await execute(writing(["\x1b[1mpart", "\xe9"], { error: cause })).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(BackendError);
    expect(error).toMatchObject({ code: "CONNECTION_LOST", message: "the line is cut", backendName: "ssh" });
    expect(error).toMatchObject({ killed: [7], killConfirmed: false, output: "parté", truncated: false });
    expect(Object.hasOwn(error as object, "output")).toBe(true);
    expect((error as BackendError).cause).toBe(cause);
    expect(cause).not.toHaveProperty("output");
  });

  test("keeps the file of an output that was too long", async () => {
    const failing = writing([numbers(1, 3000)], { error: new BackendError("ssh", "CONNECTION_LOST", "cut") });
    const error = (await execute(failing).catch((thrown: unknown) => thrown)) as { fullOutputPath: string };
    expect(readFileSync(error.fullOutputPath, "utf8")).toBe(numbers(1, 3000));
  });

  test.each([
    ["an error", new Error("conn lost"), "EXIT_UNKNOWN", "conn lost"],
    [
      "a failed spawn",
      Object.assign(new Error("spawn E2BIG"), { syscall: "spawn" }),
      "SPAWN_FAILED",
      "spawn E2BIG",
    ],
    ["something that is no error", "gone", "EXIT_UNKNOWN", "gone"],
  ])("gets a code of ours where it is %s of other operations", async (_name, cause, code, message) => {
    const rejected = execute({ ...writing(["x"], { error: cause }), ...{ name: "foreign" } });
    await expect(rejected).rejects.toMatchObject({
      code,
      message,
      backendName: "foreign",
      output: "x",
      cause,
    });
  });

  test("is no success where the operations throw at once", async () => {
    const exec = () => {
      throw new Error("at once");
    };
    await expect(execute({ exec })).rejects.toMatchObject({ message: "at once", output: "" });
  });
});

describe("wrong arguments", () => {
  test.each([new TypeError("command must be"), new RangeError("timeout must be")])(
    "that the operations refuse with %s are refused with just that",
    async (error) => {
      await expect(execute(writing([MORE_THAN_A_BATCH], { error }))).rejects.toBe(error);
      expect(readdirSync(tempDir)).toEqual([]);
    },
  );

  test.each([
    [{ maxBytes: 0 }, RangeError, /maxBytes .* from 1 to 268435456, got 0$/],
    [{ maxBytes: Number.POSITIVE_INFINITY }, RangeError, /maxBytes .* got Infinity$/],
    [{ maxLines: 1.5 }, RangeError, /maxLines .* from 1 up, or Infinity, got 1.5$/],
    [{ maxLines: Number.NaN }, RangeError, /maxLines .* got NaN$/],
    [{ maxFileBytes: -1 }, RangeError, /maxFileBytes .* got -1$/],
    [
      { maxLines: "7" as unknown as number },
      TypeError,
      /maxLines must be a number, got a value of type string$/,
    ],
    [{ keep: "middle" as "tail" }, RangeError, /keep must be "tail" or "head", got middle$/],
    [{ tempDir: 7 as unknown as string }, TypeError, /tempDir must name a directory, got number$/],
    [{ tempDir: "" }, TypeError, /tempDir must name a directory, got an empty string$/],
    [
      { onChunk: 7 as unknown as () => void },
      TypeError,
      /onChunk must be a function, got a value of type number$/,
    ],
  ])("%o are refused before anything runs", async (options, type, message) => {
    const exec = vi.fn();
    const error = await execute({ exec }, options).catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(type);
    expect((error as Error).message).toMatch(message);
    expect(exec).not.toHaveBeenCalled();
  });

  test("without an exec there is nothing to run", async () => {
    await expect(execute({} as never)).rejects.toThrow(new TypeError("operations must have a method exec"));
  });
});

describe("a listener", () => {
  test("gets clean text as it comes, with a CR where a line is written anew", async () => {
    const texts: string[] = [];
    const chunks = ["10%\r", "20%\r", "\n\x1b[3", "1mred\r", "\n", Buffer.from([0xe2]), Buffer.from([0x82])];
    const { output } = await execute(writing(chunks), { onChunk: (text) => texts.push(text) });
    expect(texts).toEqual(["10%", "\r20%", "\n", "red", "\n", "\ufffd"]);
    expect(output).toBe("20%\nred\n\ufffd");
  });

  test("gets nothing after the operations have settled, nor does the result", async () => {
    const texts: string[] = [];
    let late: (() => void) | undefined;
    const operations = running(async ({ onData }) => {
      late = () => onData(Buffer.from("LATE\n"));
      setImmediate(late);
      return { exitCode: 0 };
    });
    const result = await execute(operations, { onChunk: (text) => texts.push(text) });
    late?.();
    await new Promise((resolve) => setImmediate(resolve));
    expect(texts).toEqual([]);
    expect(result.output).toBe("");
  });

  test.each([
    [
      "throws",
      (): void => {
        throw new Error("listener");
      },
    ],
    [
      "returns a promise that rejects",
      async () => {
        throw new Error("listener");
      },
    ],
  ])("that %s ends the command, hears no more, and is what executeBash rejects with", async (_name, fail) => {
    const onChunk = vi.fn(fail);
    let isAborted = false;
    const operations = running(async ({ onData, signal }) => {
      const aborted = new Promise((resolve) => signal?.addEventListener("abort", resolve));
      expect(() => onData(Buffer.from("first\n"))).not.toThrow();
      await aborted;
      isAborted = true;
      onData(Buffer.from("more\n"));
      throw new Error("aborted");
    });
    await expect(execute(operations, { onChunk })).rejects.toThrow("listener");
    expect(isAborted).toBe(true);
    expect(onChunk).toHaveBeenCalledTimes(1);
    expect(readdirSync(tempDir)).toEqual([]);
  });

  test("that throws at the very last text rejects as well, and no file stays", async () => {
    const onChunk = (text: string) => {
      if (text === "\ufffd") throw new Error("listener");
    };
    await expect(execute(writing([MORE_THAN_A_BATCH, Buffer.from([0xe2])]), { onChunk })).rejects.toThrow(
      "listener",
    );
    expect(readdirSync(tempDir)).toEqual([]);
  });

  test("gets a large chunk in pieces", async () => {
    const sizes: number[] = [];
    await execute(writing(["x".repeat(1_000_000)]), { onChunk: (text) => sizes.push(text.length) });
    expect(Math.max(...sizes)).toBeLessThanOrEqual(64 * 1024 + 1);
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBe(1_000_000);
  });
});

describe("limits", () => {
  test("of 2000 lines and 51,200 bytes are inclusive, and a final newline is no line", async () => {
    for (const fitting of [
      numbers(1, 2000),
      numbers(1, 2000).slice(0, -1),
      "x".repeat(51_200),
      `${"é".repeat(25_599)}x\n`,
    ]) {
      expect(await execute(writing([fitting]))).toMatchObject({ output: fitting, truncated: false });
    }
    for (const tooLong of [
      numbers(1, 2001),
      `${numbers(1, 2000)}x`,
      "x".repeat(51_201),
      `${"x".repeat(51_200)}\n`,
    ]) {
      expect(await execute(writing([tooLong]))).toMatchObject({ truncated: true });
    }
  });

  test("keep the end by default, and the head where asked, in whole lines", async () => {
    const tail = await execute(writing([numbers(1, 4000)]));
    expect(tail).toMatchObject({ output: numbers(2001, 4000), truncated: true });
    const head = await execute(writing([numbers(1, 4000)]), { keep: "head" });
    expect(head).toMatchObject({ output: numbers(1, 2000), truncated: true });
    const bytes = await execute(writing(["first\nsecond\nthird\n"]), { maxBytes: 14 });
    expect(bytes).toMatchObject({ output: "second\nthird\n", truncated: true });
  });

  test("cut a line that alone is too long, between two characters", async () => {
    const line = "😀".repeat(20_000);
    const tail = await execute(writing([`before\n${line}`]), { maxBytes: 10 });
    expect(tail.output).toBe("😀😀");
    const head = await execute(writing([`${line}\nafter`]), { maxBytes: 10, keep: "head" });
    expect(head.output).toBe("😀😀");
  });

  test("hold for the clean text, not for the bytes", async () => {
    const coloured = `${"\x1b[31m".repeat(20_000)}ok\n${"progress\r".repeat(150_000)}done\n`;
    const result = await execute(writing([coloured]));
    expect(result).toStrictEqual({ output: "ok\ndone\n", exitCode: 0, cancelled: false, truncated: false });
    expect(readdirSync(tempDir)).toEqual([]);
  });

  test("keep what stands before megabytes of a line that is written anew", async () => {
    const progress = `${"x".repeat(1_500_000)}\r`;
    const result = await execute(writing([numbers(1, 3000), progress, progress, "done\n"]));
    expect(result.output).toBe(`${numbers(1002, 3000)}done\n`);
  });

  test("of 2 MiB keep 2 MiB", async () => {
    const text = "0123456789abcde\n".repeat(150 * 1024);
    const result = await execute(writing([text]), {
      maxBytes: 2 * 1024 ** 2,
      maxLines: Number.POSITIVE_INFINITY,
    });
    expect(result.output === text.slice(-2 * 1024 ** 2)).toBe(true);
  });
});

describe("the full output", () => {
  test("is in a new file of the owner's alone, byte for byte", async () => {
    const raw = Buffer.concat([Buffer.from([0xff, 0x00, 0x1b]), Buffer.from(MORE_THAN_A_BATCH)]);
    const { fullOutputPath = "", truncated } = await execute(writing([raw.subarray(0, 7), raw.subarray(7)]));
    expect(truncated).toBe(true);
    expect(dirname(fullOutputPath)).toBe(tempDir);
    expect(basename(fullOutputPath)).toMatch(/^bash-backends-[0-9a-f]{16}\.log$/);
    expect(statSync(fullOutputPath).mode & 0o777).toBe(0o600);
    expect(readFileSync(fullOutputPath).equals(raw)).toBe(true);
  });

  test("ends at maxFileBytes, and the result says so", async () => {
    const text = MORE_THAN_A_BATCH;
    for (const maxFileBytes of [10, 1_100_000]) {
      const result = await execute(writing([text]), { maxFileBytes });
      expect(result).toMatchObject({ truncated: true, fullOutputCut: true });
      expect(readFileSync(String(result.fullOutputPath), "utf8")).toBe(text.slice(0, maxFileBytes));
    }
    expect(await execute(writing([text]), { maxFileBytes: text.length })).not.toHaveProperty("fullOutputCut");
  });

  test("has no file where its directory is missing, or is none", async () => {
    writeFileSync(join(tempDir, "file"), "");
    for (const directory of [join(tempDir, "missing"), join(tempDir, "file")]) {
      const result = await execute(writing([MORE_THAN_A_BATCH]), { tempDir: directory });
      const expected = { output: numbers(178_001, 180_000), exitCode: 0, cancelled: false, truncated: true };
      expect(result).toStrictEqual(expected);
    }
    expect(readdirSync(tempDir)).toEqual(["file"]);
  });

  test("leaves no descriptor behind in 1000 runs", { timeout: 120_000 }, async () => {
    const count = () => readdirSync("/proc/self/fd").length;
    const failing = { error: new Error("lost") };
    const large = Buffer.alloc(1_100_000, "line\n");
    const runs = [writing(["a\nb\n"]), writing(["a\nb\n"], failing), writing(["a\n"])];
    const before = count();
    for (let index = 0; index < 1000; index += 1) {
      const operations = index % 50 === 0 ? writing([large]) : runs[index % runs.length];
      await execute(operations as (typeof runs)[0], { maxLines: 1 }).catch(() => undefined);
    }
    // The sweep of the directory may still be reading it.
    await vi.waitFor(() => expect(count()).toBeLessThanOrEqual(before));
  });
});
