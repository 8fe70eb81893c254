/** A PATH without bash, as of a small container: whoever looks for one there finds dash or busybox only. */
import { existsSync, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const PROGRAMS =
  "cat chmod cut date env grep head ls mkdir mktemp nohup od pgrep ps rm sed seq setsid sleep sort stat tail tee touch tr true uname wc yes";

export interface PathWithoutBash {
  readonly path: string;
  remove(): void;
}

export function makePathWithoutBash(): PathWithoutBash {
  const path = mkdtempSync(join(tmpdir(), "no-bash-"));
  for (const name of PROGRAMS.split(" ")) {
    const program = ["/usr/bin", "/bin"].map((folder) => join(folder, name)).find(existsSync);
    if (program !== undefined) symlinkSync(program, join(path, name));
  }
  return { path, remove: () => rmSync(path, { recursive: true }) };
}
