/** Gets the supervisor onto the target: through whatever login shell there is, and without a file. */
import SUPERVISOR from "./supervisor.sh";

/**
 * Run by the login shell. It reads two lines and evaluates the first. `sh -s` instead would not do: dash and busybox
 * read ahead, and take the request for a part of the script.
 */
export const BOOTSTRAP = "exec /bin/sh -c 'IFS= read -r bb_a;IFS= read -r bb_s;eval \"$bb_a\"'";

/**
 * The two lines: the first puts the newlines back into the second, and goes over to bash where there is one, since
 * dash has no `read -t` and is slow at looking through /proc.
 */
export function supervisorLines(): string {
  return `${UNPACK}\n${PACKED}\n`;
}

const UNPACK = [
  // biome-ignore lint/suspicious/noTemplateCurlyInString: the shell expands it
  'bb_i=$IFS;set -f;IFS="~";set -- $bb_s;IFS=${bb_i#??};bb_s="$*";IFS=$bb_i;set +f;set --',
  'if command -v bash >/dev/null;then exec bash --norc -c "$bb_s";fi',
  'eval "$bb_s"',
].join(";");

const PACKED = SUPERVISOR.split("\n")
  .map((line) => line.trimStart())
  .filter((line) => line !== "" && !line.startsWith("# "))
  .join("~");
