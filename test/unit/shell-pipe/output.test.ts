import fc from "fast-check";
import { expect, test } from "vitest";
import { OutputDecoder } from "../../../src/backend/shell-pipe/output.js";

const nonce = "0123456789abcdef0123456789abcdef";
const mark = Buffer.from(`${nonce}\n`);

function decode(bytes: Buffer, cuts: readonly number[]) {
  const chunks: Buffer[] = [];
  let ends = 0;
  const decoder = new OutputDecoder(nonce, {
    onData: (chunk) => chunks.push(chunk),
    onEnd: () => (ends += 1),
  });
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    decoder.push(bytes.subarray(from, to));
    from = to;
  }
  return { output: Buffer.concat(chunks), ends, noise: decoder.noise };
}

/** Bytes among which parts of the mark are likely. */
const bytes = fc
  .array(
    fc.oneof(
      fc.uint8Array({ maxLength: 20 }),
      fc.nat(mark.length - 1).map((n) => mark.subarray(0, n)),
    ),
    { maxLength: 8 },
  )
  .map((parts) => Buffer.concat(parts))
  .filter((joined) => !joined.includes(mark));

test("the output is what stands between the two marks, however the bytes are split", () => {
  fc.assert(
    fc.property(bytes, bytes, bytes, fc.array(fc.nat(500)), (before, output, after, cuts) => {
      const whole = Buffer.concat([before, mark, output, mark, after]);
      fc.pre(
        whole.indexOf(mark) === before.length &&
          Buffer.concat([output, mark]).indexOf(mark) === output.length,
      );
      const decoded = decode(whole, cuts);
      expect(decoded.output.equals(output)).toBe(true);
      expect(decoded.ends).toBe(1);
    }),
    { numRuns: 500 },
  );
});

test("output is not held back but for what may be the beginning of the mark", () => {
  const got: string[] = [];
  const decoder = new OutputDecoder(nonce, {
    onData: (chunk) => got.push(chunk.toString()),
    onEnd: () => undefined,
  });
  decoder.push(mark);
  decoder.push(Buffer.from("hello"));
  expect(got).toEqual(["hello"]);
  decoder.push(Buffer.from(" 0123"));
  expect(got).toEqual(["hello", " "]);
  decoder.push(Buffer.from("x"));
  expect(got).toEqual(["hello", " ", "0123x"]);
});

test("what a login shell says is kept as noise, and no more of it than can be shown", () => {
  const { noise, output, ends } = decode(Buffer.from(`${"x".repeat(10_000)}welcome\n`), []);
  expect(noise).toHaveLength(2048 - 0);
  expect(noise.endsWith("welcome\n")).toBe(true);
  expect([output.length, ends]).toEqual([0, 0]);
});
