import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ConsumerProject, ROOT } from "../support/consumer.js";
import { type InstalledPi, installPi, PI_VERSION } from "../support/pi.js";

// A compiler is started, on machines that may be busy.
vi.setConfig({ testTimeout: 120_000 });

const project = new ConsumerProject();
afterAll(() => project.remove());

let found: InstalledPi | string;

beforeAll(async () => {
  found = await installPi();
  if (typeof found === "string") return;
  project.link("bash-backends", ROOT);
  project.link("@types/node");
  project.link("@earendil-works", join(found.folder, "node_modules/@earendil-works"));
}, 300_000);

describe(`pi ${PI_VERSION} on Node 22`, () => {
  test("has a type for operations that ours can take the place of, and the other way round", async ({
    skip,
  }) => {
    if (typeof found === "string") return skip(found);
    project.write(
      "assign.ts",
      `import type { BashOperations as Theirs } from "@earendil-works/pi-coding-agent";
       import type { BashBackend, BashOperations as Ours } from "bash-backends";
       export const toTheirs = (ours: Ours): Theirs => ours;
       export const toOurs = (theirs: Theirs): Ours => theirs;
       export const backendToTheirs = (backend: BashBackend): Theirs => backend;`,
    );
    expect(await project.typeCheck(["assign.ts"], ["--skipLibCheck"])).toBe("");
  });

  test("has a type that refuses what is no operations", async ({ skip }) => {
    if (typeof found === "string") return skip(found);
    project.write(
      "refuse.ts",
      `import type { BashOperations as Theirs } from "@earendil-works/pi-coding-agent";
       export const wrong: Theirs = { exec: async () => ({ exitCode: "0" }) };`,
    );
    expect(await project.typeCheck(["refuse.ts"], ["--skipLibCheck"])).toContain("refuse.ts(2,");
  });

  test("runs its bash tool on our local backend", async ({ skip }) => {
    if (typeof found === "string") return skip(found);
    const script = project.write(
      "tool.mjs",
      `import { createBashTool } from "@earendil-works/pi-coding-agent";
       import { createLocalBashOperations } from "bash-backends/local";
       const operations = createLocalBashOperations();
       const tool = createBashTool(process.cwd(), { operations });
       const { content } = await tool.execute("call-1", { command: "echo out; echo err >&2; pwd -P" });
       const failed = await tool.execute("call-2", { command: "exit 3" });
       const late = await tool.execute("call-3", { command: "sleep 60", timeout: 0.5 }).catch((error) => error.message);
       await operations.close();
       console.log(JSON.stringify({ node: process.version, content, failed, late }));`,
    );
    const { stdout, stderr } = await project.run(found.node, [script]);
    expect(stderr).toBe("");
    const { node, content, failed, late } = JSON.parse(stdout);
    expect(node).toMatch(/^v22\./);
    expect(content).toEqual([{ type: "text", text: `out\nerr\n${project.folder}\n` }]);
    expect(failed).toMatchObject({ isError: true, structuredContent: { exit_code: 3 } });
    expect(late).toContain("timed out after 0.5 seconds");
  });
});
