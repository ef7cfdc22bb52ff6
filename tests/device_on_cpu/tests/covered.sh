#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Says which instructions in a list no test of the executor has.
# Usage: EXECUTOR_LIB=BUILD/lib OUT=FOLDER covered.sh LIST SOURCE...   (after run.sh compiled the sources, to OUT)
# LIST: opcodes.txt, the instructions of Sporos' own tests, or what PTXRUN_OPCODES=LIST made when other programs ran.
set -eu
list=$1
shift
tested=$(mktemp); trap 'rm -f "$tested"' EXIT
for source in "$@"; do
  program=$OUT/$(basename "${source%.*}")
  [ -x "$program" ] || { echo "$program is not compiled"; exit 1; }
  LD_LIBRARY_PATH=$EXECUTOR_LIB PTXRUN_QUIET=1 PTXRUN_OPCODES=$tested "$program" >/dev/null 2>&1 || true
done
missing=$(sort -u "$list" | comm -23 - <(sort -u "$tested"))
[ -z "$missing" ] || { printf 'no test has:\n%s\n' "$missing"; exit 1; }
