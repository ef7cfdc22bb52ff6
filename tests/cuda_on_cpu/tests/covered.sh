#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Says which instructions of programs no test of the executor has.
# Usage: CUDA_ON_CPU_LIB=BUILD/lib covered.sh [LIST...]   (after the tests good_* were compiled, to OUT)
# LIST: what PTXRUN_OPCODES=LIST made when programs ran; without one, opcodes.txt: those of Sporos' own tests.
set -eu
here=$(cd "$(dirname "$0")" && pwd); out=${OUT:-$CUDA_ON_CPU_LIB/../tests}
[ $# -gt 0 ] || set -- "$here/opcodes.txt"
tested=$(mktemp); trap 'rm -f "$tested"' EXIT
for source in "$here"/good_*.cu; do
  program=$out/$(basename "$source" .cu)
  [ -x "$program" ] || { echo "$program is not compiled"; exit 1; }
  LD_LIBRARY_PATH=$CUDA_ON_CPU_LIB PTXRUN_QUIET=1 PTXRUN_OPCODES=$tested "$program" >/dev/null 2>&1 || true
done
missing=$(sort -u "$@" | comm -23 - <(sort -u "$tested"))
[ -z "$missing" ] || { printf 'no test has:\n%s\n' "$missing"; exit 1; }
