/** All roads on which a command's output can come: anonymous pipes, named ones, and Node's own two. */
import { execFileSync } from "node:child_process";
import { closeSync, openSync, readdirSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { LocalRoad } from "../../../backends/local/road.js";
import { type BashBackend, createBackend, createMarker } from "../../../src/backend/index.js";
import { eventually } from "../../support/processes.js";

const roads = {
  "anonymous pipes": { guardShellPath: "/bin/bash" },
  "named pipes": { guardShellPath: "/bin/dash" },
  "the two pipes of Node": { guardShellPath: "/bin/dash", fifoParents: ["/no/such/folder"] },
};

function open(road: keyof typeof roads): BashBackend {
  const marker = createMarker();
  const options = {
    shellPath: undefined,
    transport: "arg" as const,
    killGraceMs: 500,
    marker,
    ...roads[road],
  };
  return createBackend(new LocalRoad(options), { marker, killGraceMs: 500 });
}

async function run(backend: BashBackend, command: string) {
  const chunks: Buffer[] = [];
  const result = await backend.exec(command, "/tmp", { onData: (chunk) => chunks.push(chunk) });
  return { ...result, output: Buffer.concat(chunks).toString() };
}

const namedPipeFolders = () => readdirSync("/dev/shm").filter((name) => name.startsWith("bash-backends-"));
const descriptors = () => readdirSync("/proc/self/fd").length;

describe.each(Object.keys(roads) as (keyof typeof roads)[])("output on %s", (road) => {
  test("is whole, and the descriptors of 200 commands are closed again", async () => {
    const backend = open(road);
    await run(backend, "true");
    const before = descriptors();
    for (let batch = 0; batch < 4; batch += 1) {
      const commands = Array.from({ length: 50 }, (_, i) => run(backend, `echo ${i}; exit ${i}`));
      for (const [i, result] of (await Promise.all(commands)).entries()) {
        expect(result).toEqual({ exitCode: i, ending: "complete", output: `${i}\n` });
      }
    }
    await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before + 1));
    await backend.close();
  });

  test("of a background job is let go without harm to the job", async () => {
    const backend = open(road);
    const folder = (await run(backend, "mktemp -d")).output.trim();
    const job = `(sleep 0.4; for i in 1 2 3; do head -c 100000 /dev/zero || exit; done; echo done >${folder}/end) &`;
    expect(await run(backend, job)).toMatchObject({ exitCode: 0, ending: "left-open" });
    await eventually(async () => expect((await run(backend, `cat ${folder}/end`)).output).toBe("done\n"));
    await run(backend, `rm -r ${folder}`);
    await backend.close();
  });
});

describe.each(["anonymous pipes", "named pipes"] as const)("output on %s", (road) => {
  test("keeps the order of 10,000 alternating lines", async () => {
    const backend = open(road);
    const { output } = await run(backend, "for ((i = 0; i < 5000; i++)); do echo o$i; echo e$i >&2; done");
    const expected = Array.from({ length: 5000 }, (_, i) => `o${i}\ne${i}\n`).join("");
    expect(output).toBe(expected);
    expect(backend.capabilities.trueOrder).toBe(true);
    await backend.close();
  });

  test("can be opened by path", async () => {
    const backend = open(road);
    expect(
      (await run(backend, "echo a >/dev/stdout; echo b >/dev/stderr; echo c | tee /dev/fd/2")).output,
    ).toBe("a\nb\nc\nc\n");
    await backend.close();
  });
});

test("the two pipes of Node are said in the capabilities", async () => {
  const backend = open("the two pipes of Node");
  await run(backend, "true");
  expect(backend.capabilities.trueOrder).toBe(false);
  await backend.close();
});

test("named pipes leave no name behind: not when taken, not after close", async () => {
  const before = namedPipeFolders();
  const backend = open("named pipes");
  const { output } = await run(backend, "readlink /proc/self/fd/1");
  expect(output).toMatch(/^\/dev\/shm\/bash-backends-\w+\/\d+ \(deleted\)\n$/);
  await backend.close();
  expect(namedPipeFolders()).toEqual(before);
});

test("a host without descriptors gets an error that says so, leaks none, and works again afterwards", async () => {
  const backend = open("anonymous pipes");
  await run(backend, "true");
  const before = descriptors();
  const limit = (...args: string[]) =>
    execFileSync("prlimit", ["--pid", String(process.pid), ...args], { encoding: "utf8" });
  const usual = limit("--nofile", "--noheadings", "--output", "SOFT").trim();
  const held: number[] = [];
  limit(`--nofile=${before + 20}:`);
  try {
    const fill = () => {
      for (;;) held.push(openSync("/dev/null", "r"));
    };
    expect(fill).toThrow("EMFILE");
    // With one more to spare each time, another step of the start fails.
    const failures: unknown[] = [];
    for (;;) {
      const outcome = await run(backend, "echo at last").catch((error: unknown) => error);
      if (!(outcome instanceof Error)) break;
      failures.push(outcome);
      closeSync(held.pop() as number);
    }
    expect(failures.length).toBeGreaterThanOrEqual(3);
    for (const failure of failures) {
      expect(failure).toMatchObject({
        code: "SPAWN_FAILED",
        message:
          "the command could not be started: this process has too many open files (EMFILE): see ulimit -n",
      });
    }
  } finally {
    for (const fd of held) closeSync(fd);
    limit(`--nofile=${usual}:`);
  }
  expect((await run(backend, "echo again")).output).toBe("again\n");
  await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before + 1));
  await backend.close();
});
