/** What the machine must offer for some tests, how to find out, and how to get it. */
import { accessSync, constants } from "node:fs";
import { request } from "node:http";

export interface Requirement {
  readonly name: "docker" | "sshd";
  /** With this variable set to 1 a missing requirement is a failure, never a skip. */
  readonly requiredBy: string;
  readonly howToEnable: string;
  isMet(): Promise<boolean>;
}

export const DOCKER: Requirement = {
  name: "docker",
  requiredBy: "REQUIRE_DOCKER",
  howToEnable: "start a Docker engine that this user may reach at /var/run/docker.sock",
  isMet: () => answersPing("/var/run/docker.sock"),
};

export const SSHD: Requirement = {
  name: "sshd",
  requiredBy: "REQUIRE_SSHD",
  howToEnable: "install the OpenSSH server (Debian: apt-get install openssh-server)",
  isMet: async () => isExecutable("/usr/sbin/sshd"),
};

export const REQUIREMENTS: readonly Requirement[] = [DOCKER, SSHD];

/** GET /_ping of the Docker Engine API. */
function answersPing(socketPath: string): Promise<boolean> {
  return new Promise((resolve) => {
    const ping = request({ socketPath, path: "/_ping", timeout: 2000 }, (response) => {
      response.resume();
      resolve(response.statusCode === 200);
    });
    ping.on("timeout", () => ping.destroy(new Error("no answer")));
    ping.on("error", () => resolve(false));
    ping.end();
  });
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
