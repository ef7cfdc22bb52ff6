#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash tests/hip.sh [--look] [--every] [--table FILE] [ARCHITECTURE...]
# Makes the device code of the tests for AMD GPUs, as clang++ does, without a GPU and without ROCm: bootstrap.sh --hip lays out what
# that needs. Nothing is linked or run.
#   --look           (default) checks the device code of all tests and of the README's programs, and makes that of tests/device, which has every
#                    algorithm; prints a table of its kernels; fails where vector registers of one are spilled
#   --every          only tests/device
#   --table FILE     also writes the whole table to FILE: vector registers, their spills, spills of scalar registers, bytes of private
#                    memory and waves of a SIMD of each kernel, those that spill most first
# Architectures (default: gfx90a gfx942 gfx1100): MI200, MI300, RDNA 3.
#
#   bash tests/hip.sh --run [MODE...]
# Builds tests/device, which runs every algorithm once, for gfx908 (MI100) with Kokkos 3.4.1, and runs it without a GPU, on the executor
# in tests/hip_on_cpu. Modes (default: all) and the table that it prints are those of tests/cuda.sh. Logs and the table are in
# build/hip-on-cpu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
unset Kokkos_ROOT Kokkos_DIR # the one that bootstrap.sh --hip lays out

# shellcheck source=tests/device_on_cpu/modes.sh
. tests/device_on_cpu/modes.sh
run=no
every=no
modes=()
table=''
architectures=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '4,18s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --look) ;;
    --run) run=yes ;;
    --every) every=yes ;;
    --table) shift; table=${1:?hip.sh: --table needs a file} ;;
    gfx*) architectures+=("$1") ;;
    *) if [ $run = yes ] && is_mode "$1"; then modes+=("$1"); else echo "hip.sh: unknown argument $1" >&2; exit 2; fi ;;
  esac
  shift
done
[ ${#architectures[@]} -gt 0 ] || architectures=(gfx90a gfx942 gfx1100)
use_all_cores

if [ $run = yes ]; then
  bash cmake/bootstrap.sh --hip --from-source
  cmake -S tests/hip_on_cpu -B build/hip_on_cpu -DCMAKE_BUILD_TYPE=Release
  cmake --build build/hip_on_cpu
  cmake --preset hip-on-cpu
  cmake --build build/hip-on-cpu --target sporos_test_device
  run_modes HIP build/hip-on-cpu -R '^device/'
  exit
fi

bash cmake/bootstrap.sh --hip

# Of tests/device the assembly of the kernels is kept, which holds what they use.
device_code() { # device_code COMMAND
  local file=${1##* } how="-fsyntax-only"
  case $file in */tests/device/*) how="-S -o $build/$(basename "$file" .cpp).s" ;; esac
  echo "$architecture ${file#"$PWD"/}"
  sh -c "$(sed -E "s, -o [^ ]+ -c , --cuda-device-only $how ," <<<"$1")"
}
kernels() { # kernels FILE...: a line for each kernel
  awk '/\.amdhsa_kernel / { kernel = $2 } /^; Occupancy: / { waves[kernel] = $3 }
       /^ *\.name: / { name = $2 } /^ *\.private_segment_fixed_size:/ { bytes = $2 } /^ *\.sgpr_spill_count:/ { scalar = $2 }
       /^ *\.vgpr_count:/ { vector = $2 }
       /^ *\.vgpr_spill_count:/ { printf "%4d %4d %4d %6d %4d  %s\n", vector, $2, scalar, bytes, waves[name], name }' "$@" | c++filt |
    sed -E 's/void Kokkos::Impl::hip_parallel_launch_[a-z_]*<Kokkos::Impl::(Parallel(For|Scan|Reduce))[A-Za-z]*</\1 </' |
    sort -k2,2nr -k3,3nr -k4,4nr -k6 | uniq
}

spilled=0
for architecture in "${architectures[@]}"; do
  build=$PWD/build/hip-$architecture
  cmake --preset hip -B "$build" "-DKokkos_ROOT=$PWD/build/deps-hip" "-DHIPFFT_ROOT=$PWD/build/deps-hip" "-DCMAKE_CXX_COMPILER=$PWD/build/deps-hip/bin/clang++" \
    -DSporos_HIP_ARCHITECTURE="$architecture" -DSporos_WARNINGS_AS_ERRORS=ON -DSporos_TEST_REDUCED=ON -DSporos_ENABLE_PERF=OFF \
    -DSporos_ENABLE_MPI=OFF -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_EXPORT_COMPILE_COMMANDS=ON >"$build.log" || { cat "$build.log"; exit 1; }
  files='/tests/(device|core|algorithms|fourier|readme)/'
  [ $every = no ] || files='/tests/device/'
  export -f device_code
  export build architecture
  sed -nE 's/^ *"command": "(.*)",?$/\1/p' "$build/compile_commands.json" | grep -E -- "$files[a-z_/]*\.cpp$" | sed -E 's/\\(.)/\1/g' >"$build/commands"
  xargs -P "$CMAKE_BUILD_PARALLEL_LEVEL" -d '\n' -n 1 bash -c 'device_code "$0"' <"$build/commands"
  kernels "$build"/*.s >"$build/kernels"
  echo "== $architecture: $(wc -l <"$build/kernels") kernels; vector registers, their spills, spills of scalar ones, bytes of private memory, waves"
  awk '$2 + $3 + $4 > 0 && ++n <= 12 { print substr($0, 1, 200) }' "$build/kernels"
  [ -z "$table" ] || sed "s/^/$architecture /" "$build/kernels" >>"$table"
  spilled=$((spilled + $(awk '$2 > 0' "$build/kernels" | wc -l)))
done
if [ $spilled -gt 0 ]; then
  echo "hip.sh: $spilled kernels spill vector registers" >&2
  exit 1
fi
