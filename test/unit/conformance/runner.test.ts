import { strict as assert } from "node:assert";
import { describe, expect, test, vi } from "vitest";
import type { ClosableOperations, ConformanceCase } from "../../../src/conformance/index.js";
import { ALL_CASES, runConformance } from "../../../src/conformance/index.js";

/** Says hello to every command. */
function operations(more: Partial<ClosableOperations> = {}): ClosableOperations {
  return {
    async exec(_command, _cwd, { onData }) {
      onData(Buffer.from("hello"));
      return { exitCode: 0 };
    },
    ...more,
  };
}

function testCase(
  id: string,
  run: ConformanceCase["run"],
  more: Partial<ConformanceCase> = {},
): ConformanceCase {
  return { id, title: `title of ${id}`, promise: "exit codes", run, ...more };
}

const passing = testCase("a/passes", async (subject) => {
  assert.equal((await subject.run("")).text, "hello");
});
const failing = testCase("a/fails", async () => assert.fail("wrong on purpose"));
const CAPABILITIES = {
  shell: undefined,
  trueOrder: false,
  killsTree: true,
  sweepsMarker: true,
  hostDeath: true,
  noArgv: true,
};

describe("a report", () => {
  test("counts what passed, failed and was skipped, in the order of the cases", async () => {
    const skipping = testCase("b/skips", async (subject) => subject.skip("no such thing here"));
    const report = await runConformance(() => operations(), { cases: [passing, skipping, failing] });
    expect(report).toEqual({
      passed: 1,
      failed: 1,
      skipped: 1,
      results: [
        { id: "a/passes", title: "title of a/passes", status: "passed", ms: expect.any(Number) },
        {
          id: "b/skips",
          title: "title of b/skips",
          status: "skipped",
          reason: "no such thing here",
          ms: expect.any(Number),
        },
        {
          id: "a/fails",
          title: "title of a/fails",
          status: "failed",
          reason: 'broken promise "exit codes": wrong on purpose',
          ms: expect.any(Number),
        },
      ],
    });
  });

  test("is told case by case while the run goes on", async () => {
    const onResult = vi.fn();
    const { results } = await runConformance(() => operations(), { cases: [passing, failing], onResult });
    expect(onResult.mock.calls.map(([result]) => result)).toEqual(results);
  });

  test("keeps the order of the cases when they run at once and one runs alone", async () => {
    const alone = testCase("a/alone", async () => undefined, { isAlone: true });
    const report = await runConformance(() => operations(), {
      cases: [alone, passing, failing],
      concurrency: 3,
    });
    expect(report.results.map(({ id }) => id)).toEqual(["a/alone", "a/passes", "a/fails"]);
  });
});

describe("choosing cases", () => {
  test("an unknown id is an error, in only and in knownGaps, before anything is opened", async () => {
    const open = vi.fn(() => operations());
    await expect(runConformance(open, { only: ["a/passes"] })).rejects.toThrow(
      new RangeError("only: no case or group is named a/passes"),
    );
    await expect(runConformance(open, { knownGaps: ["exit-codes/plain", "typo"] })).rejects.toThrow(
      new RangeError("knownGaps: no case or group is named typo"),
    );
    expect(open).not.toHaveBeenCalled();
  });

  test("a group's name stands for all its cases, and for no other group that begins alike", async () => {
    const other = testCase("ab/other", async () => undefined);
    const report = await runConformance(() => operations(), {
      cases: [passing, failing, other],
      only: ["a"],
    });
    expect(report.results.map(({ id }) => id)).toEqual(["a/passes", "a/fails"]);
  });

  test("a concurrency that is no whole number above 0 is an error", async () => {
    await expect(runConformance(() => operations(), { concurrency: 0 })).rejects.toThrow(RangeError);
  });
});

