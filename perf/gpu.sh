#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/gpu.sh --prepare [ARCH...]    on any machine with nvcc: builds the programs into build/gpu
#   bash perf/gpu.sh [STEP...]              on a machine with a GPU: runs all steps in 8 minutes, writes build/gpu/results.json
#   bash perf/gpu.sh --executor [STEP...]   without a GPU: a dry run of the same with tiny rows, which builds what it needs
#
# --prepare makes machine code for the architectures ARCH (90 for H100 and H200, the default; 80, 86, 89, ...), and PTX for newer
# ones. The folder build/gpu then has all that runs need but the driver and cuFFT, Open MPI included: below 50 MB, to be copied with the
# clone to the machine with the GPU. A run takes programs from there, and builds those that are missing if it finds nvcc and CMake, which
# takes longer than all steps. Kokkos is the one that Kokkos_ROOT names, else that of cmake/bootstrap.sh --cuda.
#
# Steps, the most important first: device (tests/device); transfer, mesh, correlation (the tables of docs/performance.md, with the
# peers ScatterView, atomics and cuFFT); cufinufft (where Python has cufinufft and cupy); mpi (transfers and loops of tests/mpi, two
# ranks on the device); transfer_all, mesh_all, correlation_all (the tables of docs/design/benchmarks.md); matrix. Each has a limit of
# time. A step that fails or takes longer is named, the others still run, and the exit status is 1. `bash perf/tables.sh --gpu FILE`
# puts the figures into the pages. The dry run does that, too, with copies of them.
#
#   --folder FOLDER     programs and results are here instead of in build/gpu (with --executor: build/gpu-executor)
#   --minutes N         time for all steps (8; --executor: 120)
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
# shellcheck source=perf/gpu/build.sh
. perf/gpu/build.sh
# shellcheck source=perf/gpu/steps.sh
. perf/gpu/steps.sh
usage() { sed -n '4,21s/^# \{0,1\}//p' perf/gpu.sh; }
wrong() { echo "gpu.sh: $1 (see --help)" >&2; exit 2; }

all_steps=(device transfer mesh correlation cufinufft mpi transfer_all mesh_all correlation_all matrix)
mode=run folder='' minutes='' words=()
while [ $# -gt 0 ]; do
  case $1 in
    --prepare | --executor) mode=${1#--} ;;
    --folder)
      [ -n "${2:-}" ] || wrong "--folder needs a folder"
      folder=$2 && shift ;;
    --minutes)
      [[ ${2:-} =~ ^[1-9][0-9]*$ ]] || wrong "--minutes needs a whole number above 0"
      minutes=$2 && shift ;;
    -h | --help) usage; exit 0 ;;
    -*) wrong "unknown option $1" ;;
    *) words+=("$1") ;;
  esac
  shift
done
for word in "${words[@]}"; do
  if [ "$mode" = prepare ]; then
    [[ $word =~ ^[1-9][0-9]+$ ]] || wrong "no architecture is called $word"
  else
    [[ " ${all_steps[*]} " == *" $word "* ]] || wrong "no step is called $word; there are ${all_steps[*]}"
  fi
done
default=build/gpu
[ "$mode" != executor ] || default=build/gpu-executor
folder=${folder:-$default}
mkdir -p "$folder"/{bin,lib,out}
folder=$(cd "$folder" && pwd)
[ -z "${CUDA_ROOT:-}" ] || export PATH=$CUDA_ROOT/bin:$PATH

case $mode in
  prepare)
    prepare "${words[@]:-90}"
    exit ;;
  executor)
    build_for_executor
    export SPOROS_BENCH_TINY=yes
    export SPOROS_GPU_STEP_SECONDS=${SPOROS_GPU_STEP_SECONDS:-1800} ;;
  run) build_missing ;;
esac
steps=("${words[@]}")
[ ${#words[@]} -gt 0 ] || steps=("${all_steps[@]}")
if [ -z "$minutes" ]; then minutes=$([ "$mode" = executor ] && echo 120 || echo 8); fi
run_steps || status=1
echo "results: $folder/results.json"

if [ "$mode" = executor ]; then # the figures go into copies of the pages
  pages=$folder/pages
  rm -rf "$pages" && mkdir -p "$pages"
  cp README.md docs/performance.md docs/design/benchmarks.md "$pages"
  bash perf/tables.sh --gpu "$folder/results.json" --dry-run "$pages"/{performance,benchmarks}.md
  "$(bash cmake/python.sh)" perf/update_tables.py --check "$pages"/{README,benchmarks,performance}.md
fi
exit "${status:-0}"
