/** The parts of the help texts that the parser cannot write by itself. */

export const TARGET_HELP = "where to run: local, local?transport=stdin, local?shell=/bin/dash";

export const MAIN_HELP = `
Examples:
  bash-backends exec 'make test 2>&1 | tail -20'
  bash-backends exec --timeout 60 --cwd /srv/app -- npm run build
  bash-backends conform local`;

export const EXEC_HELP = `
One argument is the command's text, for bash to read. Several are its words, joined by spaces; a word with spaces
or a * in it is then read by bash once more. What stands behind the first word belongs to the command:
  bash-backends exec 'cd /tmp && ls *.log'
  bash-backends exec ls -l /tmp
  bash-backends exec -- -a-command-that-begins-with-a-dash

Targets:
  local                    this machine
  local?transport=stdin    the command on a pipe, where other users cannot read it in the list of processes
  local?shell=/bin/dash    another shell than bash
  local?killGraceMs=5000   5 seconds between TERM and KILL, instead of half a one

Standard input is at its end, there is no terminal. stdout and stderr come merged, in the order of the writes, on
stdout. --env adds to the variables that are here; --env TOKEN takes TOKEN's value from here, so that it stands on
no command line.

Exit codes:
  the command's own (128+n: it died of signal n)
  2    wrong arguments, nothing was run
  124  the time limit was reached            130  interrupted (Ctrl-C)
  125  the road to the target failed         143  terminated

--json prints { exitCode, timedOut?, cancelled, ending, output, error? }: exitCode is null where the command did not
end by itself, timedOut is the limit in seconds, ending is "complete", or "left-open" where a background job was let
go, or null where the command did not end by itself. output is text without escape sequences, the last 2000 lines or
50 KiB of it; where that is not all, truncated is true and fullOutputPath names a file with every byte.`;

export const CONFORM_HELP = `
FILE's default export is a function that gives operations, afresh at each call, or a promise of them:
  export default () => ({ async exec(command, cwd, { onData, signal, timeout, env }) { … } });

Examples:
  bash-backends conform
  bash-backends conform local?transport=stdin --only survivors timeout
  bash-backends conform --module ./my-backend.mjs --junit report.xml

Every case is a promise of the contract. A case that needs what the backend does not declare to have is skipped, and
counted. The last line is "N passed, N failed, N skipped"; the exit code is 0 where none failed, else 1.

--json prints { passed, failed, skipped, results: [{ id, title, status, reason?, ms }] }.`;