describe("a known gap", () => {
  test("that fails is a skip that says so", async () => {
    const report = await runConformance(() => operations(), { cases: [failing], knownGaps: ["a/fails"] });
    expect(report).toMatchObject({
      failed: 0,
      skipped: 1,
      results: [{ reason: 'known gap: broken promise "exit codes": wrong on purpose' }],
    });
  });

  test("that passes, or is skipped, fails the run", async () => {
    const skipping = testCase("a/skips", async (subject) => subject.skip("no setsid"));
    const report = await runConformance(() => operations(), {
      cases: [passing, skipping],
      knownGaps: ["a"],
    });
    expect(report.results.map(({ status, reason }) => ({ status, reason }))).toEqual([
      { status: "failed", reason: "listed as a known gap, but it passes: take it off the list" },
      {
        status: "failed",
        reason: "listed as a known gap, but it is skipped (no setsid): take it off the list",
      },
    ]);
  });
});

describe("capabilities", () => {
  const ordered = testCase("a/ordered", async () => undefined, { requires: "trueOrder" });
  const closing = testCase("a/closing", async () => undefined, { requires: "close" });

  test("one that is declared false is a skip with a reason", async () => {
    const report = await runConformance(() => operations({ capabilities: CAPABILITIES }), {
      cases: [ordered, closing],
    });
    expect(report).toMatchObject({
      skipped: 2,
      results: [
        { reason: "the backend declares trueOrder: false" },
        { reason: "the backend has no close()" },
      ],
    });
  });

  test("a backend that declares none is held to all of them", async () => {
    expect(await runConformance(() => operations(), { cases: [ordered] })).toMatchObject({ passed: 1 });
  });
});

describe("a case", () => {
  test("that does not end in its time has failed", async () => {
    const hanging = testCase("a/hangs", () => new Promise(() => undefined));
    const report = await runConformance(() => operations(), { cases: [hanging, passing], caseTimeoutMs: 20 });
    expect(report.results).toMatchObject([
      { status: "failed", reason: 'broken promise "exit codes": the case did not end within 20 ms' },
      { status: "passed" },
    ]);
  });

  test("has what it made cleaned up when it fails: directories removed, backends closed", async () => {
    const commands: string[] = [];
    const close = vi.fn(async () => undefined);
    const open = () =>
      operations({
        close,
        async exec(command, _cwd, { onData }) {
          commands.push(command);
          onData(Buffer.from(command.includes("mktemp") ? "/tmp/made\n" : "/proc/4711/cmdline\n"));
          return { exitCode: 0 };
        },
      });
    const messy = testCase("a/messy", async (subject) => {
      await subject.open();
      await subject.scratch();
      subject.nap();
      assert.fail();
    });
    await runConformance(open, { cases: [messy] });
    expect(commands).toContain("chmod -R u+rwx '/tmp/made' 2>/dev/null; rm -rf '/tmp/made'");
    expect(commands).toContain("kill -KILL 4711");
    expect(close).toHaveBeenCalledTimes(2);
  });
});

describe("a run", () => {
  test("rejects with what the factory throws", async () => {
    const open = () => Promise.reject(new Error("no such host"));
    await expect(runConformance(open, { cases: [passing] })).rejects.toThrow("no such host");
  });

  test("that is aborted finishes the case under way, closes the backend and rejects with the reason", async () => {
    const controller = new AbortController();
    const close = vi.fn(async () => undefined);
    const onResult = vi.fn(() => controller.abort(new Error("enough")));
    const run = runConformance(() => operations({ close }), {
      cases: [passing, failing],
      onResult,
      signal: controller.signal,
    });
    await expect(run).rejects.toThrow("enough");
    expect(onResult).toHaveBeenCalledTimes(1);
    expect(close).toHaveBeenCalledTimes(1);
  });
});

describe("the cases", () => {
  test("have ids of the form group/name, each once", () => {
    const ids = ALL_CASES.map(({ id }) => id);
    for (const id of ids) expect(id).toMatch(/^[a-z-]+\/[a-z0-9-]+$/);
    expect(new Set(ids).size).toBe(ids.length);
  });

  test("are at least 70, and at least 60 more compare a command with bash -c", () => {
    const compared = ALL_CASES.filter(({ id }) => id.startsWith("differential/"));
    expect(compared.length).toBeGreaterThanOrEqual(60);
    expect(ALL_CASES.length - compared.length).toBeGreaterThanOrEqual(70);
  });
});
