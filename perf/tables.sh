#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/tables.sh [OPTION...] [FAMILY...]     FAMILY: particle_grid, mesh, matrix, correlation; none: all of them
#   bash perf/tables.sh --gpu RESULTS.json          the tables "On a GPU", from what perf/gpu.sh has measured; runs nothing
#
# Runs the benchmarks of the tables, writes tables, plots and JSON files to build/results, and updates the tables of
# docs/design/benchmarks.md and docs/performance.md and the ratios of README.md. Needs an idle machine, the packages of
# cmake/bootstrap.sh and matplotlib (Debian: python3-matplotlib). Takes 20 minutes on two cores.
#
#   --runs N  run everything N times and keep the smallest median of each row, for shared machines
#   --best    show the fastest runs instead of medians
#   --all     run all benchmarks, also those without a table (hours)
#
# SPOROS_BENCH names a folder of built benchmarks, SPOROS_FILTER the rows to run.
set -euo pipefail
if [ "${1:-}" = --gpu ]; then # more arguments: options and pages (default: those of the clone)
  gpu=$(realpath -- "${2:?tables.sh: --gpu needs a file of results}")
  shift 2
  pages=("$@")
  root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
  [ ${#pages[@]} -gt 0 ] || pages=("$root"/docs/{performance,design/benchmarks}.md)
  exec "$(bash "$root/cmake/python.sh")" "$root/perf/gpu/tables.py" "$gpu" "${pages[@]}"
fi
cd "$(dirname "${BASH_SOURCE[0]}")/.."
results=$PWD/build/results
bench=${SPOROS_BENCH:-build/openmp/perf/bench}
export OMP_PROC_BIND=${OMP_PROC_BIND:-spread} OMP_PLACES=${OMP_PLACES:-threads}

families=() options=() runs=1 all=
while [ $# -gt 0 ]; do
  case $1 in
    particle_grid | mesh | matrix | correlation) families+=("$1") ;;
    --best) options+=(--best) ;;
    --all) all=1 ;;
    --runs)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || { echo "tables.sh: --runs needs a whole number above 0" >&2; exit 2; }
      runs=$2 && shift ;;
    -h | --help) sed -n '4,16s/^# \{0,1\}//p' perf/tables.sh; exit 0 ;;
    *) echo "tables.sh: unknown argument $1 (see --help)" >&2; exit 2 ;;
  esac
  shift
done
[ ${#families[@]} -gt 0 ] || families=(particle_grid mesh matrix correlation)

rows_of() { # rows_of FAMILY: what its tables and plots show
  local transfer='(spread|interpolate|update)' peers='(tiled|plan|moved_1_percent|all|scatterview_duplicated)' n='[0-9]+'
  local airfoil='(save_soln|adt_calc|update|iteration)' plain='(automatic|hand_[a-z_]+)'
  local correlate='(automatic|tile|lane_group_per_shift|fft|plain_rows|fftw|fftw_padded|fma_limit)'
  case $1 in
    particle_grid)
      echo "^triad|^$transfer/[a-z0-9_]+/double/(uniform|clustered)/128/1000000$|^$transfer/$peers/double/[a-z]+/256/$n$" \
        "|^$transfer/tiled/float/uniform/128/1000000$|^[a-z]+/automatic/double/[a-z]+/128/1000000(/[a-z0-9_]+)?$" \
        "|^[a-z]+_update/[a-z_]+/double/uniform/$n/65536$" ;;
    mesh)
      echo "^triad|^$airfoil/$plain/[a-z]+/natural/[a-z]+/$n$|^(plan_)?res_calc/[a-z_]+/packs/[a-z_]+/aos/$n$" \
        "|^res_calc/$plain/[a-z]+/(natural|shuffled)/[a-z]+/$n$" ;;
    matrix)
      echo "^triad|^(sparsity|plan|first)/[a-z0-9_]+/(automatic|petsc_coo)/[a-z]+/$n$" \
        "|^assembly/[a-z0-9_]+/(automatic|gather|global_coloring|hand_[a-z]+|scatterview|petsc_[a-z]+)/[a-z]+/$n$" ;;
    correlation)
      echo "^(full|window8)/[a-z_]+/$correlate/float/$n/(16|100|1000)$|^full/one_to_one/$correlate/double/$n/100$" ;;
  esac | tr -d ' '
}

mkdir -p "$results"
python=$(bash cmake/python.sh matplotlib || bash cmake/python.sh)
if [ -z "${SPOROS_BENCH:-}" ]; then
  if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
  cmake --preset openmp | tee "$results/configure.log"
  for family in "${families[@]}"; do cmake --build build/openmp --target "sporos_bench_$family"; done
fi
# "GNU 12.2.0, Kokkos 3.4.1", out of CMake's summary
built=''
if [ -f "$results/configure.log" ]; then
  built=$(sed -nE 's/^-- +compiler +([^,]*),.*/, \1/p; s/^-- +Kokkos +([0-9][^ ]*) .*/, Kokkos \1/p' "$results/configure.log" | tr -d '\n')
fi
processor=$(sed -nE '/^model name/{s/^[^:]*: *//p;q}' /proc/cpuinfo)

measured=()
for family in "${families[@]}"; do
  filter=${SPOROS_FILTER:-${all:+.}}
  files=()
  for ((run = 1; run <= runs; ++run)); do
    files+=("$results/$family.$run.json")
    "$bench/bench_$family" --benchmark_out="${files[-1]}" --benchmark_out_format=json \
      --benchmark_filter="${filter:-$(rows_of "$family")}"
  done
  measured+=("${files[@]}")
  "$python" "perf/plot_$family.py" "${files[@]}" --output "$results" "${options[@]}"
  "$python" perf/update_tables.py "$family" "$results/$family.md" "${processor:-a processor without a name}$built" \
    README.md docs/design/benchmarks.md docs/performance.md
  if [ $family = correlation ] && [ -f "$results/correlation_crossover.png" ]; then
    cp "$results/correlation_crossover.png" docs/images/
  fi
done
if [ ${#families[@]} -eq 4 ]; then
  "$python" perf/plot_roofline.py "${measured[@]}" --output "$results" "${options[@]}"
  if [ -f "$results/roofline.png" ]; then cp "$results/roofline.png" docs/images/; fi
fi
