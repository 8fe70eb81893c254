import { describe, expect, test } from "vitest";
import { createMarker, MARKER_VARIABLE, markerChain } from "../../../src/backend/marker.js";

describe("markers", () => {
  test("are of one width, so that none is the beginning of another", () => {
    const marker = createMarker();
    const made = Array.from({ length: 300 }, () => marker.next());
    expect(new Set(made.map((text) => text.length))).toEqual(new Set([33]));
    expect(new Set(made).size).toBe(300);
    expect(made.every((text) => text.startsWith(marker.prefix))).toBe(true);
  });

  test("of two backends have nothing in common", () => {
    expect(createMarker().prefix).not.toBe(createMarker().prefix);
  });

  test("of a host inside a job stand behind the job's own", () => {
    const outer = createMarker().next();
    expect(markerChain("inner", { [MARKER_VARIABLE]: outer })).toBe(`${outer},inner`);
  });

  test("do not take over what is no marker", () => {
    expect(markerChain("inner", {})).toBe("inner");
    expect(markerChain("inner", { [MARKER_VARIABLE]: "x".repeat(100_000) })).toBe("inner");
    expect(markerChain("inner", { [MARKER_VARIABLE]: "a\nb" })).toBe("inner");
  });
});
