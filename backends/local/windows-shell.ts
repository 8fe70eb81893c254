/** Finds bash on Windows. Written from documentation and tested with given facts, not on Windows itself. */
import { win32 } from "node:path";
import { noShell, onPath, type PlatformFacts, type ShellChoice, windowsSystemFolder } from "./platform.js";

/**
 * Git Bash in its known places, bash on PATH, then the legacy WSL launcher.
 *
 * @throws BackendError with code `NO_SHELL` that says where was looked
 */
export function findWindowsShell(facts: PlatformFacts): ShellChoice {
  const { env } = facts;
  const system = windowsSystemFolder(env);
  const gitFolders = [env.ProgramFiles, env["ProgramFiles(x86)"], env.LocalAppData ?? env.LOCALAPPDATA];
  const git = gitFolders
    .filter((folder) => folder !== undefined)
    .flatMap((folder) => [
      win32.join(folder, "Git", "bin", "bash.exe"),
      win32.join(folder, "Programs", "Git", "bin", "bash.exe"),
    ]);
  const path = onPath("bash.exe", facts, ";").map((candidate) => win32.normalize(candidate));
  // The launcher of legacy WSL is on PATH too, and is another machine than the one that the host sees.
  const ownBash = path.filter((candidate) => !candidate.toLowerCase().startsWith(system.toLowerCase()));
  const found = [...git, ...ownBash].find((candidate) => facts.kindOf(candidate) === "executable");
  if (found !== undefined) return { path: found, needsStdin: false };
  const wsl = win32.join(system, "bash.exe");
  if (facts.kindOf(wsl) === "executable") return { path: wsl, needsStdin: true };
  throw noShell(`no bash: looked at ${[...git, ...ownBash, wsl].join(", ")}; install Git for Windows`);
}
