#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Builds the programs of perf/gpu.sh, which reads this file; $folder is where they go.

limit_mb=50 # of a folder that travels with the clone

programs=(sporos_test_device bench_particle_grid bench_mesh bench_correlation bench_matrix sporos_test_mpi_all)
mpi_program=sporos_test_mpi_all

find_kokkos() { # sets kokkos
  kokkos=${Kokkos_ROOT:-$PWD/build/deps-cuda}
  [ -n "${Kokkos_ROOT:-}" ] || bash cmake/bootstrap.sh --cuda >&2
  unset Kokkos_ROOT Kokkos_DIR
  [ -x "$kokkos/bin/nvcc_wrapper" ] || { echo "gpu.sh: no bin/nvcc_wrapper in $kokkos" >&2; exit 1; }
}

# Another Kokkos or other architectures: everything is compiled anew.
begin_build() { # begin_build FOLDER WHAT...
  [ "$(cat "$1/key" 2>/dev/null)" = "${*:2}" ] || rm -rf "$1"
  mkdir -p "$1"
  echo "${*:2}" >"$1/key"
}

# A compiler that makes code for these architectures instead of those that Kokkos was built for, and compresses it.
make_compiler() { # make_compiler FOLDER ARCH...: sets compiler
  local lowest code small=''
  compiler=$1/nvcc_wrapper
  lowest=$(printf '%s\n' "${@:2}" | sort -n | head -n 1)
  code=$(printf ',sm_%s' "${@:2}")
  if [[ $(nvcc --help 2>/dev/null) == *--compress-mode* ]]; then small=' -compress-mode=size'; fi
  sed -E "s/ -no-compress//; s/^cuda_args=\"([^\"]*)\"/cuda_args=\"\1$small\"/" "$kokkos/bin/nvcc_wrapper" >"$compiler.kokkos"
  cat >"$compiler" <<END
#!/usr/bin/env bash
arguments=()
for argument; do
  case \$argument in -arch=* | -gencode=*) ;; *) arguments+=("\$argument") ;; esac
done
exec bash "$compiler.kokkos" "\${arguments[@]}" -arch=compute_$lowest -code=compute_$lowest$code
END
  chmod +x "$compiler"
}

# Programs for another machine load as little as possible: no pictures, no libraries of peers on hosts.
configure() { # configure BUILD-FOLDER OPTION...
  if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
  cmake --preset cuda -B "$1" -DCMAKE_CXX_COMPILER="$compiler" -DKokkos_ROOT="$kokkos" -DCMAKE_CXX_EXTENSIONS=OFF \
    -DCMAKE_DISABLE_PRECOMPILE_HEADERS=ON -DCMAKE_DISABLE_FIND_PACKAGE_PNG=ON -DCMAKE_DISABLE_FIND_PACKAGE_TIFF=ON \
    -DCMAKE_DISABLE_FIND_PACKAGE_PkgConfig=ON -DCMAKE_DISABLE_FIND_PACKAGE_KokkosKernels=ON -DSporos_CAIRO_INCLUDE_DIR=/none/include \
    -DSporos_ENABLE_NATIVE=OFF -DSporos_ENABLE_METIS=OFF -DSporos_ENABLE_FFTW=OFF -DSporos_ENABLE_HDF5=OFF -DSporos_ENABLE_PTSCOTCH=OFF \
    -DSporos_UNITY_BUILD=ON -DSporos_TEST_EXECUTION_SPACES=Cuda -DSporos_TEST_REDUCED=ON \
    '-DSporos_TEST_SOURCES=device/every_.*|mpi/(transfer|mesh_loops)' "${@:2}"
}

# Programs with MPI have a build of their own, as the others must run where there is none.
build_programs() { # build_programs BUILD-FOLDER OPTION...: those that are missing; what cannot be built is named
  local program build target option missing=0
  for program in "${programs[@]}"; do
    [ ! -x "$folder/bin/$program" ] || continue
    build=$1/main target=sporos_$program option=-DSporos_ENABLE_MPI=OFF
    [[ $program == bench_* ]] || target=$program
    if [ "$program" = "$mpi_program" ]; then
      command -v mpicxx >/dev/null || continue
      build=$1/mpi option=-DSporos_ENABLE_PERF=OFF
    fi
    if [ ! -e "$build/configured" ] && configure "$build" $option "${@:2}"; then touch "$build/configured"; fi
    if cmake --build "$build" --target "$target"; then
      strip -o "$folder/bin/$program" "$(find "$build" -type f -name "$program" -perm -u+x | head -n 1)"
    else
      echo "gpu.sh: $program was not built" >&2
      missing=1
    fi
  done
  return $missing
}

toolkit() { # the folder of the CUDA toolkit
  if command -v nvcc >/dev/null; then dirname "$(dirname "$(readlink -f "$(command -v nvcc)")")"; else echo /usr/local/cuda; fi
}

# What programs load goes along, but for the C library, the driver and cuFFT, which is in the toolkit and large.
carry() { # carry FOLDER FILE...: the libraries of these programs and libraries
  local file
  mkdir -p "$1"
  for file in "${@:2}"; do
    [ ! -e "$file" ] || LD_LIBRARY_PATH=$(toolkit)/lib64 ldd "$file"
  done | sed -nE 's/.*=> (\/[^ ]*) .*/\1/p' | sort -u |
    sed -E '\,/(ld-linux[^/]*|lib(c|m|dl|rt|pthread|cuda|cufft|nvidia-[^/]*)\.so[^/]*)$,d' | xargs -r cp -L -t "$1"
}

