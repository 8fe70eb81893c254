/** The docs tell the truth: their code is compiled and run, their links lead somewhere. */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { ConsumerProject, ROOT, type RunResult, run } from "../support/consumer.js";
import { findSnippets, type Snippet } from "../support/snippets.js";

// The README installs the package and builds it, on machines that may be busy.
vi.setConfig({ testTimeout: 300_000, hookTimeout: 300_000 });

const documents = ["README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", ...markdownIn("docs")];

test("there is code to be checked", () => {
  const count = (document: string) => findSnippets(join(ROOT, document)).length;
  expect(count("README.md")).toBeGreaterThanOrEqual(4);
  expect(count("docs/writing-a-backend.md")).toBeGreaterThanOrEqual(5);
});

describe.each(documents)("%s", (document) => {
  const snippets = findSnippets(join(ROOT, document));

  test("links to files that exist", () => {
    const text = readFileSync(join(ROOT, document), "utf8");
    const links = [...text.matchAll(/\]\((?!https?:|#)([^)#]+)/g)].map(([, path = ""]) => path);
    expect(links.filter((path) => !existsSync(join(ROOT, dirname(document), path)))).toEqual([]);
  });

  if (snippets.length === 0) return;
  const project = new ConsumerProject();
  let compilerSays: string;
  afterAll(() => project.remove());

  beforeAll(async () => {
    project.link("bash-backends", ROOT);
    project.link("@types/node");
    project.link("undici-types");
    project.link("vitest");
    project.link(".bin/bash-backends", join(ROOT, "dist/cli.js"));
    for (const snippet of snippets) {
      if (snippet.language !== "bash") project.write(fileOf(snippet), snippet.code);
    }
    const sources = snippets.filter(({ language }) => language === "ts").map(fileOf);
    compilerSays = sources.length === 0 ? "" : await project.compile(sources);
  });

  for (const snippet of snippets) {
    test(`line ${snippet.line}: ${snippet.language} ${snippet.file ?? ""}`, async ({ skip }) => {
      // Also what cannot be run is compiled.
      expect(compilerSays.split("\n").filter((line) => line.startsWith(fileOf(snippet)))).toEqual([]);
      if (snippet.noRun !== undefined) return skip(snippet.noRun);
      if (snippet.language === "json") return void JSON.parse(snippet.code);
      const result = await runSnippet(snippet, document, project);
      expect({ ...result, code: result.code }).toMatchObject({ code: snippet.exit });
      for (const promised of promisedOutput(snippet)) expect(result.stdout).toContain(promised);
    });
  }
});

function runSnippet(snippet: Snippet, document: string, project: ConsumerProject): Promise<RunResult> {
  if (snippet.language === "bash") {
    const args = ["-euo", "pipefail", "-c", snippet.code];
    if (document === "README.md") return runInClone(args, project);
    const path = `${join(project.folder, "node_modules/.bin")}:${process.env.PATH}`;
    return project.run("bash", args, { env: { ...process.env, PATH: path } });
  }
  const file = fileOf(snippet).replace(/\.ts$/, ".js");
  return project.run(process.execPath, snippet.file === undefined ? [file] : ["--check", file]);
}

/** The README is read by somebody who has just cloned: no package is installed, nothing is built. */
async function runInClone(args: readonly string[], project: ConsumerProject): Promise<RunResult> {
  const clone = join(project.folder, "clone");
  if (!existsSync(clone)) await makeClone(clone);
  // The cache is warm from this repository's own `npm ci`, and a script that is not allowed would be an error.
  const npm = { npm_config_strict_allow_scripts: "true", npm_config_prefer_offline: "true" };
  const result = await run("bash", args, { cwd: clone, env: { ...process.env, ...npm } });
  expect(`${result.stdout}${result.stderr}`).not.toMatch(/\bwarn/i);
  return result;
}

/** What git knows of, and what is new: that is what the next commit can hold. */
async function makeClone(folder: string): Promise<void> {
  const listed = await run("git", ["ls-files", "-co", "--exclude-standard"], { cwd: ROOT });
  expect(listed.code).toBe(0);
  for (const path of listed.stdout
    .trim()
    .split("\n")
    .filter((name) => existsSync(join(ROOT, name)))) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    cpSync(join(ROOT, path), join(folder, path));
  }
}

/** `console.log(x); // text`: the text is what it prints. `echo hi` prints hi. */
function promisedOutput({ language, code, file }: Snippet): string[] {
  if (file !== undefined) return [];
  if (language === "bash") return /echo hi/.test(code) ? ["hi\n"] : [];
  return [...code.matchAll(/console\.log\(.*\); \/\/ (.*)$/gm)].map(([, promised = ""]) => promised);
}

function fileOf({ file, line, language }: Snippet): string {
  return file ?? `line-${line}.${language === "js" ? "mjs" : language}`;
}

function markdownIn(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((path) => path.endsWith(".md"))
    .map((path) => join(folder, path));
}
