/** The scripts are run by the real shells: what matters is what a command sees. */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, openSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { invoke } from "../../../backends/local/transport.js";
import { MARKER_VARIABLE } from "../../../src/backend/index.js";

const marker = `${"a".repeat(24)}-00000001`;
const bash = { path: "/bin/bash", version: "5.2.15(1)-release", needsStdin: false };
const dash = { path: "/bin/dash", version: undefined, needsStdin: false };
const busybox = { path: "/bin/busybox", version: undefined, needsStdin: false };
const shells = [bash, dash, ...(existsSync(busybox.path) ? [busybox] : [])];

describe("the choice of a road", () => {
  const choose = (command: string, options: Partial<Parameters<typeof invoke>[1]> = {}) =>
    invoke(command, { shell: bash, transport: "arg", marker, platform: "linux", ...options }).payload?.fd ??
    "argument";

  test("is the argument as long as one fits, to the byte", () => {
    expect(choose("x".repeat(131_071))).toBe("argument");
    expect(choose("x".repeat(131_072))).toBe(3);
    expect(choose("€".repeat(43_690))).toBe("argument");
    expect(choose("€".repeat(43_691))).toBe(3);
  });

  test("is standard input where an argument would be cut or seen, and nothing else can be handed on", () => {
    expect(choose("x", { transport: "stdin" })).toBe(3);
    expect(choose("x", { transport: "stdin", platform: "win32" })).toBe(0);
    expect(choose("x".repeat(7500), { platform: "win32" })).toBe("argument");
    expect(choose("x".repeat(7501), { platform: "win32" })).toBe(0);
    expect(choose("x", { platform: "win32", shell: { ...bash, needsStdin: true } })).toBe(0);
  });

  test("keeps the command off the command line", () => {
    const { args } = invoke("echo secret", { shell: bash, transport: "stdin", marker });
    expect(args.join(" ")).not.toContain("secret");
  });
});

describe.each(shells)("a command on a pipe to $path", (shell) => {
  function run(
    command: string,
    { cutTo = Number.POSITIVE_INFINITY, platform = "linux" as NodeJS.Platform } = {},
  ) {
    const { args, payload } = invoke(command, { shell, transport: "stdin", marker, platform });
    if (payload === undefined) throw new Error("expected a payload");
    const bytes = payload.bytes.subarray(0, cutTo);
    const applet = shell === busybox ? ["sh"] : [];
    return spawnSync(shell.path, [...applet, ...args], {
      encoding: "utf8",
      env: { PATH: process.env.PATH, [MARKER_VARIABLE]: marker },
      ...(payload.fd === 0 ? { input: bytes } : { stdio: ["ignore", "pipe", "pipe", feed(bytes)] }),
    });
  }

  test.each([
    "false; echo hi",
    "cat; echo end",
    "exit 300",
    "",
    "-x",
    "echo $# $?",
    "echo $LINENO\n\necho $LINENO",
    "echo a\\\n",
    "cat <<E\ntext",
    "cat <<E\ntext\n\n\n",
    "if then",
    "set -e; false; echo no",
    "return 3; echo after",
  ])("runs %j as an argument would", (command) => {
    const applet = shell === busybox ? ["sh"] : [];
    const { status, stdout } = spawnSync(shell.path, [...applet, "-c", "--", command], { encoding: "utf8" });
    expect(run(command)).toMatchObject({ status, stdout });
  });

  test("runs what no argument could hold", () => {
    expect(run(`echo '${"x".repeat(200_000)}' | wc -c`)).toMatchObject({ status: 0, stdout: "200001\n" });
  });

  test("leaves no descriptor and no text of its own behind", () => {
    expect(run("[ -e /proc/self/fd/3 ] && echo open").stdout).toBe("");
    expect(run("set | grep -c secretword").stdout).toBe(shell === bash ? "1\n" : "0\n");
  });

  test("runs nothing of a command that was cut short", () => {
    const command = "echo one; echo two";
    for (const cutTo of [0, 8, command.length - 1]) {
      expect(run(command, { cutTo })).toMatchObject({ status: 125, stdout: "" });
    }
  });

  test("finds its standard input at its end where the text came on it", () => {
    expect(run("cat; echo end", { platform: "win32" })).toMatchObject({ status: 0, stdout: "end\n" });
  });
});

/** A descriptor from which the bytes can be read. */
function feed(bytes: Buffer): number {
  const folder = mkdtempSync("/tmp/transport-test-");
  writeFileSync(`${folder}/payload`, bytes);
  const fd = openSync(`${folder}/payload`, "r");
  rmSync(folder, { recursive: true });
  return fd;
}
