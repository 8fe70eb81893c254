# The guard: a shell beside the host that outlives it. It makes anonymous pipes while the host lives, and ends the
# host's commands when the host is gone, by whatever cause.
#
# stdin: first the marker prefix, then the grace as a number of looks, then requests, one a line:
#   pipes N F…   close the descriptors F, make N pipes; answered by `pipes F…` with their descriptors
#   run ID       the job ID (8 hex digits) is about to be started
#   end ID       it has ended, or what is left of it was let go: it is not ours any more
#   folder DIR   remove DIR in the end
# The end of stdin means that the host is dead, or needs no guard any more: end the jobs that still run, and leave.
#
# Killing uses builtins only, since no process may be left to fork. It runs under dash, busybox and any bash: what
# only bash >= 5.1 can (here-strings in pipes, `{name}` redirections) is hidden from the others in `eval`.
trap '' HUP INT QUIT TERM PIPE
IFS= read -r prefix && IFS= read -r grace || exit 0

modern=
case $BASH_VERSION in
  5.[1-9]* | [6-9].* | [1-9][0-9]*.*) [ -e /proc/self/fd/0 ] && modern=1 ;;
esac

# A pipe without a file and without a fork: a short here-string is one. Emptied, only its reading end is left.
pipe() { eval 'exec {fd}<<<x && IFS= read -r x <&"$fd" && [ -p "/proc/self/fd/$fd" ]'; }

pipes() {
  count=$1 made=
  shift
  for fd; do eval 'exec {fd}<&-'; done
  while [ "$count" -gt 0 ] && pipe; do
    made="$made $fd" count=$((count - 1))
  done
  echo "pipes$made"
} 2>/dev/null

# Reading from a pipe that nobody writes to takes as long as the limit of `read` says.
lull=
[ -n "$modern" ] && pipe && eval 'exec {lull}<>"/proc/self/fd/$fd"'
nap() { if [ -n "$lull" ]; then IFS= read -r -t 0.1 -u "$lull" x; else sleep 0.1; fi; }

# Ends a process of a job: TERM when first seen, then the given signal. With its group, since another member of that
# may have emptied its environment; every group with a marked member was made inside a job.
strike() {
  case $struck in
    *" $1 "*) kill "-$2" "$1" ;;
    *) struck="$struck$1 " && kill -TERM "$1" ;;
  esac
  IFS= read -r stat <"/proc/$1/stat" || return
  set -- ${stat##*) } # state, parent, group: proc(5)
  case $3 in '' | *[!0-9]* | [01]) return ;; esac
  case $groups in *" $3 "*) ;; *) groups="$groups$3 " && kill -TERM "-$3" ;; esac
}

# One look at every process. Its environment is read without regard to the NULs in it; a zombie has none.
look() {
  found=
  for p in /proc/[0-9]*; do
    while IFS= read -r entry || [ -n "$entry" ]; do
      case $entry in
        *"$prefix"*)
          job=${entry#*"$prefix"}
          job=${job%"${job#????????}"}
          case $running in *" $job "*) found=1 && strike "${p#/proc/}" "$1" ;; esac
          break
          ;;
      esac
    done <"$p/environ"
  done
  alive=' '
  for group in $groups; do
    kill -0 "-$group" || continue
    alive="$alive$group "
    [ "$1" = KILL ] && kill -KILL "-$group"
  done
  groups=$alive
} 2>/dev/null

echo "ready ${modern:-0} $BASH_VERSION"
running=' ' folder=
while IFS= read -r line; do
  case $line in
    'pipes '*) pipes ${line#pipes } ;;
    'run '*) running="$running${line#run } " ;;
    'end '*)
      job=${line#end }
      case $running in *" $job "*) running="${running%%" $job "*} ${running#*" $job "}" ;; esac
      ;;
    'folder '*) folder=${line#folder } ;;
  esac
done

# A process between fork and exec still shows the host's environment: only several empty looks in a row are an end.
struck=' ' groups=' ' looks=0 empty=0 signal=0
[ "$running" = ' ' ] && empty=4
while [ "$empty" -lt 4 ] && [ "$looks" -lt 600 ]; do
  [ "$looks" -ge "$grace" ] && signal=KILL
  look "$signal"
  [ "$signal" = 0 ] && [ "$groups" != ' ' ] && found=1
  if [ -n "$found" ]; then empty=0; else empty=$((empty + 1)); fi
  looks=$((looks + 1))
  nap
done
[ -n "$folder" ] && rm -rf -- "$folder"
exit 0
