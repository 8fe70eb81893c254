#!/usr/bin/env node
/** The command `bash-backends`. */
import { runCli } from "./program.js";

// All that is written is written by now: nothing is lost by not waiting for what may still be open.
process.exit(await runCli(process.argv.slice(2)));
