import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { HERE, type PlatformFacts } from "../../../backends/local/platform.js";
import { askVersion, findShell } from "../../../backends/local/shell.js";

/** A machine on which these files, and no others, may be executed. */
function machine(executables: string[], facts: Partial<PlatformFacts> = {}): PlatformFacts {
  return {
    platform: "linux",
    env: { PATH: "/usr/local/bin:/usr/bin" },
    home: "/home/ada",
    kindOf: (path) => (executables.includes(path) ? "executable" : "nothing"),
    ...facts,
  };
}

describe("the shell of a Unix machine", () => {
  test.each([
    [["/bin/bash", "/usr/bin/bash", "/bin/sh"], "/bin/bash"],
    [["/usr/bin/bash", "/bin/sh"], "/usr/bin/bash"],
    [["/usr/local/bin/bash", "/usr/bin/bash"], "/usr/local/bin/bash"],
    [["/bin/sh"], "/bin/sh"],
    [["/usr/bin/sh"], "/usr/bin/sh"],
  ])("among %j is %s", (executables, path) => {
    expect(findShell(undefined, machine(executables))).toEqual({ path, needsStdin: false });
  });

  test("that is nowhere is an error that says where was looked", () => {
    expect(() => findShell(undefined, machine([]))).toThrow(
      expect.objectContaining({
        code: "NO_SHELL",
        message:
          "no bash and no sh: looked at /bin/bash, /usr/local/bin/bash, /usr/bin/bash, /bin/sh, /usr/local/bin/sh, /usr/bin/sh",
      }),
    );
  });

  test("is not looked for in relative entries of PATH", () => {
    const facts = machine(["bash", "./bash", "/opt/bash"], { env: { PATH: ":.:bin:/opt" } });
    expect(findShell(undefined, facts).path).toBe("/opt/bash");
  });
});

describe("a shell that the caller names", () => {
  const folder = mkdtempSync(join(tmpdir(), "shell-test-"));
  afterAll(() => rmSync(folder, { recursive: true }));

  test("may begin with the home directory", () => {
    const facts = machine(["/home/ada/bin/bash"]);
    expect(findShell("~/bin/bash", facts).path).toBe("/home/ada/bin/bash");
  });

  test("is refused as clearly when it is missing, a directory, or not executable", () => {
    const file = join(folder, "plain");
    writeFileSync(file, "", { mode: 0o644 });
    expect(() => findShell("/no/such/shell")).toThrow("Custom shell path not found: /no/such/shell");
    expect(() => findShell(folder)).toThrow(`Custom shell path is a directory: ${folder}`);
    expect(() => findShell(file)).toThrow(`Custom shell path may not be executed: ${file}`);
  });

  test.each([
    "powershell.exe",
    "C:\\Windows\\System32\\WindowsPowerShell\\v1.0\\powershell.exe",
    "/usr/bin/pwsh",
  ])("is refused when it is PowerShell: %s", (path) => {
    expect(() => findShell(path, machine([path]))).toThrow(`PowerShell is not supported: ${path}`);
  });
});

describe("the shell of a Windows machine", () => {
  const env = {
    ProgramFiles: "C:\\Program Files",
    "ProgramFiles(x86)": "C:\\Program Files (x86)",
    LocalAppData: "C:\\Users\\ada\\AppData\\Local",
    SystemRoot: "D:\\Windows",
    Path: "D:\\Windows\\System32;C:\\tools\\bin;relative",
  };
  const windows = (executables: string[]) => machine(executables, { platform: "win32", env });

  test.each([
    "C:\\Program Files\\Git\\bin\\bash.exe",
    "C:\\Program Files (x86)\\Git\\bin\\bash.exe",
    "C:\\Users\\ada\\AppData\\Local\\Programs\\Git\\bin\\bash.exe",
    "C:\\tools\\bin\\bash.exe",
  ])("is Git Bash or a bash on PATH: %s, before legacy WSL", (path) => {
    expect(findShell(undefined, windows([path, "D:\\Windows\\System32\\bash.exe"]))).toEqual({
      path,
      needsStdin: false,
    });
  });

  test("is legacy WSL in the end, which takes commands on its standard input only", () => {
    expect(findShell(undefined, windows(["D:\\Windows\\System32\\bash.exe"]))).toEqual({
      path: "D:\\Windows\\System32\\bash.exe",
      needsStdin: true,
    });
  });

  test("that is nowhere is an error that says what to install", () => {
    expect(() => findShell(undefined, windows([]))).toThrow(
      /no bash: looked at C:\\Program Files\\Git.*install Git for Windows/,
    );
  });
});

describe("the version", () => {
  test("of bash is what it says itself", async () => {
    expect(await askVersion(findShell("/bin/bash"))).toMatchObject({
      version: expect.stringMatching(/^\d+\.\d+/),
    });
  });

  test("of another shell, or of one that cannot be started, is not known", async () => {
    expect((await askVersion(findShell("/bin/dash"))).version).toBeUndefined();
    expect((await askVersion({ path: "/no/such/shell", needsStdin: false })).version).toBeUndefined();
  });
});

test("the facts of this machine tell files, directories and nothing apart", () => {
  expect(HERE.kindOf("/bin/sh")).toBe("executable");
  expect(HERE.kindOf("/")).toBe("directory");
  expect(HERE.kindOf("/no/such/thing")).toBe("nothing");
  expect(HERE.kindOf("/etc/passwd")).toBe("file");
});
