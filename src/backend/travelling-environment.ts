/** Which variables travel to a target that has an environment of its own. */
import { SHELL_NAME } from "./environment.js";
import { MARKER_VARIABLE } from "./marker.js";

/** Describe the host, and would be wrong on a target. `*` at the end stands for anything. */
export const HOST_ONLY_VARIABLES: readonly string[] = [
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "SHELL",
  "PWD",
  "OLDPWD",
  "TMPDIR",
  "HOSTNAME",
  "TERM",
  "SHLVL",
  "_",
  "LANG",
  "LC_*",
  "SSH_*",
  "XDG_*",
  "NODE_*",
  "npm_*",
];

export interface EnvOptions {
  /** Set for every command on the target; a command's own `env` wins. */
  readonly set?: Readonly<Record<string, string>> | undefined;
  /** Names of variables of the host that travel although they are the host's; `*` stands for anything. */
  readonly forward?: readonly string[] | undefined;
}

/**
 * What of a command's environment travels: what the caller added to the host's own or changed in it, and what the
 * options name. A host passes all it has with every command: its keys must not reach a target by that.
 *
 * @param env the caller's, checked; `undefined`: nothing of its own
 */
export function travellingEnvironment(
  env: Readonly<Record<string, string>> | undefined,
  { set = {}, forward = [] }: EnvOptions = {},
  hostEnv: NodeJS.ProcessEnv = process.env,
): Readonly<Record<string, string>> {
  const travelling: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(hostEnv)) {
    if (value !== undefined && isExportable(name) && matchesAny(name, forward)) travelling[name] = value;
  }
  Object.assign(travelling, set);
  for (const [name, value] of Object.entries(env ?? {})) {
    if (hostEnv[name] !== value && isExportable(name) && !matchesAny(name, NEVER)) travelling[name] = value;
  }
  return travelling;
}

const NEVER = [...HOST_ONLY_VARIABLES, MARKER_VARIABLE];

function isExportable(name: string): boolean {
  return SHELL_NAME.test(name) && name !== MARKER_VARIABLE;
}

function matchesAny(name: string, patterns: readonly string[]): boolean {
  return patterns.some((pattern) =>
    pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern,
  );
}
