import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ConsumerProject, ROOT } from "../support/consumer.js";

// A compiler and a test runner are started, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const manifest = JSON.parse(readFileSync(join(ROOT, "package.json"), "utf8"));
const doors = Object.keys(manifest.exports)
  .filter((path) => path !== "./package.json")
  .map((path) => path.replace(/^\./, manifest.name));
/** It is loaded by a test runner, and by nothing else. */
const VITEST_DOOR = `${manifest.name}/conformance/vitest`;
const plainDoors = doors.filter((door) => door !== VITEST_DOOR);

const project = new ConsumerProject();
afterAll(() => project.remove());

let packedFiles: string[];
let installedPackages: string[];

beforeAll(async () => {
  const packed = await project.run(
    "npm",
    ["pack", "--json", "--ignore-scripts", "--pack-destination", project.folder],
    { cwd: ROOT },
  );
  const [{ filename, files }] = JSON.parse(packed.stdout);
  packedFiles = files.map(({ path }: { path: string }) => path);
  const flags = ["--ignore-scripts", "--prefer-offline", "--no-audit", "--no-fund"];
  const installed = await project.run("npm", ["install", ...flags, join(project.folder, filename)]);
  expect(installed).toMatchObject({ code: 0 });
  installedPackages = readdirSync(join(project.folder, "node_modules")).filter(
    (name) => !name.startsWith("."),
  );
  // What a consumer has of its own.
  for (const name of ["@types/node", "undici-types", "vitest"]) project.link(name);
}, 120_000);

describe("the tarball", () => {
  test("holds what is built and what is read, and nothing else", () => {
    const top = [...new Set(packedFiles.map((path) => path.split("/")[0]))].sort();
    expect(top).toEqual(["CHANGELOG.md", "LICENSE", "README.md", "dist", "package.json"]);
  });

  test("brings its dependencies, and nothing with them", () => {
    expect(installedPackages).toEqual([manifest.name, ...Object.keys(manifest.dependencies)].sort());
  });
});

test("each dependency has its reason in the docs", () => {
  const reasons = readFileSync(join(ROOT, "docs/dependencies.md"), "utf8");
  const { dependencies, devDependencies, peerDependencies } = manifest;
  const names = Object.keys({ ...dependencies, ...devDependencies, ...peerDependencies });
  expect(names.filter((name) => !reasons.includes(`\`${name}\``))).toEqual([]);
});

