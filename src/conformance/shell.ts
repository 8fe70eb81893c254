/** Small pieces of POSIX shell that cases are made of. */

/** One word that means exactly `text`, whatever it holds. */
export function quote(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** Waits on the target until `path` exists, for at most about 20 s: a broken backend must not leave it for ever. */
export function waitForFile(path: string): string {
  return `n=0; until [ -e ${quote(path)} ] || [ $n -ge 1000 ]; do n=$((n+1)); sleep 0.02; done`;
}

/** Something that cannot occur by chance. */
export function uniqueDigits(): string {
  return String(Math.floor(Math.random() * 1e15)).padStart(15, "0");
}

/** A pattern for grep that matches `text`, and that `text` cannot be found in. */
export function patternFor(text: string): string {
  const [first = "", ...rest] = text;
  return `[${first}]${rest.map((letter) => (/[A-Za-z0-9]/.test(letter) ? letter : `[${letter}]`)).join("")}`;
}

/** Prints the paths below /proc of processes whose command line matches; never those of the search itself. */
export function findProcesses(text: string): string {
  const pattern = quote(patternFor(text));
  // -z: busybox's grep would stop at the first NUL. Where there is no /proc (macOS) ps shows the arguments.
  return (
    `if [ -d /proc/self ]; then grep -lsz ${pattern} /proc/[0-9]*/cmdline; ` +
    `else ps -A -o pid= -o args= | grep ${pattern}; fi; true`
  );
}
