# Output of scripts: progress with the elapsed time, quiet logs, one sentence on failure. Source this file.

# --help is answered with the comment at the beginning of the script that sources this.
case " $* " in *" --help "* | *" -h "*)
  sed -n '2,/^[^#]/{/^#/s/^# \{0,1\}//p}' "$0"
  exit
  ;;
esac

readonly LOGS=$ROOT/build/logs
readonly TAIL_LINES=40

say() { printf '[%4d s] %s\n' "$SECONDS" "$*"; }

# The sentence says what to do next.
die() {
  printf '%s: %s\n' "${0##*/}" "$*" >&2
  exit 1
}

BEAT=   # the process of the heartbeat

still_heart() {
  [[ -n $BEAT ]] || return 0
  kill "$BEAT" 2>/dev/null || true
  wait "$BEAT" 2>/dev/null || true
  BEAT=
}

# Without this, a command that handles Ctrl-C itself would count as failed, and the next one would start.
trap 'still_heart; stop_background; exit 130' INT TERM

# Prints the last line of a quiet command's log now and then, to show that it is alive.
heartbeat() {
  local log=$1 last silence
  # A read that never returns data instead of `sleep`, which would outlive this function and keep our stdout open.
  exec {silence}<> <(:)
  while ! read -rt 15 -u "$silence"; do
    kill -0 $$ 2>/dev/null || return 0   # the script was killed
    last=$(tail -c 2000 "$log" | tr '\r' '\n' | grep -v '^[[:space:]]*$' | tail -n 1 || true)
    say "  … ${last:0:120}"
  done
}

# run_logged NAME TEXT COMMAND…: runs it with its output in build/logs/NAME.log and returns its status.
run_logged() {
  local log=$LOGS/$1.log text=$2 status=0
  shift 2
  mkdir -p "$LOGS"
  : >"$log"
  say "$text"
  heartbeat "$log" &
  BEAT=$!
  # In the foreground, so that Ctrl-C reaches it; without stdin, so that it cannot wait for input.
  "$@" >"$log" 2>&1 </dev/null || status=$?
  still_heart
  return "$status"
}

# The background job, at most one: its process.
BACKGROUND=

# start_background COMMAND…: a function or program, with the time that nothing else wants.
start_background() {
  {
    chrt --idle --pid 0 "$BASHPID" >/dev/null
    "$@"
  } </dev/null &
  BACKGROUND=$!
}

# Not by SIGINT, which a command in the background ignores.
stop_background() {
  [[ -n $BACKGROUND ]] || return 0
  kill "$BACKGROUND" 2>/dev/null || true
  wait "$BACKGROUND" 2>/dev/null || true
  BACKGROUND=
}

show_tail() {
  echo "----- the end of build/logs/$1.log"
  tail -n "$TAIL_LINES" "$LOGS/$1.log"
  echo "-----"
}

# What the tail may miss: each failed check of Catch2; what run-e2e.mjs says of a failure, or else the names from node's reporter "spec".
# ctest lists the names at the end of its log.
show_failed() {
  grep -A 4 ': FAILED:$' "$LOGS/$1.log" | head -n 60 || true
  grep '^✖ .*, in .*\.mjs: ' "$LOGS/$1.log" | cut -c 1-600 ||
    sed '1,/^✖ failing tests:/d' "$LOGS/$1.log" | grep '^✖ ' || true
}

# must NAME TEXT SENTENCE COMMAND…: run_logged; if it fails, show its log and exit with the sentence.
must() {
  local name=$1 text=$2 sentence=$3
  shift 3
  if ! run_logged "$name" "$text" "$@"; then
    show_tail "$name"
    die "$sentence"
  fi
}
