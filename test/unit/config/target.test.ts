import { expect, test } from "vitest";
import { parseTarget, TargetError } from "../../../src/config/target.js";

test("a bare word is a kind without place and parameters", () => {
  expect(parseTarget("local")).toEqual({ kind: "local", place: "", parameters: new Map() });
});

test("a URL has a place, a query has parameters", () => {
  expect(parseTarget("ssh://me@host:22/srv?a=1&b=2")).toEqual({
    kind: "ssh",
    place: "me@host:22/srv",
    parameters: new Map([
      ["a", "1"],
      ["b", "2"],
    ]),
  });
});

test("values are percent-decoded, and + stays +", () => {
  expect(parseTarget("local?shell=/opt/c++/my%20bash").parameters.get("shell")).toBe("/opt/c++/my bash");
});

test("a value may hold =", () => {
  expect(parseTarget("local?shell=/a=b").parameters.get("shell")).toBe("/a=b");
});

test.each([
  ["", "not a target"],
  ["?transport=stdin", "not a target"],
  ["-x", "not a target"],
  ["/bin/bash", "not a target"],
  ["local?transport", '"transport" must be name=value'],
  ["local?transport=", '"transport=" must be name=value'],
  ["local?=x", '"=x" must be name=value'],
  ["local?shell=/a&shell=/b", "shell is given twice"],
  ["local?shell=100%", "has a % that begins no code"],
])("%j is refused: %s", (text, message) => {
  expect(() => parseTarget(text)).toThrow(TargetError);
  expect(() => parseTarget(text)).toThrow(message);
});
