/** Removes full-output files that nobody has wanted for a while: nothing else ever would. */
import { promises } from "node:fs";
import { join } from "node:path";

/** Age, since the last write, from which on a full-output file is removed, in milliseconds: seven days. */
export const FULL_OUTPUT_MAX_AGE_MS = 7 * 24 * 60 * 60 * 1000;

/** Exactly the names that we give, so that no file of anybody else's is touched. */
const OUR_NAME = /^bash-backends-[0-9a-f]{16}\.log$/;

const sweptDirectories = new Set<string>();

/** Sweeps `directory` once in the life of this process, in the background: no result waits for it. */
export function sweepOnce(directory: string): void {
  if (sweptDirectories.has(directory)) return;
  sweptDirectories.add(directory);
  void sweepOldFiles(directory, Date.now());
}

/**
 * Removes our own old files in `directory`, not below it. Never rejects.
 *
 * @param now milliseconds since the epoch
 */
export async function sweepOldFiles(directory: string, now: number): Promise<void> {
  try {
    for await (const entry of await promises.opendir(directory)) {
      if (OUR_NAME.test(entry.name)) await removeIfOld(join(directory, entry.name), now);
    }
  } catch {
    // A directory that cannot be read keeps its files.
  }
}

async function removeIfOld(path: string, now: number): Promise<void> {
  try {
    // `lstat`: a link under our name is none of our files, whatever it points at.
    const stats = await promises.lstat(path);
    const isOurs = stats.isFile() && stats.uid === (process.getuid?.() ?? stats.uid);
    if (isOurs && now - stats.mtimeMs > FULL_OUTPUT_MAX_AGE_MS) await promises.unlink(path);
  } catch {
    // Another process has swept it at the same time.
  }
}