# Open MPI goes along for ranks on one machine: without plugins for networks, of which some need large libraries.
carry_mpi() {
  local plugins
  rm -rf "$folder/mpi"
  if [ ! -x "$folder/bin/$mpi_program" ] || ! command -v ompi_info >/dev/null || ! command -v orterun >/dev/null; then return 0; fi
  plugins=$(ompi_info --path pkglibdir --parsable | sed -n 's/^path:pkglibdir://p')
  mkdir -p "$folder/mpi/plugins"
  cp -L "$(command -v orterun)" "$folder/mpi/mpiexec"
  find "$plugins" -name 'mca_*.so' | grep -vE '_(ofi|openib|psm2?|ucx|monitoring)\.so$' | xargs -r cp -L -t "$folder/mpi/plugins"
  carry "$folder/mpi/lib" "$folder/mpi/mpiexec" "$folder/bin/$mpi_program" "$folder"/mpi/plugins/*
}

# cuFFT as programs call it, of this version: libcufft.so.12
cufft_name() { readelf -d "$folder"/bin/* 2>/dev/null | sed -nE '/NEEDED/s/.*\[(libcufft\.so\.[0-9]+)\]$/\1/p' | head -n 1; }

write_built() { # write_built ARCH...: where the programs are from
  local commit
  commit=$(git describe --always --dirty 2>/dev/null || echo unknown)
  printf 'commit=%s\ncuda=%s\ncufft=%s\narchitectures=%s\ncompiler=%s\n' "$commit" \
    "$(nvcc --version | sed -nE 's/.*release ([0-9.]+),.*/\1/p')" "$(cufft_name)" "$*" "$(g++ --version | head -n 1)" >"$folder/built"
}

prepare() { # prepare ARCH...: anew
  local size status=0
  command -v nvcc >/dev/null || { echo "gpu.sh: there is no nvcc in PATH, and CUDA_ROOT does not name its folder" >&2; exit 1; }
  find_kokkos
  begin_build "$folder-build" "$kokkos" "$@"
  make_compiler "$folder-build" "$@"
  rm -f "$folder"/bin/* "$folder"/lib/*
  build_programs "$folder-build" || status=1
  carry "$folder/lib" "$folder"/bin/sporos_test_device "$folder"/bin/bench_*
  carry_mpi
  write_built "$@"
  size=$(du -cm "$folder"/{bin,lib,mpi} 2>/dev/null | tail -n 1 | cut -f 1)
  du -k "$folder"/bin/* | sort -n
  echo "$folder: $size MB"
  [ "$size" -lt $limit_mb ] || { echo "gpu.sh: more than $limit_mb MB" >&2; status=1; }
  return $status
}

build_missing() { # for the GPU of this machine
  local program missing='' arch
  for program in "${programs[@]}"; do
    if [ ! -x "$folder/bin/$program" ] && { [ "$program" != "$mpi_program" ] || command -v mpicxx >/dev/null; }; then missing="$missing $program"; fi
  done
  [ -n "$missing" ] || return 0
  if ! command -v nvcc >/dev/null || ! command -v cmake >/dev/null; then
    echo "gpu.sh: there is no nvcc or no CMake to build$missing: steps without a program are left out" >&2
    return 0
  fi
  if [ -e "$folder/built" ]; then arch=$(sed -n 's/^architectures=//p' "$folder/built"); else
    arch=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader -i 0 2>/dev/null | tr -d .) ||
      { echo "gpu.sh: nvidia-smi names no GPU to build$missing for" >&2; return 0; }
  fi
  find_kokkos
  begin_build "$folder-build" "$kokkos $arch"
  # shellcheck disable=SC2086
  make_compiler "$folder-build" $arch
  build_programs "$folder-build" || true
  # shellcheck disable=SC2086
  write_built $arch
}

# PTX alone, as the executor reads it. In place of cuFFT, which is machine code, comes the stand-in of its tests.
build_for_executor() {
  local cufft emulator=$PWD/build/cuda_on_cpu
  unset Kokkos_ROOT Kokkos_DIR
  find_kokkos
  compiler=$kokkos/bin/nvcc_wrapper
  cmake -S tests/cuda_on_cpu -B build/cuda_on_cpu -DCMAKE_BUILD_TYPE=Release
  cmake --build build/cuda_on_cpu --target cudart cuda
  begin_build "$folder-build" "$kokkos"
  rm -f "$folder"/bin/* "$folder"/lib/*
  build_programs "$folder-build" '-DCMAKE_CXX_FLAGS_RELEASE=-O0 -DNDEBUG' "-DSporos_TEST_EMULATOR=$emulator" || true
  write_built "PTX for 75"
  ln -sf "$emulator"/lib/* "$folder/lib/"
  carry_mpi
  cufft=$(cufft_name)
  [ -z "$cufft" ] ||
    g++ -std=c++17 -O1 -shared -fPIC -I"$(toolkit)/include" tests/cufft/cufft_stand_in.cpp -o "$folder/lib/$cufft" -lfftw3 -ldl
}
