/** Outputs as fast-check makes them: everything that has ever spoiled somebody's log, in any order, cut anywhere. */
import fc from "fast-check";

const SPOILERS = [
  "\n",
  "\n",
  "\r",
  "\r",
  "\r\n",
  "\t",
  "a",
  "word",
  "line of a log\n",
  "10%\r20%\r",
  "\x00",
  "\x07",
  "\b",
  "\x7f",
  "\x1b",
  "\x1b[",
  "\x1b[31m",
  "\x1b[0m",
  "\x1b[<35;59;1M",
  "\x1b[2@",
  "\x1b[1 q",
  "\x1b[3",
  "\x1b=12",
  "\x1b(B",
  "\x1b]0;title",
  "\x1b]0;title\x07",
  "\x1b]8;;http://a.b\x1b\\",
  "\x1b\\",
  "\x1bP1$q",
  "\x1b_Gf=100;",
  "\x1b^pm",
  "\x1bk",
  "\x1bQ",
  "\x1b]P1aa22ff",
  "\x1b]P1a",
  "\x1b]R",
  "\x18",
  "\x1a",
  "\u0080",
  "\u0085",
  "\u009b31m",
  "\u009d0;t",
  "\u009c",
  "\u0090",
  "\u009b",
  "\ufeff",
  "\ufff9",
  "\ufffa",
  "é",
  "€",
  "😀",
  "\u0600",
  "\u2028",
].map((text) => Buffer.from(text));
const LONE_BYTES = [0x80, 0x9b, 0xc2, 0xc3, 0xe2, 0x82, 0xed, 0xa0, 0xf0, 0x9f, 0xff, 0xef, 0xbb, 0xbf].map(
  (byte) => Buffer.from([byte]),
);

const piece = fc.oneof(
  { weight: 8, arbitrary: fc.constantFrom(...SPOILERS) },
  { weight: 2, arbitrary: fc.constantFrom(...LONE_BYTES) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 8 }).map((bytes) => Buffer.from(bytes)) },
  {
    weight: 1,
    arbitrary: fc.tuple(fc.constantFrom(...SPOILERS), fc.integer({ min: 2, max: 40 })).map(repeated),
  },
);

export const rawOutput = fc.array(piece, { maxLength: 120 }).map((pieces) => Buffer.concat(pieces));

/** Sizes of chunks, to be used in turns. */
export const chunkSizes = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1, maxLength: 6 });

export function inChunks(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const chunks: Buffer[] = [];
  for (let from = 0; from < bytes.length; ) {
    const size = sizes[chunks.length % sizes.length] ?? 1;
    chunks.push(bytes.subarray(from, from + size));
    from += size;
  }
  return chunks;
}

function repeated([text, times]: [Buffer, number]): Buffer {
  return Buffer.concat(Array<Buffer>(times).fill(text));
}
