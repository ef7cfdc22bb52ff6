#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/tables.sh [--best] [FAMILY...]     FAMILY: particle_grid, mesh, correlation; none: all of them
#
# Runs the benchmarks, writes tables, plots and JSON files to build/results, and puts the figures into the tables of
# README.md and docs/performance.md. For an idle machine with what cmake/bootstrap.sh installs; takes long. --best shows
# the fastest runs instead of medians. SPOROS_BENCH names a folder of benchmarks that are built already.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
results=$PWD/build/results
bench=${SPOROS_BENCH:-build/openmp/perf/bench}
export OMP_PROC_BIND=${OMP_PROC_BIND:-spread} OMP_PLACES=${OMP_PLACES:-threads}

families=() options=()
for argument in "$@"; do
  case $argument in
    particle_grid | mesh | correlation) families+=("$argument") ;;
    --best) options+=(--best) ;;
    -h | --help) sed -n '4,8s/^# \{0,1\}//p' perf/tables.sh; exit 0 ;;
    *) echo "tables.sh: unknown argument $argument (see --help)" >&2; exit 2 ;;
  esac
done
[ ${#families[@]} -gt 0 ] || families=(particle_grid mesh correlation)

mkdir -p "$results"
if [ -z "${SPOROS_BENCH:-}" ]; then
  if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
  cmake --preset openmp | tee "$results/configure.log"
  for family in "${families[@]}"; do cmake --build build/openmp --target "sporos_bench_$family"; done
fi
# "GNU 12.2.0, Kokkos 3.4.1", out of CMake's summary
built=''
if [ -f "$results/configure.log" ]; then
  built=$(sed -nE 's/^-- +compiler +([^,]*),.*/, \1/p; s/^-- +Kokkos +([^ ]+) .*/, Kokkos \1/p' "$results/configure.log" | tr -d '\n')
fi
processor=$(sed -nE 's/^model name[^:]*: *//p' /proc/cpuinfo | head -n 1)

for family in "${families[@]}"; do
  "$bench/bench_$family" --benchmark_out="$results/$family.json" --benchmark_out_format=json ${SPOROS_FILTER:+"--benchmark_filter=$SPOROS_FILTER"}
  python3 "perf/plot_$family.py" "$results/$family.json" --output "$results" "${options[@]}"
  python3 perf/update_tables.py "$family" "$results/$family.md" "${processor:-a processor without a name}$built" \
    README.md docs/performance.md
  if [ $family = correlation ] && [ -f "$results/correlation_crossover.png" ]; then
    cp "$results/correlation_crossover.png" docs/images/
  fi
done
if [ ${#families[@]} -eq 3 ]; then
  python3 perf/plot_roofline.py "$results"/{particle_grid,mesh,correlation}.json --output "$results" "${options[@]}"
  if [ -f "$results/roofline.png" ]; then cp "$results/roofline.png" docs/images/; fi
fi
