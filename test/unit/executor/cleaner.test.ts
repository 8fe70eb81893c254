import fc from "fast-check";
import stripAnsi from "strip-ansi";
import { describe, expect, test } from "vitest";
import { Cleaner } from "../../../src/executor/cleaner.js";
import { MAX_SEQUENCE_BYTES } from "../../../src/executor/escape-sequence.js";
import { inChunks } from "./output.js";

function clean(raw: Buffer | string, chunkSize = Number.POSITIVE_INFINITY): string {
  const cleaner = new Cleaner();
  const pieces: Buffer[] = [];
  const keep = (text: Buffer) => pieces.push(Buffer.from(text));
  for (const chunk of inChunks(Buffer.from(raw), [chunkSize])) cleaner.write(chunk, keep);
  cleaner.end(keep);
  // Fatal: what the cleaner lets through must be valid UTF-8 already.
  return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(Buffer.concat(pieces));
}

const CASES: [name: string, raw: Buffer | string, text: string][] = [
  ["colours go", "\x1b[31mred\x1b[0m\n", "red\n"],
  ["a CSI may have any final byte", "\x1b[2@x\x1b[1ey\x1b[5~z", "xyz"],
  ["a CSI may have a private prefix", "a\x1b[<35;59;1Mb\x1b[>0;276;0cc\x1b[?25ld", "abcd"],
  ["a CSI may have intermediates", "a\x1b[1 qb", "ab"],
  ["a keypad mode does not take the digits after it", "\x1b=12\x1b>34", "1234"],
  ["a character set escape goes whole", "\x1b(Bx\x1b#8y", "xy"],
  ["of a link the text stays", "\x1b]8;;http://a.b\x1b\\link\x1b]8;;\x1b\\", "link"],
  ["a title goes, with either terminator", "\x1b]0;t\x07a\x1b]0;t\x1b\\b\x1b]0;t\u009cc", "abc"],
  [
    "DCS, APC, PM, SOS and screen titles go",
    "\x1bPq#0\x1b\\a\x1b_Gf;\x1b\\b\x1b^p\x1b\\c\x1bXs\x1b\\d\x1bkt\x1b\\e",
    "abcde",
  ],
  ["a tmux passthrough goes", "a\x1bPtmux;\x1b\x1b]0;t\x07\x1b\\b", "ab"],
  ["a palette control needs no terminator", "a\x1b]P1aa22ffb\x1b]Rc", "abc"],
  ["an OSC that only begins like a palette control is an OSC", "a\x1b]P1aaz;more\x07b", "ab"],
  ["the 8-bit forms go", "\u009b31ma\u009d0;t\u009cb\u0090q\u009cc\u009fx\u009cd", "abcd"],
  ["a string terminator that ends nothing goes", "a\x1b\\b\u009cc", "abc"],
  ["an escape that opens nothing goes alone", "\x1bQuit \x1b", "Quit "],
  ["an unterminated title ends with its line", "\x1b]0;title\nnext\n", "\nnext\n"],
  ["an unterminated DCS ends with its line", "\x1bPtitle\nnext\n", "\nnext\n"],
  ["an unfinished CSI ends before what cannot be in it", "a\x1b[31\nb\x1b[1é", "a\nbé"],
  ["a sequence ends where the next one begins", "a\x1b]0;t\x1b[31mb\x1b[3\x1b[1mc", "abc"],
  ["CAN and SUB end a sequence", "a\x1b]0;t\x18b\x1bPq\x1ac", "abc"],
  ["controls go but tab and newline", "\x00a\x07\bb\tc\x0b\x0c\x1f\n", "ab\tc\n"],
  ["C1 controls go", "a\u0080\u0085b\u009ac", "abc"],
  ["their neighbours stay", "\x7f\u00a0\u00bf\ufff8\ufffc\u2028", "\x7f\u00a0\u00bf\ufff8\ufffc\u2028"],
  ["annotations go", "a\ufff9b\ufffac\ufffbd", "abcd"],
  ["a BOM stays", "\ufeffhi\ufeff", "\ufeffhi\ufeff"],
  ["a cut character at the end is U+FFFD", Buffer.from([0x6f, 0x6b, 0xe2, 0x82]), "ok\ufffd"],
  ["invalid bytes are U+FFFD each", Buffer.from([0x61, 0xff, 0xfe, 0x62]), "a\ufffd\ufffdb"],
  [
    "a cut character before another one is one U+FFFD",
    Buffer.from([0xe2, 0x82, 0x61, 0xf0, 0x9f, 0x98]),
    "\ufffda\ufffd",
  ],
  ["a surrogate in UTF-8 is invalid", Buffer.from([0xed, 0xa0, 0x80]), "\ufffd\ufffd\ufffd"],
  ["CR before newline goes, also many", "a\r\nb\r\r\nc\r", "a\nb\nc"],
  ["many CRs before a rewriting are one", "10%\r\r\r20%\r", "10%\r20%"],
  ["a CR before nothing that is kept goes", "a\r\x1b[K\x07\n", "a\n"],
];

