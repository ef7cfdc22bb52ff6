#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash tests/cuda.sh [--every | --mpi | --devices KOKKOS] [--build-only | --look] [MODE...]
#
# Builds the tests of core and algorithms and the README's programs for CUDA and runs them without a GPU, on the executor of PTX in
# tests/cuda_on_cpu. Needs nvcc. Prints a table: seconds of each test in each mode, or FAIL.
#   --every       only tests/device, which runs every algorithm once
#   --mpi         only tests/mpi, on 2 and 3 ranks; SPOROS_MPI_DEVICE_MEMORY=yes (not in mode protect) makes messages go
#                 straight from and to memory of the device
#   --devices     only tests/devices, on two devices; KOKKOS: a clone of Kokkos 4.4 or newer, as older ones use one device
#   --build-only  does not run them
#   --look        compiles the device code of all, as nvcc does, but without PTX, which finds host functions in kernels, and nothing else
#   --newest      with --look: with the headers of Kokkos 5 instead of 3.4.1
# Modes (default: all): plain; race: races in shared and global memory; init: reads of what nothing wrote, and strict
# rules for barriers and masks; lazy: kernels and copies run when something waits for their stream, so that a missing
# fence shows; protect: the host has no access to memory of the device; random:SEED: blocks, warps and lanes in a random
# order (default seeds: 1 2 3).
# Logs and the table are in build/cuda-on-cpu.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
[ -z "${CUDA_ROOT:-}" ] || export PATH=$CUDA_ROOT/bin:$PATH
unset Kokkos_ROOT Kokkos_DIR # the one that bootstrap.sh --cuda builds
# shellcheck source=tests/device_on_cpu/modes.sh
. tests/device_on_cpu/modes.sh

only=all
run=yes
look=no
newest=()
clone=()
modes=()
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) sed -n '4,21s/^# \{0,1\}//p' "$0"; exit 0 ;;
    --every | --mpi) only=${1#--} ;;
    --devices) only=devices; shift; clone=(--kokkos "${1:?cuda.sh: --devices needs a clone of Kokkos}") ;;
    --build-only) run=no ;;
    --look) look=yes ;;
    --newest) newest=(--kokkos 5) ;;
    *) if is_mode "$1"; then modes+=("$1"); else echo "cuda.sh: unknown argument $1" >&2; exit 2; fi ;;
  esac
  shift
done
use_all_cores
build=build/cuda-on-cpu
configure=(cmake --preset cuda-on-cpu)
if [ $only = devices ]; then
  build=build/cuda-on-cpu-clone
  deps=$PWD/build/deps-cuda-clone
  configure+=(-B $build "-DCMAKE_PREFIX_PATH=$deps" "-DCMAKE_CXX_COMPILER=$deps/bin/nvcc_wrapper")
fi

if [ $look = yes ]; then
  build=build/cuda-look${newest[*]:+-newest}
  configure+=(-B $build -DCMAKE_EXPORT_COMPILE_COMMANDS=ON -DSporos_UNITY_BUILD=ON) # most of the time of a small file goes to headers
fi
if [ ${#newest[@]} -gt 0 ]; then
  [ $look = yes ] || { echo "cuda.sh: --newest is for --look" >&2; exit 2; }
  deps=$PWD/build/deps-cuda5
  configure+=("-DKokkos_ROOT=$deps" "-DCMAKE_CXX_COMPILER=$deps/bin/nvcc_wrapper")
fi
bash cmake/bootstrap.sh --cuda "${clone[@]}" "${newest[@]}"

# Of the commands of nvcc only those that make device code, and of them (-lto) not what optimises it and makes PTX, which takes two
# thirds of the time. The file with the identifier of the module is made by others.
look_at() { # look_at NUMBER/OF COMMAND
  local folder status=0
  folder=$(mktemp -d)
  echo "[$1] ${2##* }"
  TMPDIR=$folder bash -c "$2 --dryrun" 2>&1 | sed -n 's/^#\$ //p' |
    grep -E '^(CICC_)?PATH=|-D__CUDA_ARCH__=.* -E -x c\+\+ |^"\$CICC_PATH/cicc"' | sed 's,^"\$CICC_PATH/cicc",& -lto,' >"$folder/device"
  echo look >"$(sed -nE 's/.*--module_id_file_name "([^"]*)".*/\1/p' "$folder/device")" && sh -e "$folder/device" || status=1
  rm -r "$folder"
  return $status
}
if [ $look = yes ]; then
  "${configure[@]}"
  export -f look_at
  sed -nE 's/^ *"command": "(.*)",?$/\1/p' $build/compile_commands.json |
    grep -E '(/tests/((core|algorithms|cufft|readme)/|mpi/transfer\.cpp)|/sporos_test_(core|algorithms|cufft|readme)(_O[1-3])?\.dir/Unity/[a-z_0-9]*\.cxx$|/examples/[a-z_]*\.cpp)' |
    sed -E 's/\\(.)/\1/g' >$build/commands
  awk -v all="$(wc -l <$build/commands)" '{ print NR "/" all; print }' $build/commands |
    xargs -P "$CMAKE_BUILD_PARALLEL_LEVEL" -d '\n' -n 2 bash -c 'look_at "$0" "$1"'
  exit 0
fi

cmake -S tests/cuda_on_cpu -B build/cuda_on_cpu -DCMAKE_BUILD_TYPE=Release
cmake --build build/cuda_on_cpu
"${configure[@]}"
targets=(sporos_test_device)
selection=(-R '^device/')
if [ $only = mpi ]; then
  targets=(sporos_test_mpi_all)
  selection=(-R '^mpi/.*/[23]$' -E '^mpi/devices/')
elif [ $only = devices ]; then
  targets=(sporos_test_devices)
  selection=(-R '^(devices|mpi/devices)/')
  if [ -d $build/tests/mpi/CMakeFiles/sporos_test_mpi_main.dir ]; then targets+=(sporos_test_mpi_devices); fi
elif [ $only = all ]; then
  targets+=(sporos_test_core sporos_test_algorithms sporos_core_repeat_engine)
  targets+=(sporos_algorithms_repeat_{particle_grid,mesh_loop,correlate} sporos_readme_{embed,mesh,correlate})
  selection=(-R '^(device|core|algorithms|cufft)/|^readme/(embed|mesh|correlate)$')
  # where FFTW was found: cuFFT itself cannot run
  if grep -q correlate_cufft $build/tests/cufft/CTestTestfile.cmake; then targets+=(sporos_test_cufft); fi
fi
cmake --build $build --target "${targets[@]}"
[ $run = yes ] || exit 0

run_modes CUDA $build "${selection[@]}"
