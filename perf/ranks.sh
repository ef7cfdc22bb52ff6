#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/ranks.sh [BUILD [ROUNDS [WHAT]]]
#
# Compares one rank of two threads with two ranks of one thread, in turn, ROUNDS times (7), with the programs of the folder BUILD
# (build/openmp). WHAT (all): airfoil, an iteration of this application; step, a step of particles (update, spread and
# interpolate, 10^6 points in 128^3 cells) with a plan without MPI against the distributed plans of ranks_step; nufft, types 1
# and 2 of 10^6 points, 64^3 and 128^3 modes, tolerance 1e-6. The first two also with the same bits on any number of ranks.
# Prints milliseconds and the median of the ratios with the extremes. Needs MPI and two cores that do nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '4,11s/^# \{0,1\}//p' perf/ranks.sh; exit 0 ;; esac
build=${1:-build/openmp}/perf
rounds=${2:-7}
[[ $rounds =~ ^[1-9][0-9]*$ ]] || { echo "ranks.sh: ROUNDS: expected a whole number above 0, got $rounds" >&2; exit 2; }
what=${3:-all}
case $what in
  all) programs="apps/airfoil bench/ranks_step bench/ranks_nufft" ;;
  airfoil) programs=apps/airfoil ;;
  step | nufft) programs=bench/ranks_$what ;;
  *) echo "ranks.sh: WHAT: expected all, airfoil, step or nufft, got $what" >&2; exit 2 ;;
esac
for program in $programs; do
  [ -x "$build/$program" ] || { echo "ranks.sh: no program $build/$program" >&2; exit 2; }
done
asked() { [ "$what" = all ] || [ "$what" = "$1" ]; }

# Open MPI refuses root unless told otherwise; others take no notice.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_PLACES=cores

# run RANKS THREADS BINDING COMMAND...
run() {
  OMP_NUM_THREADS=$2 OMP_PROC_BIND=true OMPI_MCA_hwloc_base_binding_policy=$3 PRTE_MCA_hwloc_default_binding_policy=$3 \
    mpiexec -n "$1" "${@:4}" 2>/dev/null
}
one_rank() { run 1 2 none "$@"; }
two_ranks() { run 2 1 core "$@"; }
airfoil() { "$1" "$build/apps/airfoil" --iterations 150 --picture none "${@:2}" | sed -n 's/.* s, \(.*\) ms each/\1/p'; }
step() { "$1" "$build/bench/ranks_step" "$2"; }
nufft() { "$1" "$build/bench/ranks_nufft" "$2" "$modes"; }

# Prints the times of each round, and keeps them for `over`.
measure() {
  local round row
  times=
  for ((round = 0; round < rounds; ++round)); do
    row=$("$1") || exit 1
    echo "$row"
    times+=${times:+$'\n'}$row
  done
}
# over WHAT A B: the median of the ratios of columns A and B, and the extremes
over() {
  awk -v a="$2" -v b="$3" '{ printf "%.3f\n", $a / $b }' <<<"$times" | sort -g |
    awk -v what="$1" '{ r[NR] = $1 } END { print what ": " r[int((NR + 1) / 2)] " (" r[1] ", " r[NR] ")" }'
}

if asked airfoil; then
  echo "airfoil, ms: 1 rank of 2 threads; 2 ranks of 1; 2 ranks with any_ranks"
  airfoils() {
    local one two any
    one=$(airfoil one_rank) && two=$(airfoil two_ranks) && any=$(airfoil two_ranks --any-ranks) && echo "$one $two $any"
  }
  measure airfoils
  over "2 ranks over 1" 2 1
  over "any_ranks over that" 3 2
fi

if asked step; then
  echo "step, ms: 1 rank of 2 threads; 2 ranks of 1 with ghost_sums, ghost_points, any_ranks"
  steps() {
    local one two
    one=$(step one_rank plain) && two=$(step two_ranks distributed) && echo "$one $two"
  }
  measure steps
  over "2 ranks over 1, ghost_sums" 2 1
  over "2 ranks over 1, ghost_points" 3 1
  over "2 ranks over 1, any_ranks" 4 1
  over "any_ranks over ghost_sums" 4 2
fi

if asked nufft; then
  nuffts() {
    local one two
    one=$(nufft one_rank plain) && two=$(nufft two_ranks distributed) && echo "$one $two"
  }
  for modes in 64 128; do
    echo "nufft, $modes^3 modes, set_points, type 1, type 2, ms: 1 rank of 2 threads; 2 ranks of 1"
    measure nuffts
    over "2 ranks over 1, set_points" 4 1
    over "2 ranks over 1, type 1" 5 2
    over "2 ranks over 1, type 2" 6 3
  done
fi
