/** The code blocks of the docs. */
import { readFileSync } from "node:fs";

/** What a test knows how to check. */
const CHECKED = ["bash", "ts", "js", "json"];
/** Pictures and examples of output. */
const PLAIN = ["text"];

export interface Snippet {
  readonly language: string;
  readonly code: string;
  /** Where it begins in its document, from 1. */
  readonly line: number;
  /** `file="…"`: it is not run, but becomes a file that later blocks of its document use. */
  readonly file: string | undefined;
  /** `no-run="…"`: why it cannot be run. */
  readonly noRun: string | undefined;
  /** `exit=…`: the code with which it ends. */
  readonly exit: number;
}

/** @throws Error for a language or a marker that no test knows: nothing may pass for checked that is not */
export function findSnippets(path: string): Snippet[] {
  return parseSnippets(readFileSync(path, "utf8"));
}

export function parseSnippets(text: string): Snippet[] {
  const snippets: Snippet[] = [];
  for (const found of text.matchAll(/^```(.*)\n([\s\S]*?)^```$/gm)) {
    const [, info = "", code = ""] = found;
    const [language = "", ...rest] = info.split(" ");
    const line = text.slice(0, found.index).split("\n").length;
    if (PLAIN.includes(language)) continue;
    if (!CHECKED.includes(language))
      throw new Error(`line ${line}: nobody checks a block of ${language || "nothing"}`);
    snippets.push({ language, code, line, ...parseMarkers(rest.join(" "), line) });
  }
  return snippets;
}

function parseMarkers(text: string, line: number): Pick<Snippet, "file" | "noRun" | "exit"> {
  const markers = new Map(
    [...text.matchAll(/([a-z-]+)=("[^"]+"|\d+)/g)].map(([, name, value]) => [name, value]),
  );
  const unknown = text.replace(/(file|no-run)="[^"]+"|exit=\d+/g, "").trim();
  if (unknown !== "") throw new Error(`line ${line}: unknown marker ${unknown}`);
  const quoted = (name: string) => markers.get(name)?.slice(1, -1);
  return { file: quoted("file"), noRun: quoted("no-run"), exit: Number(markers.get("exit") ?? 0) };
}
