// The local backend against raw child_process.spawn and pi's backend: the cost of one exec, and throughput.
import { spawn } from "node:child_process";
import { createLocalBashOperations } from "../dist/local.js";
import { interleave, median, ratio } from "./measure.mjs";
import { loadPi } from "./pi.mjs";

const GIB = 2 ** 30;

/** What a host would write without a library: the same shell, its output collected, the pipes waited for. */
function rawSpawn(command, onData) {
  return new Promise((resolve, reject) => {
    const child = spawn("/bin/bash", ["-c", "--", command], {
      cwd: "/tmp",
      env: process.env,
      stdio: ["ignore", "pipe", "pipe"],
      detached: true,
    });
    child.stdout.on("data", onData);
    child.stderr.on("data", onData);
    child.on("error", reject);
    child.on("close", resolve);
  });
}

export async function benchLocal({ rounds = 400, throughputRounds = 7, log = console.error } = {}) {
  const pi = await loadPi(log);
  const arg = createLocalBashOperations();
  const stdin = createLocalBashOperations({ commandTransport: "stdin" });
  const piOperations = pi.createLocalBashOperations();
  const roads = {
    "raw spawn": rawSpawn,
    "bash-backends": (command, onData) => arg.exec(command, "/tmp", { onData }),
    "bash-backends, stdin": (command, onData) => stdin.exec(command, "/tmp", { onData }),
    "pi 1.6.0": (command, onData) => piOperations.exec(command, "/tmp", { onData }),
  };
  const ignore = () => undefined;
  const each = (run) =>
    Object.fromEntries(Object.entries(roads).map(([name, road]) => [name, () => run(road)]));

  log(`exec of true, ${rounds} rounds…`);
  const exec = await interleave(
    each((road) => road("true", ignore).then(() => undefined)),
    { rounds, warmUp: 20 },
  );
  log(`1 GiB through a command, ${throughputRounds} rounds…`);
  const throughput = await interleave(
    each(async (road) => {
      let bytes = 0;
      const startedAt = performance.now();
      await road(`head -c ${GIB} /dev/zero`, (chunk) => {
        bytes += chunk.length;
      });
      if (bytes !== GIB) throw new Error(`expected ${GIB} bytes, got ${bytes}`);
      return performance.now() - startedAt;
    }),
    { rounds: throughputRounds },
  );
  await arg.close();
  await stdin.close();

  const rows = (figures, baseline) =>
    Object.entries(figures).map(([name, values]) => ({
      contender: name,
      medianMs: Number(median(values).toFixed(2)),
      [`timesOf ${baseline}`]: Number(ratio(values, figures[baseline]).toFixed(3)),
    }));
  return {
    "exec of `true`": rows(exec, "raw spawn"),
    "1 GiB of output": rows(throughput, "pi 1.6.0"),
  };
}
