import { expect, test } from "vitest";
import { openTarget } from "../../../src/config/registry.js";
import { TargetError } from "../../../src/config/target.js";

test("local opens the local backend", async () => {
  await using backend = await openTarget("local");
  expect(backend.name).toBe("local");
  expect(backend.capabilities.noArgv).toBe(false);
});

test("transport=stdin keeps the command off the command line", async () => {
  await using backend = await openTarget("local?transport=stdin");
  expect(backend.capabilities.noArgv).toBe(true);
});

test("shell= names the shell", async () => {
  await using backend = await openTarget("local?shell=/bin/sh");
  await backend.exec(":", "/", { onData() {} });
  expect(backend.capabilities.shell?.path).toBe("/bin/sh");
});

test("killGraceMs= is how long a command may outlive TERM", async () => {
  await using backend = await openTarget("local?killGraceMs=0");
  const startedAt = performance.now();
  const stopped = backend.exec("trap '' TERM; sleep 60; sleep 60", "/", { onData() {}, timeout: 0.3 });
  await expect(stopped).rejects.toMatchObject({ code: "TIMEOUT", killConfirmed: true });
  expect(performance.now() - startedAt).toBeLessThan(300 + 0 + 1000);
});

test.each([
  ["local?killGraceMs=soon", "killGraceMs must be a whole number of milliseconds, got soon"],
  ["loacl", 'unknown target "loacl". Did you mean local? Known: local'],
  ["constructor", 'unknown target "constructor". Known: local'],
  ["ssh://me@host", "ssh:// targets are not in this version. Known: local"],
  ["docker://box", "docker:// targets are not in this version. Known: local"],
  [
    "local?trasport=stdin",
    'unknown parameter of local "trasport". Did you mean transport? Known: transport, shell, killGraceMs',
  ],
  ["local?transport=stdni", 'unknown transport "stdni". Did you mean stdin? Known: arg, stdin'],
  ["local://here", "local is this machine and takes no place: write local, not local://…"],
])("%s is refused with what would be right", async (text, message) => {
  await expect(openTarget(text)).rejects.toThrow(TargetError);
  await expect(openTarget(text)).rejects.toThrow(message);
});
