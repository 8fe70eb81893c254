import { afterEach, describe, expect, test, vi } from "vitest";
import { MAX_TIMEOUT_SECONDS } from "../../../src/backend/index.js";
import { addVariable, parseTimeout } from "../../../src/cli/exec-flags.js";

afterEach(() => vi.unstubAllEnvs());

describe("--timeout", () => {
  test.each([
    ["1", 1],
    ["0.5", 0.5],
    [".5", 0.5],
    ["3.", 3],
    ["2147483.647", MAX_TIMEOUT_SECONDS],
  ])("%s is %d seconds", (text, seconds) => {
    expect(parseTimeout(text)).toBe(seconds);
  });

  test.each(["", " ", "0", "0.0", "-1", "+1", "1e3", "0x10", "1s", "NaN", "Infinity", "2147483.648", "."])(
    "%j is refused",
    (text) => {
      expect(() => parseTimeout(text)).toThrow(
        "It must be a number of seconds above 0, at most 2147483.647.",
      );
    },
  );
});

describe("--env", () => {
  test("takes a value as it is, = and newlines included", () => {
    expect(addVariable("A=b=c\nd", { Z: "1" })).toEqual({ Z: "1", A: "b=c\nd" });
  });

  test("takes an empty value", () => {
    expect(addVariable("A=", {})).toEqual({ A: "" });
  });

  test("takes the value from here where only a name is given", () => {
    vi.stubEnv("FROM_HERE", "x");
    expect(addVariable("FROM_HERE", {})).toEqual({ FROM_HERE: "x" });
  });

  test("lets the last of two win", () => {
    expect(addVariable("A=2", { A: "1" })).toEqual({ A: "2" });
  });

  test("does not take an inherited property for a variable", () => {
    expect(Object.keys(addVariable("__proto__=x", {}))).toEqual(["__proto__"]);
  });

  test.each(["1A=secret", "=secret", "A-B=secret", "A B=secret"])(
    "refuses the name in %j and shows no value",
    (text) => {
      expect(() => addVariable(text, {})).toThrow(/^--env: no shell can export the name "[^=]*"$/);
    },
  );
});
