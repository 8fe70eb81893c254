# The supervisor: runs one command on the target, relays its output, and kills all of it when told to, when the
# client is gone, or when the client is silent for too long. docs/protocol.md describes what it hears and says.
#
# It runs under bash where there is one, else under dash, busybox or another POSIX sh. No tilde may stand in it: the
# client sends it on one line, with a tilde for each newline. All names begin with bb_: a variable that the target's
# environment exports must not be changed for the command.
#
#   main     waits for the job, tells its exit, waits for the relay, tells the end of the output
#   relay    a bare cat: the job's pipe to stdout
#   watcher  hears what the client says; kills
#   job      the shell of the command, in a session of its own, waiting for its payload
#
# Descriptors of main: 3 what the client says, 4 control lines to it, 5 the output to it; pipes: 6 from 7 the payload
# to the job, 8 from 9 its output, 2 from 1 what the job has to tell.
#
# First line from the client: the nonce of the control lines, the marker, the silence limit in seconds, the grace as
# a number of 20 ms looks, and whether to `leave` or `stay` when the job's background is let go.
IFS=' ' read -r bb_nonce bb_marker bb_limit bb_looks bb_mode || exit 0
# Handlers, which the job's exec resets; what is ignored would stay so in the job.
trap : HUP INT QUIT PIPE
exec 3<&0 4>&2 5>&1 </dev/null
bb_nl='
'

bb_say() { echo "$bb_nonce $*" >&4; }
bb_fail() { bb_say "failed $*"; exit 1; }

# Makes a pipe: $1 is its reading end, $2 its writing end. A short here-document is a pipe in all shells that matter
# on Linux (bash from 5.1 on), and costs neither a fork nor a file; elsewhere a FIFO is opened and removed.
bb_pipe() {
  eval "exec $1<<E${bb_nl}x${bb_nl}E${bb_nl}"
  IFS= read -r bb_line <&"$1"
  if [ -p "/proc/self/fd/$1" ]; then
    eval "exec $2>/proc/self/fd/$1"
  else
    bb_path=$(mktemp -d) && mkfifo -m 600 "$bb_path/fifo" || bb_fail pipe
    eval "exec $2<>\"\$bb_path/fifo\" $1<\"\$bb_path/fifo\""
    rm -rf "$bb_path"
  fi
}

# Whether read knows a limit: dash does not. Without one a ticker interrupts it, which bash would not let it do.
bb_timed=
read -t 1 bb_line </dev/null 2>/dev/null
[ $? = 1 ] && bb_timed=1

# 1 when a line came, nothing else; the line is in bb_line.
bb_hear() {
  if [ -n "$bb_timed" ]; then
    IFS= read -r -t "$bb_limit" bb_line <&3
  else
    bb_ticks=0
    while :; do
      bb_tick=
      IFS= read -r bb_line <&3 && return 0
      [ -n "$bb_tick" ] || return 1
      bb_ticks=$((bb_ticks + 1))
      [ "$bb_ticks" -lt 3 ] || return 1
    done
  fi
}

# Three ticks of silence are the limit. It must not leave its sleep behind.
bb_start_ticker() {
  (
    exec 3<&- 4>&- 7>&- 8<&- 2>/dev/null
    trap 'kill "$bb_sleep"; wait; exit' TERM
    while :; do
      sleep $(((bb_limit + 2) / 3)) &
      bb_sleep=$!
      wait "$bb_sleep"
      kill -USR1 "$1" || exit
    done
  ) &
  bb_ticker=$!
}

# Ends one process of the job: TERM when first seen, then the given signal. With its group, since another member of
# that may have emptied its environment; every group with a marked member was made inside the job.
bb_strike() {
  case $bb_struck in
    *" $1 "*) kill "-$2" "$1" ;;
    *) bb_struck="$bb_struck$1 " && kill -TERM "$1" ;;
  esac
  IFS= read -r bb_stat <"/proc/$1/stat" || return
  set -- ${bb_stat##*) } # state, parent, group: proc(5)
  case $3 in '' | *[!0-9]* | [01]) return ;; esac
  case $bb_groups in *" $3 "*) ;; *) bb_groups="$bb_groups$3 " && kill -TERM "-$3" ;; esac
}

