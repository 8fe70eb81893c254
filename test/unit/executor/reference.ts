// biome-ignore-all lint/suspicious/noControlCharactersInRegex: control characters are what this is about
/** What clean text is, said once more, naively and of the whole: the property tests compare the executor with it. */
import type { TextLimits } from "../../../src/executor/cut.js";
import type { Keep } from "../../../src/executor/kept-bytes.js";

/** Each matches a sequence at its start, with its end where it has one. */
const SEQUENCES = [
  /^(?:\x1b\[|\x9b)[\x30-\x3f]*[\x20-\x2f]*[\x40-\x7e]?/,
  /^\x1b\](?:R|P[\dA-Fa-f]{7})/,
  /^(?:\x1b\]|\x9d)[^\x07\n\x18\x1a\x1b\x80-\x9f]*[\x07\x9c]?/,
  /^(?:\x1b[PX^_k]|[\x90\x98\x9e\x9f])[^\n\x18\x1a\x1b\x80-\x9f]*\x9c?/,
  /^\x1b[\x20-\x2f]+[\x30-\x7e]?/,
  /^\x1b[\dA-PR-TZcf-oq-uy=><~|}\\]?/,
];
const REMOVED = /[\0-\x08\x0b\x0c\x0e-\x1f\x80-\x9f\ufff9-\ufffb]/g;

/** The clean text of a whole output. */
export function cleanReference(bytes: Buffer): string {
  return textBeforeReturns(bytes)
    .split("\n")
    .map((line) => line.slice(line.lastIndexOf("\r") + 1))
    .join("\n");
}

/** What a listener gets in all. */
export function textBeforeReturns(bytes: Buffer): string {
  const decoded = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes);
  return withoutSequences(decoded)
    .replace(REMOVED, "")
    .split("\n")
    .map((line) => line.replace(/\r+$/, "").replace(/\r+/g, "\r"))
    .join("\n");
}

function withoutSequences(text: string): string {
  let kept = "";
  let rest = text;
  while (rest !== "") {
    const sequence = SEQUENCES.map((pattern) => pattern.exec(rest)?.[0]).find((match) => match !== undefined);
    if (sequence === undefined) kept += rest[0];
    rest = rest.slice(bounded(sequence)?.length ?? 1);
  }
  return kept;
}

/** The characters of a sequence, but for the first, that begin in its first 8192 bytes of UTF-8. */
function bounded(sequence: string | undefined): string | undefined {
  if (sequence === undefined || sequence.length <= 2700) return sequence;
  const [first = "", ...others] = sequence;
  let bytes = 0;
  const within = others.filter((character) => {
    const begin = bytes;
    bytes += Buffer.byteLength(character);
    return begin < 8192;
  });
  return first + within.join("");
}

/** The excerpt of a whole clean text, line by line. */
export function excerptReference(text: string, keep: Keep, { maxBytes, maxLines }: TextLimits) {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  if (Buffer.byteLength(text) <= maxBytes && lines.length <= maxLines) return { text, truncated: false };
  if (keep === "tail") lines.reverse();
  const whole: string[] = [];
  for (const line of lines.slice(0, maxLines)) {
    if (Buffer.byteLength([...whole, line].join("")) > maxBytes) break;
    whole.push(line);
  }
  if (keep === "tail") whole.reverse();
  const partial = whole.length === 0 ? charactersThatFit(lines[0] ?? "", keep, maxBytes) : "";
  return { text: whole.join("") + partial, truncated: true };
}

function charactersThatFit(line: string, keep: Keep, maxBytes: number): string {
  const characters = [...line];
  while (Buffer.byteLength(characters.join("")) > maxBytes) {
    if (keep === "tail") characters.shift();
    else characters.pop();
  }
  return characters.join("");
}
