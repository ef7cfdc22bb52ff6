#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Compiles and runs the programs of this folder: good_* must return 0 in several modes, bad_* must be found out: the line EXPECT of
# their source says what must be printed, or FAILS WITH what makes them return something else than 0. The line DEVICES of a source
# is the number of devices that it needs.
# Usage: CUDA_ON_CPU_LIB=BUILD/lib run.sh [NAME...]     (NVCC=... picks the compiler, OUT=... where programs go)
set -u
here=$(cd "$(dirname "$0")" && pwd); out=${OUT:-$CUDA_ON_CPU_LIB/../tests}; mkdir -p "$out"
export LD_LIBRARY_PATH=$CUDA_ON_CPU_LIB PTXRUN_QUIET=1
[ $# -gt 0 ] || set -- $(cd "$here" && ls good_*.cu bad_*.cu | sed 's/[.]cu$//')
fail=0
for name in "$@"; do
  if [ "$here/$name.cu" -nt "$out/$name" ]; then
    nice -n 19 "${NVCC:-nvcc}" -std=c++17 -cudart shared -gencode arch=compute_75,code=compute_75 -no-compress -lineinfo --extended-lambda -diag-suppress 177,186,550 -Xcompiler -frounding-math,-ffp-contract=off "$here/$name.cu" -o "$out/$name" || { fail=1; echo "FAIL $name: compile"; continue; }
  fi
  devices=$(sed -n 's,^// DEVICES ,,p' "$here/$name.cu")
  export PTXRUN_DEVICES=${devices:-1}
  case $name in
  good_*)
    for mode in "" "PTXRUN_ORDER=random:7" "PTXRUN_RACE=1" "PTXRUN_RACE=2" "PTXRUN_THREADS=2" "PTXRUN_PROFILE=1" "PTXRUN_LAZY=1" "PTXRUN_PROTECT=1"; do
      case "$name $mode" in *cub*random*) continue;; esac # look-back needs blocks in order
      if env $mode timeout 300 "$out/$name" > "$out/$name.log" 2>&1 && ! grep -q "ptxrun: RACE" "$out/$name.log"; then echo "ok   $name $mode"; else fail=1; echo "FAIL $name $mode"; head -5 "$out/$name.log"; fi
    done;;
  bad_*)
    expect=$(sed -n 's,^// EXPECT ,,p' "$here/$name.cu"); fails_with=$(sed -n 's,^// FAILS WITH ,,p' "$here/$name.cu")
    if [ -n "$fails_with" ]; then
      if timeout 60 "$out/$name" && ! env "$fails_with" timeout 60 "$out/$name"; then echo "ok   $name"; else fail=1; echo "FAIL $name: expected to fail with $fails_with alone"; fi
      continue
    fi
    PTXRUN_RACE=2 PTXRUN_INITCHECK=1 PTXRUN_PROTECT=1 PTXRUN_ERRORS=continue timeout 60 "$out/$name" > "$out/$name.log" 2>&1
    if grep -q "ptxrun: .*$expect" "$out/$name.log"; then echo "ok   $name"; else fail=1; echo "FAIL $name: expected $expect"; head -5 "$out/$name.log"; fi;;
  esac
done
exit $fail
