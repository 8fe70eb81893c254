/** The reading end of a command's output. */
import { spawn } from "node:child_process";
import { Socket } from "node:net";
import type { Readable } from "node:stream";
import { BackendError } from "../../src/backend/index.js";

/** What a command writes, as it comes. */
export interface Output {
  /** Resolves when the last writer has closed it and all of it was delivered. */
  readonly ended: Promise<void>;
  /** Stops reading. What still writes goes on unharmed, without us. */
  letGo(): void;
  /** Stops reading. What still writes gets SIGPIPE. */
  destroy(): void;
}

type Deliver = (chunk: Buffer) => void;

/** Reads the one pipe that is stdout and stderr. Takes the descriptor over. */
export function readPipe(readFd: number, deliver: Deliver): Output {
  const socket = new Socket({ fd: readFd, readable: true, writable: false });
  return {
    ended: readToEnd(socket, deliver),
    letGo() {
      socket.pause();
      handToDrain(readFd, socket);
    },
    destroy: () => socket.destroy(),
  };
}

/** Reads Node's own two pipes, where no single one can be had: the order between them is not known. */
export function readTwo(stdout: Readable, stderr: Readable, deliver: Deliver): Output {
  const streams = [stdout, stderr] as const;
  const discard = (stream: Readable) => {
    stream.removeAllListeners("data");
    stream.resume();
    (stream as Socket).unref();
  };
  return {
    ended: Promise.all(streams.map((stream) => readToEnd(stream, deliver))).then(() => undefined),
    letGo: () => streams.forEach(discard),
    destroy: () => {
      for (const stream of streams) stream.destroy();
    },
  };
}

/**
 * Lets a `cat` of its own session read the pipe from now on: a background job that writes is neither killed by
 * SIGPIPE nor dependent on the life of this process, and costs it nothing.
 */
function handToDrain(readFd: number, socket: Socket): void {
  const drain = spawn("cat", [], {
    cwd: "/",
    env: { PATH: process.env.PATH },
    stdio: [readFd, "ignore", "ignore"],
    detached: true,
  });
  // In the same tick as the spawn: the child made the shared description blocking, and nobody here may read it now.
  drain.on("error", () => undefined);
  if (drain.pid === undefined) {
    // No process is left for it: then it is read here, which costs time and ends with this process.
    socket
      .removeAllListeners("data")
      .on("data", () => undefined)
      .unref();
    socket.resume();
    return;
  }
  drain.unref();
  socket.destroy();
}

function readToEnd(stream: Readable, deliver: Deliver): Promise<void> {
  return new Promise((resolve, reject) => {
    stream.on("data", deliver);
    stream.on("end", resolve);
    stream.on("close", resolve);
    stream.on("error", (cause) => {
      const message = `reading the command's output failed: ${cause.message}`;
      reject(new BackendError("local", "CONNECTION_LOST", message, { cause }));
    });
  });
}
