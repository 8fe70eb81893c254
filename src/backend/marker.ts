/**
 * The marker: one unguessable variable in the environment of each command, by which all that it started can be
 * found again, also what left its process group.
 */
import { randomBytes } from "node:crypto";

/** The only variable that a backend adds to a command's environment. */
export const MARKER_VARIABLE = "BASH_BACKENDS_JOB";

const MARKER_CHAIN = /^[0-9a-f]{24}-[0-9a-f]{8}(,[0-9a-f]{24}-[0-9a-f]{8}){0,15}$/;

/** Makes the markers of one backend. */
export interface Marker {
  /** In every marker of this backend, and in no other's. */
  readonly prefix: string;
  /** A new marker: the prefix and a number of fixed width, so that no marker is the beginning of another. */
  next(): string;
}

export function createMarker(): Marker {
  const prefix = `${randomBytes(12).toString("hex")}-`;
  let count = 0;
  return {
    prefix,
    next() {
      count += 1;
      return prefix + count.toString(16).padStart(8, "0");
    },
  };
}

/**
 * The variable's value for a job. Where the host itself runs inside a job, that job's markers stay in front: a
 * sweep of the outer job must find the inner one's processes too.
 */
export function markerChain(marker: string, hostEnv: NodeJS.ProcessEnv = process.env): string {
  const outer = hostEnv[MARKER_VARIABLE];
  return outer !== undefined && MARKER_CHAIN.test(outer) ? `${outer},${marker}` : marker;
}
