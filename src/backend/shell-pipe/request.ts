/** Encodes what the job's shell reads: how to make its surroundings, then the command. */
import { MARKER_VARIABLE } from "../marker.js";

/** What the supervisor said about the shell of the job and the target. */
export interface JobShell {
  /** Whether what left the job's group can be found by the marker. */
  readonly sweepsMarker: boolean;
  /** Whether the job has a session, and so a group, of its own. */
  readonly killsTree: boolean;
  readonly path: string;
  /** `BASH_VERSION` of a bash that can read a counted number of bytes (4.1 and later); `undefined` of another. */
  readonly version: string | undefined;
}

export interface Request {
  readonly command: string;
  /** Absolute, or relative to where the target's shell starts. */
  readonly cwd: string;
  /** What to add to the target's own environment. */
  readonly env: Readonly<Record<string, string>>;
  /** The marker of the job, which ends the payload for a shell that cannot count. */
  readonly marker: string;
}

/**
 * The longest payload that travels on one line, in bytes. The shell reads a line byte by byte; a longer one is
 * handed on as a whole by head(1), which costs a fork.
 */
const MAX_LINE_BYTES = 1500;

/** @returns what to write to the supervisor: a line, or a line and the bytes that it announces */
export function encodeRequest(request: Request, shell: Pick<JobShell, "version">): Buffer {
  const payload = encodePayload(request, shell);
  if (payload.length <= MAX_LINE_BYTES) return Buffer.from(`text ${escapeForPrintf(payload.toString())}\n`);
  return Buffer.concat([Buffer.from(`bytes ${payload.length}\n`), payload]);
}

function encodePayload({ command, cwd, env, marker }: Request, shell: Pick<JobShell, "version">): Buffer {
  const isBash = shell.version !== undefined;
  const bytes = Buffer.from(command);
  const setup = [
    // Any variable but this one belongs to the target or to the caller.
    "unset BASH_BACKENDS_SETUP",
    ...(isBash ? exportsForBash(env) : exportsForSh(env)),
    enter(cwd, isBash),
    "unset OLDPWD;export OLDPWD",
    "exec 7>&-",
    isBash ? takeCounted(bytes.length) : TAKE_TO_END,
    "exec 6<&-",
  ];
  return Buffer.concat([Buffer.from(`${setup.join(";")}\n`), bytes, Buffer.from(isBash ? "" : marker)]);
}

/** All after the setup line, up to a count. A payload that was cut short runs nothing. */
function takeCounted(count: number): string {
  return `LC_ALL=C IFS= read -r -N ${count} -u 6 BASH_EXECUTION_STRING||exit 125`;
}

/** `$(…)` drops newlines at the end: the marker stands behind them, and tells too that nothing was cut off. */
const TAKE_TO_END = `set -- "$(cat <&6)";case $1 in *"\${${MARKER_VARIABLE}##*,}") ;;*) exit 125;;esac`;

/** Where the directory cannot be entered, the reason goes to the supervisor, and nothing runs. */
function enter(cwd: string, isBash: boolean): string {
  // `cd -` would be the last directory, and a leading `-` an option.
  const path = quote(cwd.startsWith("/") ? cwd : `./${cwd}`, isBash);
  const reason = `if [ ! -e ${path} ];then echo cwd missing;elif [ ! -d ${path} ];then echo cwd file;else echo cwd denied;fi`;
  return `CDPATH= cd -- ${path} 2>/dev/null||{ { ${reason};} >&7;exit 125;}`;
}

function exportsForBash(env: Readonly<Record<string, string>>): string[] {
  return Object.entries(env).map(([name, value]) => `export ${name}=${quote(value, true)}`);
}

/** A newline cannot stand in the one line of the setup: it is in `$1` meanwhile. */
function exportsForSh(env: Readonly<Record<string, string>>): string[] {
  return [
    NEWLINE_IN_1,
    ...Object.entries(env).map(([name, value]) => `export ${name}=${quote(value, false)}`),
  ];
}

const NEWLINE_IN_1 = `set -- "$(printf '\\n_')";set -- "\${1%_}"`;

/** Text as one word of a shell, without a newline in it. */
function quote(text: string, isBash: boolean): string {
  if (!isBash) return `'${text.replaceAll("'", "'\\''").replaceAll("\n", "'\"$1\"'")}'`;
  if (!text.includes("\n")) return `'${text.replaceAll("'", "'\\''")}'`;
  return `$'${text.replaceAll("\\", "\\\\").replaceAll("'", "\\'").replaceAll("\n", "\\n")}'`;
}

/** `printf %b` of POSIX knows `\\` and `\n`; all else stands for itself. */
function escapeForPrintf(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
