import { expect, test } from "vitest";
import { painter } from "../../../src/cli/colours.js";

const RED = "\u001b[31mx\u001b[39m";

test.each([
  ["a terminal", true, {}, RED],
  ["no terminal", false, {}, "x"],
  ["a dumb terminal", true, { TERM: "dumb" }, "x"],
  ["a terminal with NO_COLOR", true, { NO_COLOR: "1" }, "x"],
  ["a terminal with an empty NO_COLOR", true, { NO_COLOR: "" }, RED],
  ["no terminal with FORCE_COLOR", false, { FORCE_COLOR: "1" }, RED],
  ["a terminal with FORCE_COLOR=0", true, { FORCE_COLOR: "0" }, "x"],
  ["both variables", true, { NO_COLOR: "1", FORCE_COLOR: "1" }, "x"],
])("%s gets its text in the right colour", (_, isTerminal, env, painted) => {
  expect(painter(isTerminal, env)("red", "x")).toBe(painted);
});
