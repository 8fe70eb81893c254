import { expect, test } from "vitest";
import { taskkill } from "../../../backends/local/taskkill.js";

test("taskkill is named by its full path and ends the whole tree", () => {
  expect(taskkill(42, { SystemRoot: "D:\\Windows" })).toEqual({
    file: "D:\\Windows\\System32\\taskkill.exe",
    args: ["/F", "/T", "/PID", "42"],
  });
  expect(taskkill(42, {}).file).toBe("C:\\Windows\\System32\\taskkill.exe");
});