# Whether a process shows the marker, with builtins only: no fork may be left for anything else.
bb_shows() {
  while IFS= read -r bb_entry || [ -n "$bb_entry" ]; do
    case $bb_entry in *"$bb_marker"*) return 0 ;; esac
  done <"/proc/$1/environ"
  return 1
}

# One look at all processes. bash is fast enough by itself; the others ask grep, as long as they can fork.
bb_look() {
  bb_found=
  if [ -n "$bb_grep" ]; then
    for bb_file in $(grep -lszF -e "$bb_marker" /proc/[0-9]*/environ); do
      bb_pid=${bb_file#/proc/}
      bb_found=1 && bb_strike "${bb_pid%/environ}" "$1"
    done
  else
    for bb_file in /proc/[0-9]*; do
      bb_shows "${bb_file#/proc/}" && bb_found=1 && bb_strike "${bb_file#/proc/}" "$1"
    done
  fi
  bb_alive=' '
  for bb_group in $bb_groups; do
    kill -0 "-$bb_group" || continue
    bb_alive="$bb_alive$bb_group "
    [ "$1" = KILL ] && kill -KILL "-$bb_group"
  done
  bb_groups=$bb_alive
} 2>/dev/null

# Waits a moment; a pipe that nobody writes to makes no fork necessary.
bb_nap() { if [ -n "$bb_timed" ]; then IFS= read -r -t 0.02 bb_line; else sleep 0.02; fi; } 2>/dev/null

# Ends all of the job: TERM first, KILL after the grace, until two looks in a row find nothing.
bb_murder() {
  trap '' TERM
  bb_say killing
  bb_struck=' ' bb_groups=' ' bb_signal=0 bb_empty=0 bb_count=0
  [ -n "$bb_timed" ] && bb_pipe 0 1
  if [ -n "$bb_job" ]; then
    bb_struck=" $bb_job " bb_groups=" $bb_job "
    # Stopped meanwhile: in `a; b` the end of a must not let the shell start b before its own TERM has come.
    kill -STOP "-$bb_job" && kill -TERM "-$bb_job" && kill -CONT "-$bb_job"
  fi 2>/dev/null
  while [ "$bb_empty" -lt 2 ] && [ "$bb_count" -lt $((bb_looks + 40)) ]; do
    [ "$bb_count" -ge "$bb_looks" ] && bb_signal=KILL
    bb_look "$bb_signal"
    # A group may hold nothing but zombies that nobody reaps: after the KILL it does not count.
    [ "$bb_signal" = 0 ] && [ "$bb_groups" != ' ' ] && bb_found=1
    bb_empty=$((bb_empty + 1)) bb_count=$((bb_count + 1))
    [ -n "$bb_found" ] && bb_empty=0
    [ "$bb_empty" -lt 2 ] && bb_nap
  done
  bb_outcome=unconfirmed
  [ "$bb_empty" -ge 2 ] && bb_outcome=confirmed
  bb_say killed "$bb_outcome" "$bb_struck"
  # A client that does not read any more must not hold the relay.
  bb_count=0
  while [ "$bb_count" -lt 25 ] && kill -0 "$bb_relay" 2>/dev/null; do
    bb_nap
    bb_count=$((bb_count + 1))
  done
  kill -KILL "$bb_relay" 2>/dev/null
}

# --- the watcher ---

bb_watch() {
  # By exec: what is redirected for a function alone, dash and busybox keep open elsewhere meanwhile.
  exec >/dev/null 5>&- 6<&- 9>&-
  # A client that has gone must not end it before the job.
  trap '' HUP INT QUIT PIPE
  bb_job= bb_grep=
  if [ -z "$bb_timed" ]; then
    trap 'bb_tick=1' USR1
    # In a subshell $$ is still the number of main.
    IFS=' ' read -r bb_self bb_line </proc/self/stat
    bb_start_ticker "$bb_self"
  fi
  # A failed fork ends dash and busybox; their EXIT trap runs.
  [ -n "$BASH_VERSION" ] || { bb_grep=1 && trap 'bb_grep= && bb_murder' EXIT; }
  IFS=' ' read -r bb_line bb_job bb_version <&2
  bb_facts=shell
  [ -e /proc/self/environ ] && bb_facts=$bb_facts,proc
  [ -n "$bb_lead" ] && bb_facts=$bb_facts,session
  bb_say ready "${bb_job:-0}" "$bb_facts" "$bb_shell" "$bb_version"
  while bb_hear; do
    case $bb_line in
      'text '*) printf %b "${bb_line#text }" >&7 && exec 7>&- && bb_say taken ;;
      'bytes '*) head -c "${bb_line#bytes }" <&3 >&7 && exec 7>&- && bb_say taken || bb_say failed head ;;
      'done') bb_end_watch && return ;;
      cut) bb_end_watch && bb_say cut && kill -USR1 $$ && exec cat <&8 >/dev/null 2>&1 3<&- 4>&- 7>&- 8<&- ;;
      kill) break ;;
    esac
  done
  trap - EXIT
  bb_murder
  bb_end_watch
}

