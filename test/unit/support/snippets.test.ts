import { expect, test } from "vitest";
import { parseSnippets } from "../../support/snippets.js";

const fence = "```";

test("blocks are found with their language, line and markers", () => {
  const text = `# A\n\n${fence}bash exit=1\nfalse\n${fence}\n\n${fence}ts file="a.ts"\nlet a;\n${fence}\n`;
  expect(parseSnippets(text)).toEqual([
    { language: "bash", code: "false\n", line: 3, file: undefined, noRun: undefined, exit: 1 },
    { language: "ts", code: "let a;\n", line: 7, file: "a.ts", noRun: undefined, exit: 0 },
  ]);
});

test("a block that cannot run needs a reason", () => {
  const block = (marker: string) => `${fence}js ${marker}\nx\n${fence}\n`;
  expect(parseSnippets(block('no-run="needs a cluster"'))[0]?.noRun).toBe("needs a cluster");
  expect(() => parseSnippets(block('no-run=""'))).toThrow('line 1: unknown marker no-run=""');
  expect(() => parseSnippets(block("no-run"))).toThrow("line 1: unknown marker no-run");
});

test("a block in a language that nobody checks is an error", () => {
  expect(() => parseSnippets(`\n${fence}sh\nls\n${fence}\n`)).toThrow("line 2: nobody checks a block of sh");
  expect(() => parseSnippets(`${fence}\nls\n${fence}\n`)).toThrow("line 1: nobody checks a block of nothing");
});

test("plain text is left alone", () => {
  expect(parseSnippets(`${fence}text\nls\n${fence}\n`)).toEqual([]);
});
