#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/ranks.sh [BUILD [PAIRS [OPTION...]]]
#
# Runs the airfoil application of the folder BUILD (build/openmp) on one rank with two threads and on two ranks with one
# thread, in turn, PAIRS times (5), and prints the milliseconds of an iteration and the median of their ratios. OPTIONs go
# to the application, such as --any-ranks. Needs MPI and two cores that do nothing else.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '4,8s/^# \{0,1\}//p' perf/ranks.sh; exit 0 ;; esac
airfoil=${1:-build/openmp}/perf/apps/airfoil
pairs=${2:-5}
options=(--iterations 150 --picture none "${@:3}")

# Open MPI refuses root unless told otherwise; others take no notice.
export OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMP_PLACES=cores

# run RANKS THREADS BINDING: milliseconds of an iteration.
run() {
  OMP_NUM_THREADS=$2 OMP_PROC_BIND=true OMPI_MCA_hwloc_base_binding_policy=$3 PRTE_MCA_hwloc_default_binding_policy=$3 \
    mpiexec -n "$1" "$airfoil" "${options[@]}" 2>/dev/null | sed -n 's/.* s, \(.*\) ms each/\1/p'
}

echo "1 rank, 2 threads | 2 ranks, 1 thread | ratio"
ratios=()
for ((pair = 0; pair < pairs; ++pair)); do
  one=$(run 1 2 none)
  two=$(run 2 1 core)
  ratios+=("$(awk -v a="$one" -v b="$two" 'BEGIN { printf "%.3f", b / a }')")
  echo "$one | $two | ${ratios[-1]}"
done
printf '%s\n' "${ratios[@]}" | sort -g | awk '{ r[NR] = $1 } END { print "median of the ratios: " r[int((NR + 1) / 2)] }'