bb_end_watch() {
  trap - EXIT
  [ -n "$bb_timed" ] || { kill -TERM "$bb_ticker" && wait "$bb_ticker"; } 2>/dev/null
  :
}

# --- main ---

bb_pipe 6 7
bb_pipe 8 9
bb_pipe 2 1
bb_shell=/bin/sh bb_norc=
bb_prologue='echo "pid $$" >&7;IFS= read -r BASH_BACKENDS_SETUP <&6||exit 125;eval "$BASH_BACKENDS_SETUP";eval "set --;${1%"${BASH_BACKENDS_JOB##*,}"}"'
case $BASH_VERSION in
  4.[1-9]* | [5-9].* | [1-9][0-9]*)
    bb_prologue='echo "pid $$ $BASH_VERSION" >&7;IFS= read -r BASH_BACKENDS_SETUP <&6||exit 125;eval "$BASH_BACKENDS_SETUP";: "$0";eval -- "$BASH_EXECUTION_STRING"'
    ;;
esac
[ -n "$BASH_VERSION" ] && bb_shell=$BASH bb_norc=--norc
bb_lead=
if command -v setsid >/dev/null; then
  bb_lead=setsid
elif command -v perl >/dev/null; then
  bb_lead='perl -e require("POSIX.pm");POSIX::setsid();exec(@ARGV)'
fi

echo "$bb_nonce" >&5
cat <&8 >&5 2>/dev/null 3<&- 4>&- 5>&- 6<&- 7>&- 8<&- 9>&- &
bb_relay=$!
bb_watch &
bb_watcher=$!
exec 3<&- 7>&- 8<&-
bb_cut=
trap 'bb_cut=1 && [ -n "$bb_relay" ] && kill "$bb_relay"' USR1

BASH_BACKENDS_JOB=${BASH_BACKENDS_JOB:+$BASH_BACKENDS_JOB,}$bb_marker
export BASH_BACKENDS_JOB
# In the foreground: what is started with & has SIGINT and SIGQUIT ignored for good.
# In a subshell: dash and busybox redirect themselves for a mere command, and would say into the output how it died.
(exec $bb_lead "$bb_shell" $bb_norc -c "$bb_prologue" </dev/null 7>&1 >&9 2>&9 4>&- 5>&- 9>&-)
bb_code=$?
exec 1>&- 6<&- 9>&-
bb_refusal=
while IFS= read -r bb_line <&2; do
  case $bb_line in 'cwd '*) bb_refusal=$bb_line ;; esac
done
if [ -n "$bb_refusal" ]; then bb_say refused "$bb_refusal"; else bb_say exited "$bb_code"; fi
while [ -z "$bb_cut" ] && kill -0 "$bb_relay" 2>/dev/null; do wait "$bb_relay"; done
bb_relay=
[ -n "$bb_cut" ] || echo "$bb_nonce" >&5
[ "$bb_cut$bb_mode" = 1leave ] && exit 0
exec 4>&- 5>&-
while kill -0 "$bb_watcher" 2>/dev/null; do wait "$bb_watcher"; done
exit 0
