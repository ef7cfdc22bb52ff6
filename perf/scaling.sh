#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/scaling.sh [OPTION...]
#
# Partitions meshes and grids, predicts scaling to many ranks, writes tables and a plot to build/results and puts them
# into docs/scaling.md. OPTIONs go to perf/scaling/scaling (--help lists them): network, kernel rates, numbers of ranks.
# Needs METIS, CLI11, 4 GB of memory and two minutes; plots need matplotlib.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '4,8s/^# \{0,1\}//p' perf/scaling.sh; exit 0 ;; esac
results=$PWD/build/results
mkdir -p "$results"
if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
cmake --preset openmp >"$results/configure.log"
cmake --build build/openmp --target sporos_scaling
build/openmp/perf/scaling/scaling "$@" >"$results/scaling.md"
python=$(bash cmake/python.sh matplotlib || bash cmake/python.sh)
"$python" perf/plot_scaling.py "$results/scaling.md" docs/scaling.md --output "$results"
if [ -f "$results/scaling.png" ]; then cp "$results/scaling.png" docs/images/; fi
