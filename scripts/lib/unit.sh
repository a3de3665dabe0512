# Runs the unit tests of a build and counts them. Source this after report.sh.

# unit_tests PRESET PART [COMMAND…]: runs a process for each test file, so that a crash costs no more than one file, and two for each processor,
# since they wait half of their time. PART is the label of those to run, all if it is empty, `posix` those of the program for POSIX alone;
# COMMAND starts ctest. Sets unit_status, unit_passed, unit_failed and unit_skipped, which count test cases: Catch2 ends each file's output
# with "All tests passed (… in N test cases)" or "test cases: N | N passed | N failed". One that an emulator cannot run says so
# (tests/unit/core/program/emulator.hpp).
unit_tests() {
  local name=unit-$1${2:+-$2} preset=$1 part=$2
  local log=$LOGS/$name.log
  shift 2
  unit_status=0
  run_logged "$name" "unit tests ($preset${part:+, $part})" "$@" \
    ctest --test-dir "build/$preset" -j $((2 * $(nproc))) --timeout 300 --verbose ${part:+-C "$part" -L "^$part\$"} || unit_status=$?
  unit_passed=$(sed -nE 's/.*(All tests passed \(.* in|test cases:.*\|) ([0-9]+) (test case|passed).*/\2/p' "$log" | sum)
  unit_failed=$(sed -nE 's/.*test cases:.*\| ([0-9]+) failed.*/\1/p' "$log" | sum)
  unit_skipped=$(grep -c 'skipped under an emulator: ' "$log" || true)
  unit_passed=$((unit_passed - unit_skipped))
  # A file that crashed reports no counts.
  if ((unit_failed == 0 && unit_status != 0)); then unit_failed=$(grep -cE '^ *[0-9]+/[0-9]+ Test .*\*\*\*' "$log" || true); fi
}

# The sum of the numbers on stdin, one per line.
sum() { awk '{ total += $1 } END { print total + 0 }'; }
