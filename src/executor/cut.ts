/** Cuts a clean text that is too long: at the border of two lines, or inside a line that alone is too long. */

export interface TextLimits {
  /** Bytes of UTF-8 that the text may have, its newlines included. */
  readonly maxBytes: number;
  /** Lines that the text may have. A newline at the end begins no line. `Infinity` for no limit. */
  readonly maxLines: number;
}

const NEWLINE = 0x0a;

/**
 * The last whole lines that fit, or the end of the last line where that one alone does not.
 *
 * @param text whole UTF-8 text, or more than `maxBytes` of its end
 */
export function cutTail(text: Buffer, { maxBytes, maxLines }: TextLimits): Buffer {
  const fitting = Math.max(0, text.length - maxBytes);
  const wholeLines = fitting === 0 ? 0 : text.indexOf(NEWLINE, fitting - 1) + 1;
  // No border, or only the one after the last line: the last line alone is too long.
  if (wholeLines === text.length || (wholeLines === 0 && fitting > 0)) {
    return text.subarray(characterAtOrAfter(text, fitting));
  }
  return text.subarray(Math.max(wholeLines, lastLinesStart(text, maxLines)));
}

/**
 * The first whole lines that fit, or the start of the first line where that one alone does not.
 *
 * @param text whole UTF-8 text, or more than `maxBytes` of its start
 */
export function cutHead(text: Buffer, { maxBytes, maxLines }: TextLimits): Buffer {
  if (text.length <= maxBytes) return text.subarray(0, firstLinesEnd(text, maxLines));
  const wholeLines = text.lastIndexOf(NEWLINE, maxBytes - 1) + 1;
  if (wholeLines === 0) return text.subarray(0, characterAtOrBefore(text, maxBytes));
  return text.subarray(0, Math.min(wholeLines, firstLinesEnd(text, maxLines)));
}

function lastLinesStart(text: Buffer, maxLines: number): number {
  let start = text.at(-1) === NEWLINE ? text.length - 1 : text.length;
  for (let lines = 0; lines < maxLines; lines += 1) {
    if (start === 0) return 0;
    const newline = text.lastIndexOf(NEWLINE, start - 1);
    if (newline === -1) return 0;
    start = newline;
  }
  return start + 1;
}

function firstLinesEnd(text: Buffer, maxLines: number): number {
  let end = 0;
  for (let lines = 0; lines < maxLines; lines += 1) {
    const newline = text.indexOf(NEWLINE, end);
    if (newline === -1) return text.length;
    end = newline + 1;
  }
  return end;
}

function characterAtOrAfter(text: Buffer, index: number): number {
  let start = index;
  while (start < text.length && isContinuation(text[start])) start += 1;
  return start;
}

function characterAtOrBefore(text: Buffer, index: number): number {
  let end = index;
  while (end > 0 && isContinuation(text[end])) end -= 1;
  return end;
}

function isContinuation(byte: number | undefined): boolean {
  return byte !== undefined && (byte & 0xc0) === 0x80;
}
