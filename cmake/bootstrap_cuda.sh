#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The part of bootstrap.sh that builds Kokkos 3.4.1, or a clone of a newer one, with CUDA and Serial, without a GPU.
# bootstrap.sh --cuda reads this file and calls build_cuda. What is compiled with this Kokkos holds PTX for compute capability 7.5 and uses the shared
# CUDA runtime, so that tests/cuda_on_cpu can run it. To run on a GPU, build Kokkos for its architecture instead.

mend() { # mend FILE SED-EXPRESSION: fails if nothing changes, as the source then is not the one expected
  cp "$1" "$1.before"
  sed -i -E "$2" "$1"
  ! cmp -s "$1" "$1.before" || fail "there is nothing to change in $1 by $2"
  rm "$1.before"
}

mend_for_ptx() { # mend_for_ptx FOLDER: PTX for the oldest processor that CUDA 13 knows
  mend "$1/cmake/kokkos_arch.cmake" 's/\(TURING75 +sm_75\)/(TURING75 compute_75)/'
  mend "$1/bin/nvcc_wrapper" 's/^default_arch=.*/default_arch="compute_75"/'
  mend "$1/bin/nvcc_wrapper" 's/^cuda_args=""/cuda_args="-cudart shared -no-compress"/'
}

# Kokkos 4.4 and newer: arguments that CUDA 13 added, where Kokkos does not know of them.
mend_newer() { # mend_newer FOLDER MAJOR-VERSION-OF-CUDA
  mend_for_ptx "$1"
  [ "$2" -lt 13 ] || sed -i -E "$1/core/src/Cuda/Kokkos_Cuda_Instance.hpp" \
    -e 's/(return cudaGraphAddDependencies\(graph, from, to), numDependencies\)/\1, nullptr, numDependencies)/' \
    -e 's/(return cudaMemPrefetchAsync\(devPtr, count), dstDevice,/\1, cudaMemLocation{cudaMemLocationTypeDevice, dstDevice}, 0,/'
}

# Kokkos 3.4.1 is older than CUDA 12 and 13.
mend_for_cuda() { # mend_for_cuda FOLDER MAJOR-VERSION-OF-CUDA
  local source=$1 cuda_version=$2
  mend_for_ptx "$source"
  # Code for half precision that no newer CUDA compiles; the branch before it serves all of them.
  mend "$source/core/src/Cuda/Kokkos_Cuda_Half.hpp" 's/^#if \(CUDA_VERSION < 11100\)/#if 1/'
  # Threads of a warp read values that their neighbours overwrite in the same step of a reduction; lanes of a warp do not
  # run in step since compute capability 7.0. With a __syncwarp between, sums are right.
  local reduce=$source/core/src/Cuda/Kokkos_Cuda_ReduceScan.hpp
  mend "$reduce" 's/^( *)const int lane_id = \(threadIdx.y \* blockDim.x \+ threadIdx.x\) % 32;$/&\n\1KOKKOS_IMPL_CUDA_SYNCWARP;/'
  mend "$reduce" 's/^( *)if \(lane_id \+ delta < 32\) \{$/\1const bool joins = lane_id % width + delta < width;\n\1const Scalar other = *(joins ? value + delta : value);\n\1KOKKOS_IMPL_CUDA_SYNCWARP;\n\1if (joins) {/'
  mend "$reduce" 's/ValueJoin::join\(functor, value, value \+ delta\)/ValueJoin::join(functor, value, \&other)/'
  # ... and take the sum of the first lane, also lanes beyond the width that the steps before joined.
  mend "$reduce" 's/^( *)\*value = \*\(value - lane_id\);$/\1KOKKOS_IMPL_CUDA_SYNCWARP;\n&\n\1KOKKOS_IMPL_CUDA_SYNCWARP;/'
  # ... and the sums of the warps, of which nvcc loads four words where they have three: the last is of the next lane.
  mend "$reduce" 's/^( *)if \(delta < blockDim.x \* blockDim.y\)$/\1const bool joins = delta < blockDim.x * blockDim.y;\n\1const Scalar other = shared_team_buffer_element[joins ? delta : 0];\n\1KOKKOS_IMPL_CUDA_SYNCWARP;\n\1if (joins)/'
  mend "$reduce" 's/^( *\*my_shared_team_buffer_element =) shared_team_buffer_element\[delta\];$/\1 other;/'
  # ... and results of up to 32 words are read after one thread wrote them, without a barrier.
  mend "$source/core/src/Cuda/Kokkos_Cuda_Parallel.hpp" 's/if \(CudaTraits::WarpSize < word_count.value\) \{/if (word_count.value > 0) {/'
  [ "$cuda_version" -ge 13 ] || return 0
  # Arguments that CUDA 13 added.
  mend "$source/core/src/Cuda/Kokkos_CudaSpace.cpp" \
    's/(cudaMemPrefetchAsync\(ptr, bytes), (space\.cuda_device\(\)),/\1, (cudaMemLocation{cudaMemLocationTypeDevice, \2}), 0,/'
  mend "$source/core/src/Cuda/Kokkos_Cuda_Graph_Impl.hpp" \
    's/(cudaGraphAddDependencies\(m_graph, &pred_cuda_node, &cuda_node), 1\)/\1, nullptr, 1)/'
}

