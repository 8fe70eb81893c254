/** Real pipes for the commands' output. Node has no pipe(2), and its own stdio pipes are sockets: two of them. */
import { closeSync, constants, openSync } from "node:fs";

/**
 * One pipe, both ends open in this process. Both ends close on exec; whoever takes it closes them.
 *
 * A single pipe as stdout and stderr keeps the order of writes, and unlike a socket it can be opened by path:
 * `echo hi >/dev/stderr` fails with ENXIO on a socket.
 */
export interface Pipe {
  readonly readFd: number;
  readonly writeFd: number;
}

/** Gives pipes, one at a time. */
export interface PipeSource {
  take(): Promise<Pipe> | Pipe;
}

/**
 * Opens both ends of a pipe by its path.
 *
 * @throws NodeJS.ErrnoException, with nothing left open
 */
export function openPipe(path: string): Pipe {
  // Non-blocking: a blocking open of a FIFO for reading waits for a writer (fifo(7)).
  const readFd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  try {
    return { readFd, writeFd: openSync(path, constants.O_WRONLY) };
  } catch (error) {
    closeSync(readFd);
    throw error;
  }
}

export function closePipe({ readFd, writeFd }: Pipe): void {
  closeSync(readFd);
  closeSync(writeFd);
}
