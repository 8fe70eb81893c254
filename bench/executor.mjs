/**
 * The executor against that of pi, in one run and interleaved: throughput and processor time as ratios of medians,
 * and what 1 GiB of output does to the memory. Reads `dist/`: build first. Progress goes to stderr.
 *
 *   node bench/executor.mjs [--json] [--mib 300] [--rounds 5]
 *
 * Needs Node 22, as pi does. PI_DIR names a folder to install pi into, or one that has it.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";
import { median } from "./measure.mjs";
import { piFolder } from "./pi.mjs";

const MIB = 1024 ** 2;
const CHUNK_BYTES = 64 * 1024;
const MEMORY_MIB = 1024;
const SELF = fileURLToPath(import.meta.url);

const TEXTS = {
  plain: "2026-03-01T12:00:00.123Z INFO  server request id 4711 GET /api/v1/items done in 12 ms, 200\n",
  coloured:
    "\x1b[2m2026-03-01T12:00:00.123Z\x1b[0m \x1b[32mINFO\x1b[39m  \x1b[1mserver\x1b[22m GET \x1b[36m/api/v1/items\x1b[39m 200\n",
};

/**
 * @param options `mib` of output for each run, `rounds` of runs
 * @returns MiB/s (medians), ratios to pi's, and the growth of the resident memory in MiB
 */
export async function benchExecutor({ mib = 300, rounds = 5 } = {}) {
  const directory = mkdtempSync(join(tmpdir(), "bench-executor-"));
  try {
    const contenders = { ours: await loadOurs(directory), ...(await loadPi(directory)) };
    const throughput = {};
    for (const [name, line] of Object.entries(TEXTS)) {
      for (const listens of [false, true]) {
        const label = `${name}, ${listens ? "with" : "without"} a listener`;
        throughput[label] = await compare(contenders, { line, listens, mib, rounds, label });
      }
    }
    return { node: process.version, mib, rounds, throughput, rssGrowthMib: measureMemory() };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

async function loadOurs(directory) {
  const { executeBash } = await import("../dist/index.js");
  return (operations, onChunk) =>
    executeBash("bench", "/", operations, { tempDir: directory, ...(onChunk && { onChunk }) });
}

async function loadPi(directory) {
  // The package does not export its executor.
  const file = pathToFileURL(join(piFolder(console.error), "dist", "core", "bash-executor.js")).href;
  const { executeBashWithOperations } = await import(file);
  process.env.TMPDIR = directory;
  return { pi: (operations, onChunk) => executeBashWithOperations("bench", "/", operations, { onChunk }) };
}

/** All contenders in turns, so that what else happens on the machine hits all of them. */
async function compare(contenders, { line, listens, mib, rounds, label }) {
  const runs = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
  for (let round = -1; round < rounds; round += 1) {
    for (const [name, run] of Object.entries(contenders)) {
      const cost = await costOf(run, { line, listens, mib });
      console.error(`${label}: ${name} ${describe(cost)}${round < 0 ? " (warm-up)" : ""}`);
      if (round >= 0) runs[name].push(cost);
    }
  }
  const medians = Object.entries(runs).map(([name, costs]) => [name, medianCost(costs)]);
  const { ours, pi } = Object.fromEntries(medians);
  return {
    mibPerSecond: Object.fromEntries(medians.map(([name, { ms }]) => [name, Math.round(mib / (ms / 1000))])),
    ratioToPi: ratio(pi.ms, ours.ms),
    cpuRatioToPi: ratio(pi.cpuMs, ours.cpuMs),
  };
}

/**
 * Wall-clock time, and the processor time of all threads. On a busy machine the second one tells more: pi writes its
 * file in other threads, and does not wait for the end of that.
 */
async function costOf(run, { line, listens, mib }) {
  let characters = 0;
  const onChunk = listens
    ? (text) => {
        characters += text.length;
      }
    : undefined;
  const start = performance.now();
  const cpuStart = process.cpuUsage();
  const { fullOutputPath } = await run(feeding(line, mib), onChunk);
  const ms = performance.now() - start;
  const { user, system } = process.cpuUsage(cpuStart);
  if (listens && characters === 0) throw new Error("the listener got nothing");
  rmSync(fullOutputPath);
  return { ms, cpuMs: (user + system) / 1000 };
}

function medianCost(costs) {
  return { ms: median(costs.map(({ ms }) => ms)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) };
}

function describe({ ms, cpuMs }) {
  return `${Math.round(ms)} ms (processor ${Math.round(cpuMs)} ms)`;
}

/** How many times as fast we are. */
function ratio(theirs, ours) {
  return Number((theirs / ours).toFixed(2));
}

/** Operations that deliver as a pipe does: a chunk in a turn of the event loop. */
function feeding(line, mib) {
  const chunk = Buffer.from(line.repeat(Math.ceil(CHUNK_BYTES / line.length))).subarray(0, CHUNK_BYTES);
  return {
    async exec(_command, _cwd, { onData }) {
      for (let fed = 0; fed < mib * MIB; fed += CHUNK_BYTES) {
        onData(chunk);
        await new Promise(setImmediate);
      }
      return { exitCode: 0 };
    },
  };
}

/** Each in a process of its own: the memory of a run is not given back at once. */
function measureMemory() {
  const growth = {};
  for (const name of Object.keys(TEXTS)) {
    for (const listens of [false, true]) {
      const label = `${name}, ${listens ? "with" : "without"} a listener`;
      console.error(`memory: ${label}`);
      const { stdout } = spawnSync(
        process.execPath,
        [SELF, "--memory", name, ...(listens ? ["--listen"] : [])],
        {
          stdio: ["ignore", "pipe", "inherit"],
          encoding: "utf8",
        },
      );
      growth[label] = Number(stdout);
    }
  }
  return growth;
}

/** The highest resident memory while 1 GiB passes, above that after a small run, in MiB. */
async function memoryGrowth(line, listens) {
  const directory = mkdtempSync(join(tmpdir(), "bench-executor-"));
  try {
    const run = await loadOurs(directory);
    const onChunk = listens ? () => {} : undefined;
    await run({ exec: async () => ({ exitCode: 0 }) }, onChunk);
    const before = process.memoryUsage.rss();
    let highest = before;
    const { exec } = feeding(line, MEMORY_MIB);
    const watch = (command, cwd, options) =>
      exec(command, cwd, {
        onData: (data) => {
          options.onData(data);
          highest = Math.max(highest, process.memoryUsage.rss());
        },
      });
    await run({ exec: watch }, onChunk);
    return Math.round((highest - before) / MIB);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

if (process.argv[1] === SELF) {
  const { values } = parseArgs({
    options: {
      json: { type: "boolean" },
      mib: { type: "string" },
      rounds: { type: "string" },
      memory: { type: "string" },
      listen: { type: "boolean" },
    },
  });
  if (values.memory) {
    console.log(await memoryGrowth(TEXTS[values.memory], values.listen));
  } else {
    const result = await benchExecutor({
      ...(values.mib && { mib: Number(values.mib) }),
      ...(values.rounds && { rounds: Number(values.rounds) }),
    });
    if (values.json) console.log(JSON.stringify(result));
    else console.dir(result, { depth: null });
  }
}
