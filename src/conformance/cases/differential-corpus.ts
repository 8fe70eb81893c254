/** Commands whose output and exit code say how exactly a backend runs them as `bash -c -- "$command"` would. */

export interface CorpusCommand {
  readonly name: string;
  readonly command: string;
  /** Means something only in bash; on a target without it the command is skipped. */
  readonly isBashOnly?: true;
}

const posix = (name: string, command: string): CorpusCommand => ({ name, command });
const bash = (name: string, command: string): CorpusCommand => ({ name, command, isBashOnly: true });

export const CORPUS: readonly CorpusCommand[] = [
  // Text that is nearly nothing
  posix("empty", ""),
  posix("blank", "  \t "),
  posix("newlines", "\n\n\n"),
  posix("comment", "# nothing to do"),
  posix("comment-then-command", "# first\necho second # third"),
  posix("no-final-newline", "echo a\necho b"),
  posix("final-newlines", "echo a\n\n\n"),
  posix("carriage-returns", "echo a\r\necho b\r\n"),
  posix("semicolons", "echo a;;echo b"),
  posix("ampersand-last", "echo a; : &"),

  // Text that is nearly an option
  posix("dash-n", "-n"),
  posix("dash-dash", "--"),
  posix("dash-help", "--help"),
  posix("dash-c", "-c 'echo x'"),
  posix("dash-x", "-x"),
  posix("plus", "+x"),

  // Quoting
  posix("single-quotes", "printf '%s\\n' 'a  b' '$HOME' '`id`' 'it'\\''s'"),
  posix("double-quotes", 'x="a  b"; printf "%s\\n" "$x" "\\$x" "\\`" "\\\\" "\\n"'),
  posix("backslashes", "echo a\\ b \\\\ \\$ \\# \\; \\\necho continued"),
  posix("trailing-backslash", "echo a\\"),
  posix("trailing-backslash-newline", "echo a\\\n"),
  posix("unclosed-single-quote", "echo before\necho 'open"),
  posix("unclosed-double-quote", 'echo before\necho "open'),
  posix("command-substitution", 'echo "$(echo "$(echo nested)")" `echo old \\`echo older\\``'),
  posix("arithmetic", "i=7; echo $((i * 6)) $((0x1f)) $((1 << 4))"),
  posix("globs-and-braces", "cd /; echo /et[c] /no-such-*; echo a{b,c}d"),
  posix("tilde", "HOME=/h; echo ~ '~' a=~"),
  posix("unicode", "x='ü€😀'; echo \"$x\" ﬁ"),
  bash("dollar-quotes", "printf '%s|' $'a\\tb' $'\\x41' $'it\\'s' $'\\u20ac'"),
  bash("history", "echo \"wow!\" !! !$ '!x'"),

  // Here-documents
  posix("heredoc", "x=1; cat <<EOF\n$x \\$x `echo y`\nEOF\necho after"),
  posix("heredoc-quoted", "cat <<'EOF'\n$x \\ `id`\nEOF\necho after"),
  posix("heredoc-tabs", "cat <<-EOF\n\t\ttabs\n\tEOF\necho after"),
  posix("heredoc-without-newline", "cat <<EOF\nlast\nEOF"),
  posix("heredoc-unclosed", "cat <<EOF\nopen\n"),
  posix("heredoc-two", "cat <<A; cat <<B\na\nA\nb\nB"),
  bash("here-string", "cat <<< 'a b'"),

  // Exit codes and how they come about
  posix("exit-300", "exit 300"),
  posix("exit-text", "exit nonsense"),
  posix("exit-in-subshell", "(exit 3); echo $?; (exit 4)"),
  posix("not-found", "no-such-command-here; echo $?"),
  posix("not-found-last", "no-such-command-here"),
  posix("directory-as-command", "/"),
  posix("not-executable", "/etc/passwd"),
  posix("syntax-error-first", "if then fi"),
  posix("syntax-error-later", "echo ran\nif true; do :; done\necho after"),
  posix("syntax-error-end", "echo ran\nfor i in 1 2; do"),
  posix("errexit", "set -e; echo a; false; echo b"),
  posix("nounset", "set -u; echo a; echo $no_such_variable; echo b"),
  posix("return", "return 3; echo after"),
  posix("break", "break; echo $?; continue; echo $?"),
  bash("pipefail", "false | true; echo $?; set -o pipefail; false | true; echo $?"),
  bash("pipestatus", 'false | true | (exit 3); echo "${PIPESTATUS[@]}"'),
  posix("kill-self", "echo before; kill -9 $$; echo after"),
  posix("term-self", "echo before; kill -TERM $$; sleep 0.1; echo after"),
  posix("last-command-dies", "echo before; sh -c 'kill -KILL $$'"),
  posix("child-dies", "sh -c 'kill -TERM $$'; echo $?"),
  posix("trap-exit", "trap 'echo bye $?' EXIT; echo hi; exit 5"),
  posix("trap-term", "trap 'echo caught' TERM; kill -TERM $$; echo after"),
  bash("trap-err", "trap 'echo failed $?' ERR; false; true; (exit 3)"),
  bash("trap-debug", "trap 'echo next' DEBUG; true; true"),

  // What a command can see of its shell
  posix("zero", 'echo "$0"'),
  posix("arguments", 'echo "$# [$*] [$@]"; set -- a "b c"; echo "$# [$*]"; shift; echo "$1"'),
  posix("options", 'echo "$-"'),
  posix("last-argument", 'true a b; echo "$_"'),
  posix("ifs", 'printf %s "$IFS" | od -An -c'),
  posix("umask", "umask"),
  posix("limits", "ulimit -n; ulimit -c"),
  posix("directory", 'pwd; echo "$PWD"; cd /; pwd'),
  posix("old-directory", 'echo "${OLDPWD-unset}"'),
  posix("traps", "trap"),
  posix("jobs", "jobs; sleep 0.05 & wait; jobs"),
  // busybox counts SHLVL up at each exec: the reference takes one more than the command.
  posix("environment", "env | grep -v -e ^BASH_BACKENDS_JOB= -e '^_=' -e ^SHLVL= | sort"),
  // PIPESTATUS is there as soon as anything has run, and something has where the command travelled on a pipe.
  posix(
    "variables",
    "set | grep -v -e ^BASH_BACKENDS_JOB= -e ^PIPESTATUS= | cut -d= -f1 | grep '^[A-Za-z_]*$' | sort",
  ),
  posix("descriptors", "for fd in 0 1 2 3 4 5 6 7 8 9; do (: <&$fd) 2>/dev/null && echo $fd; done; :"),
  posix("terminal", "[ -t 0 ] || [ -t 1 ] || [ -t 2 ] || echo none"),
  posix("stdin", "cat; read -r x; echo $?"),
  posix("functions", 'f() { echo "in f: $1"; return 4; }; f x; echo $?'),
  bash("all-functions", "declare -F; declare -f; alias"),
  bash("execution-string", 'echo "[$BASH_EXECUTION_STRING]" # as it came'),
  bash("subshell-level", "echo $BASH_SUBSHELL; (echo $BASH_SUBSHELL); echo $SHLVL"),
  bash("line-numbers", "echo $LINENO\necho $LINENO\n\necho $LINENO; no-such-command-here"),
  bash("call-stack", 'f() { echo "${FUNCNAME[*]} ${BASH_LINENO[*]}"; }; f; echo "${#BASH_SOURCE[@]}"'),
  bash("shell-options", "shopt; set -o"),
  bash("shell-flags", "shopt -q login_shell; echo $?; [[ $- == *i* ]]; echo $?; echo $BASHOPTS $SHELLOPTS"),
  bash(
    "attributes",
    "declare -p | grep -v -e BASH_BACKENDS_JOB= -e ' _=' -e PIPESTATUS= | cut -d= -f1 | sort",
  ),
  bash("hash", "hash; type cat | head -n1; hash"),
  bash("history-state", "history; fc -l; echo ${HISTFILE-unset} ${PS1-unset}"),

  // Bash's own
  bash("aliases", "shopt -s expand_aliases\nalias hi='echo aliased'\nhi"),
  bash("alias-first-line", "shopt -s expand_aliases; alias hi='echo aliased'; hi"),
  bash(
    "arrays",
    'a=(x "y z"); a+=(w); echo "${#a[@]} ${a[1]} ${!a[*]}"; declare -A m=([k]=v); echo "${m[k]}"',
  ),
  bash("process-substitution", "cat <(echo one) <(echo two); echo three > >(cat); sleep 0.1"),
  bash("conditionals", '[[ abc == a* && abc =~ b(c) ]] && echo "${BASH_REMATCH[1]}"; ((3 > 2)) && echo yes'),
  bash("substitutions", 'x=hello; echo "${x^^} ${x:1:3} ${x/l/L} ${x@Q} ${#x}"'),
  bash("coproc", 'coproc cat; echo hi >&"${COPROC[1]}"; read -r x <&"${COPROC[0]}"; echo "$x"'),
  bash("loops", "for ((i = 0; i < 3; i++)); do printf '%d ' $i; done; select x in a; do :; done"),
  bash("time", "TIMEFORMAT=timed; time true"),

  // Output
  posix("xtrace", "set -x; echo a; (echo b); x=$(echo c)"),
  posix("verbose", "set -v\necho a\necho b"),
  posix("redirections", "exec 2>&1; echo out; echo err >&2; { echo both; } 3>&1 >&2"),
  posix("invalid-utf8", "printf '\\377\\376 \\303 \\200x\\000y'"),
  posix("eval", "eval 'echo a; eval \"echo b\"; false'; echo $?; eval 'if'; echo after"),
  posix("exec", "exec sh -c 'echo replaced; exit 6'; echo after"),
  posix("exec-not-found", "exec no-such-command-here; echo after"),
  posix("source", "echo 'echo sourced $#; return 7' > source-me; . ./source-me; echo $?"),
  posix("readonly", "readonly x=1; x=2; echo after"),
  posix("pipes", "echo a | cat | tr a b; { echo c; exit 3; } | cat; echo $?"),
  posix("wait", "(exit 3) & wait $!; echo $?; wait; echo $?"),
];
