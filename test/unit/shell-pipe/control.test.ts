import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { ControlDecoder, type ControlEvent } from "../../../src/backend/shell-pipe/control.js";

const nonce = "0123456789abcdef0123456789abcdef";

function decode(bytes: Buffer, cuts: readonly number[] = []) {
  const events: ControlEvent[] = [];
  const decoder = new ControlDecoder(nonce, (event) => events.push(event));
  const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].sort((a, b) => a - b);
  let from = 0;
  for (const to of [...places, bytes.length]) {
    decoder.push(bytes.subarray(from, to));
    from = to;
  }
  return { events, noise: decoder.noise };
}

describe("a line of the supervisor", () => {
  test.each<[string, ControlEvent]>([
    [
      "ready 71 shell,proc,session /bin/bash 5.2.15(1)-release",
      {
        kind: "ready",
        pid: 71,
        facts: ["shell", "proc", "session"],
        shellPath: "/bin/bash",
        version: "5.2.15(1)-release",
      },
    ],
    [
      "ready 71 shell /bin/sh ",
      { kind: "ready", pid: 71, facts: ["shell"], shellPath: "/bin/sh", version: undefined },
    ],
    ["taken", { kind: "taken" }],
    ["cut", { kind: "cut" }],
    ["refused cwd missing", { kind: "refused", reason: "cwd missing" }],
    ["failed pipe", { kind: "failed", reason: "pipe" }],
    ["exited 0", { kind: "exited", code: 0 }],
    ["exited 255", { kind: "exited", code: 255 }],
    ["killed confirmed  71 72 ", { kind: "killed", isConfirmed: true, pids: [71, 72] }],
    ["killed unconfirmed  ", { kind: "killed", isConfirmed: false, pids: [] }],
  ])("%j is understood, also behind what a login shell left on the line", (line, event) => {
    expect(decode(Buffer.from(`${nonce} ${line}\n`)).events).toEqual([event]);
    expect(decode(Buffer.from(`bash: warning${nonce} ${line}\n`)).events).toEqual([event]);
  });

  test.each([
    "exited",
    "exited 256",
    "exited -1",
    "exited x",
    "ready 71 shell",
    "",
    "sudo make me a sandwich",
  ])("%j is none", (line) => {
    expect(decode(Buffer.from(`${nonce} ${line}\n`)).events).toEqual([]);
  });
});

test("events are the same however the bytes are split, and whatever stands between them", () => {
  const noise = fc.stringMatching(/^[^\n]{0,40}$/).map((text) => `${text}\n`);
  const line = fc
    .constantFrom("taken", "cut", "exited 7", "killed confirmed 5", "refused cwd file")
    .map((text) => `${nonce} ${text}\n`);
  fc.assert(
    fc.property(fc.array(fc.oneof(noise, line)), fc.array(fc.nat(1000)), (lines, cuts) => {
      const bytes = Buffer.from(lines.join(""));
      const whole = decode(bytes);
      expect(whole.events).toHaveLength(lines.filter((text) => text.startsWith(nonce)).length);
      expect(decode(bytes, cuts)).toEqual(whole);
    }),
  );
});

test("garbage of any kind is noise, in bounded memory", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2000 }), fc.array(fc.nat(2000)), (bytes, cuts) => {
      const { events, noise } = decode(Buffer.from(bytes), cuts);
      expect(events).toEqual([]);
      expect(noise.length).toBeLessThanOrEqual(2048);
    }),
  );
  const endless = new ControlDecoder(nonce, () => undefined);
  for (let i = 0; i < 1000; i += 1) endless.push(Buffer.alloc(64 * 1024, "x"));
  expect(endless.noise.length).toBeLessThanOrEqual(2048);
});
