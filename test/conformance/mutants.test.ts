/** Each case of the suite is seen to fail on a backend that is broken on purpose, and each such backend is caught. */
import { beforeAll, describe, expect, test } from "vitest";
import { computeMatrix, type Matrix } from "../support/mutant-matrix.js";

/** Above what it takes on two cores that have other work, far below where a run would be given up. */
const MATRIX_TIMEOUT_MS = 600_000;

describe("the suite on broken backends", () => {
  let matrix: Matrix;
  beforeAll(async () => {
    matrix = await computeMatrix({ isFull: false });
  }, MATRIX_TIMEOUT_MS);

  test("no case fails where nothing is broken", () => {
    expect(matrix.reference.filter(({ status }) => status === "failed")).toEqual([]);
  });

  test("every case fails on a mutant", () => {
    expect(matrix.emptyRows).toEqual([]);
  });

  test("every mutant fails a case", () => {
    expect(matrix.emptyColumns).toEqual([]);
  });
});
