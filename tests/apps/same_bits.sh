#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# same_bits.sh "RANKS..." "MPIEXEC FLAG" "PREFLAGS" PROGRAM ARGUMENT...: runs a program on each of these numbers of MPI ranks. Each run
# must succeed, and the hashes that they print (lines "bits ...") must be those of the first.
set -euo pipefail
ranks=$1 mpiexec=$2 preflags=$3
shift 3

first=''
for n in $ranks; do
  # shellcheck disable=SC2086
  output=$($mpiexec "$n" $preflags "$@") || { printf '%s\nit fails on %s ranks\n' "$output" "$n"; exit 1; }
  bits=$(sed -n 's/^ *bits *//p' <<<"$output")
  [ -n "$bits" ] || { printf '%s\nno bits are printed on %s ranks\n' "$output" "$n"; exit 1; }
  [ -n "$first" ] || first=$bits
  if [ "$bits" != "$first" ]; then
    printf 'bits on %s ranks:\n%s\non the first number of ranks:\n%s\n' "$n" "$bits" "$first"
    exit 1
  fi
done
printf 'the same bits on %s ranks:\n%s\n' "$ranks" "$first"
