import { describe, expect, test } from "vitest";
import { travellingEnvironment } from "../../../src/backend/travelling-environment.js";

const host = {
  PATH: "/host/bin",
  HOME: "/home/ada",
  API_KEY: "secret",
  EDITOR: "vi",
  LC_ALL: "C",
  CI_JOB: "1",
  CI_URL: "2",
};
const travel = (env: Record<string, string> | undefined, options = {}) => ({
  ...travellingEnvironment(env, options, host),
});

describe("what travels to a target", () => {
  test("is nothing of the host's own, also when the caller passes all of it", () => {
    expect(travel(undefined)).toEqual({});
    expect(travel({ ...host })).toEqual({});
  });

  test("is what the caller added or changed", () => {
    expect(travel({ ...host, PI_SESSION_ID: "7", EDITOR: "ed" })).toEqual({
      PI_SESSION_ID: "7",
      EDITOR: "ed",
    });
  });

  test("is no name that describes the host, however the caller changed it", () => {
    const own = {
      PATH: "/x",
      HOME: "/x",
      LC_TIME: "C",
      SSH_AUTH_SOCK: "/x",
      npm_config_x: "1",
      BASH_BACKENDS_JOB: "x",
    };
    expect(travel({ ...host, ...own })).toEqual({});
  });

  test("is what the options name, under what the caller says", () => {
    const options = { set: { PATH: "/target/bin", MODE: "fast" }, forward: ["API_KEY", "CI_*"] };
    expect(travel({ ...host, MODE: "slow" }, options)).toEqual({
      API_KEY: "secret",
      CI_JOB: "1",
      CI_URL: "2",
      PATH: "/target/bin",
      MODE: "slow",
    });
  });
});
