#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash tests/fuzz/run.sh SECONDS [NAME...]
#
# Builds the fuzz targets (all, or mesh_file, mesh_gmsh, png, loop_plan) in build/fuzz and runs each for SECONDS, all at once, from
# corpus/<name> and from what earlier runs found and left in build/fuzz/corpus/<name>. An input that a target fails with is
# left in build/fuzz as <name>-crash-..., and build/fuzz/fuzz_<name> FILE runs it again.
set -euo pipefail

[[ ${1:-} =~ ^[0-9]+$ ]] || { sed -n '4,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 2; }
seconds=$1
shift
names=("$@")
[ $# -gt 0 ] || names=(mesh_file mesh_gmsh png loop_plan)

cd "$(dirname "${BASH_SOURCE[0]}")/../.."
if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
cmake --preset fuzz
cmake --build build/fuzz --target "${names[@]/#/sporos_fuzz_}"
cd build/fuzz

fuzz() { # fuzz NAME
  mkdir -p "corpus/$1"
  OMP_NUM_THREADS=1 OMP_PROC_BIND=false "./fuzz_$1" -max_total_time="$seconds" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
    -print_final_stats=1 -artifact_prefix="$1-" "corpus/$1" "../../tests/fuzz/corpus/$1" >"$1.log" 2>&1
}

jobs=()
for name in "${names[@]}"; do
  fuzz "$name" &
  jobs+=($!)
done
status=0
for k in "${!names[@]}"; do
  name=${names[k]}
  if wait "${jobs[k]}"; then
    printf '%-10s %s\n' "$name" "$(grep -E '^#[0-9]+.*DONE|^Done' "$name.log" | tr '\n' ' ')"
  else
    status=1
    printf '\n%s fails; the end of build/fuzz/%s.log:\n' "$name" "$name"
    tail -n 60 "$name.log"
  fi
done
exit $status
