import { expect, test } from "vitest";
import { nearMiss } from "../../../src/config/near-miss.js";

const KNOWN = ["local", "ssh", "docker"];

test.each([
  ["loca", "local"],
  ["Locale", "local"],
  ["dokcer", "docker"],
  ["sshh", "ssh"],
])("%s is taken for %s", (typed, meant) => {
  expect(nearMiss(typed, KNOWN)).toBe(meant);
});

test.each(["kubernetes", "", "abc", "rsh2"])("%j is near to nothing", (typed) => {
  expect(nearMiss(typed, KNOWN)).toBeUndefined();
});
