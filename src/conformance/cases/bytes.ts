import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";

/** Compares bytes as hex: a difference in them is then readable in the failure. */
async function expectBytes(subject: Subject, command: string, expected: Buffer): Promise<void> {
  const { output } = await subject.run(command);
  assert.equal(output.toString("hex"), expected.toString("hex"), `the bytes of ${command}`);
}

const octal = (byte: number) => `\\${byte.toString(8).padStart(3, "0")}`;
const ALL_BYTES = Buffer.from(Array.from({ length: 256 }, (_, byte) => byte));

export const byteCases: readonly ConformanceCase[] = [
  {
    id: "bytes/all-256",
    title: "every byte from 0 to 255 arrives as it was written",
    promise: "bytes untouched",
    run: (subject) => expectBytes(subject, `printf '${[...ALL_BYTES].map(octal).join("")}'`, ALL_BYTES),
  },
  {
    id: "bytes/split-character",
    title: "a character whose bytes are written one by one arrives whole",
    promise: "bytes untouched",
    run: (subject) =>
      expectBytes(
        subject,
        "printf '\\342'; sleep 0.1; printf '\\202'; sleep 0.1; printf '\\254!'",
        Buffer.from("€!"),
      ),
  },
  {
    id: "bytes/broken-character",
    title: "half a character at the end of the output is not dropped or replaced",
    promise: "bytes untouched",
    run: (subject) => expectBytes(subject, "printf 'ok\\342\\202'", Buffer.from([0x6f, 0x6b, 0xe2, 0x82])),
  },
  {
    id: "bytes/byte-order-mark",
    title: "a byte order mark at the start is output like any other",
    promise: "bytes untouched",
    run: (subject) => expectBytes(subject, "printf '\\357\\273\\277hi'", Buffer.from("\u{FEFF}hi")),
  },
  {
    id: "bytes/control-characters",
    title: "carriage returns, escape sequences and backspaces arrive untouched",
    promise: "bytes untouched",
    run: (subject) =>
      expectBytes(
        subject,
        "printf '10%%\\r20%%\\r\\n\\033[31mred\\033[0m\\033]0;title\\007\\010\\177'",
        Buffer.from("10%\r20%\r\n\x1b[31mred\x1b[0m\x1b]0;title\x07\b\x7f"),
      ),
  },
  {
    id: "bytes/final-newlines",
    title: "newlines at the end of the output are neither added nor removed",
    promise: "bytes untouched",
    async run(subject) {
      await expectBytes(subject, "printf x", Buffer.from("x"));
      await expectBytes(subject, "printf 'x\\n\\n\\n'", Buffer.from("x\n\n\n"));
      await expectBytes(subject, "printf '\\n'", Buffer.from("\n"));
    },
  },
  {
    id: "bytes/chunks-are-kept",
    title: "a chunk is a Buffer of its own, which later output does not overwrite",
    promise: "bytes untouched",
    async run(subject) {
      const copies: Buffer[] = [];
      const onData = (chunk: Buffer) => {
        assert.ok(Buffer.isBuffer(chunk), `onData gets Buffers, got ${typeof chunk}`);
        copies.push(Buffer.from(chunk));
      };
      const { output } = await subject.run("for i in 1 2 3 4 5 6 7 8; do echo line $i; sleep 0.02; done", {
        onData,
      });
      assert.equal(output.toString(), Buffer.concat(copies).toString(), "what a chunk held when it came");
      assert.equal(output.toString(), [1, 2, 3, 4, 5, 6, 7, 8].map((i) => `line ${i}\n`).join(""));
    },
  },
];
