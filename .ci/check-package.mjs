// Checks the tarball that `npm publish` would send: publint for the manifest, attw for the types of every door.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const folder = mkdtempSync(join(tmpdir(), "bash-backends-pack-"));
try {
  // The build has just run: `prepare` need not run a second time.
  const packed = execFileSync("npm", ["pack", "--json", "--ignore-scripts", "--pack-destination", folder], {
    encoding: "utf8",
  });
  const tarball = join(folder, JSON.parse(packed)[0].filename);
  execFileSync("npx", ["publint", "run", "--strict", tarball], { stdio: "inherit" });
  execFileSync("npx", ["attw", tarball, "--profile", "esm-only"], { stdio: "inherit" });
} finally {
  rmSync(folder, { recursive: true, force: true });
}
