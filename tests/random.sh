#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash tests/random.sh [--minutes N] [--seed S] [--cases K] [--at-once J] [--build FOLDER] [NAME...]
#
# Builds the random drivers (all, or those of these folders of tests/random) in build/tests and runs each for N minutes (default
# 1; no limit if K is given alone) and at most K cases, J at once (default 1), with as many threads as there are cores; a driver
# mpi_* shares its time among 1, 2, 3, 4 and 7 ranks. Each prints the seed of its first case; without --seed every run has other
# cases. A failure prints the seed of the case that is wrong: --cases 1 --seed S NAME runs this case alone.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."

usage() { sed -n '4,9s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; }

minutes='' seed='' cases='' at_once=1 build=build/tests built=no names=()
while [ $# -gt 0 ]; do
  case $1 in
    --minutes) minutes=${2:?}; shift ;;
    --seed) seed=${2:?}; shift ;;
    --cases) cases=${2:?}; shift ;;
    --at-once) at_once=${2:?}; shift ;;
    --built) built=yes ;; # for itself: everything is there
    --build) build=${2:?}; shift ;;
    -h | --help) usage; exit 0 ;;
    -*) echo "random.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    *) names+=("$1") ;;
  esac
  shift
done

if [ $built = no ] && [ ! -e "$build/CMakeCache.txt" ]; then
  if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
  cmake --preset tests -B "$build"
fi
if [ ${#names[@]} -eq 0 ]; then targets=(sporos_random); else targets=("${names[@]/#/sporos_random_}"); fi
if [ $built = no ]; then
  CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)} cmake --build "$build" --target "${targets[@]}"
fi
if [ ${#names[@]} -eq 0 ]; then
  for program in "$build"/random_*; do names+=("${program##*/random_}"); done
fi

[ -n "$minutes$cases" ] || minutes=1
options=(${seed:+--seed "$seed"} ${cases:+--cases "$cases"})
if [ "$at_once" -gt 1 ]; then
  printf '%s\n' "${names[@]}" |
    xargs -P "$at_once" -I{} bash tests/random.sh --built --build "$build" ${minutes:+--minutes "$minutes"} "${options[@]}" {} || exit 1
  exit 0
fi

# Threads and ranks that sleep while they wait; Open MPI in containers and as root.
export OMP_PROC_BIND=false OMP_WAIT_POLICY=passive OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1
export OMPI_MCA_rmaps_base_oversubscribe=1 OMPI_MCA_mpi_yield_when_idle=1 OMPI_MCA_hwloc_base_binding_policy=none
export OMPI_MCA_btl_vader_single_copy_mechanism=none PRTE_ALLOW_RUN_AS_ROOT=1 PRTE_ALLOW_RUN_AS_ROOT_CONFIRM=1
export PRTE_MCA_rmaps_default_mapping_policy=:oversubscribe PRTE_MCA_hwloc_default_binding_policy=none

run() { # run NAME MINUTES [COMMAND...]: the driver, by that command
  "${@:3}" "$build/random_$1" ${2:+--minutes "$2"} "${options[@]}"
}
share=${minutes:+$(awk "BEGIN { print $minutes / 5 }")} # of each number of ranks

status=0
for name in "${names[@]}"; do
  if [[ $name == mpi_* ]]; then
    for ranks in 1 2 3 4 7; do
      OMP_NUM_THREADS=$((ranks < 3 ? 2 : 1)) run "$name" "$share" mpiexec -n $ranks || status=1
    done
  else
    OMP_NUM_THREADS=${OMP_NUM_THREADS:-$(nproc)} run "$name" "$minutes" || status=1
  fi
done
exit $status
