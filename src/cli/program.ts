/** The command line: what may be said, and what it means. */
import { Command, CommanderError } from "commander";
import { TargetError } from "../config/target.js";
import type { ConformFlags } from "./conform-command.js";
import { addVariable, type ExecFlags, parseCwd, parseTimeout } from "./exec-flags.js";
import { EXIT_BROKEN_PIPE, EXIT_ROAD_FAILED, EXIT_USAGE } from "./exit-codes.js";
import { CONFORM_HELP, EXEC_HELP, MAIN_HELP, TARGET_HELP } from "./help.js";
import { describeError, say } from "./message.js";
import { UsageError } from "./usage-error.js";
import { VERSION } from "./version.js";
import { ReaderGoneError, writeText } from "./writer.js";

/** @returns the exit code */
export async function runCli(args: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = createProgram((code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: "user" });
    return exitCode;
  } catch (error) {
    return explain(error);
  }
}

function createProgram(onExit: (code: number) => void): Command {
  const program = new Command("bash-backends")
    .description("Run a bash command here or somewhere else, behind one small contract.")
    .version(VERSION)
    .enablePositionalOptions()
    .exitOverride()
    .configureOutput({
      writeOut: (text) => writeText(1, text),
      writeErr: (text) => writeText(2, text),
      outputError: (text) =>
        say(
          text
            .trim()
            .replace(/^error: /, "")
            .replaceAll("\n", " "),
        ),
    })
    .addHelpText("after", MAIN_HELP);
  addExec(program, onExit);
  addConform(program, onExit);
  return program;
}

function addExec(program: Command, onExit: (code: number) => void): void {
  program
    .command("exec")
    .summary("run a command and exit with its code")
    .description("Run a command: its output as it comes, its exit code as ours.")
    .argument("<command...>", "one argument: the command's text; several: joined by spaces, as ssh does")
    .option("-t, --target <target>", TARGET_HELP, "local")
    .option("-C, --cwd <directory>", "directory on the target to run in (default: this one)", parseCwd)
    .option("--timeout <seconds>", "end the command, and all that it started, after that time", parseTimeout)
    .option("-e, --env <name=value>", "set a variable; NAME alone takes its value from here", addVariable, {})
    .option("--json", "print one object instead of the output", false)
    .option("--verbose", "tell on stderr what happens", false)
    .passThroughOptions()
    .addHelpText("after", EXEC_HELP)
    .action(async (words: string[], flags: ExecFlags) => {
      const { execCommand } = await import("./exec-command.js");
      onExit(await execCommand(words, flags));
    });
}

function addConform(program: Command, onExit: (code: number) => void): void {
  program
    .command("conform")
    .summary("check which promises a backend keeps")
    .description(
      "Run the conformance suite on a target, or on a backend of your own. It takes about a minute.",
    )
    .argument("[target]", `${TARGET_HELP} (default: local)`)
    .option("-m, --module <file>", "test what the default export of this file gives")
    .option("--json", "print one object instead of the table", false)
    .option("--junit <file>", "also write a report for CI servers to this file")
    .option("--only <names...>", "run these cases and groups only")
    .option("--list", "print the cases and run none", false)
    .addHelpText("after", CONFORM_HELP)
    .action(async (target: string | undefined, flags: ConformFlags) => {
      const { conformCommand } = await import("./conform-command.js");
      onExit(await conformCommand(target, flags));
    });
}

/** Says in one line what is wrong, unless the parser has said it already. */
function explain(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : EXIT_USAGE;
  if (error instanceof ReaderGoneError) return EXIT_BROKEN_PIPE;
  say(describeError(error));
  return error instanceof UsageError || error instanceof TargetError ? EXIT_USAGE : EXIT_ROAD_FAILED;
}
