/** Machines without bash: the same promises under dash and busybox. */
import { accessSync, constants, mkdtempSync, rmSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import { type CommandTransport, createLocalBashOperations } from "../../backends/local/index.js";
import { describeConformance } from "../../src/conformance/vitest.js";

/** What depends on the shell. The full run takes all cases. */
const SHELL_GROUPS = ["exit-codes", "stdin", "transport", "differential"];

const folder = mkdtempSync(join(tmpdir(), "shells-"));
afterAll(() => rmSync(folder, { recursive: true }));
const options = process.env.TEST_FULL === "1" ? {} : { only: SHELL_GROUPS };

// busybox is a shell where its name is that of one.
for (const [name, program] of Object.entries({ dash: "/bin/dash", ash: "/bin/busybox" })) {
  if (!isExecutable(program)) {
    console.log(`skipped: the conformance of ${name}, which is not at ${program}`);
    continue;
  }
  const shellPath = join(folder, name);
  symlinkSync(program, shellPath);
  for (const commandTransport of ["arg", "stdin"] satisfies CommandTransport[]) {
    describeConformance(
      `the local backend with ${name}, commands by ${commandTransport}`,
      () => createLocalBashOperations({ shellPath, commandTransport }),
      options,
    );
  }
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
