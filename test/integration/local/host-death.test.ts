/** The host ends in every way that a process can end, with a command running or with jobs that it let go. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { eventually, processesWith, uniqueTag } from "../../support/processes.js";

const program = new URL("../../support/host-program.mjs", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "host-death-"));
afterAll(() => rmSync(folder, { recursive: true }));

interface HostEnd {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
}

/** Runs a host to its end. Its own session: a signal to it reaches nobody else. */
function runHost(how: string, command: string, transport = "arg"): Promise<HostEnd> {
  return new Promise((resolve) => {
    const host = spawn(process.execPath, [program, transport, how, command], {
      stdio: "ignore",
      detached: true,
    });
    host.on("exit", (code, signal) => resolve({ code, signal }));
  });
}

/** All kinds of processes that a command can leave, told to be running once they all are. */
function everyKind(tag: string): string {
  return `trap '' TERM
    (setsid sleep 300.${tag} &); setsid bash -c "trap '' TERM; sleep 301.${tag}; sleep 302.${tag}" &
    env -i sleep 303.${tag} & (nohup sleep 304.${tag} >/dev/null 2>&1 &)
    until [ "$(pgrep -fc '^sleep 30[0-4][.]${tag}')" = 4 ]; do :; done
    echo running; sleep 305.${tag}; sleep 306.${tag}`;
}

describe.each([
  ["SIGKILL", { code: null, signal: "SIGKILL" }],
  ["SIGINT", { code: null, signal: "SIGINT" }],
  ["SIGTERM", { code: null, signal: "SIGTERM" }],
  ["SIGHUP", { code: null, signal: "SIGHUP" }],
  ["exit", { code: 3, signal: null }],
  ["uncaught error", { code: 1, signal: null }],
])("a host that ends by %s in mid-command", (how, end) => {
  test.each(["arg", "stdin"])("ends as it would without us, and its command dies (%s)", async (transport) => {
    const tag = uniqueTag();
    expect(await runHost(how, everyKind(tag), transport)).toEqual(end);
    await eventually(() => expect(processesWith(tag)).toEqual([]));
  });
});

test("a host that is killed at any moment around a start leaves nothing", async () => {
  for (let round = 0; round < 12; round += 1) {
    const tag = uniqueTag();
    const host = spawn(
      process.execPath,
      [program, "arg", "never", `setsid sleep 300.${tag} & sleep 301.${tag}`],
      {
        stdio: "ignore",
        detached: true,
      },
    );
    // From before the first exec to long after it: the start of Node itself takes most of it.
    await new Promise((resolve) => setTimeout(resolve, 30 + round * 15));
    host.kill("SIGKILL");
    await new Promise((resolve) => host.once("exit", resolve));
    await eventually(() => expect(processesWith(tag)).toEqual([]));
  }
});

describe.each(["settled and exit", "settled and SIGKILL", "settled and close", "settled and idle"])(
  "a job that was let go, in a host that has %s",
  (how) => {
    test.each([
      ["holds the output and goes on writing", ""],
      ["has its output in a file", ">/dev/null 2>&1"],
    ])("goes on unharmed when it %s", async (_what, redirection) => {
      const mark = join(folder, uniqueTag());
      const writes =
        "for i in 1 2 3 4 5 6; do sleep 0.1; echo $i || exit; head -c 70000 /dev/zero || exit; done";
      await runHost(how, `(${writes}; echo whole >${mark}) ${redirection} & echo running`);
      await eventually(() => expect(readFileSync(mark, "utf8")).toBe("whole\n"));
    });
  },
);

test("an idle backend does not keep its host alive", async () => {
  expect(await runHost("settled and idle", "true")).toEqual({ code: 0, signal: null });
});
