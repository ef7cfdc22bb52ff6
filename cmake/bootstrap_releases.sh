#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# The part of bootstrap.sh that lays out newer Kokkos than the machine's release of Debian has, out of packages of Debian's development
# release, in the prefix alone: bootstrap.sh --kokkos and --hip read this file and call one of the functions lay_out_*.

suite_apt() { # suite_apt SUITE: sets apt, the options of apt-get and apt-cache for that release of Debian alone
  local folder=$state/apt-$1 site
  # The archive that apt uses already.
  site=$(apt-get indextargets --format '$(SITE)' 'Created-By: Packages' </dev/null | grep -m 1 '/debian/*$') ||
    fail "apt's sources name no archive of Debian, of which a newer Kokkos could be taken"
  mkdir -p "$folder/lists/partial" "$folder/cache/archives/partial"
  echo "deb [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] $site $1 main" >"$folder/sources.list"
  apt=(-o "Dir::Etc::sourcelist=$folder/sources.list" -o Dir::Etc::sourceparts=/dev/null -o "Dir::State::lists=$folder/lists"
    -o "Dir::Cache=$folder/cache" -o Acquire::Languages=none -o Acquire::Retries=3 -q)
  [ "$(id -u)" -ne 0 ] || apt+=(-o APT::Sandbox::User=root)
  [ -e "$folder/read" ] || apt-get "${apt[@]}" update </dev/null >"$state/update-$1.log" 2>&1 ||
    fail "the list of packages of $1 cannot be had: is there a network (a proxy to be set for apt?)" "$state/update-$1.log"
  touch "$folder/read"
}

unpack_packages() { # unpack_packages SUITE FOLDER PACKAGE...: what they hold under /usr, in FOLDER
  local suite=$1 folder=$2 apt=() package
  shift 2
  suite_apt "$suite"
  say "taking $* from $suite"
  rm -rf "$state/packages"
  mkdir -p "$state/packages" "$folder"
  (cd "$state/packages" && apt-get "${apt[@]}" download "$@" </dev/null) >"$state/packages.log" 2>&1 ||
    fail "the packages $* cannot be had from $suite" "$state/packages.log"
  for package in "$state/packages"/*.deb; do dpkg -x "$package" "$state/packages/root"; done
  cp -a "$state/packages/root/usr/." "$folder/"
  rm -rf "$state/packages"
}

dependency() { # dependency SUITE PACKAGE PATTERN: the first package on which it depends
  local apt=()
  suite_apt "$1"
  apt-cache "${apt[@]}" depends "$2" </dev/null | grep -oE "$3" | head -n 1
}

laid_out() { # is it in the prefix already? else clears what an interrupted try left there
  if [ -e "$state/laid_out.ok" ]; then
    say "$(cat "$state/laid_out.ok") is in $prefix"
    return 0
  fi
  find "$prefix" -mindepth 1 -maxdepth 1 ! -name .sporos -exec rm -rf {} +
  return 1
}

config_of() { # config_of FOLDER: sets config, the folder of Kokkos' CMake files there, and header, its header of options
  config=$(dirname "$(find "$1" -name KokkosTargets.cmake | head -n 1)")
  header=$(find "$1" -name KokkosCore_config.h | head -n 1)
  [ -d "$config" ] && [ -n "$header" ] || fail "the packages hold no CMake files of Kokkos"
  sed -i 's,"/usr/include,"${_IMPORT_PREFIX}/include,' "$config/KokkosTargets.cmake"
  version=$(sed -nE 's/^#define KOKKOS_VERSION ([0-9]+).*/\1/p' "$header")
  version=$((version / 10000)).$((version / 100 % 100)).$((version % 100))
}

