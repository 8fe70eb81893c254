/**
 * Backends that are broken on purpose, each in one way. Many of the ways are taken from tools that people use. Every
 * case of the suite must fail on one of them, and each of them must fail a case.
 */
import type { BashBackend, BashOperations, ExecOptions } from "../../src/backend/index.js";
import { createBackend } from "../../src/backend/index.js";
import type { ClosableOperations } from "../../src/conformance/index.js";
import { type Defects, referenceRoad } from "./reference-road.js";

export interface Mutant {
  readonly name: string;
  /** What is wrong with it. */
  readonly sentence: string;
  open(): ClosableOperations;
}

/** Shorter than the defaults: a case may wait for them. The runner is told. */
export const MUTANT_LIMITS = { killGraceMs: 200, drainQuietMs: 100, drainMaxMs: 1500, leakExecs: 100 };

/** A backend with nothing wrong, but for what is said. */
export function reference(defects: Defects = {}) {
  const { killGraceMs, drainQuietMs, drainMaxMs } = MUTANT_LIMITS;
  return createBackend(referenceRoad(defects), {
    killGraceMs,
    drain: { quietMs: drainQuietMs, maxMs: drainMaxMs },
  });
}

/** Its road is broken. */
function road(name: string, sentence: string, defects: Defects): Mutant {
  return { name, sentence, open: () => reference(defects) };
}

type Exec = BashOperations["exec"];

/** Its exec does something else than that of a right backend. */
function exec(name: string, sentence: string, change: (right: Exec) => Exec, defects: Defects = {}): Mutant {
  return {
    name,
    sentence,

    open() {
      const right = reference(defects);
      return {
        capabilities: right.capabilities,
        close: () => right.close(),
        [Symbol.asyncDispose]: () => right.close(),
        exec: change((...given) => right.exec(...given)),
      };
    },
  };
}

/** Its `close` or `[Symbol.asyncDispose]` is another. */
function closing(
  name: string,
  sentence: string,
  change: (right: BashBackend) => Partial<BashBackend>,
): Mutant {
  return {
    name,
    sentence,
    open() {
      const right = reference();
      const { capabilities } = right;
      const exec: Exec = (...given) => right.exec(...given);
      const close = () => right.close();
      return { capabilities, exec, close, [Symbol.asyncDispose]: close, ...change(right) };
    },
  };
}

/** It runs another text than the one it was given. */
const text = (name: string, sentence: string, change: (command: string, cwd: string) => string): Mutant =>
  exec(name, sentence, (right) => (command, cwd, options) => right(change(command, cwd), cwd, options));

/** It hears of other options than those it was given. */
const options = (name: string, sentence: string, change: (given: ExecOptions) => ExecOptions): Mutant =>
  exec(name, sentence, (right) => (command, cwd, given) => right(command, cwd, change(given)));

const later = (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms));

