#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/device_counts.sh [--occupancy] [--machine] [engine|transfer|mesh|correlation...]
#
# Counts what kernels of the engine, of a transfer, of mesh loops and of cross-correlation do on a GPU, without a GPU:
# instructions, sectors of memory, rounds of shared memory. The executor of PTX in tests/cuda_on_cpu runs the fixed cases of
# perf/device_counts. Prints the tables of docs/design/gpu_kernels.md. Needs nvcc. The logs are in build/device-counts.
#
# --occupancy adds tables of registers and active warps for compute capabilities 8.0 and 9.0, from ptxas (5 minutes more).
# --machine adds tables of the machine instructions of inner loops, for 9.0. It needs cuobjdump and nvdisasm of the CUDA toolkit,
# or of the Python packages nvidia-cuda-cuobjdump and nvidia-cuda-nvdisasm.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
occupancy='' machine='' programs=()
for argument; do
  case $argument in
    --occupancy) occupancy=1 ;;
    --machine) machine=1 ;;
    engine | transfer | mesh | correlation) programs+=("$argument") ;;
    -h | --help) sed -n '4,12s/^# \{0,1\}//p' perf/device_counts.sh; exit 0 ;;
    *) echo "device_counts.sh: unknown argument $argument" >&2; exit 2 ;;
  esac
done
[ ${#programs[@]} -gt 0 ] || programs=(engine transfer mesh correlation)
[ -z "${CUDA_ROOT:-}" ] || export PATH=$CUDA_ROOT/bin:$PATH
kokkos=build/deps-cuda
out=build/device-counts

bash cmake/bootstrap.sh --cuda >&2
cmake -S tests/cuda_on_cpu -B build/cuda_on_cpu -DCMAKE_BUILD_TYPE=Release >&2
cmake --build build/cuda_on_cpu --target cudart cuda >&2
mkdir -p $out
stubs=$(dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")")/lib64/stubs

nvcc=("$kokkos/bin/nvcc_wrapper" -DKOKKOS_DEPENDENCE -expt-extended-lambda -DNDEBUG -Icore/src -Ialgorithms/src
  -Ialgorithms/src/{particle_grid,mesh,mesh_loop,cross_correlation} -isystem "$kokkos/include")

compile() { # compile NAME: perf/device_counts/NAME.cpp
  "${nvcc[@]}" -arch=compute_75 -O1 "perf/device_counts/$1.cpp" -o "$out/$1" $kokkos/lib/libkokkoscontainers.a \
    $kokkos/lib/libkokkoscore.a -lcuda -ldl -L"$stubs"
  [ -n "$occupancy$machine" ] || return 0
  local capability
  for capability in ${occupancy:+80} 90; do
    "${nvcc[@]}" -arch=sm_$capability -O3 -Xptxas=-v -c "perf/device_counts/$1.cpp" -o "$out/$1.o" 2>&1 |
      c++filt >"$out/$1.$capability" || { cat "$out/$1.$capability" >&2; exit 1; }
  done
  [ -z "$machine" ] || cuobjdump -sass "$out/$1.o" | c++filt >"$out/$1.sass"
}

count() { # count NAME ELEMENTS WHAT [CASE]: the tables of a case of the program
  local log="$out/$1${4:+-$4}.log"
  LD_LIBRARY_PATH=build/cuda_on_cpu/lib PTXRUN_PROFILE=1 "$out/$1" ${4:+"$4"} >&2 2>"$log" || { cat "$log" >&2; exit 1; }
  echo "$1${4:+ $4}, for each of $2 $3:"
  echo
  python3 perf/device_counts/report.py "$2" <"$log"
  echo
  if [ -n "$occupancy" ]; then
    python3 perf/device_counts/occupancy.py "$log" "$out/$1.80" "$out/$1.90"
    echo
  fi
  if [ -n "$machine" ]; then
    python3 perf/device_counts/machine_loops.py "$log" "$out/$1.sass"
    echo
  fi
}

for program in "${programs[@]}"; do
  compile "$program"
  case $program in
    engine) count engine 1000000 keys ;;
    transfer)
      count transfer 1000000 points 64
      count transfer 1000000 points 128
      count transfer 1000000 points vectors
      count transfer 32768 points wide
      count transfer 32768 points widest
      count transfer 262144 points sweeps ;;
    mesh) count mesh 89550 edges ;;
    correlation)
      count correlation 1073741824 multiply-adds 128
      count correlation 268435456 multiply-adds 64
      count correlation 528515072 multiply-adds window
      count correlation 235929600 multiply-adds 256
      count correlation 4194304 multiply-adds column
      count correlation 131072 elements norms ;;
  esac
done
