#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles and runs programs: good_* must return 0 in several modes, bad_* must be found out: the line EXPECT of their source says what
# must be printed, or FAILS WITH what makes them return something else than 0. The line DEVICES of a source is the number of devices
# that it needs.
# Usage: COMPILE='COMPILER OPTIONS' EXECUTOR_LIB=BUILD/lib OUT=FOLDER run.sh SOURCE...
set -u
mkdir -p "$OUT"
export LD_LIBRARY_PATH=$EXECUTOR_LIB PTXRUN_QUIET=1
fail=0
for source in "$@"; do
  name=$(basename "${source%.*}") program=$OUT/$(basename "${source%.*}")
  if [ "$source" -nt "$program" ]; then
    # shellcheck disable=SC2086
    nice -n 19 $COMPILE -I "$(dirname "$0")" "$source" -o "$program" || { fail=1; echo "FAIL $name: compile"; continue; }
  fi
  devices=$(sed -n 's,^// DEVICES ,,p' "$source")
  export PTXRUN_DEVICES=${devices:-1}
  case $name in
  good_*)
    for mode in "" PTXRUN_ORDER=random:7 PTXRUN_RACE=1 PTXRUN_RACE=2 PTXRUN_INITCHECK=1 PTXRUN_THREADS=2 PTXRUN_PROFILE=1 PTXRUN_LAZY=1 PTXRUN_PROTECT=1; do
      case "$name $mode" in *cub*random*) continue;; esac # look-back needs blocks in order
      # shellcheck disable=SC2086
      if env $mode timeout 300 "$program" >"$program.log" 2>&1 && ! grep -q "ptxrun: RACE" "$program.log"; then
        echo "ok   $name $mode"
      else
        fail=1; echo "FAIL $name $mode"; head -5 "$program.log"
      fi
    done;;
  bad_*)
    expect=$(sed -n 's,^// EXPECT ,,p' "$source") fails_with=$(sed -n 's,^// FAILS WITH ,,p' "$source")
    if [ -n "$fails_with" ]; then
      if timeout 60 "$program" && ! env "$fails_with" timeout 60 "$program"; then
        echo "ok   $name"
      else
        fail=1; echo "FAIL $name: expected to fail with $fails_with alone"
      fi
      continue
    fi
    PTXRUN_RACE=2 PTXRUN_INITCHECK=1 PTXRUN_PROTECT=1 PTXRUN_ERRORS=continue timeout 60 "$program" >"$program.log" 2>&1
    if grep -q "ptxrun: .*$expect" "$program.log"; then
      echo "ok   $name"
    else
      fail=1; echo "FAIL $name: expected $expect"; head -5 "$program.log"
    fi;;
  esac
done
exit $fail