export const MUTANTS: readonly Mutant[] = [
  // The command
  text("and-list", "runs cd DIR && COMMAND", (command, cwd) => `cd '${cwd}' && ${command}`),
  text("errexit", "turns errexit on", (command) => `set -e\n${command}`),
  text("strict", "turns nounset and pipefail on", (command) => `set -uo pipefail\n${command}`),
  text("xtrace", "turns xtrace on", (command) => `set -x\n${command}`),
  text("trims", "trims the command", (command) => command.trim()),
  text("final-newline", "ends the command with a newline", (command) => `${command}\n`),
  text("lines-joined", "makes one line of the command", (command) => command.replaceAll("\n", "; ")),
  text("unix-newlines", "takes carriage returns for line ends", (command) => command.replaceAll("\r", "")),
  text("subshell", "runs the command in a subshell", (command) => `(\n${command}\n)`),
  text("function", "runs the command in a function", (command) => `ours() {\n:\n${command}\n}; ours`),
  text("exec-prefix", "puts exec before the command", (command) => `exec ${command}`),
  text("twice", "runs the command twice", (command) => `${command}\n${command}`),
  text("nothing", "runs nothing", () => ""),
  text("double-quotes", "quotes the command with double quotes only", (command) => `bash -c "${command}"`),
  text("json", "quotes the command as JSON", (command) => `bash -c ${JSON.stringify(command)}`),
  text("single-quotes", "does not escape single quotes", (command) => `eval '${command}'`),
  text("latin1", "sends the command as Latin-1", (command) =>
    Buffer.from(command, "latin1")
      .toString("latin1")
      .replaceAll(/[^\0-\xff]/g, "?"),
  ),
  text("cuts-at-128-kb", "cuts a command at 128 KiB", (command) => command.slice(0, 131_072)),
  text("strips-nul", "takes NUL bytes out of the command", (command) => command.replaceAll("\0", "")),
  text("strips-controls", "takes control characters out of the command", (command) =>
    command.replaceAll(/[\x01-\x08\x0b-\x1f\x7f\u2028\ufeff]/g, ""),
  ),
  text(
    "prologue-variable",
    "leaves variables and a function of its own visible",
    (command) => `BASH_BACKENDS_ROOT=/tmp; own_word=1; own_function() { :; }\n${command}`,
  ),
  text(
    "exported-command",
    "keeps the command in an exported variable",
    (command) => `export LAST_COMMAND='${command.replaceAll("'", "'\\''")}'\n${command}`,
  ),
  text(
    "open-descriptors",
    "leaves descriptors 3 and 4 open",
    (command) => `exec 3</dev/null 4>/dev/null\n${command}`,
  ),
  text(
    "ignored-signals",
    "has INT, HUP, PIPE and USR1 ignored, as with &",
    (command) => `trap '' INT HUP PIPE USR1\n${command}`,
  ),
  text("ignores-term", "has TERM ignored", (command) => `trap '' TERM\n${command}`),
  text(
    "own-traps",
    "sets traps of its own",
    (command) => `trap 'x=$?; exit $x' EXIT TERM\ntrap : ERR DEBUG\n${command}`,
  ),
  text(
    "own-limits",
    "sets a umask and limits of its own",
    (command) => `umask 077; ulimit -n 99 -c 0; ulimit -n 99\n${command}`,
  ),
  text(
    "own-directory",
    "changes to / and back",
    (command, cwd) => `OLDPWD=/x; cd /; cd '${cwd}'\n${command}`,
  ),
  text("own-ifs", "has an IFS of its own", (command) => `IFS=,\n${command}`),
  text("noglob", "turns globbing off", (command) => `set -f\n${command}`),
  text("posix-mode", "turns POSIX mode on", (command) => `set -o posix\n${command}`),
  text("monitor", "turns job control on", (command) => `set -m\n${command}`),
  text(
    "histexpand",
    "turns history and its expansion on",
    (command) => `set -o history -o histexpand\n${command}`,
  ),
  text("positional", "hands the command arguments", (command) => `set -- bash run\n${command}`),
  text(
    "aliases",
    "has aliases on",
    (command) => `shopt -s expand_aliases\nalias echo='echo -n' cat=true true=false\n${command}`,
  ),
  text("sentinel", "reads the exit code from a last line of its own", (command) => `${command}\nexit $?`),
  text("prompt", "writes a greeting", (command) => `printf 'Welcome!\\n'; ${command}`),
  text("stdout-only", "throws stderr away", (command) => `exec 2>/dev/null\n${command}`),
  text("waits-for-jobs", "waits for background jobs", (command) => `trap wait EXIT\n${command}`),
  text(
    "kills-jobs",
    "kills background jobs at the end",
    (command) => `trap 'kill $(jobs -p) 2>/dev/null' EXIT\n${command}`,
  ),
  road("sh", "runs sh where there is bash", { shell: "/bin/sh" }),
  road("login-shell", "runs a login shell", { shellArguments: ["-l"] }),
  road("interactive-shell", "runs an interactive shell", { shellArguments: ["-i"] }),
  road("restricted-shell", "runs a restricted shell", { shellArguments: ["-r"] }),
  road("no-dash-dash", "passes the command without -- before it", { commandOption: ["-c"] }),
  road("own-zero", "gives the command another $0", { commandOption: ["-c", 'eval -- "$1"', "agent"] }),
  road("script-on-stdin", "feeds the command to the shell's stdin", { transport: "the shell's stdin" }),
  road("eval-without-dashes", "runs a command from a pipe by eval without --", {
    transport: "pipe",
    evaluation: 'eval "$BASH_EXECUTION_STRING"',
  }),
  road("always-argv", "passes a command of any size as an argument, and says that it does not", {
    transport: "always an argument",
    claimsNoArgv: true,
  }),
  road("script-file", "runs the command as a file", {
    transport: "pipe",
    evaluation: '. /dev/stdin <<< "$BASH_EXECUTION_STRING"',
  }),

  // stdin and terminal
  road("open-stdin", "leaves stdin open", { stdin: "pipe" }),
  text("stdin-of-text", "has something on stdin", (command) => `exec <<< y\n${command}`),
  text(
    "terminal",
    "runs the command on a terminal",
    (command) => `exec script -qec "bash -c -- '${command.replaceAll("'", "'\\''")}'" /dev/null`,
  ),

  // Output
  road("two-pipes", "has a pipe each for stdout and stderr", { output: "two pipes" }),
  options("decodes-chunks", "makes text of each chunk", ({ onData, ...rest }) => ({
    ...rest,
    onData: (chunk) => onData(Buffer.from(chunk.toString())),
  })),
  options("strips-escapes", "removes escape sequences and carriage returns", ({ onData, ...rest }) => ({
    ...rest,
    onData: (chunk) =>
      onData(Buffer.from(chunk.toString("latin1").replaceAll(/\x1b\[[0-9;]*m|[\r\x01]/g, ""), "latin1")),
  })),
  exec("drops-last-chunk", "drops the last chunk", (right) => async (command, cwd, { onData, ...rest }) => {
    let held: Buffer | undefined;
    const hold = (chunk: Buffer) => {
      if (held !== undefined) onData(held);
      held = chunk;
    };
    return right(command, cwd, { ...rest, onData: hold });
  }),
  exec("gathers", "delivers everything at the end", (right) => async (command, cwd, { onData, ...rest }) => {
    const chunks: Buffer[] = [];
    const result = await right(command, cwd, { ...rest, onData: (chunk) => void chunks.push(chunk) });
    if (chunks.length > 0) onData(Buffer.concat(chunks));
    return result;
  }),
  exec("by-lines", "delivers whole lines only", (right) => async (command, cwd, { onData, ...rest }) => {
    let line = Buffer.alloc(0);
    const cut = (chunk: Buffer) => {
      line = Buffer.concat([line, chunk]);
      const end = line.lastIndexOf("\n") + 1;
      if (end > 0) onData(line.subarray(0, end));
      line = line.subarray(end);
    };
    const result = await right(command, cwd, { ...rest, onData: cut });
    if (line.length > 0) onData(line);
    return result;
  }),
  exec("trims-output", "trims the output", (right) => async (command, cwd, { onData, ...rest }) => {
    const chunks: Buffer[] = [];
    const result = await right(command, cwd, { ...rest, onData: (chunk) => void chunks.push(chunk) });
    onData(Buffer.from(Buffer.concat(chunks).toString("latin1").trimEnd(), "latin1"));
    return result;
  }),
  exec("limits-output", "cuts the output at 50,000 bytes", (right) => (command, cwd, { onData, ...rest }) => {
    let left = 50_000;
    const cut = (chunk: Buffer) => {
      if (left > 0) onData(chunk.subarray(0, left));
      left -= chunk.length;
    };
    return right(command, cwd, { ...rest, onData: cut });
  }),
  exec("reuses-buffer", "uses one buffer for all chunks", (right) => {
    const shared = Buffer.alloc(1 << 20);
    return (command, cwd, { onData, ...rest }) =>
      right(command, cwd, { ...rest, onData: (chunk) => onData(shared.subarray(0, chunk.copy(shared))) });
  }),
  exec("late-delivery", "delivers a chunk after exec has settled", (right) => async (command, cwd, given) => {
    try {
      return await right(command, cwd, given);
    } finally {
      setTimeout(() => {
        try {
          given.onData(Buffer.from("late"));
        } catch {
          // Whoever reads it has gone.
        }
      }, 20);
    }
  }),
  road("resolves-at-exit", "settles at the shell's exit, without reading the rest", {
    outputEnded: "at exit",
  }),
  exec(
    "asynchronous-delivery",
    "delivers each chunk a moment later",
    (right) =>
      (command, cwd, { onData, ...rest }) =>
        right(command, cwd, { ...rest, onData: (chunk) => void setTimeout(onData, 10, chunk) }),
  ),
  exec("swallows-throws", "goes on when onData throws", (right) => (command, cwd, { onData, ...rest }) => {
    const swallow = (chunk: Buffer) => {
      try {
        onData(chunk);
      } catch {
        // Nobody hears of it.
      }
    };
    return right(command, cwd, { ...rest, onData: swallow });
  }),
  exec(
    "wraps-throws",
    "rejects with another error than onData threw",
    (right) =>
      (command, cwd, { onData, ...rest }) => {
        const wrap = (chunk: Buffer) => {
          try {
            onData(chunk);
          } catch (cause) {
            throw new Error("onData failed", { cause });
          }
        };
        return right(command, cwd, { ...rest, onData: wrap });
      },
  ),

  // Exit codes
  road("signal-is-0", "says 0 for a death by signal", { exitOfSignal: 0 }),
  road("signal-is-1", "says 1 for a death by signal", { exitOfSignal: 1 }),
  exec("null-exit", "says null for failures", (right) => async (...given) => {
    const { exitCode } = await right(...given);
    return { exitCode: exitCode === 0 ? 0 : null };
  }),
  exec("always-0", "says 0 for failures", (right) => async (...given) => {
    await right(...given);
    return { exitCode: 0 };
  }),
  exec("signed-exit", "takes the exit code for a signed byte", (right) => async (...given) => {
    const { exitCode } = await right(...given);
    return { exitCode: ((exitCode ?? 0) << 24) >> 24 };
  }),
  exec("failure-rejects", "rejects where a command fails", (right) => async (...given) => {
    const { exitCode } = await right(...given);
    if (exitCode !== 0) throw new Error(`Command failed with ${exitCode}`);
    return { exitCode };
  }),

  // Directory and environment
  exec("ignores-cwd", "runs in / always", (right) => (command, _cwd, given) => right(command, "/", given)),
  exec(
    "missing-cwd-is-root",
    "runs in / where the directory is missing",
    (right) => async (command, cwd, given) => {
      const there = await right("", cwd, { onData: () => undefined }).catch(() => undefined);
      return right(command, there === undefined ? "/" : cwd, given);
    },
  ),
  exec(
    "cwd-unquoted",
    "puts the directory unquoted into the command",
    (right) => (command, cwd, given) =>
      right(cwd === "/" ? command : `cd "${cwd}" || exit\n${command}`, "/", given),
  ),
  road("no-cwd-check", "leaves a wrong directory to spawn", { checksCwd: false }),
  options("ignores-env", "ignores the environment", ({ env: _ignored, ...rest }) => rest),
  options(
    "env-by-value",
    "drops values with newlines, control characters or beyond 64 KiB",
    ({ env, ...rest }) => ({
      ...rest,
      ...(env && {
        env: Object.fromEntries(
          Object.entries(env).filter(
            ([, value]) => String(value).length < 65_536 && !/[\n\r\x01]/.test(String(value)),
          ),
        ),
      }),
    }),
  ),
  options("trims-env", "trims values and drops empty ones", ({ env, ...rest }) => ({
    ...rest,
    ...(env && {
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value === undefined ? value : String(value).trim() || undefined,
        ]),
      ),
    }),
  })),
  options("expands-env", "takes values for shell text in double quotes", ({ env, ...rest }) => ({
    ...rest,
    ...(env && {
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value === undefined ? value : String(value).replaceAll(/\\(.)|[`"]/g, "$1"),
        ]),
      ),
    }),
  })),
  options("ascii-env", "sends values as ASCII", ({ env, ...rest }) => ({
    ...rest,
    ...(env && {
      env: Object.fromEntries(
        Object.entries(env).map(([name, value]) => [
          name,
          value === undefined ? value : String(value).replaceAll(/[^\0-\x7f]/g, "?"),
        ]),
      ),
    }),
  })),
  options("undefined-is-text", "makes text of undefined", ({ env, ...rest }) => ({
    ...rest,
    ...(env && {
      env: Object.fromEntries(Object.entries(env).map(([name, value]) => [name, String(value)])),
    }),
  })),
  options("filters-env", "skips what no process can be given, without a word", ({ env, ...rest }) => ({
    ...rest,
    ...(env && {
      env: Object.fromEntries(
        Object.entries(env).filter(
          ([name, value]) =>
            /^\w+$/.test(name) &&
            !/^\d/.test(name) &&
            String(value).length < 131_000 &&
            !String(value).includes("\0"),
        ),
      ),
    }),
  })),
  road("inherits-env", "adds the host's environment to the caller's", {
    env: (env) => ({ ...process.env, ...env }),
  }),
  options("writes-env", "writes into the caller's environment", (given) => {
    if (given.env !== undefined) given.env.PAGER = "cat";
    return given;
  }),
  exec("keeps-env", "remembers the environment of earlier commands", (right) => {
    let kept: NodeJS.ProcessEnv = {};
    return (command, cwd, { env, ...rest }) => {
      kept = { ...kept, ...env };
      return right(command, cwd, { ...rest, env: { ...process.env, ...kept } });
    };
  }),
  exec("one-shell", "has one shell for all commands: their state stays", (right) => {
    const file = `/tmp/one-shell-${process.pid}`;
    return (command, cwd, given) =>
      right(
        `[ -e ${file} ] && . ${file}\ntrap 'pwd() { echo elsewhere; }; declare -f pwd > ${file}' EXIT\n${command}`,
        cwd,
        given,
      );
  }),
  exec(
    "env-on-argv",
    "passes variables on a command line",
    (right) =>
      (command, cwd, { env = {}, ...rest }) => {
        const added = Object.entries(env).filter(
          ([name, value]) => process.env[name] !== value && value !== undefined,
        );
        const words = added.map(([name, value]) => `${name}='${String(value).replaceAll("'", "'\\''")}'`);
        const script = `env ${words.join(" ")} bash -c -- '${command.replaceAll("'", "'\\''")}'; exit $?`;
        return right(added.length === 0 ? command : script, cwd, { ...rest, env: process.env });
      },
  ),
  exec(
    "secrets-in-messages",
    "puts the command and its environment into messages",
    (right) => async (command, cwd, given) => {
      try {
        return await right(command, cwd, given);
      } catch (error) {
        if (error instanceof Error && !/^aborted$|^timeout:/.test(error.message))
          error.message += ` (${command} ${JSON.stringify(given.env)})`;
        throw error;
      }
    },
  ),

  // Time limits and aborts
  options("ignores-timeout", "ignores the time limit", ({ timeout: _ignored, ...rest }) => rest),
  options("no-wrong-timeout", "takes a wrong limit for none", ({ timeout, ...rest }) =>
    timeout !== undefined && timeout > 0 && timeout < 2_147_483.648 ? { ...rest, timeout } : rest,
  ),
  options("timeout-in-ms", "takes the limit for milliseconds", ({ timeout, ...rest }) =>
    timeout === undefined ? rest : { ...rest, timeout: timeout / 1000 },
  ),
  options("timeout-as-number", "takes a text for a limit", ({ timeout, ...rest }) =>
    timeout === undefined ? rest : { ...rest, timeout: Number(timeout) },
  ),
  options("timeout-wraps", "sets a timer with whatever it is given", ({ timeout, ...rest }) => {
    if (timeout === undefined) return rest;
    const ms = Number(timeout) * 1000;
    return { ...rest, timeout: ms > 0 && ms < 2 ** 31 - 1 ? ms / 1000 : 0.001 };
  }),
  exec("own-words", "says in its own words why it stopped", (right) => async (...given) => {
    try {
      return await right(...given);
    } catch (error) {
      throw /^aborted$|^timeout:/.test((error as Error).message) ? new Error("Command was stopped") : error;
    }
  }),
  exec("stop-is-124", "says exit code 124 for what it stopped", (right) => async (...given) => {
    try {
      return await right(...given);
    } catch (error) {
      if (/^aborted$|^timeout:/.test((error as Error).message)) return { exitCode: 124 };
      throw error;
    }
  }),
  options("ignores-abort", "ignores the signal", ({ signal: _ignored, ...rest }) => rest),
  exec(
    "runs-when-aborted",
    "runs a command whose signal is already aborted",
    (right) => async (command, cwd, given) => {
      if (!given.signal?.aborted) return right(command, cwd, given);
      const { signal: _ignored, ...rest } = given;
      await right(command, cwd, rest);
      throw new Error("aborted");
    },
  ),
  exec(
    "deaf-once-started",
    "listens to the signal only until a command has started",
    (right) =>
      (command, cwd, { signal, ...rest }) =>
        right(command, cwd, signal?.aborted ? { ...rest, signal } : rest),
  ),
  exec(
    "deaf-while-starting",
    "listens to the signal only from the second turn on",
    (right) =>
      async (command, cwd, { signal, ...rest }) => {
        if (signal === undefined || signal.aborted)
          return right(command, cwd, { ...rest, ...(signal && { signal }) });
        const controller = new AbortController();
        await later(5);
        const onAbort = () => controller.abort();
        signal.addEventListener("abort", onAbort);
        try {
          return await right(command, cwd, { ...rest, signal: controller.signal });
        } finally {
          signal.removeEventListener("abort", onAbort);
        }
      },
  ),
  exec(
    "end-beats-abort",
    "tells the result of a command that ended just before the abort",
    (right) =>
      async (command, cwd, { signal, ...rest }) => {
        if (signal === undefined || signal.aborted)
          return right(command, cwd, { ...rest, ...(signal && { signal }) });
        const controller = new AbortController();
        const onAbort = () => setTimeout(() => controller.abort(), 20);
        signal.addEventListener("abort", onAbort);
        try {
          return await right(command, cwd, { ...rest, signal: controller.signal });
        } finally {
          signal.removeEventListener("abort", onAbort);
        }
      },
  ),
  exec("abort-reason", "rejects with the signal's reason", (right) => async (command, cwd, given) => {
    try {
      return await right(command, cwd, given);
    } catch (error) {
      throw given.signal?.aborted ? given.signal.reason : error;
    }
  }),
  exec("abort-is-timeout", "prefers the time limit to the abort", (right) => async (command, cwd, given) => {
    const startedAt = performance.now();
    try {
      return await right(command, cwd, given);
    } catch (error) {
      const isOver = given.timeout !== undefined && performance.now() - startedAt >= given.timeout * 1000 - 2;
      throw isOver && (error as Error).message === "aborted" ? new Error(`timeout:${given.timeout}`) : error;
    }
  }),
  exec("aborts-all", "ends all commands at one abort or limit", (right) => {
    const all = new Set<AbortController>();
    return async (command, cwd, { signal, ...rest }) => {
      if (signal?.aborted) return right(command, cwd, { ...rest, signal });
      const controller = new AbortController();
      all.add(controller);
      const onAbort = () => {
        for (const one of all) one.abort();
      };
      signal?.addEventListener("abort", onAbort);
      try {
        return await right(command, cwd, { ...rest, signal: controller.signal });
      } catch (error) {
        if ((error as Error).message.startsWith("timeout:")) onAbort();
        throw error;
      } finally {
        signal?.removeEventListener("abort", onAbort);
        all.delete(controller);
      }
    };
  }),
  exec("sticky-abort", "refuses everything after the first late abort", (right) => {
    let isAborted = false;
    return async (command, cwd, given) => {
      if (isAborted) throw new Error("aborted");
      given.signal?.addEventListener("abort", () => {
        isAborted = true;
      });
      return right(command, cwd, given);
    };
  }),
  exec("leaks-listeners", "leaves its listener on the signal", (right) => (command, cwd, given) => {
    given.signal?.addEventListener("abort", () => undefined);
    return right(command, cwd, given);
  }),
  exec("leaks-timers", "leaves its timer running", (right) => (command, cwd, given) => {
    if (given.timeout !== undefined && given.timeout > 0)
      setTimeout(() => undefined, Math.min(given.timeout * 1000, 20_000));
    return right(command, cwd, given);
  }),
  road("leaks-descriptors", "leaves a descriptor open for each exec", { leaksDescriptors: true }),
  exec(
    "ignores-time-after-exit",
    "forgets limit and signal once the shell has exited",
    (right) => async (command, cwd, given) => {
      const { signal: _s, timeout: _t, ...rest } = given;
      const isLeft = /& (sleep 0\.1; )?exit 7$/.test(command);
      return right(command, cwd, isLeft ? rest : given);
    },
  ),

  // Survivors
  road("kills-nothing", "rejects without killing anything", { kills: "nothing" }),
  road("kills-child", "kills what the shell waits for, not the shell", { kills: "the child" }),
  road("kills-leader", "kills the shell only", { kills: "the leader" }),
  road("kills-group", "leaves what left the process group", { kills: "the group" }),
  road("kills-at-once", "kills with SIGKILL at once", { kills: "with KILL at once" }),
  road("kills-with-term", "never kills with SIGKILL", { kills: "with TERM only" }),
  road("kills-once", "looks once for what left the process group", { kills: "one pass" }),
  exec("settles-late", "settles three seconds after a limit or an abort", (right) => async (...given) => {
    try {
      return await right(...given);
    } catch (error) {
      if (/^aborted$|^timeout:/.test((error as Error).message)) await later(3000);
      throw error;
    }
  }),
  exec(
    "settles-late-after-throw",
    "settles three seconds after onData threw",
    (right) =>
      async (command, cwd, { onData, ...rest }) => {
        let thrown = false;
        const watch = (chunk: Buffer) => {
          try {
            onData(chunk);
          } catch (error) {
            thrown = true;
            throw error;
          }
        };
        try {
          return await right(command, cwd, { ...rest, onData: watch });
        } finally {
          if (thrown) await later(3000);
        }
      },
  ),
  exec("kills-by-name", "kills all sleeps at an abort", (right) => async (command, cwd, given) => {
    try {
      return await right(command, cwd, given);
    } catch (error) {
      if ((error as Error).message === "aborted") {
        // Only those of the suite: it runs beside other things.
        await right(
          "for p in $(grep -lsz '^61[.][0-9]*$' /proc/[0-9]*/cmdline); do p=${p#/proc/}; kill -9 ${p%/cmdline}; done",
          "/",
          { onData: () => undefined },
        );
      }
      throw error;
    }
  }),

  // Background jobs
  exec("waits-for-ever", "waits until the output is closed", (right) => async (...given) => {
    const result = await right(...given);
    if ("ending" in result && result.ending === "left-open") await later(20_000);
    return result;
  }),
  exec("says-complete", "says complete for an output that was left open", (right) => async (...given) => ({
    ...(await right(...given)),
    ending: "complete",
  })),
  exec("says-left-open", "says left-open for an output that was closed", (right) => async (...given) => ({
    ...(await right(...given)),
    ending: "left-open",
  })),
  road("breaks-jobs", "closes the output of a job that it lets go", { letGo: "closes the output" }),
  road("stalls-jobs", "stops reading the output of a job that it lets go", { letGo: "stops reading" }),
  road("ends-jobs", "kills a job that it lets go", { letGo: "kills the job" }),
  exec("job-decides", "says 0 where a job was left", (right) => async (...given) => {
    const result = await right(...given);
    return "ending" in result && result.ending === "left-open" ? { ...result, exitCode: 0 } : result;
  }),

  // Size and number
  exec("one-at-a-time", "runs one command after the other", (right) => {
    let last: Promise<unknown> = Promise.resolve();
    return (...given) => {
      const mine = last.then(() => right(...given));
      last = mine.catch(() => undefined);
      return mine;
    };
  }),
  exec("ten-at-most", "refuses an eleventh command at once", (right) => {
    let running = 0;
    return async (...given) => {
      if (running >= 10) throw new Error("too many sessions");
      running += 1;
      try {
        return await right(...given);
      } finally {
        running -= 1;
      }
    };
  }),
  exec("shared-output", "delivers output to the latest caller", (right) => {
    let latest: ExecOptions["onData"] = () => undefined;
    return (command, cwd, { onData, ...rest }) => {
      latest = onData;
      return right(command, cwd, { ...rest, onData: (chunk) => latest(chunk) });
    };
  }),
  exec("shared-options", "runs all commands with the latest environment and directory", (right) => {
    let latest: { cwd: string; env: ExecOptions["env"] } = { cwd: "/", env: undefined };
    return async (command, cwd, { env, ...rest }) => {
      latest = { cwd, env };
      await later(5);
      return right(command, latest.cwd, { ...rest, ...(latest.env && { env: latest.env }) });
    };
  }),

  // Closing
  closing("never-closes", "does nothing in close()", () => ({ close: async () => undefined })),
  closing("never-disposes", "does nothing in [Symbol.asyncDispose]()", () => ({
    [Symbol.asyncDispose]: async () => undefined,
  })),
  closing("closes-once", "fails in a second close()", (right) => {
    let isClosed = false;
    return {
      async close() {
        if (isClosed) throw new Error("already closed");
        isClosed = true;
        await right.close();
      },
    };
  }),
  closing("close-waits", "waits in close() for what still runs", (right) => {
    const running = new Set<Promise<unknown>>();
    return {
      exec(...given) {
        const mine = right.exec(...given);
        running.add(mine.catch(() => undefined));
        return mine;
      },
      async close() {
        await Promise.all(running);
        await right.close();
      },
    };
  }),
  closing("reopens", "runs commands after close()", (right) => {
    let current = right;
    return {
      exec: (...given) => current.exec(...given),
      async close() {
        await current.close();
        current = reference();
      },
    };
  }),
  exec("keeps-loop", "keeps the event loop alive from its first exec on", (right) => {
    let hasStarted = false;
    return (...given) => {
      if (!hasStarted) setInterval(() => undefined, 1000);
      hasStarted = true;
      return right(...given);
    };
  }),
];
