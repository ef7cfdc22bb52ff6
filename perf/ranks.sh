#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/ranks.sh [BUILD [PAIRS [OPTION...]]]
#
# Compares one rank of two threads with two ranks of one thread, in turn, PAIRS times (5), with the programs of the folder BUILD
# (build/openmp): an iteration of the airfoil application, and a step of particles (update, spread and interpolate, 10^6 points
# in 128^3 cells) with a plan without MPI against the distributed plans of ranks_step. Prints milliseconds and the median of
# the ratios. OPTIONs go to the airfoil application, such as --any-ranks. Needs MPI and two cores that do nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '4,9s/^# \{0,1\}//p' perf/ranks.sh; exit 0 ;; esac
build=${1:-build/openmp}/perf
pairs=${2:-5}
options=(--iterations 150 --picture none "${@:3}")

# Open MPI refuses root unless told otherwise; others take no notice.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_PLACES=cores

# run RANKS THREADS BINDING COMMAND...
run() {
  OMP_NUM_THREADS=$2 OMP_PROC_BIND=true OMPI_MCA_hwloc_base_binding_policy=$3 PRTE_MCA_hwloc_default_binding_policy=$3 \
    mpiexec -n "$1" "${@:4}" 2>/dev/null
}
# Milliseconds of an iteration, and of a step, with RANKS THREADS BINDING...
iteration() { run "$@" "$build/apps/airfoil" "${options[@]}" | sed -n 's/.* s, \(.*\) ms each/\1/p'; }
step() { run "$1" "$2" "$3" "$build/bench/ranks_step" "$4"; }

# compare WHAT FUNCTION [MODE_ON_ONE MODE_ON_TWO]
compare() {
  local ratios=() pair one two
  echo "$1: 1 rank, 2 threads | 2 ranks, 1 thread | ratio"
  for ((pair = 0; pair < pairs; ++pair)); do
    one=$("$2" 1 2 none ${3:+"$3"})
    two=$("$2" 2 1 core ${4:+"$4"})
    ratios+=("$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.3f", b / a }')")
    echo "$one | $two | ${ratios[-1]}"
  done
  printf '%s\n' "${ratios[@]}" | sort -g | awk '{ r[NR] = $1 } END { print "median of the ratios: " r[int((NR + 1) / 2)] }'
}

compare "airfoil" iteration
for mode in ghost_sums ghost_points any_ranks; do compare "step, $mode" step plain $mode; done
