/** Real processes of every kind that a command can leave, ended by the backend. */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createLocalBashOperations } from "../../../backends/local/index.js";
import { killGroup } from "../../../backends/local/kill-group.js";
import { readProcessTable } from "../../../backends/local/process-table.js";
import { findMembers } from "../../../backends/local/process-tree.js";
import { BackendError, type BashBackend } from "../../../src/backend/index.js";
import { eventually, isAlive, processesWith, uniqueTag } from "../../support/processes.js";

let backend: BashBackend;
const folder = mkdtempSync(join(tmpdir(), "kill-test-"));
beforeAll(() => {
  backend = createLocalBashOperations({ killGraceMs: 300 });
});
afterAll(async () => {
  await backend.close();
  rmSync(folder, { recursive: true });
});

/** Runs until the limit and gives the error. */
async function timeOut(command: string, timeout = 0.4, onData: (data: Buffer) => void = () => undefined) {
  const error = await backend.exec(command, folder, { onData, timeout }).catch((reason: unknown) => reason);
  if (!(error instanceof BackendError)) throw new Error(`expected a BackendError, got ${error}`);
  expect(error.message).toBe(`timeout:${timeout}`);
  return error;
}

describe("a time limit", () => {
  const tag = uniqueTag();
  test.each([
    ["in the group", `sleep 300.${tag} & sleep 301.${tag}`],
    ["that ignore TERM", `trap '' TERM; sleep 300.${tag} & sleep 301.${tag}; sleep 302.${tag}`],
    [
      "in a session of their own",
      `setsid sleep 300.${tag} & setsid setsid sleep 301.${tag}; sleep 302.${tag}`,
    ],
    [
      "whose parent is gone",
      `(setsid sleep 300.${tag} &); (nohup sleep 301.${tag} >/dev/null 2>&1 &); sleep 302.${tag}`,
    ],
    [
      "without an environment",
      `env -i sleep 300.${tag} & (env -i sleep 301.${tag} &); env -i setsid sleep 302.${tag} & sleep 303.${tag}`,
    ],
    [
      "without an environment in a session of their own",
      `setsid bash -c '(env -i sleep 300.${tag} &); sleep 301.${tag}; :' & sleep 302.${tag}`,
    ],
    ["in groups of their own", `set -m; sleep 300.${tag} & env -i sleep 301.${tag} & wait`],
    [
      "whose shell has already exited",
      `sleep 300.${tag} & env -i sleep 301.${tag} & while :; do echo x; sleep 0.01; done & exit 7`,
    ],
    [
      "whose environment names the marker's variable in another variable's value",
      `(AAA=BASH_BACKENDS_JOB= setsid env sleep 300.${tag} >/dev/null 2>&1 &); sleep 301.${tag}`,
    ],
    ["that are stopped", `sleep 300.${tag} & kill -STOP $!; kill -STOP $$; sleep 301.${tag}`],
  ])("leaves no processes %s", async (_kind, command) => {
    const error = await timeOut(command);
    expect(processesWith(tag)).toEqual([]);
    expect(error).toMatchObject({ code: "TIMEOUT", killConfirmed: true });
    expect(error.killed?.length).toBeGreaterThanOrEqual(2);
  });

  test("lets no next command of a list start", async () => {
    for (let round = 0; round < 20; round += 1) {
      const mark = join(folder, `next-${round}`);
      await timeOut(`sleep 300; echo >${mark}`, 0.05);
      expect(() => readFileSync(mark)).toThrow("ENOENT");
    }
  });

  test("asks before it kills: what a command does and writes on TERM is kept", async () => {
    const got: string[] = [];
    await timeOut("trap 'echo bye; exit 5' TERM; echo ready; sleep 300 & wait", 0.4, (data) =>
      got.push(data.toString()),
    );
    expect(got.join("")).toBe("ready\nbye\n");
  });

  test("asks what left the group too", async () => {
    const mark = join(folder, "asked");
    await timeOut(
      `setsid bash -c "trap 'echo asked >${mark}; exit' TERM; while :; do sleep 0.01; done" & sleep 300`,
    );
    expect(readFileSync(mark, "utf8")).toBe("asked\n");
  });
});

test("a hundred commands that are aborted at once are all dead within the grace and a second", async () => {
  const tag = uniqueTag();
  const controller = new AbortController();
  let running = 0;
  const onData = () => {
    running += 1;
  };
  const command = `trap '' TERM; echo running; sleep 300.${tag}; sleep 301.${tag}`;
  const errors = Array.from({ length: 100 }, () =>
    backend.exec(command, folder, { onData, signal: controller.signal }).catch((error: unknown) => error),
  );
  await eventually(() => expect(running).toBe(100), 30_000);
  const abortedAt = performance.now();
  controller.abort();
  for (const error of await Promise.all(errors)) {
    expect(error).toMatchObject({ code: "ABORTED", killConfirmed: true });
  }
  expect(performance.now() - abortedAt).toBeLessThan(300 + 1000);
  expect(processesWith(tag)).toEqual([]);
});

test("a process that forks away from every look is caught in the end", async () => {
  const generation = join(folder, "generation");
  const chain = `$SIG{TERM} = "IGNORE"; for (1..400) { if (fork) { POSIX::_exit(0) } POSIX::setsid(); select(undef, undef, undef, 0.004); open F, ">", "${generation}"; print F $_; close F }`;
  const error = await timeOut(`perl -MPOSIX -e '${chain}' & sleep 60`, 0.3);
  expect(error.killConfirmed).toBe(true);
  const settledAt = readFileSync(generation, "utf8");
  await new Promise((resolve) => setTimeout(resolve, 300));
  expect(readFileSync(generation, "utf8")).toBe(settledAt);
});

test("the members of a tree are none when nothing is marked, and never the host or init", () => {
  const root = { pid: process.pid, marker: "", reapedAt: undefined };
  const members = findMembers(root, readProcessTable()).map(({ pid }) => pid);
  expect(members.length).toBeGreaterThan(0);
  expect(members).not.toContain(process.pid);
  expect(members).not.toContain(1);
  expect(
    findMembers({ pid: 2 ** 30, marker: "no such marker anywhere", reapedAt: 0 }, readProcessTable()),
  ).toEqual([]);
});

test("a number that was given to a new session after the shell's end is a stranger's", async () => {
  const stranger = spawn("sleep", ["300"], { detached: true, stdio: "ignore" });
  const pid = stranger.pid as number;
  const seen = (reapedAt: number | undefined) =>
    findMembers({ pid, marker: "no such marker anywhere", reapedAt }, readProcessTable()).map(
      (entry) => entry.pid,
    );
  expect(seen(undefined)).toEqual([pid]);
  expect(seen(0)).toEqual([]);
  process.kill(pid, "SIGKILL");
});

test("where no /proc tells of processes the group dies at least", async () => {
  const tag = uniqueTag();
  // One process only: a killed orphan may stay in the group as a zombie for as long as init does not reap.
  const child = spawn("bash", ["-c", `trap '' TERM; exec sleep 300.${tag}`], {
    detached: true,
    stdio: "ignore",
  });
  await eventually(() => expect(processesWith(`sleep 300.${tag}`)).toEqual([child.pid]));
  expect(await killGroup(child.pid as number, 100)).toEqual({ killed: [child.pid], killConfirmed: true });
  expect(processesWith(tag)).toEqual([]);
  expect(isAlive(child.pid as number)).toBe(false);
});