cuda_major() { # the major version of nvcc, empty if there is none
  nvcc --version 2>/dev/null | sed -nE 's/.*release ([0-9]+)\..*/\1/p'
}

build_cuda() {
  [ -z "${CUDA_ROOT:-}" ] || export PATH=$CUDA_ROOT/bin:$PATH
  local cuda_version kokkos key standard=17 source=$state/source/kokkos
  cuda_version=$(cuda_major)
  # Another nvcc, or another version of these changes: Kokkos is built anew.
  key="$cuda_version $(cksum <"$repo/cmake/bootstrap_cuda.sh")"
  if [ -n "$clone" ]; then
    [ -f "$clone/CHANGELOG.md" ] || fail "there is no Kokkos in $clone"
    key="$key $(cksum <"$clone/CHANGELOG.md")"
  fi
  if [ "$(cat "$state/cuda.key" 2>/dev/null)" != "$key" ]; then
    rm -rf "$state/cuda.ok" "$state/source" "$state/build-kokkos"
    echo "$key" >"$state/cuda.key"
  fi
  if [ -e "$state/cuda.ok" ]; then
    say "Kokkos $(cat "$state/cuda.ok") is in $prefix"
    return
  fi
  [ -n "$cuda_version" ] || fail "there is no nvcc in PATH, and CUDA_ROOT does not name its folder. Install the CUDA toolkit 12 or 13."
  # A source whose changes were interrupted is unpacked again.
  [ -e "$source/mended" ] || rm -rf "$state/source"
  if [ -n "$clone" ]; then
    mkdir -p "$source"
    [ -e "$source/mended" ] || tar -C "$clone" --exclude=.git --exclude=./build -cf - . | tar -C "$source" -xf -
  else
    command -v apt-get >/dev/null || fail "there is no apt-get here to take Kokkos from"
    unpack_source
  fi
  kokkos=$(source_version kokkos Kokkos)
  if [ -n "$clone" ]; then
    version_at_least "$kokkos" 4.4 || fail "--kokkos takes Kokkos 4.4 or newer; in $clone is ${kokkos:-none}"
    ! version_at_least "$kokkos" 5 || standard=20
  else
    case $kokkos in 3.4.1 | 3.4.01) ;; *) fail "the machine's trilinos holds Kokkos $kokkos; the changes for CUDA are for 3.4.1" ;; esac
  fi
  if [ ! -e "$source/mended" ]; then
    if [ -n "$clone" ]; then mend_newer "$source" "$cuda_version"; else mend_for_cuda "$source" "$cuda_version"; fi
    touch "$source/mended"
  fi
  # The compiler stands where it stays, because the installed CMake files name it.
  mkdir -p "$prefix/bin" && cp "$source/bin/nvcc_wrapper" "$prefix/bin/"
  local arguments=(-DCMAKE_CXX_STANDARD=$standard -DCMAKE_CXX_EXTENSIONS=OFF -DKokkos_ENABLE_CUDA=ON -DKokkos_ENABLE_SERIAL=ON
    -DKokkos_ARCH_TURING75=ON -DKokkos_ENABLE_TESTS=OFF)
  # What newer ones refuse, or do by themselves.
  [ -n "$clone" ] || arguments+=(-DKokkos_CXX_STANDARD=17 -DKokkos_ENABLE_CUDA_LAMBDA=ON)
  build kokkos -DCMAKE_CXX_COMPILER="$prefix/bin/nvcc_wrapper" "${arguments[@]}"
  echo "$kokkos (CUDA $cuda_version;SERIAL)" >"$state/cuda.ok"
  rm -rf "$state/source" "$state/download" "$state/apt"
  say "Kokkos $(cat "$state/cuda.ok") is in $prefix"
}
