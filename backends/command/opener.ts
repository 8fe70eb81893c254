/** Opens a shell pipe by starting a program. */
import { type ChildProcessByStdio, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import type { Socket } from "node:net";
import type { Readable, Writable } from "node:stream";
import { BackendError, type ShellPipe, type ShellPipeOpener } from "../../src/backend/index.js";

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

export class CommandOpener implements ShellPipeOpener {
  readonly #argv: readonly string[];

  constructor(argv: readonly string[]) {
    this.#argv = argv;
  }

  async open(bootstrap: string, cancelled: AbortSignal): Promise<ShellPipe> {
    const [program = "", ...args] = this.#argv;
    const child = spawn(program, args, {
      stdio: "pipe",
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    await new Promise<void>((resolve, reject) => {
      child.once("spawn", resolve);
      child.once("error", (cause) => {
        reject(
          new BackendError("command", "CONNECT_FAILED", `${program} cannot be started: ${cause.message}`, {
            cause,
          }),
        );
      });
    });
    child.on("error", () => undefined);
    const pipe = pipeOf(child);
    const giveUp = () => pipe.destroy();
    if (cancelled.aborted) giveUp();
    cancelled.addEventListener("abort", giveUp, { once: true });
    try {
      await becomeSupervisor(pipe, bootstrap);
      return pipe;
    } finally {
      cancelled.removeEventListener("abort", giveUp);
    }
  }
}

function pipeOf(child: Child): ShellPipe {
  const { stdin, stdout, stderr } = child;
  const handles = [child, stdin, stdout, stderr] as unknown as Pick<Socket, "ref" | "unref">[];
  return {
    stdin,
    stdout,
    stderr,
    closed: new Promise((resolve) => {
      child.once("close", (code, signal) => {
        const how = code === null ? `was killed by ${signal}` : `ended with code ${code}`;
        resolve(new BackendError("command", "CONNECTION_LOST", `${child.spawnfile} ${how}, outcome unknown`));
      });
    }),
    destroy() {
      for (const stream of [stdin, stdout, stderr]) stream.destroy();
      child.kill("SIGKILL");
    },
    hold(isHeld) {
      for (const handle of handles) {
        if (isHeld) handle.ref();
        else handle.unref();
      }
    },
  };
}

/**
 * Has the shell that reads our commands become the one that waits for the supervisor. Shells read ahead: nothing may
 * be written behind the bootstrap until it has run, which is told by a word on standard error.
 */
async function becomeSupervisor(pipe: ShellPipe, bootstrap: string): Promise<void> {
  const word = `bash-backends-${randomBytes(8).toString("hex")}`;
  pipe.stdin.on("error", () => undefined);
  pipe.stdin.write(`echo ${word} >&2;${bootstrap}\n`);
  let heard = "";
  const { stderr } = pipe;
  await new Promise<void>((resolve, reject) => {
    const listen = (chunk: Buffer) => {
      heard += chunk.toString("latin1");
      if (!heard.includes(word)) return;
      stderr.off("data", listen).pause();
      resolve();
    };
    stderr.on("data", listen);
    pipe.closed.then((reason) => {
      const said = heard.trim() === "" ? "" : `; it said ${JSON.stringify(heard.trim().slice(-300))}`;
      reject(new BackendError("command", "NO_SHELL", `no POSIX shell answered: ${reason?.message}${said}`));
    });
  });
}
