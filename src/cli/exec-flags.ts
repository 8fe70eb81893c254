/** The options of `exec`, from the text on the command line to what a backend takes. */
import { InvalidArgumentError } from "commander";
import { MAX_TIMEOUT_SECONDS } from "../backend/index.js";
import { UsageError } from "./usage-error.js";

/** As commander hands them over. */
export interface ExecFlags {
  readonly target: string;
  readonly cwd?: string;
  /** Seconds. */
  readonly timeout?: number;
  readonly env: Readonly<Record<string, string>>;
  readonly json: boolean;
  readonly verbose: boolean;
}

/** @throws InvalidArgumentError, which commander shows with the option's name */
export function parseTimeout(text: string): number {
  const seconds = Number(text);
  if (!/^(\d+\.?\d*|\.\d+)$/.test(text) || seconds <= 0 || seconds > MAX_TIMEOUT_SECONDS) {
    throw new InvalidArgumentError(`It must be a number of seconds above 0, at most ${MAX_TIMEOUT_SECONDS}.`);
  }
  return seconds;
}

/**
 * `NAME=VALUE`, or `NAME` for the value that the variable has here: so a secret need not stand on a command line.
 *
 * @throws UsageError that names the variable: commander would show the value too
 */
export function addVariable(
  text: string,
  variables: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const [name = "", ...rest] = text.split("=");
  if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name)) {
    throw new UsageError(`--env: no shell can export the name ${JSON.stringify(name)}`);
  }
  const value = rest.length > 0 ? rest.join("=") : process.env[name];
  if (value === undefined) {
    throw new UsageError(`--env ${name}: it has no value here; write ${name}=VALUE, or export ${name} first`);
  }
  return { ...variables, [name]: value };
}

/** @throws InvalidArgumentError */
export function parseCwd(text: string): string {
  if (text === "") throw new InvalidArgumentError("It must name a directory.");
  return text;
}
