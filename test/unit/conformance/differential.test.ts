import { describe, expect, test } from "vitest";
import { isSame } from "../../../src/conformance/cases/differential.js";
import { patternFor, quote } from "../../../src/conformance/shell.js";

const outcome = (text: string, exitCode = 0) => ({ text, exitCode });

describe("equal but for what a command on a pipe may differ in", () => {
  test.each([
    ["the same", "a\n", "a\n"],
    ["eval: for -c:", "bash: eval: line 2: syntax error\n", "bash: -c: line 2: syntax error\n"],
    ["eval: in dash", "sh: 1: eval: Syntax error\n", "sh: 1: Syntax error\n"],
    ["eval: line 0: in busybox", "sh: eval: line 0: x: not found\n", "sh: x: not found\n"],
    ["one more + under xtrace", "++ echo a\na\n+++ echo b\n", "+ echo a\na\n++ echo b\n"],
    ["the line about a last command that died", "a\nbash: line 1:   812 Killed   sh -c x\n", "a\n"],
  ])("%s", (_, actual, expected) => {
    expect(isSame(outcome(actual), outcome(expected))).toBe(true);
  });

  test.each([
    ["other output", "a\n", "b\n"],
    ["another newline at the end", "a\n\n", "a\n"],
    ["eval: in what the command itself writes", "eval: a\n", "-c: a\n"],
    ["two more + under xtrace", "+++ echo a\n", "+ echo a\n"],
    ["another line number", "bash: eval: line 3: syntax error\n", "bash: -c: line 2: syntax error\n"],
  ])("not: %s", (_, actual, expected) => {
    expect(isSame(outcome(actual), outcome(expected))).toBe(false);
  });

  test("not: another exit code", () => {
    expect(isSame(outcome("a", 1), outcome("a", 2))).toBe(false);
  });
});

test("a quoted word means just its text", () => {
  expect(quote("it's $HOME")).toBe("'it'\\''s $HOME'");
});

test("the pattern of a search matches the text and is not found by itself", () => {
  const pattern = patternFor("61.5");
  expect("sleep 61.5").toMatch(new RegExp(pattern));
  expect(pattern).not.toMatch(new RegExp(pattern));
});
