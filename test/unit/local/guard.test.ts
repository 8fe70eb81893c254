/** The guard with the shells that it must run under; its host's death is the end of its standard input. */
import { type ChildProcess, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { Guard } from "../../../backends/local/guard.js";
import { createMarker, MARKER_VARIABLE } from "../../../src/backend/index.js";
import { eventually, isAlive, processesWith, uniqueTag } from "../../support/processes.js";

const folder = mkdtempSync(join(tmpdir(), "guard-test-"));
afterAll(() => rmSync(folder, { recursive: true }));

/** busybox is the shell that its name says. */
function busyboxShell(): string[] {
  if (!existsSync("/bin/busybox")) return [];
  const path = join(folder, "sh");
  symlinkSync("/bin/busybox", path);
  return [path];
}

describe.each(["/bin/bash", "/bin/dash", ...busyboxShell()])("a guard under %s", (shellPath) => {
  const marker = createMarker();
  const start = () => Guard.start({ shellPath, markerPrefix: marker.prefix, killGraceMs: 300 });
  const jobIdOf = (job: string) => job.slice(marker.prefix.length);

  /** Starts a job as the backend would: marked, in a session of its own. */
  function startJob(job: string, command: string): ChildProcess {
    const child = spawn("/bin/bash", ["-c", command], {
      env: { PATH: process.env.PATH, [MARKER_VARIABLE]: job },
      stdio: "ignore",
      detached: true,
    });
    child.unref();
    return child;
  }

  test("ends what a dead host left running, however it had left its group", async () => {
    const guard = await start();
    const job = marker.next();
    const tag = uniqueTag();
    guard.noteStart(jobIdOf(job));
    startJob(
      job,
      `trap '' TERM; (setsid sleep 300.${tag} &); setsid bash -c "trap '' TERM; sleep 301.${tag}; sleep 302.${tag}" &
       env -i sleep 303.${tag} & env -i bash -c "trap '' TERM; while :; do sleep 304.${tag}; done" & sleep 305.${tag}; sleep 306.${tag}`,
    );
    await eventually(() => expect(processesWith(tag).length).toBeGreaterThanOrEqual(7));
    await guard.dismiss({ jobsRun: true });
    await guard.exited;
    expect(processesWith(tag)).toEqual([]);
  });

  test("asks before it kills, also a member of the group whose environment is empty", async () => {
    const guard = await start();
    const job = marker.next();
    const mark = join(folder, uniqueTag());
    guard.noteStart(jobIdOf(job));
    const asked = `trap 'echo asked >>${mark}; exit' TERM; echo >${mark}; while :; do sleep 0.01; done`;
    const child = startJob(job, `env -i PATH="$PATH" bash -c "${asked}" & trap '' TERM; sleep 300`);
    await eventually(() => expect(existsSync(mark)).toBe(true));
    await guard.dismiss({ jobsRun: true });
    await guard.exited;
    expect(readFileSync(mark, "utf8")).toBe("\nasked\n");
    expect(isAlive(child.pid as number)).toBe(false);
  });

  test("lets be what has ended and what was let go", async () => {
    const guard = await start();
    const [ended, running] = [marker.next(), marker.next()];
    const tag = uniqueTag();
    for (const job of [ended, running]) guard.noteStart(jobIdOf(job));
    const kept = startJob(ended, `sleep 300.${tag}`);
    const killed = startJob(running, `sleep 301.${tag}`);
    await eventually(() => expect(processesWith(`.${tag}`)).toHaveLength(2));
    guard.noteEnd(jobIdOf(ended));
    await guard.dismiss({ jobsRun: true });
    await guard.exited;
    expect([isAlive(kept.pid as number), isAlive(killed.pid as number)]).toEqual([true, false]);
    process.kill(-(kept.pid as number), "SIGKILL");
  });

  test("touches nobody else's processes", async () => {
    const guard = await start();
    const stranger = startJob(createMarker().next(), "exec sleep 300");
    guard.noteStart(jobIdOf(marker.next()));
    await guard.dismiss({ jobsRun: true });
    await guard.exited;
    expect(isAlive(stranger.pid as number)).toBe(true);
    process.kill(stranger.pid as number, "SIGKILL");
  });

  test("leaves at once when nothing runs, and takes the temporary folder along", async () => {
    const guard = await start();
    const temporary = join(folder, `it's a "$folder" ${uniqueTag()}`);
    mkdirSync(temporary);
    writeFileSync(join(temporary, "file"), "");
    guard.removeInTheEnd(temporary);
    await guard.dismiss({ jobsRun: false });
    expect(existsSync(temporary)).toBe(false);
    expect(isAlive(guard.pid as number)).toBe(false);
  });

  test("is not ended by the signals that a terminal or a supervisor sends to everybody", async () => {
    const guard = await start();
    for (const signal of ["SIGHUP", "SIGINT", "SIGQUIT", "SIGTERM", "SIGPIPE"] as const) {
      process.kill(guard.pid as number, signal);
    }
    guard.noteStart("00000000");
    expect(isAlive(guard.pid as number)).toBe(true);
    await guard.dismiss({ jobsRun: false });
  });
});

test("a guard that cannot be started is an error that says so", async () => {
  const starting = Guard.start({ shellPath: "/no/such/shell", markerPrefix: "x-", killGraceMs: 0 });
  await expect(starting).rejects.toMatchObject({
    code: "SPAWN_FAILED",
    message: expect.stringContaining("ENOENT"),
  });
});

test("only bash makes pipes", async () => {
  for (const [shellPath, makesPipes] of [
    ["/bin/bash", true],
    ["/bin/dash", false],
  ] as const) {
    const guard = await Guard.start({ shellPath, markerPrefix: createMarker().prefix, killGraceMs: 0 });
    expect(guard.makesPipes).toBe(makesPipes);
    await guard.dismiss({ jobsRun: false });
  }
});
