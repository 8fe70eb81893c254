/** What is said on stderr. Every line begins with the command's name, to be told from what a command has written. */
import { BackendError } from "../backend/index.js";
import { writeText } from "./writer.js";

export function say(text: string): void {
  writeText(2, `bash-backends: ${oneLine(text)}\n`);
}

/** An error in one line: who, what, and the code for programs. */
export function describeError(error: unknown): string {
  if (error instanceof BackendError) return `${error.backendName}: ${error.message} (${error.code})`;
  return error instanceof Error ? error.message : String(error);
}

/**
 * Shows control characters as escapes, newlines too: what quotes a name or an output must neither become two lines
 * nor steer the terminal.
 */
export function oneLine(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, (letter) => {
    const isC1 = letter >= "\u007f";
    return isC1 ? `\\u00${letter.charCodeAt(0).toString(16)}` : JSON.stringify(letter).slice(1, -1);
  });
}
