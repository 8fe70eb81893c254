import { describe, expect, test } from "vitest";
import { checkRequest, MAX_TIMEOUT_SECONDS } from "../../../src/backend/request.js";

const onData = () => undefined;

describe("checkRequest", () => {
  test.each([
    [0, "timeout must be above 0 seconds, got 0"],
    [-1, "timeout must be above 0 seconds, got -1"],
    [Number.NaN, "timeout must be a finite number of seconds, got NaN"],
    [Number.POSITIVE_INFINITY, "timeout must be a finite number of seconds, got Infinity"],
    [2_147_483.648, "timeout must be at most 2147483.647 seconds, got 2147483.648 (is it in milliseconds?)"],
  ])("refuses the time limit %s", (timeout, message) => {
    expect(() => checkRequest("true", "/", { onData, timeout })).toThrow(new RangeError(message));
  });

  test("takes the longest time limit that a timer can keep", () => {
    expect(checkRequest("true", "/", { onData, timeout: MAX_TIMEOUT_SECONDS }).timeout).toBe(2_147_483.647);
  });

  test("names the argument that is of the wrong type, never its value", () => {
    const refuse = (command: unknown, cwd: unknown, options: unknown) => () =>
      checkRequest(command as string, cwd as string, options as { onData: () => void });
    expect(refuse(7, "/", { onData })).toThrow("command must be a string, got a value of type number");
    expect(refuse("true", undefined, { onData })).toThrow(
      "cwd must be a string, got a value of type undefined",
    );
    expect(refuse("true", "", { onData })).toThrow("cwd must name a directory, got an empty string");
    expect(refuse("true", "/", null)).toThrow("options must be an object with onData, got null");
    expect(refuse("true", "/", {})).toThrow(
      "options.onData must be a function, got a value of type undefined",
    );
    expect(refuse("true", "/", { onData, signal: {} })).toThrow(
      "options.signal must be an AbortSignal, got a value of type object",
    );
    expect(refuse("true", "/", { onData, timeout: "5" })).toThrow(
      "timeout must be a number of seconds, got a value of type string",
    );
  });

  test("refuses a NUL byte in the command and in the directory, and tells where", () => {
    expect(() => checkRequest("echo a\0b", "/", { onData })).toThrow(
      "command must not hold a NUL byte: there is one at index 6",
    );
    expect(() => checkRequest("true", "/a\0", { onData })).toThrow(
      "cwd must not hold a NUL byte: there is one at index 2",
    );
  });

  test("reads null as left out, as a caller from JSON may say it", () => {
    const options = { onData, signal: null, timeout: null, env: null } as unknown as { onData: () => void };
    expect(checkRequest("true", "/", options)).toMatchObject({
      signal: undefined,
      timeout: undefined,
      env: undefined,
    });
  });
});
