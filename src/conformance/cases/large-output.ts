import { strict as assert } from "node:assert";
import type { ConformanceCase, Subject } from "../case.js";
import { quote } from "../shell.js";

const MIB = 1024 * 1024;
/** What `yes` repeats. A prime length: a lost or doubled block of any usual size shows. */
const LINE = "0123456789abcdefghijklmnopqrst\n";

/** Checks the output of `yes` as it passes, without keeping it. */
class Pattern {
  length = 0;
  readonly #block = Buffer.from(LINE.repeat(4096));

  /** @throws at the first chunk that is not the pattern's next piece */
  check(chunk: Buffer): void {
    for (let at = 0; at < chunk.length; ) {
      const from = this.length % LINE.length;
      const piece = Math.min(chunk.length - at, this.#block.length - from);
      const isSame = this.#block.compare(chunk, at, at + piece, from, from + piece) === 0;
      assert.ok(isSame, `the output is wrong within ${piece} bytes of byte ${this.length}`);
      this.length += piece;
      at += piece;
    }
  }
}

const writePattern = (bytes: number) => `yes ${quote(LINE.trimEnd())} | head -c ${bytes}`;

async function expectPattern(
  subject: Subject,
  bytes: number,
  onChunk?: (chunk: Buffer) => void,
): Promise<Pattern> {
  const pattern = new Pattern();
  const problems: unknown[] = [];
  const onData = (chunk: Buffer) => {
    try {
      pattern.check(chunk);
    } catch (error) {
      problems.push(error);
    }
    onChunk?.(chunk);
  };
  const { exitCode } = await subject.operations.exec(writePattern(bytes), "/", { onData });
  if (problems.length > 0) throw problems[0];
  assert.deepEqual({ bytes: pattern.length, exitCode }, { bytes, exitCode: 0 });
  return pattern;
}

function blockEventLoop(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

export const largeOutputCases: readonly ConformanceCase[] = [
  {
    id: "large-output/64-mib",
    title: "64 MiB of output arrive whole and in order",
    promise: "any size",
    isAlone: true,
    run: async (subject) => void (await expectPattern(subject, 64 * MIB)),
  },
  {
    id: "large-output/memory",
    title: "output is passed on, not gathered: 192 MiB pass with less than 96 MiB of memory more",
    promise: "any size",
    isAlone: true,
    async run(subject) {
      const before = process.memoryUsage();
      let mostMib = 0;
      let chunks = 0;
      await expectPattern(subject, 192 * MIB, () => {
        chunks += 1;
        if (chunks % 64 !== 0) return;
        const { heapUsed, external } = process.memoryUsage();
        mostMib = Math.max(mostMib, (heapUsed - before.heapUsed + external - before.external) / MIB);
      });
      assert.ok(chunks >= 64, `it comes in many chunks, got ${chunks}`);
      assert.ok(mostMib < 96, `the host's heap and buffers grew by up to ${Math.round(mostMib)} MiB`);
    },
  },
  {
    id: "large-output/one-line",
    title: "a line of 8 MiB without a newline arrives whole",
    promise: "any size",
    async run(subject) {
      const { output } = await subject.run(`head -c ${8 * MIB} /dev/zero | tr '\\0' x`);
      assert.equal(output.length, 8 * MIB);
      assert.ok(output.equals(Buffer.alloc(8 * MIB, "x")), "all of it is x");
    },
  },
  {
    id: "large-output/tail",
    title: "what is still in the pipe when the shell exits is delivered",
    promise: "bytes untouched",
    async run(subject) {
      for (let round = 0; round < 20; round += 1) {
        const { output } = await subject.run("head -c 60000 /dev/zero; printf end");
        assert.equal(output.length, 60_003, `the length of the output in round ${round + 1}`);
      }
    },
  },
  {
    id: "large-output/blocked-host",
    title: "a host that is busy while the command ends loses nothing",
    promise: "bytes untouched",
    isAlone: true,
    async run(subject) {
      let isFirst = true;
      await expectPattern(subject, 2 * MIB, () => {
        if (isFirst) blockEventLoop(subject.limits.drainQuietMs * 2 + 100);
        isFirst = false;
      });
    },
  },
  {
    id: "large-output/slow-host",
    title: "a host that takes its time with each chunk loses nothing",
    promise: "bytes untouched",
    isAlone: true,
    async run(subject) {
      let chunks = 0;
      await expectPattern(subject, 2 * MIB, () => {
        chunks += 1;
        if (chunks <= 40) blockEventLoop(10);
      });
    },
  },
];