# Kokkos 4 with Serial, of Trilinos' packages, or 5 with OpenMP. Both need a newer C library than the machine has: programs find it
# through the link options of Kokkos' targets, so that projects need none of their own.
lay_out_kokkos() { # lay_out_kokkos 4|5
  local package=libkokkos-dev runtime config header version archive loader
  laid_out && return
  command -v apt-get >/dev/null || fail "there is no apt-get here to take Kokkos from"
  [ "$1" -eq 5 ] || package=libtrilinos-kokkos-dev
  runtime=$(dependency sid $package 'lib(kokkos[0-9]|trilinos-kokkos-[0-9])[.0-9]*') || fail "there is no $package"
  unpack_packages sid "$prefix" $package "$runtime"
  unpack_packages sid "$prefix/runtime" libc6 libstdc++6 libgomp1 libgcc-s1
  config_of "$prefix"
  [ "${version%%.*}" -eq "$1" ] || fail "Debian's development release has Kokkos $version now, not $1"
  # The packages lack static libraries that their own CMake files name, and that hold nothing.
  for archive in $(grep -ohE 'libkokkos[a-z]+\.a' "$config"/*.cmake | sort -u); do
    [ -e "$config/../../$archive" ] || ar crs "$config/../../$archive"
  done
  loader=$(find "$prefix/runtime" -name 'ld-linux*.so.*' | head -n 1)
  cat >>"$config/KokkosConfigCommon.cmake" <<END
set_property(TARGET Kokkos::kokkoscore APPEND PROPERTY INTERFACE_LINK_OPTIONS -Wl,--allow-shlib-undefined
             -Wl,--dynamic-linker=$loader -Wl,-rpath,$(dirname "$loader"))
END
  probe "$state/laid_out.log" -DKokkos_ROOT="$prefix" ||
    fail "a probe project does not configure, link and run with Kokkos $version" "$state/laid_out.log"
  rm -rf "$state"/apt-*
  echo "Kokkos $version ($devices)" >"$state/laid_out.ok"
  say "Kokkos $version ($devices) is in $prefix"
}

switch_on() { # switch_on FILE MACRO...: in a header of options of Kokkos
  local macro file=$1
  shift
  for macro in "$@"; do
    sed -i "s,^/\* #undef $macro \*/,#define $macro," "$file"
    grep -q "^#define $macro\$" "$file" || fail "there is no $macro to switch on in $file"
  done
}

# Headers and CMake files of Kokkos with OpenMP become those of Kokkos with Serial and a device; its libraries become empty files.
switch_device() { # switch_device CUDA|HIP
  local folder library name=$1
  folder=$(dirname "$header")
  [ "$1" = HIP ] || name=Cuda
  sed -i 's,^#define KOKKOS_ENABLE_OPENMP$,/* no OpenMP */,' "$header"
  switch_on "$header" KOKKOS_ENABLE_SERIAL KOKKOS_ENABLE_$1
  switch_on "$folder/desul/atomics/Config.hpp" DESUL_ATOMICS_ENABLE_$1
  printf '#include <fwd/Kokkos_Fwd_%s.hpp>\n' SERIAL $1 >"$folder/KokkosCore_Config_FwdBackend.hpp"
  printf '#include <decl/Kokkos_Declare_%s.hpp>\n' SERIAL $1 >"$folder/KokkosCore_Config_DeclareBackend.hpp"
  printf '#include <setup/Kokkos_Setup_%s.hpp>\n' $name >"$folder/KokkosCore_Config_SetupBackend.hpp"
  for library in $(grep -ohE 'libkokkos[a-z]+\.(a|so[.0-9]*)' "$config"/*.cmake | sort -u); do
    rm -f "$config/../../$library"
    touch "$config/../../$library"
  done
  sed -i '/^FIND_DEPENDENCY(OpenMP/d' "$config/KokkosConfig.cmake"
  sed -i 's/"OpenMP::OpenMP_CXX;/"/' "$config/KokkosTargets.cmake"
  sed -i "s/^set(Kokkos_DEVICES .*/set(Kokkos_DEVICES $1 SERIAL)/" "$config/KokkosConfigCommon.cmake"
}

# Headers of Kokkos 5 with HIP and Serial, those of HIP and hipFFT, device libraries, and clang 19 as bin/clang++. The
# architecture is that of the CMake variable Sporos_HIP_ARCHITECTURE, gfx90a by default. There are no libraries to link.
lay_out_hip() {
  local config header version here
  laid_out && return
  command -v apt-get >/dev/null || fail "there is no apt-get here to take HIP from"
  # shellcheck disable=SC1091
  here=$(. /etc/os-release && echo "$VERSION_CODENAME")
  unpack_packages "$here" "$prefix/clang" clang-19 libclang-cpp19 libllvm19 libclang-common-19-dev
  unpack_packages trixie "$prefix/rocm" rocm-device-libs-17
  unpack_packages sid "$prefix" libamdhip64-dev libhipfft-dev libkokkos-dev
  mkdir -p "$prefix/bin"
  cat >"$prefix/bin/clang++" <<END
#!/bin/sh
LD_LIBRARY_PATH=$(dirname "$(find "$prefix/clang/lib" -name 'libLLVM*.so*' ! -type l | head -n 1)"):$prefix/clang/lib/llvm-19/lib \
  exec $prefix/clang/lib/llvm-19/bin/clang++ "\$@"
END
  chmod +x "$prefix/bin/clang++"
  "$prefix/bin/clang++" --version >"$state/clang.log" 2>&1 || fail "clang 19 does not run here" "$state/clang.log"

  config_of "$prefix"
  switch_device HIP
  local library
  library=$(find "$prefix/lib" -name libhipfft.so) # which points at the library of another package
  rm "$library"
  touch "$library"
  cat >>"$config/KokkosConfigCommon.cmake" <<END
if(NOT Sporos_HIP_ARCHITECTURE)
  set(Sporos_HIP_ARCHITECTURE gfx90a)
endif()
string(TOUPPER \${Sporos_HIP_ARCHITECTURE} _kokkos_architecture)
set_property(TARGET Kokkos::kokkoscore APPEND PROPERTY INTERFACE_COMPILE_DEFINITIONS KOKKOS_ARCH_AMD_\${_kokkos_architecture}
             KOKKOS_ARCH_AMD_GPU="\${Sporos_HIP_ARCHITECTURE}")
set_property(TARGET Kokkos::kokkoscore APPEND PROPERTY INTERFACE_COMPILE_OPTIONS "SHELL:-x hip" --offload-arch=\${Sporos_HIP_ARCHITECTURE}
             --rocm-path=$prefix --rocm-device-lib-path=$(find "$prefix/rocm" -type d -path '*amdgcn/bitcode' | head -n 1)
             --hip-version=6.4 -fno-gpu-rdc "SHELL:-isystem $prefix/include")
END
  rm -rf "$state"/apt-*
  echo "Kokkos $version (HIP, headers alone)" >"$state/laid_out.ok"
  say "Kokkos $version (HIP, headers alone) and clang 19 are in $prefix"
}

make_nvcc_wrapper() {
  mkdir -p "$prefix/bin"
  # What nvcc does not know goes to the compiler of the host, which also links, and tells CMake of itself.
  cat >"$prefix/bin/nvcc_wrapper" <<'END'
#!/usr/bin/env bash
arguments=() cuda=() host=()
while [ $# -gt 0 ]; do
  case $1 in
    -Xcudafe) arguments+=("$1" "$2"); shift 2; continue ;;
    -lineinfo) shift; continue ;;
    -o) arguments+=("$1" "$2"); host+=("$1"); shift ;;
    -W* | -f* | -pedantic | -march=*) arguments+=(-Xcompiler "$1") ;;
    *.cpp | */Unity/*.cxx) arguments+=("$1"); case $1 in *CMakeCXXCompiler*) ;; *) cuda=(-x cu --extended-lambda -arch=compute_75) ;; esac ;;
    *) arguments+=("$1") ;;
  esac
  host+=("$1")
  shift
done
if [ ${#cuda[@]} -eq 0 ]; then exec g++ "${host[@]}"; fi
exec nvcc "${cuda[@]}" "${arguments[@]}"
END
  chmod +x "$prefix/bin/nvcc_wrapper"
}

# Headers of Kokkos 5 with CUDA and Serial, and a compiler bin/nvcc_wrapper for them. There are no libraries to link.
lay_out_cuda() {
  local config header version
  if laid_out; then make_nvcc_wrapper; return; fi # an older one may be there
  unpack_packages sid "$prefix" libkokkos-dev
  config_of "$prefix"
  switch_on "$header" KOKKOS_ARCH_TURING75
  switch_device CUDA
  make_nvcc_wrapper
  rm -rf "$state"/apt-*
  echo "Kokkos $version (CUDA, headers alone)" >"$state/laid_out.ok"
  say "Kokkos $version (CUDA, headers alone) is in $prefix"
}
