import { expect, test } from "vitest";
import type { Requirement } from "../../support/requirements.js";
import { reportRequirements } from "../../support/requirements-report.js";

function requirement(name: Requirement["name"], isMet: boolean): Requirement {
  return {
    name,
    requiredBy: `REQUIRE_${name.toUpperCase()}`,
    howToEnable: `get ${name}`,
    isMet: async () => isMet,
  };
}

test("what is there is no word worth", async () => {
  expect(await reportRequirements([requirement("docker", true)], { REQUIRE_DOCKER: "1" })).toEqual({
    missing: [],
    lines: [],
    failure: undefined,
  });
});

test("what is missing is told with the way to get it, and the run goes on", async () => {
  expect(await reportRequirements([requirement("docker", false), requirement("sshd", true)], {})).toEqual({
    missing: ["docker"],
    lines: ["skipped: the tests that need docker. To enable them: get docker"],
    failure: undefined,
  });
});

test("what is missing though it is required fails the run", async () => {
  const both = [requirement("docker", false), requirement("sshd", false)];
  const { failure } = await reportRequirements(both, { REQUIRE_DOCKER: "1", REQUIRE_SSHD: "1" });
  expect(failure).toBe(
    "REQUIRE_DOCKER=1, but docker is missing: get docker\nREQUIRE_SSHD=1, but sshd is missing: get sshd",
  );
});

test("one that is required does not make the other required", async () => {
  const both = [requirement("docker", true), requirement("sshd", false)];
  expect((await reportRequirements(both, { REQUIRE_DOCKER: "1" })).failure).toBeUndefined();
});
