#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/peers.sh [OPTION...] [FAMILY...]     FAMILY: spread, nufft, template, windows; none: all of them
#
# Times Sporos and the libraries of others on the same data, in turn, in one run, and prints tables: medians in milliseconds, and the
# ratio to Sporos (above 1 Sporos is faster) with the quartiles of the rounds. The peers are Python wheels, which this script installs
# in build/peers: FINUFFT and ducc0 (spread, nufft), OpenCV and scikit-image (template), OpenPIV (windows). Needs an idle machine.
#
#   --threads N   of each (default 2)
#   --rounds N    of which the medians are shown (default 7)
#   --filter TEXT only rows whose name contains it
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in -h | --help) sed -n '4,13s/^# \{0,1\}//p' perf/peers.sh; exit 0 ;; esac

if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
cmake --preset openmp -DSporos_ENABLE_PEERS=ON >/dev/null
cmake --build build/openmp --target sporos_peer >/dev/null
venv=build/peers
if [ ! -e $venv/installed ]; then
  python3 -m venv $venv
  $venv/bin/pip -q install numpy finufft ducc0 opencv-python-headless scikit-image openpiv
  touch $venv/installed
fi
exec $venv/bin/python perf/peers.py --program build/openmp/perf/peers/sporos "$@"
