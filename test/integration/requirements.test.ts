/** What is said to be there answers. Where it is missing, the test is skipped, or the whole run has failed before. */
import { request } from "node:http";
import { expect, test } from "vitest";
import { run } from "../support/consumer.js";
import { DOCKER, SSHD } from "../support/requirements.js";

test("the Docker engine tells its version", async ({ skip }) => {
  if (!(await DOCKER.isMet())) return skip(DOCKER.howToEnable);
  const { ApiVersion } = JSON.parse(await getFromEngine("/version"));
  expect(ApiVersion).toMatch(/^1\.\d+$/);
});

test("the OpenSSH server knows its options", async ({ skip }) => {
  if (!(await SSHD.isMet())) return skip(SSHD.howToEnable);
  // An unknown option makes it tell its version; there is none that only does so in OpenSSH 9.2.
  const { stderr } = await run("/usr/sbin/sshd", ["-?"], {});
  expect(stderr).toMatch(/OpenSSH_\d/);
});

function getFromEngine(path: string): Promise<string> {
  return new Promise((resolve, reject) => {
    request({ socketPath: "/var/run/docker.sock", path }, (response) => {
      let body = "";
      response.setEncoding("utf8").on("data", (text: string) => {
        body += text;
      });
      response.on("end", () => resolve(body));
    })
      .on("error", reject)
      .end();
  });
}
