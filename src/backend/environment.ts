/** The rules for a command's environment that hold on every backend. */

/**
 * The longest value that a process can be given, in bytes: the kernel takes `NAME=VALUE` and a NUL in 131,072
 * bytes (execve(2), MAX_ARG_STRLEN).
 */
const MAX_ENTRY_BYTES = 131_071;

/** The names that a shell can export (POSIX.1-2017, XBD 3.235). */
export const SHELL_NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;

/**
 * Makes the environment that a caller gave into text: `undefined` is skipped, numbers become text.
 *
 * What the caller added or changed must be right; what merely came along with the host's own environment is
 * skipped where no process could be given it.
 *
 * @param hostEnv what counts as come along: entries of `env` that are equal here
 * @throws TypeError or RangeError that names the variable, never its value
 */
export function checkEnvironment(
  env: NodeJS.ProcessEnv,
  hostEnv: NodeJS.ProcessEnv,
): Readonly<Record<string, string>> {
  if (typeof env !== "object")
    throw new TypeError(`options.env must be an object, got a value of type ${typeof env}`);
  const checked: Record<string, string> = Object.create(null);
  for (const [name, given] of Object.entries(env)) {
    if (given === undefined || given === null) continue;
    const value = String(given);
    const isInherited = hostEnv[name] === value;
    if (!isInherited) checkEntry(name, value);
    else if (entryBytes(name, value) > MAX_ENTRY_BYTES) continue;
    checked[name] = value;
  }
  return checked;
}

function checkEntry(name: string, value: string): void {
  if (!SHELL_NAME.test(name)) {
    throw new TypeError(
      `options.env: no shell can export the name ${JSON.stringify(name)}; use letters, digits and _, no digit first`,
    );
  }
  if (value.includes("\0")) throw new TypeError(`options.env: the value of ${name} holds a NUL byte`);
  const bytes = entryBytes(name, value);
  if (bytes > MAX_ENTRY_BYTES) {
    throw new RangeError(
      `options.env: ${name} takes ${bytes} bytes, a process can be given ${MAX_ENTRY_BYTES}; pass a file instead`,
    );
  }
}

function entryBytes(name: string, value: string): number {
  // UTF-8 takes at most 3 bytes a UTF-16 unit: short values need no count.
  const atMost = 3 * (name.length + 1 + value.length);
  return atMost <= MAX_ENTRY_BYTES ? atMost : Buffer.byteLength(`${name}=${value}`);
}
