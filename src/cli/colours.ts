/** Colours for terminals, and for those who ask for them (https://no-color.org, https://force-color.org). */
import { styleText } from "node:util";

export type Colour = "green" | "red" | "yellow" | "bold" | "dim";

/** Colours a text, or gives it back as it is. */
export type Paint = (colour: Colour, text: string) => string;

export function painter(isTerminal: boolean, env: NodeJS.ProcessEnv = process.env): Paint {
  if (!wantsColour(isTerminal, env)) return (_, text) => text;
  // The stream was looked at already; newer versions of Node would look at stdout once more.
  return (colour, text) => styleText(colour, text, { validateStream: false });
}

function wantsColour(isTerminal: boolean, { NO_COLOR, FORCE_COLOR, TERM }: NodeJS.ProcessEnv): boolean {
  if (NO_COLOR) return false;
  if (FORCE_COLOR) return FORCE_COLOR !== "0" && FORCE_COLOR !== "false";
  return isTerminal && TERM !== "dumb";
}
