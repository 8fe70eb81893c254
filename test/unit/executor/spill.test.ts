import { execFileSync } from "node:child_process";
import {
  lutimesSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { executeBash } from "../../../src/executor/index.js";
import { Spill } from "../../../src/executor/spill.js";
import { FULL_OUTPUT_MAX_AGE_MS, sweepOldFiles, sweepOnce } from "../../../src/executor/spill-sweep.js";
import { writing } from "./fake-operations.js";

/** What the disk refuses; everything else is the real one. */
const disk = vi.hoisted(() => ({
  failing: {} as Record<string, string | undefined>,
  writesAtMost: Number.POSITIVE_INFINITY,
}));

vi.mock("node:fs", async (importOriginal) => {
  const fs = await importOriginal<typeof import("node:fs")>();
  const refuse = (call: string) => {
    const code = disk.failing[call];
    if (code !== undefined) throw Object.assign(new Error(`${code}: ${call}`), { code });
  };
  return {
    ...fs,
    openSync: (...args: Parameters<typeof fs.openSync>) => {
      refuse("open");
      return fs.openSync(...args);
    },
    writeSync: (fd: number, bytes: Buffer, offset: number) => {
      refuse("write");
      return fs.writeSync(fd, bytes, offset, Math.min(bytes.length - offset, disk.writesAtMost));
    },
    closeSync: (fd: number) => {
      fs.closeSync(fd);
      refuse("close");
    },
  };
});

let directory: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), "spill-test-"));
});
afterEach(() => {
  disk.failing = {};
  disk.writesAtMost = Number.POSITIVE_INFINITY;
  rmSync(directory, { recursive: true });
});

function openDescriptors(): number {
  return readdirSync("/proc/self/fd").length;
}

describe("a disk", () => {
  test.each([
    ["open", "EACCES"],
    ["open", "EMFILE"],
    ["write", "ENOSPC"],
    ["close", "EDQUOT"],
  ])("that refuses to %s (%s) gives no file, and leaves none", async (call, code) => {
    const before = openDescriptors();
    disk.failing[call] = code;
    const text = "line\n".repeat(250_000);
    const result = await executeBash("c", "/", writing([text]), { tempDir: directory });
    expect(result).toMatchObject({ output: "line\n".repeat(2000), truncated: true, exitCode: 0 });
    expect(result).not.toHaveProperty("fullOutputPath");
    expect(readdirSync(directory)).toEqual([]);
    // The sweep of the directory may still be reading it.
    await vi.waitFor(() => expect(openDescriptors()).toBe(before));
  });

  test("that fills midway leaves no partial file, and is not written to again", () => {
    const spill = new Spill({ directory, maxFileBytes: 100 });
    spill.write(Buffer.from("fits"));
    expect(readdirSync(directory)).toHaveLength(1);
    disk.failing.write = "ENOSPC";
    spill.write(Buffer.from("does not"));
    expect(readdirSync(directory)).toEqual([]);
    disk.failing = {};
    spill.write(Buffer.from("would fit again"));
    expect(spill.close()).toBeUndefined();
    expect(readdirSync(directory)).toEqual([]);
  });

  test("that takes a few bytes at a time gets them all", () => {
    disk.writesAtMost = 3;
    const spill = new Spill({ directory, maxFileBytes: 100 });
    spill.write(Buffer.from("more than three bytes"));
    expect(readFileSync(String(spill.close()?.path), "utf8")).toBe("more than three bytes");
  });

  test("of 1 MiB that is really full gives the excerpt without a file", async ({ skip }) => {
    try {
      execFileSync("/bin/mount", ["-t", "tmpfs", "-o", "size=1m", "none", directory], { stdio: "ignore" });
    } catch {
      skip("this user may not mount a tmpfs");
    }
    try {
      const lines = "line\n".repeat(450_000);
      const result = await executeBash("c", "/", writing([lines]), { tempDir: directory });
      expect(result).toMatchObject({ output: "line\n".repeat(2000), truncated: true });
      expect(result).not.toHaveProperty("fullOutputPath");
      expect(readdirSync(directory)).toEqual([]);
    } finally {
      await vi.waitFor(() => execFileSync("/bin/umount", [directory], { stdio: "ignore" }));
    }
  });
});

describe("the sweep", () => {
  const now = Date.now();
  const old = new Date(now - FULL_OUTPUT_MAX_AGE_MS - 60_000);
  const name = (digit: string) => `bash-backends-${digit.repeat(16)}.log`;

  function oldFile(path: string): void {
    writeFileSync(join(directory, path), "");
    utimesSync(join(directory, path), old, old);
  }

  test("removes our files of more than seven days, and nothing else", async () => {
    expect(FULL_OUTPUT_MAX_AGE_MS).toBe(7 * 86_400_000);
    mkdirSync(join(directory, "below"));
    mkdirSync(join(directory, name("d")));
    const others = [
      `x${name("1")}`,
      `${name("1")}.gz`,
      "bash-backends-123.log",
      "bash-backends-ABCDEF0123456789.log",
    ];
    for (const path of [name("a"), name("b"), ...others, join("below", name("a"))]) oldFile(path);
    writeFileSync(join(directory, name("c")), "");
    await sweepOldFiles(directory, now);
    expect(readdirSync(directory).sort()).toEqual([...others, "below", name("c"), name("d")].sort());
    expect(readdirSync(join(directory, "below"))).toEqual([name("a")]);
  });

  test("leaves links under our names, and what they point at", async () => {
    oldFile("target");
    symlinkSync(join(directory, "target"), join(directory, name("a")));
    lutimesSync(join(directory, name("a")), old, old);
    await sweepOldFiles(directory, now);
    expect(readdirSync(directory).sort()).toEqual([name("a"), "target"]);
  });

  test("leaves the files of other users", async () => {
    oldFile(name("a"));
    vi.spyOn(process, "getuid").mockReturnValue(4_000_000_000);
    await sweepOldFiles(directory, now);
    expect(readdirSync(directory)).toEqual([name("a")]);
    vi.restoreAllMocks();
  });

  test("comes with the first file in a directory, and once only", async () => {
    oldFile(name("a"));
    const { fullOutputPath } = await executeBash("c", "/", writing(["a\nb\n"]), {
      maxLines: 1,
      tempDir: directory,
    });
    await vi.waitFor(() =>
      expect(readdirSync(directory)).toEqual([String(fullOutputPath).slice(directory.length + 1)]),
    );
    oldFile(name("a"));
    sweepOnce(directory);
    await new Promise((resolve) => setTimeout(resolve, 50));
    expect(readdirSync(directory)).toContain(name("a"));
  });

  test("does not mind a directory that is not there", async () => {
    await expect(sweepOldFiles(join(directory, "missing"), now)).resolves.toBeUndefined();
  });
});
