/** The engine on a road that the test steers by hand: what it does is seen in what it asks of the road. */
import { getEventListeners } from "node:events";
import { describe, expect, test, vi } from "vitest";
import {
  BackendError,
  createBackend,
  type Deferred,
  deferred,
  type Job,
  type KillReport,
  type Road,
  type TargetProcess,
} from "../../../src/backend/index.js";

class SteeredProcess implements TargetProcess {
  readonly exit = deferred<number>();
  readonly end = deferred<void>();
  readonly exited = this.exit.promise;
  readonly outputEnded = this.end.promise;
  readonly kills: number[] = [];
  killing: Deferred<KillReport> = deferred();
  letGoCount = 0;
  kill(graceMs: number): Promise<KillReport> {
    this.kills.push(graceMs);
    return this.killing.promise;
  }
  letGo(): void {
    this.letGoCount += 1;
  }
  finish(code: number): void {
    this.exit.resolve(code);
    this.end.resolve();
  }
}

class SteeredRoad implements Road {
  readonly name = "steered";
  readonly capabilities = {
    shell: undefined,
    trueOrder: true,
    killsTree: true,
    sweepsMarker: true,
    hostDeath: true,
    noArgv: true,
  };
  readonly jobs: Job[] = [];
  readonly process = new SteeredProcess();
  starting: Promise<TargetProcess> = Promise.resolve(this.process);
  closeCount = 0;
  start(job: Job): Promise<TargetProcess> {
    this.jobs.push(job);
    return this.starting;
  }
  async close(): Promise<void> {
    this.closeCount += 1;
  }
}

const ignore = () => undefined;
const KILLED = { killed: [7, 8], killConfirmed: true };

function open(options?: Parameters<typeof createBackend>[1]) {
  const road = new SteeredRoad();
  return { road, process: road.process, backend: createBackend(road, options) };
}

