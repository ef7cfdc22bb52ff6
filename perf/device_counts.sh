#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/device_counts.sh
#
# Counts what the kernels of the engine do on a GPU, without a GPU: instructions, sectors of memory, rounds of shared memory. The
# executor of PTX in tests/cuda_on_cpu runs the fixed cases of perf/device_counts/engine.cpp. Prints the table of
# docs/performance.md. Needs nvcc. The log is in build/device-counts.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
case ${1:-} in
  "") ;;
  -h | --help) sed -n '4,8s/^# \{0,1\}//p' perf/device_counts.sh; exit 0 ;;
  *) echo "device_counts.sh: unknown argument $1" >&2; exit 2 ;;
esac
[ -z "${CUDA_ROOT:-}" ] || export PATH=$CUDA_ROOT/bin:$PATH
kokkos=build/deps-cuda
out=build/device-counts

bash cmake/bootstrap.sh --cuda >&2
cmake -S tests/cuda_on_cpu -B build/cuda_on_cpu -DCMAKE_BUILD_TYPE=Release >&2
cmake --build build/cuda_on_cpu --target cudart cuda >&2
mkdir -p $out
$kokkos/bin/nvcc_wrapper -DKOKKOS_DEPENDENCE -expt-extended-lambda -arch=compute_75 -O1 -DNDEBUG -Icore/src -isystem $kokkos/include \
  perf/device_counts/engine.cpp -o $out/engine $kokkos/lib/libkokkoscontainers.a $kokkos/lib/libkokkoscore.a -lcuda -ldl \
  -L"$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")/lib64/stubs"
LD_LIBRARY_PATH=build/cuda_on_cpu/lib PTXRUN_PROFILE=1 $out/engine 2>$out/engine.log >&2 || { cat $out/engine.log >&2; exit 1; }
python3 perf/device_counts/report.py <$out/engine.log
