/**
 * The one place that knows which backends there are. A backend is imported when a target needs it, so that nobody
 * pays for the clients of the others.
 */
import type { BashBackend } from "../backend/index.js";
import { parseTarget, type Target, TargetError, unknownName } from "./target.js";

interface TargetKind {
  /** Names of the parameters that may stand behind `?`. */
  readonly parameters: readonly string[];
  open(target: Target): Promise<BashBackend>;
}

const KINDS: Readonly<Record<string, TargetKind>> = {
  local: { parameters: ["transport", "shell", "killGraceMs"], open: openLocal },
};

/** Kinds that this package is to have: whoever types one has made no mistake in typing. */
const PLANNED_KINDS: readonly string[] = ["ssh", "docker"];

/**
 * Makes a backend out of the text of a target, such as `local` or `local?transport=stdin`. Nothing is started or
 * connected before its first exec.
 *
 * @throws TargetError for text that names no target, with what would be right
 */
export async function openTarget(text: string): Promise<BashBackend> {
  const target = parseTarget(text);
  if (PLANNED_KINDS.includes(target.kind)) {
    throw new TargetError(`${target.kind}:// targets are not in this version. Known: ${known().join(", ")}`);
  }
  const kind = Object.hasOwn(KINDS, target.kind) ? KINDS[target.kind] : undefined;
  if (kind === undefined) throw unknownName("target", target.kind, known());
  for (const name of target.parameters.keys()) {
    if (!kind.parameters.includes(name)) {
      throw unknownName(`parameter of ${target.kind}`, name, kind.parameters);
    }
  }
  return kind.open(target);
}

function known(): string[] {
  return Object.keys(KINDS);
}

async function openLocal({ place, parameters }: Target): Promise<BashBackend> {
  if (place !== "")
    throw new TargetError(`local is this machine and takes no place: write local, not local://…`);
  const transport = parameters.get("transport");
  if (transport !== undefined && transport !== "arg" && transport !== "stdin") {
    throw unknownName("transport", transport, ["arg", "stdin"]);
  }
  const shellPath = parameters.get("shell");
  const { createLocalBashOperations } = await import("../../backends/local/index.js");
  return createLocalBashOperations({
    ...(transport !== undefined && { commandTransport: transport }),
    ...(shellPath !== undefined && { shellPath }),
    ...milliseconds("killGraceMs", parameters),
  });
}

/** A parameter that is a duration; the backend says which are too long. */
function milliseconds<Name extends string>(
  name: Name,
  parameters: Target["parameters"],
): { [K in Name]?: number } {
  const text = parameters.get(name);
  if (text === undefined) return {};
  if (!/^\d+$/.test(text))
    throw new TargetError(`${name} must be a whole number of milliseconds, got ${text}`);
  return { [name]: Number(text) } as { [K in Name]?: number };
}
