#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/range.sh [BUILD [FILTER [THREADS...]]]
#
# Runs steps of particles in cells (update, spread and interpolate with moving points) against ScatterView (duplicated) and a plain
# gather loop, in turn, with the program bench_range of the folder BUILD (build/openmp): rows that match FILTER (range), with 1 and 2
# threads unless THREADS are given. Prints a table for each number of threads: milliseconds of both, the ratio (above 1 Sporos is
# faster), that of a plan with PlanPositions::view, that of update and spread alone, what `automatic` took, and "<" where a step is slower.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '4,10s/^# \{0,1\}//p' perf/range.sh; exit 0 ;; esac
program=${1:-build/openmp}/perf/bench/bench_range
filter=${2:-range}
[ $# -le 2 ] && threads=(1 2) || threads=("${@:3}")
[ -x "$program" ] || { echo "range.sh: no program $program" >&2; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
export OMP_PROC_BIND=${OMP_PROC_BIND:-true} OMP_PLACES=${OMP_PLACES:-cores}

for n in "${threads[@]}"; do
  OMP_NUM_THREADS=$n "$program" --benchmark_filter="$filter" --benchmark_out="$folder/$n.json" >"$folder/log" 2>&1 ||
    { cat "$folder/log" >&2; exit 1; }
  python3 - "$folder/$n.json" "$n" <<'END'
import json
import sys

rows = json.load(open(sys.argv[1], encoding="utf-8"))["benchmarks"]
print(f"\nThreads: {sys.argv[2]}\n\n| case | Sporos, ms | peers, ms | ratio | with view | spread alone | automatic | |\n|---|---|---|---|---|---|---|---|")
for row in rows:
    name = row["name"].removeprefix("range/").removesuffix("/iterations:1").replace("/", " ")
    choice = "replicated" if row["replicated"] else "tiled"
    print(f"| {name} | {row['sporos_ms']:.3g} | {row['peer_ms']:.3g} | {row['ratio']:.2f} | {row['view_ratio']:.2f} | {row['spread_ratio']:.2f} | {choice} "
          f"| {'<' if row['ratio'] < 1 else ''} |")
print(f"\n{sum(row['ratio'] < 1 for row in rows)} of {len(rows)} steps are slower than the peers.")
END
done