describe("the doors", () => {
  test.each(plainDoors)("%s can be imported and gives something", async (door) => {
    const names = await project.evaluate(
      `console.log(JSON.stringify(Object.keys(await import(${JSON.stringify(door)}))))`,
    );
    expect(names).not.toEqual([]);
  });

  test("share one BackendError", async () => {
    const isInstance = await project.evaluate(`
      import { BackendError } from "bash-backends";
      import { BackendError as contractError } from "bash-backends/backend";
      import { createLocalBashOperations } from "bash-backends/local";
      const thrown = await createLocalBashOperations().exec("true", "/no/such", { onData() {} }).catch((e) => e);
      console.log(JSON.stringify([BackendError === contractError, thrown instanceof BackendError, thrown.code]));
    `);
    expect(isInstance).toEqual([true, true, "CWD_MISSING"]);
  });

  test.each(plainDoors)("%s opens nothing when it is loaded", async (door) => {
    const opened = await project.evaluate(`
      import { readdirSync, readFileSync } from "node:fs";
      const look = () => ({
        resources: process.getActiveResourcesInfo(),
        listeners: process.eventNames().map(String),
        children: readFileSync("/proc/self/task/" + process.pid + "/children", "utf8"),
        descriptors: readdirSync("/proc/self/fd").length,
      });
      // Node's own loader closes what it has opened a little later.
      const settled = () => new Promise((resolve) => setTimeout(resolve, 200));
      // It looks at stderr when it is loaded, and so opens it; the conformance suite throws its errors.
      await import("node:assert");
      await settled();
      const before = look();
      await import(${JSON.stringify(door)});
      await settled();
      console.log(JSON.stringify([before, look()]));
    `);
    const [before, after] = opened as unknown[];
    expect(after).toEqual(before);
  });

  test("none but the backend's own loads a backend", () => {
    for (const door of [...doors, "cli"]) {
      const file =
        door === "cli"
          ? manifest.bin["bash-backends"]
          : manifest.exports[door.replace(manifest.name, ".")].default;
      const loadsLocal = loadedFiles(join(ROOT, file)).some((path) =>
        /function createLocalBashOperations/.test(readFileSync(path, "utf8")),
      );
      expect({ door, loadsLocal }).toEqual({ door, loadsLocal: door === `${manifest.name}/local` });
    }
  });

  test("have types that hold for a strict consumer, without skipLibCheck", async () => {
    project.write("uses-doors.ts", CONSUMER);
    expect(await project.typeCheck(["uses-doors.ts"], ["--skipLibCheck", "false"])).toBe("");
  });

  test("have types that find mistakes", async () => {
    project.write(
      "mistakes.ts",
      `import { BackendError } from "bash-backends";\nnew BackendError("x", "NO_SUCH_CODE", "");\n`,
    );
    expect(await project.typeCheck(["mistakes.ts"])).toContain("mistakes.ts(2,23): error TS2345");
  });

  test("conformance/vitest makes a test of each case in a consumer's own run", async () => {
    project.write(
      "conform.test.ts",
      `import { describeConformance } from "bash-backends/conformance/vitest";
       import { createLocalBashOperations } from "bash-backends/local";
       describeConformance("local", () => createLocalBashOperations(), { only: ["exit-codes"] });`,
    );
    const vitest = join(ROOT, "node_modules/vitest/vitest.mjs");
    const { code, stdout } = await project.run(process.execPath, [
      vitest,
      "run",
      "--reporter=json",
      "conform.test.ts",
    ]);
    const { numPassedTests, numFailedTests } = JSON.parse(stdout.slice(stdout.indexOf("{")));
    expect({ code, numFailedTests }).toEqual({ code: 0, numFailedTests: 0 });
    expect(numPassedTests).toBeGreaterThan(5);
  });
});

describe("the installed command", () => {
  test("runs by its name", async () => {
    expect(await project.run("npx", ["bash-backends", "exec", "echo hi; exit 3"])).toMatchObject({
      code: 3,
      stdout: "hi\n",
    });
  });

  test("knows its version", async () => {
    const { stdout } = await project.run("npx", ["bash-backends", "--version"]);
    expect(stdout).toBe(`${manifest.version}\n`);
  });
});

/** A built file and all that it imports statically. */
function loadedFiles(entry: string, seen: Set<string> = new Set()): string[] {
  if (seen.has(entry)) return [];
  seen.add(entry);
  const imports = readFileSync(entry, "utf8").matchAll(/(?:from|import) ?"(\.[^"]+)"/g);
  return [entry, ...[...imports].flatMap(([, path = ""]) => loadedFiles(join(entry, "..", path), seen))];
}

const CONSUMER = `
import { BackendError, type BashBackend, type BashOperations } from "bash-backends";
import { createBackend, type Capabilities, type Road } from "bash-backends/backend";
import { runConformance, type ConformanceReport } from "bash-backends/conformance";
import { describeConformance } from "bash-backends/conformance/vitest";
import { createLocalBashOperations, type LocalBashOptions } from "bash-backends/local";

const options: LocalBashOptions = { commandTransport: "stdin", drain: { quietMs: 50 } };
const backend: BashBackend = createLocalBashOperations(options);
const operations: BashOperations = backend;
const capabilities: Capabilities = backend.capabilities;
const { exitCode, ending } = await backend.exec("true", "/", { onData: (chunk: Buffer) => void chunk });
const report: ConformanceReport = await runConformance(() => operations, { only: ["exit-codes"] });
export const all: unknown = [exitCode satisfies number, ending, report.passed, capabilities, describeConformance];
export const make: (road: Road) => BashBackend = (road) => createBackend(road, { killGraceMs: 100 });
export const isOurs = (error: unknown): boolean => error instanceof BackendError && error.code === "CLOSED";
await using closed = createLocalBashOperations();
export const name: string = closed.name;
`;
