/** Tells, once a run, what is missing on this machine and how to enable it; fails the run where it is required. */
import { REQUIREMENTS, type Requirement } from "./requirements.js";

export interface RequirementsReport {
  readonly missing: readonly Requirement["name"][];
  /** Lines for people, empty when nothing is missing. */
  readonly lines: readonly string[];
  /** Why the run must fail; `undefined` when it may go on. */
  readonly failure: string | undefined;
}

export async function reportRequirements(
  requirements: readonly Requirement[],
  env: NodeJS.ProcessEnv,
): Promise<RequirementsReport> {
  const missing: Requirement[] = [];
  for (const requirement of requirements) {
    if (!(await requirement.isMet())) missing.push(requirement);
  }
  const required = missing.filter(({ requiredBy }) => env[requiredBy] === "1");
  return {
    missing: missing.map(({ name }) => name),
    lines: missing.map(
      ({ name, howToEnable }) => `skipped: the tests that need ${name}. To enable them: ${howToEnable}`,
    ),
    failure:
      required.length === 0
        ? undefined
        : required
            .map(
              ({ name, requiredBy, howToEnable }) =>
                `${requiredBy}=1, but ${name} is missing: ${howToEnable}`,
            )
            .join("\n"),
  };
}

/** Vitest's global setup. */
export async function setup(): Promise<() => void> {
  const { lines, failure } = await reportRequirements(REQUIREMENTS, process.env);
  if (failure !== undefined) throw new Error(failure);
  return () => {
    for (const line of lines) console.log(line);
  };
}
