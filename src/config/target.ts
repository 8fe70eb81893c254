/** The text form of a target, `kind?name=value&…`, taken apart. It knows no backend. */
import { nearMiss } from "./near-miss.js";

/** Wrong text where a target was to be named. The message says what would be right. */
export class TargetError extends TypeError {
  override readonly name = "TargetError";
}

export interface Target {
  /** What stands before `?` or `:`: the kind of backend. */
  readonly kind: string;
  /** What stands between `://` and `?`; empty for a kind without a place. */
  readonly place: string;
  readonly parameters: ReadonlyMap<string, string>;
}

/** @throws TargetError for text that is no target, and for a parameter that is given twice or without a value */
export function parseTarget(text: string): Target {
  const found = /^([A-Za-z][A-Za-z0-9+.-]*)(?::\/\/([^?]*))?(?:\?(.*))?$/s.exec(text);
  if (found === null) {
    throw new TargetError(`not a target: ${JSON.stringify(text)}. A target looks like local?transport=stdin`);
  }
  const [, kind = "", place = "", query = ""] = found;
  return { kind: kind.toLowerCase(), place, parameters: parseQuery(query, text) };
}

/** Not URLSearchParams: it makes a space of `+`, which is a letter in a path such as /opt/c++/bin/bash. */
function parseQuery(query: string, text: string): Map<string, string> {
  const parameters = new Map<string, string>();
  for (const pair of query.split("&").filter((part) => part !== "")) {
    const [name = "", ...rest] = pair.split("=");
    const value = decode(rest.join("="), text);
    if (name === "" || value === "") {
      throw new TargetError(`${JSON.stringify(text)}: ${JSON.stringify(pair)} must be name=value`);
    }
    if (parameters.has(name)) throw new TargetError(`${JSON.stringify(text)}: ${name} is given twice`);
    parameters.set(name, value);
  }
  return parameters;
}

function decode(text: string, target: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new TargetError(`${JSON.stringify(target)}: ${text} has a % that begins no code; write it as %25`);
  }
}

/** `unknown thing "x"; did you mean y? Known: …` */
export function unknownName(what: string, name: string, known: readonly string[]): TargetError {
  const near = nearMiss(name, known);
  const hint = near === undefined ? "" : ` Did you mean ${near}?`;
  return new TargetError(`unknown ${what} ${JSON.stringify(name)}.${hint} Known: ${known.join(", ")}`);
}
