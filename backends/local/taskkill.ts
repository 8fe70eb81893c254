/** Ends processes on Windows. Written from documentation, not tried on Windows itself. */
import { spawn } from "node:child_process";
import { win32 } from "node:path";
import type { KillReport } from "../../src/backend/index.js";
import { windowsSystemFolder } from "./platform.js";

/** `taskkill` by its full path: a program of that name in the working directory must not be run instead. */
export function taskkill(
  pid: number,
  env: NodeJS.ProcessEnv,
): { readonly file: string; readonly args: string[] } {
  return {
    file: win32.join(windowsSystemFolder(env), "taskkill.exe"),
    args: ["/F", "/T", "/PID", String(pid)],
  };
}

/** Ends a process and its descendants at once: Windows has no signal that asks first. */
export function killWindowsTree(pid: number): Promise<KillReport> {
  const { file, args } = taskkill(pid, process.env);
  return new Promise((resolve) => {
    const child = spawn(file, args, { stdio: "ignore", windowsHide: true });
    child.on("error", () => resolve({ killed: [pid], killConfirmed: false }));
    child.on("exit", (code) => resolve({ killed: [pid], killConfirmed: code === 0 }));
  });
}