/** Lets all that is already decided happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

describe("the end of a command", () => {
  test("is told when the shell has exited and the output has ended, in either order", async () => {
    for (const order of ["exit first", "end first"]) {
      const { process, backend } = open();
      const result = backend.exec("true", "/", { onData: ignore });
      if (order === "exit first") process.exit.resolve(3);
      else process.end.resolve();
      await turn();
      process.finish(3);
      expect(await result).toEqual({ exitCode: 3, ending: "complete" });
      expect(process.kills).toEqual([]);
    }
  });

  test("is left open when the output is quiet, and what holds it is let go", async () => {
    const { process, backend } = open({ drain: { quietMs: 10, maxMs: 5000 } });
    const result = backend.exec("true", "/", { onData: ignore });
    process.exit.resolve(0);
    expect(await result).toEqual({ exitCode: 0, ending: "left-open" });
    expect(process.letGoCount).toBe(1);
  });

  test("is left open when the output never gets quiet", async () => {
    const { road, process, backend } = open({ drain: { quietMs: 50, maxMs: 200 } });
    const result = backend.exec("true", "/", { onData: ignore });
    await turn();
    const chatter = setInterval(() => road.jobs[0]?.deliver(Buffer.from("x")), 5);
    process.exit.resolve(0);
    expect(await result).toEqual({ exitCode: 0, ending: "left-open" });
    clearInterval(chatter);
  });

  test("is not taken for quiet while a busy host could not read", async () => {
    const { road, process, backend } = open({ drain: { quietMs: 20, maxMs: 5000 } });
    const got: string[] = [];
    const result = backend.exec("true", "/", { onData: (data) => got.push(data.toString()) });
    await turn();
    process.exit.resolve(0);
    await turn();
    // After a busy callback the timers that are due come first, and only then what waits in the pipe is read.
    setImmediate(() => {
      const busyUntil = performance.now() + 60;
      while (performance.now() < busyUntil);
      setImmediate(() => {
        road.jobs[0]?.deliver(Buffer.from("late"));
        process.end.resolve();
      });
    });
    expect(await result).toEqual({ exitCode: 0, ending: "complete" });
    expect(got).toEqual(["late"]);
  });

  test("nobody knows is an error of the road", async () => {
    const { process, backend } = open();
    const lost = new BackendError("steered", "CONNECTION_LOST", "connection lost, outcome unknown");
    const result = backend.exec("true", "/", { onData: ignore });
    process.end.reject(lost);
    process.exit.reject(lost);
    await expect(result).rejects.toBe(lost);
  });
});

describe("a stop", () => {
  test("by the time limit rejects with the contract's message and what was killed", async () => {
    const { process, backend } = open({ killGraceMs: 30 });
    const result = backend.exec("x", "/", { onData: ignore, timeout: 0.01 });
    process.killing.resolve(KILLED);
    await expect(result).rejects.toMatchObject({ code: "TIMEOUT", message: "timeout:0.01", ...KILLED });
    expect(process.kills).toEqual([30]);
  });

  test("by an abort beats the time limit, also when it comes while the limit's kill is under way", async () => {
    const { process, backend } = open();
    const controller = new AbortController();
    const result = backend.exec("x", "/", { onData: ignore, timeout: 0.005, signal: controller.signal });
    await vi.waitFor(() => expect(process.kills).toHaveLength(1));
    controller.abort();
    process.killing.resolve(KILLED);
    await expect(result).rejects.toMatchObject({ code: "ABORTED", message: "aborted" });
  });

  test("by an abort beats an end that was told in the same tick", async () => {
    const { process, backend } = open();
    const controller = new AbortController();
    const result = backend.exec("x", "/", { onData: ignore, signal: controller.signal });
    await turn();
    process.killing.resolve({ killed: [], killConfirmed: true });
    process.finish(0);
    controller.abort();
    await expect(result).rejects.toMatchObject({ code: "ABORTED" });
  });

  test("before the start opens nothing", async () => {
    const { road, backend } = open();
    await expect(
      backend.exec("x", "/", { onData: ignore, signal: AbortSignal.abort() }),
    ).rejects.toMatchObject({
      code: "ABORTED",
      killConfirmed: true,
    });
    expect(road.jobs).toEqual([]);
  });

  test("during the start cancels it, and kills what is started all the same", async () => {
    const { road, process, backend } = open();
    const starting = deferred<TargetProcess>();
    road.starting = starting.promise;
    const controller = new AbortController();
    const result = backend.exec("x", "/", { onData: ignore, signal: controller.signal });
    controller.abort();
    await turn();
    expect(road.jobs[0]?.cancelled.aborted).toBe(true);
    starting.resolve(process);
    process.killing.resolve(KILLED);
    await expect(result).rejects.toMatchObject({ code: "ABORTED", ...KILLED });
  });

  test("settles within the grace and a second when nobody can confirm the death", async () => {
    for (const stuck of ["start", "kill"]) {
      const { road, backend } = open({ killGraceMs: 100 });
      if (stuck === "start") road.starting = new Promise(() => undefined);
      const startedAt = performance.now();
      const result = backend.exec("x", "/", { onData: ignore, timeout: 0.05 });
      await expect(result).rejects.toMatchObject({ code: "TIMEOUT", killed: [], killConfirmed: false });
      expect(performance.now() - startedAt).toBeLessThan(50 + 100 + 1000);
    }
  });

  test("leaves neither a listener nor a timer behind", async () => {
    const { process, backend } = open();
    const { signal } = new AbortController();
    const result = backend.exec("x", "/", { onData: ignore, signal, timeout: 1000 });
    expect(getEventListeners(signal, "abort")).toHaveLength(1);
    process.finish(0);
    await result;
    expect(getEventListeners(signal, "abort")).toHaveLength(0);
  });
});

test("a signal that a hundred execs share has one listener, and none when they have ended", async () => {
  const { road, process, backend } = open();
  const controller = new AbortController();
  const results = Array.from({ length: 100 }, () =>
    backend.exec("x", "/", { onData: ignore, signal: controller.signal }).catch((error: unknown) => error),
  );
  const short = open();
  const other = short.backend.exec("x", "/", { onData: ignore, signal: controller.signal });
  short.process.finish(0);
  await other;
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(1);
  controller.abort();
  process.killing.resolve(KILLED);
  for (const error of await Promise.all(results)) expect(error).toMatchObject({ code: "ABORTED" });
  expect(getEventListeners(controller.signal, "abort")).toHaveLength(0);
  expect(road.jobs).toHaveLength(100);
});

describe("output", () => {
  test("is delivered until the exec has settled, and never after", async () => {
    const { road, process, backend } = open();
    const got: string[] = [];
    const result = backend.exec("x", "/", { onData: (data) => got.push(data.toString()), timeout: 0.01 });
    await vi.waitFor(() => expect(process.kills).toHaveLength(1));
    road.jobs[0]?.deliver(Buffer.from("in the grace"));
    process.killing.resolve(KILLED);
    await result.catch(ignore);
    road.jobs[0]?.deliver(Buffer.from("too late"));
    expect(got).toEqual(["in the grace"]);
  });

  test("that onData throws at ends the command and rejects with that error", async () => {
    const { road, process, backend } = open();
    const error = new Error("the host's own");
    let calls = 0;
    const result = backend.exec("x", "/", {
      onData: () => {
        calls += 1;
        throw error;
      },
    });
    await turn();
    road.jobs[0]?.deliver(Buffer.from("a"));
    road.jobs[0]?.deliver(Buffer.from("b"));
    process.killing.resolve(KILLED);
    await expect(result).rejects.toBe(error);
    expect(process.kills).toHaveLength(1);
    expect(calls).toBe(1);
  });

  test("that an async onData rejects at is no unhandled rejection but the same", async () => {
    const { road, process, backend } = open();
    const error = new Error("the host's own");
    const result = backend.exec("x", "/", { onData: (async () => Promise.reject(error)) as () => void });
    await turn();
    road.jobs[0]?.deliver(Buffer.from("a"));
    process.killing.resolve(KILLED);
    await expect(result).rejects.toBe(error);
  });
});

describe("close", () => {
  test("ends what runs, then the road, once", async () => {
    const { road, process, backend } = open();
    const result = backend.exec("x", "/", { onData: ignore });
    const rejected = expect(result).rejects.toMatchObject({ code: "CLOSED", ...KILLED });
    await turn();
    const closed = Promise.all([backend.close(), backend.close(), backend[Symbol.asyncDispose]()]);
    await turn();
    expect(road.closeCount).toBe(0);
    process.killing.resolve(KILLED);
    await rejected;
    await closed;
    expect(road.closeCount).toBe(1);
  });

  test("makes every later exec reject and open nothing", async () => {
    const { road, backend } = open();
    await backend.close();
    await expect(backend.exec("x", "/", { onData: ignore })).rejects.toMatchObject({ code: "CLOSED" });
    expect(road.jobs).toEqual([]);
  });
});

describe("options", () => {
  test("that are no durations are refused by name", () => {
    expect(() => open({ killGraceMs: -1 })).toThrow(
      "killGraceMs must be between 0 and 2147483647 milliseconds, got -1",
    );
    expect(() => open({ drain: { quietMs: Number.NaN } })).toThrow("drain.quietMs must be between");
    expect(() => open({ drain: { maxMs: "1" as unknown as number } })).toThrow(
      "drain.maxMs must be a number of milliseconds, got string",
    );
  });
});
