import { describe, expect, test } from "vitest";
import { checkEnvironment } from "../../../src/backend/environment.js";

describe("checkEnvironment", () => {
  test("skips undefined and makes numbers text", () => {
    const env = { A: undefined, B: 7 as unknown as string, C: "" };
    expect({ ...checkEnvironment(env, {}) }).toEqual({ B: "7", C: "" });
  });

  test("keeps any value without a NUL", () => {
    const env = { A: "two\nlines", B: "'\"$`\\", C: "é\u{1f600}", D: "x".repeat(100_000) };
    expect({ ...checkEnvironment(env, {}) }).toEqual(env);
  });

  test.each(["1A", "A-B", "A B", "", "A=B", "BASH_FUNC_f%%", "A\0"])(
    "refuses the caller's own name %j and tells it",
    (name) => {
      expect(() => checkEnvironment({ [name]: "secret" }, {})).toThrow(
        `options.env: no shell can export the name ${JSON.stringify(name)}`,
      );
    },
  );

  test("refuses a NUL in a value without telling the value", () => {
    expect(() => checkEnvironment({ TOKEN: "sec\0ret" }, {})).toThrow(
      new TypeError("options.env: the value of TOKEN holds a NUL byte"),
    );
  });

  test("refuses a value that no process can be given, at the byte where that begins", () => {
    const fits = "x".repeat(131_071 - "BIG=".length);
    expect(checkEnvironment({ BIG: fits }, {}).BIG).toHaveLength(fits.length);
    expect(() => checkEnvironment({ BIG: `${fits}x` }, {})).toThrow("options.env: BIG takes 131072 bytes");
    expect(() => checkEnvironment({ BIG: "€".repeat(43_690) }, {})).toThrow(
      "options.env: BIG takes 131074 bytes",
    );
  });

  test("lets what came along with the host's environment pass, and drops of it what no process can be given", () => {
    const host = { "BASH_FUNC_f%%": "() { :; }", "ProgramFiles(x86)": "C:\\", HUGE: "x".repeat(140_000) };
    expect({ ...checkEnvironment({ ...host }, host) }).toEqual({
      "BASH_FUNC_f%%": "() { :; }",
      "ProgramFiles(x86)": "C:\\",
    });
  });

  test("takes a variable named __proto__ for what it is", () => {
    const env = JSON.parse('{"__proto__":"x"}') as NodeJS.ProcessEnv;
    expect(Object.entries(checkEnvironment(env, {}))).toEqual([["__proto__", "x"]]);
  });
});