describe("whatever the chunks", () => {
  test.each(CASES)("%s", (_name, raw, text) => {
    for (const chunkSize of [1, 2, 3, 5, Number.POSITIVE_INFINITY]) expect(clean(raw, chunkSize)).toBe(text);
  });
});

test("a sequence that is never terminated takes no more than its limit", () => {
  const text = "é".repeat(MAX_SEQUENCE_BYTES);
  for (const introducer of ["\x1b]", "\x1bP", "\u009d"]) {
    const kept = clean(introducer + text);
    expect(kept).toMatch(/^é+$/);
    expect(Buffer.byteLength(text) - Buffer.byteLength(kept)).toBeLessThanOrEqual(MAX_SEQUENCE_BYTES);
  }
  expect(clean(`\x1b[${"1".repeat(2 * MAX_SEQUENCE_BYTES)}m`)).toMatch(/^1+m$/);
  expect(clean(`\x1b]0;${"x".repeat(MAX_SEQUENCE_BYTES - 5)}\x07y`)).toBe("y");
});

test("a sequence split anywhere in a large output leaves nothing behind", () => {
  const line = "\x1b[38;5;196mé\x1b]8;;http://a.b\x07€\x1b[0m\r\n";
  const times = 5000;
  expect(clean(line.repeat(times))).toBe("é€\n".repeat(times));
});

/**
 * Agreed differences to strip-ansi 7.2.0, which is why the comparison is of terminated sequences without newlines:
 * it lets a newline stand inside OSC, DCS, SOS, PM, APC and titles (so that an unterminated one is left in place); of
 * an unterminated sequence it leaves all but the introducer, or all; it leaves the backslash of a lone `ESC \`; and it
 * touches no text without an ESC or U+009B, hence the one at the start.
 */
test("terminated sequences go as they do with strip-ansi", () => {
  const payload = fc.stringMatching(/^[ -~é€]{0,20}$/);
  const sequence = fc.oneof(
    fc.tuple(
      fc.constantFrom("\x1b[", "\u009b"),
      fc.stringMatching(/^[0-?]{0,6}$/),
      fc.stringMatching(/^[ -/]{0,2}$/),
      fc.stringMatching(/^[@-~]$/),
    ),
    fc.tuple(fc.constantFrom("\x1b]0", "\u009d8"), payload, fc.constantFrom("\x07", "\x1b\\", "\u009c")),
    fc.tuple(
      fc.constantFrom(
        ..."PX^_k".split("").map((letter) => `\x1b${letter}`),
        "\u0090",
        "\u0098",
        "\u009e",
        "\u009f",
      ),
      payload,
      fc.constantFrom("\x1b\\", "\u009c"),
    ),
    fc.tuple(fc.constant("\x1b"), fc.stringMatching(/^[ -/]{1,2}[0-~]$/)),
    fc.tuple(fc.constant("\x1b"), fc.stringMatching(/^[\dA-OR-TZcf-jl-oq-uy=><~|}]$/)),
  );
  const text = fc.stringMatching(/^[ -~\n\té€😀]{0,10}$/u);
  const output = fc.array(fc.tuple(text, sequence), { maxLength: 10 });
  fc.assert(
    fc.property(output, fc.integer({ min: 1, max: 40 }), (pieces, chunkSize) => {
      const raw = `\x1b[m${pieces.flat(2).join("")}`;
      expect(clean(raw, chunkSize)).toBe(stripAnsi(raw));
    }),
    { numRuns: Number(process.env.FC_RUNS ?? 1000) },
  );
});

test("20,000 CRs, escapes, or introducers take no more than linear time", () => {
  const started = performance.now();
  for (const nasty of ["\r", "\x1b", "\x1b[", "\u009b", "\u0090", "\x1b]", "\r\x1b[K", "\u00c2"]) {
    clean(nasty.repeat(20_000));
  }
  expect(performance.now() - started).toBeLessThan(2000);
});
