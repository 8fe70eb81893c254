/** How a command's text reaches its shell. */
import type { CommandTransport } from "./options.js";
import type { LocalShell } from "./shell.js";

/** The longest argument of a process in bytes, without its NUL (execve(2), MAX_ARG_STRLEN). */
const MAX_ARG_BYTES = 131_071;

/**
 * The longest command that is handed to a shell as an argument on Windows, in UTF-16 units. CreateProcess takes
 * 32,767 for the whole line; the runtime of Git Bash cuts long arguments far below that.
 */
const WINDOWS_MAX_ARG_LENGTH = 7500;

/** Exit code of a shell that got only a part of its command, since the host died meanwhile, and so ran nothing. */
const CUT_SHORT = 125;

export interface Invocation {
  readonly args: readonly string[];
  /** What the shell reads the command from; left out: the arguments hold it. */
  readonly payload?: { readonly fd: 0 | 3; readonly bytes: Buffer };
}

/** Puts the command into an argument where that is wanted and fits, else onto a pipe. */
export function invoke(
  command: string,
  {
    shell,
    transport,
    marker,
    platform = process.platform,
  }: {
    readonly shell: LocalShell;
    readonly transport: CommandTransport;
    /** The value of the marker's variable in the command's environment. */
    readonly marker: string;
    readonly platform?: NodeJS.Platform;
  },
): Invocation {
  if (transport === "arg" && !shell.needsStdin && fitsArgument(command, platform)) {
    return { args: ["-c", "--", command] };
  }
  // On Windows no descriptor but the standard ones can be handed on.
  const fd = platform === "win32" ? 0 : 3;
  const readsCount = /^([5-9]|[1-9]\d)\.|^4\.[1-9]/.test(shell.version ?? "");
  return readsCount ? onPipeToBash(command, fd) : onPipeToSh(command, fd, marker);
}

function fitsArgument(command: string, platform: NodeJS.Platform): boolean {
  if (platform === "win32") return command.length <= WINDOWS_MAX_ARG_LENGTH;
  return command.length * 3 <= MAX_ARG_BYTES || Buffer.byteLength(command) <= MAX_ARG_BYTES;
}

/**
 * bash (>= 4.1) reads a stated number of bytes into the variable that holds the command under `bash -c` too. All on
 * one line, so that the command's line numbers are right; `: "$0"` makes `$_` and `$?` what they are at a start.
 */
function onPipeToBash(command: string, fd: 0 | 3): Invocation {
  const bytes = Buffer.from(command);
  const read = `LC_ALL=C IFS= read -r -N ${bytes.length} -u ${fd} BASH_EXECUTION_STRING||exit ${CUT_SHORT}`;
  const script = `${read};${closeInput(fd)};: "$0";eval -- "$BASH_EXECUTION_STRING"`;
  return { args: ["-c", "--", script], payload: { fd, bytes } };
}

/**
 * Another shell has no such `read`. `$(…)` drops newlines at the end, so the marker stands behind the command, and
 * tells too that nothing was cut off. The text is in `$1` only until the command begins.
 */
function onPipeToSh(command: string, fd: 0 | 3, marker: string): Invocation {
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it
  const run = 'eval "set --;${1%"$BASH_BACKENDS_JOB"}"';
  const script = `set -- "$(cat <&${fd})";${closeInput(fd)};case $1 in *"$BASH_BACKENDS_JOB") ${run};;*) exit ${CUT_SHORT};;esac`;
  return { args: ["-c", "--", script], payload: { fd, bytes: Buffer.from(command + marker) } };
}

/** The command must not find its own text: what it inherits is closed, and its standard input is at its end. */
function closeInput(fd: 0 | 3): string {
  return fd === 0 ? "exec </dev/null" : "exec 3<&-";
}
