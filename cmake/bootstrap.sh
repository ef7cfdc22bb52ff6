#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Makes everything available that Sporos is built with; see usage() below. Debian and its relatives.
# Running it again costs seconds; after an interruption it goes on where it stopped.
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)

usage() {
  cat <<END
Usage: cmake/bootstrap.sh [--with-ci-tools] [--with-plots] [--from-source] [PREFIX]
       cmake/bootstrap.sh --cuda [--kokkos FOLDER] [PREFIX]
       cmake/bootstrap.sh --kokkos 4|5 [PREFIX]
       cmake/bootstrap.sh --cuda --kokkos 5 [PREFIX]
       cmake/bootstrap.sh --hip [--from-source] [PREFIX]
PREFIX: default build/deps, with --cuda build/deps-cuda, with a folder build/deps-cuda-clone, with --kokkos 4 build/deps-kokkos4,
with --cuda --kokkos 5 build/deps-cuda5, with --hip build/deps-hip, with --hip --from-source build/deps-hip-run, in the repository.

Installs the Debian packages that the tests and benchmarks need (as root; otherwise says which command to
run), then makes Kokkos and Kokkos Kernels available, the first of these that works:
  1. a Kokkos named through Kokkos_ROOT, Kokkos_DIR or CMAKE_PREFIX_PATH in the environment;
  2. the package libkokkos-dev with OpenMP, where the machine's archive offers one that can be linked;
  3. Kokkos and Kokkos Kernels out of Debian's source package of Trilinos, built with OpenMP and Serial
     and installed in PREFIX. The package sources come from apt's own settings; nothing system-wide changes.
--cuda builds Kokkos with CUDA and Serial from the same source package instead, for the preset cuda-on-cpu; it needs nvcc
(CUDA 12 or 13) in PATH, or CUDA_ROOT, but no GPU. With --kokkos it builds a copy of that clone of Kokkos 4.4 or newer.
--kokkos 4 and --kokkos 5 lay out the newest Kokkos 4 with Serial and the newest Kokkos 5 with OpenMP of Debian's development release,
with the C library that they need, in seconds: for tests, as -DKokkos_ROOT=PREFIX. With --cuda, --kokkos 5 lays out headers alone, with
CUDA: tests/cuda.sh --look compiles device code with them, and nothing links. --hip lays out the headers of Kokkos 5 with HIP and a
clang++ for AMD GPUs: tests/hip.sh compiles device code with them, and nothing links. --hip --from-source builds Kokkos 3.4.1 with HIP and
Serial, with the hipcc of Debian 12, for the preset hip-on-cpu; it needs no GPU.
--with-ci-tools also installs clang, clang-format, their runtime libraries, Doxygen and codespell; --with-plots installs matplotlib;
--from-source goes straight to 3.
CXX and CXXFLAGS choose the compiler. PREFIX/.sporos holds the logs.
END
}

ci_tools=no
plots=no
from_source=no
cuda=no
hip=no
clone=''
release=''
prefix=''
while [ $# -gt 0 ]; do
  case $1 in
    -h | --help) usage; exit 0 ;;
    --with-ci-tools) ci_tools=yes ;;
    --with-plots) plots=yes ;;
    --from-source) from_source=yes ;;
    --cuda) cuda=yes ;;
    --hip) hip=yes ;;
    --kokkos)
      shift
      case ${1:?bootstrap.sh: --kokkos needs 4, 5 or a folder} in
        [45]) release=$1 ;;
        *) clone=$(realpath "$1") ;;
      esac
      ;;
    -*) echo "bootstrap.sh: unknown option $1" >&2; usage >&2; exit 2 ;;
    *) prefix=$1 ;;
  esac
  shift
done
if [ "$cuda$release" = yes4 ]; then echo "bootstrap.sh: --cuda takes --kokkos 5 or a folder" >&2; exit 2; fi
default_prefix=$repo/build/deps
[ -z "$release" ] || default_prefix=$repo/build/deps-kokkos$release
if [ $hip = yes ]; then default_prefix=$repo/build/deps-hip; fi
if [ $hip$from_source = yesyes ]; then default_prefix=$repo/build/deps-hip-run; fi
[ $cuda = no ] || default_prefix=$repo/build/deps-cuda$release${clone:+-clone}
prefix=$(realpath -m "${prefix:-$default_prefix}")
state=$prefix/.sporos

minimum_kokkos=3.4
needed_mib=900 # the source package, what is unpacked of it, and the build
tool_packages="g++ cmake ninja-build git xz-utils python3"
library_packages="catch2 libbenchmark-dev libcli11-dev libcairo2-dev libpng-dev libtiff-dev libfftw3-dev libmetis-dev"
mpi_packages="libopenmpi-dev openmpi-bin libptscotch-dev libfftw3-mpi-dev libhdf5-openmpi-dev"
ci_packages="clang clang-format libclang-rt-dev libomp-dev doxygen codespell"

# ---- talking ---------------------------------------------------------------------------------------------

say() { printf -- '-- bootstrap: %s\n' "$*"; }

# fail MESSAGE [LOG]: the end of the log, then what went wrong and what to do.
fail() {
  trap - EXIT
  if [ -n "${2:-}" ] && [ -s "$2" ]; then
    { echo "---- the end of $2"; tail -n 25 "$2"; echo "----"; } >&2
  fi
  printf 'bootstrap.sh: %b\n' "$1" >&2
  exit 1
}

on_exit() {
  local status=$?
  [ $status -eq 0 ] || printf '\nbootstrap.sh: stopped (status %d); run the same command again and it goes on from here.\n' \
    $status >&2
}
trap on_exit EXIT
trap 'exit 130' INT
trap 'exit 143' TERM

version_at_least() { # version_at_least 3.4.1 3.4
  [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]
}

# ---- Debian packages -------------------------------------------------------------------------------------

is_installed() { [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]; }

# What a package is wanted for may be there without it, a compiler of the user's own for example.
is_provided() {
  case $1 in
    g++) command -v "${CXX:-g++}" ;;
    cmake | git | clang-format | doxygen) command -v "$1" ;;
    python3) bash "$repo/cmake/python.sh" ;;
    ninja-build) command -v ninja || command -v make ;;
    xz-utils) command -v xz ;;
    clang) command -v clang++ ;;
    libopenmpi-dev) command -v mpicxx ;;
    openmpi-bin) command -v mpiexec ;;
    python3-matplotlib) bash "$repo/cmake/python.sh" matplotlib ;;
    *) false ;;
  esac >/dev/null 2>&1 || is_installed "$1"
}

apt_install() { # apt_install LOG PACKAGE...
  local log=$1
  shift
  DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 \
    install --no-install-recommends "$@" </dev/null >"$log" 2>&1
}

install_packages() {
  local missing=() package log=$state/packages.log
  local wanted="$tool_packages $library_packages $mpi_packages"
  [ $ci_tools = no ] || wanted="$wanted $ci_packages"
  [ $plots = no ] || wanted="$wanted python3-matplotlib"
  for package in $wanted; do
    is_provided "$package" || missing+=("$package")
  done
  if [ ${#missing[@]} -eq 0 ]; then
    say "all packages are there"
    return
  fi
  local command="apt-get install --no-install-recommends ${missing[*]}"
  command -v apt-get >/dev/null || fail "these are missing: ${missing[*]}\n  (Debian's names; there is no apt-get here: \
install them with this machine's package manager and run this script again)"
  if [ "$(id -u)" -ne 0 ]; then
    fail "these packages are missing, and only root can install them. Run this, then this script again:\n\n  sudo $command\n"
  fi
  say "installing ${missing[*]}"
  if ! apt_install "$log" "${missing[@]}"; then
    say "refreshing the package lists"
    apt-get -q -o DPkg::Lock::Timeout=300 -o Acquire::Retries=3 update </dev/null >"$state/update.log" 2>&1 ||
      fail "apt-get update failed: is there a network, and are apt's sources right?" "$state/update.log"
    apt_install "$log" "${missing[@]}" ||
      fail "the packages could not be installed (no network? no disk space?). The command was\n  $command" "$log"
  fi
}

# ---- asking CMake about a Kokkos -------------------------------------------------------------------------

write_probe() { # a project that configures, links and runs with Kokkos, in $state/probe
  mkdir -p "$state/probe"
  cat >"$state/probe/CMakeLists.txt" <<'END'
cmake_minimum_required(VERSION 3.16)
project(probe CXX)
find_package(Kokkos REQUIRED ${WHERE})
find_package(KokkosKernels QUIET HINTS "${Kokkos_DIR}/../../.." ${WHERE})
add_executable(probe probe.cpp)
target_link_libraries(probe PRIVATE Kokkos::kokkos)
file(WRITE ${CMAKE_BINARY_DIR}/found
     "version='${Kokkos_VERSION}'\ndevices='${Kokkos_DEVICES}'\nkernels='${KokkosKernels_VERSION}'\nat='${Kokkos_DIR}'\n")
END
  cat >"$state/probe/probe.cpp" <<'END'
#include <Kokkos_Core.hpp>
int main(int argc, char** argv) {
  Kokkos::ScopeGuard guard(argc, argv);
  Kokkos::View<double*> x("probe", 100);
  Kokkos::deep_copy(x, 1.0);
  Kokkos::fence();
  return 0;
}
END
}

# probe LOG [CMAKE ARGUMENT...]: sets version, devices, kernels, at; false when that Kokkos is of no use.
probe() {
  local log=$1 build=$state/probe/build
  shift
  version='' devices='' kernels='' at=''
  write_probe
  rm -rf "$build"
  cmake -S "$state/probe" -B "$build" -DCMAKE_BUILD_TYPE=Release "$@" >"$log" 2>&1 </dev/null || return 1
  # shellcheck disable=SC1091
  . "$build/found"
  if ! version_at_least "$version" $minimum_kokkos; then
    echo "Kokkos $version is older than $minimum_kokkos" >>"$log"
    return 1
  fi
  cmake --build "$build" >>"$log" 2>&1 </dev/null && "$build/probe" >>"$log" 2>&1 </dev/null
}

describe_kernels() {
  if [ -n "$kernels" ]; then
    echo "Kokkos Kernels $kernels"
  else
    echo "no Kokkos Kernels (--from-source builds both)"
  fi
}

# ---- 1. the user's Kokkos --------------------------------------------------------------------------------

use_named_kokkos() {
  local named=${Kokkos_ROOT:-${Kokkos_DIR:-}} log=$state/named.log
  [ -n "$named${CMAKE_PREFIX_PATH:-}" ] || return 1
  local key="$named|${CMAKE_PREFIX_PATH:-}"
  if [ -e "$state/named.ok" ] && [ "$(head -n 1 "$state/named.ok")" = "$key" ]; then
    say "the Kokkos named in the environment: $(tail -n 1 "$state/named.ok")"
    return 0
  fi
  local arguments=()
  [ -z "${Kokkos_DIR:-}" ] || arguments=("-DKokkos_DIR=$Kokkos_DIR")
  # Only what the environment names counts here: a Kokkos of the system is looked at in the next step.
  if probe "$log" '-DWHERE=NO_CMAKE_SYSTEM_PATH;NO_SYSTEM_ENVIRONMENT_PATH;NO_CMAKE_PACKAGE_REGISTRY' "${arguments[@]}"; then
    local found="$version in $at; $(describe_kernels)"
    printf '%s\n%s\n' "$key" "$found" >"$state/named.ok"
    say "the Kokkos named in the environment: $found"
    return 0
  fi
  [ -z "$named" ] || fail "the environment names the Kokkos in $named, but a probe project does not configure, link and run \
with it.\n  Unset Kokkos_ROOT and Kokkos_DIR to use another." "$log"
  say "no Kokkos in CMAKE_PREFIX_PATH ($CMAKE_PREFIX_PATH)"
  return 1
}

# ---- 2. the packaged Kokkos ------------------------------------------------------------------------------

use_packaged_kokkos() {
  local log=$state/packaged.log candidate
  command -v apt-cache >/dev/null || return 1
  candidate=$(apt-cache policy libkokkos-dev 2>/dev/null </dev/null | sed -n 's/^ *Candidate: *//p')
  case $candidate in '' | '(none)') return 1 ;; esac
  if [ -e "$state/packaged.ok" ] && [ "$(head -n 1 "$state/packaged.ok")" = "$candidate" ] && is_installed libkokkos-dev; then
    say "the packaged Kokkos: $(tail -n 1 "$state/packaged.ok")"
    return 0
  fi
  # A package that was found wanting once is not asked again, unless it changes.
  if [ -e "$state/packaged.bad" ] && [ "$(cat "$state/packaged.bad")" = "$candidate" ]; then return 1; fi
  if ! is_installed libkokkos-dev; then
    if [ "$(id -u)" -ne 0 ]; then
      say "libkokkos-dev $candidate could be installed by root; going on without it"
      return 1
    fi
    say "installing libkokkos-dev $candidate"
    apt_install "$log" libkokkos-dev || { say "libkokkos-dev cannot be installed; going on without it"; return 1; }
  fi
  if probe "$log" '-DWHERE=NO_PACKAGE_ROOT_PATH;NO_CMAKE_ENVIRONMENT_PATH' && [[ ";$devices;" == *";OPENMP;"* ]]; then
    local found="$version in $at; $(describe_kernels)"
    printf '%s\n%s\n' "$candidate" "$found" >"$state/packaged.ok"
    say "the packaged Kokkos: $found"
    return 0
  fi
  printf '%s\n' "$candidate" >"$state/packaged.bad"
  say "libkokkos-dev $candidate has no OpenMP or does not link ($log); going on without it"
  return 1
}

# ---- 3. Kokkos out of the source package of Trilinos -----------------------------------------------------

require_disk() {
  local free
  free=$(df -Pm "$prefix" | awk 'NR == 2 { print $4 }')
  [ "$free" -ge $needed_mib ] || fail "$needed_mib MiB are needed in $prefix, $free MiB are free"
}

# apt's own sources as deb-src entries, in a private folder with private lists and caches.
private_apt_settings() { # private_apt_settings FOLDER
  local folder=$1 file list parts
  rm -rf "$folder/sources"
  mkdir -p "$folder/sources" "$folder/lists/partial" "$folder/cache/archives/partial"
  list='' parts=''
  eval "$(apt-config shell list Dir::Etc::sourcelist/f parts Dir::Etc::sourceparts/d)"
  for file in "$list" "$parts"/*.list; do
    [ -f "$file" ] || continue
    sed -nE 's/^[[:space:]]*deb(-src)?[[:space:]]/deb-src /p' "$file" | grep -v cdrom: | sort -u \
      >"$folder/sources/$(basename "$file")" || true
  done
  for file in "$parts"/*.sources; do
    [ -f "$file" ] || continue
    sed -E 's/^[Tt]ypes:.*/Types: deb-src/' "$file" >"$folder/sources/$(basename "$file")"
  done
  cat >"$folder/apt.conf" <<END
#clear APT::Update::Pre-Invoke;
#clear APT::Update::Post-Invoke;
#clear APT::Update::Post-Invoke-Success;
Dir::Etc::sourcelist "/dev/null";
Dir::Etc::sourceparts "$folder/sources";
Dir::State::lists "$folder/lists";
Dir::Cache "$folder/cache";
Acquire::Languages "none";
Acquire::Retries "3";
END
  # The download user of apt may not write in a folder of this user's own.
  [ "$(id -u)" -ne 0 ] || echo 'APT::Sandbox::User "root";' >>"$folder/apt.conf"
}

source_versions() { apt-cache -c "$state/apt/apt.conf" madison trilinos 2>/dev/null </dev/null | grep Sources; }

download_source() { # leaves Trilinos' archive in $state/download
  local log=$state/download.log apt=$state/apt
  mkdir -p "$state/download"
  private_apt_settings "$apt"
  say "reading the lists of source packages"
  apt-get -c "$apt/apt.conf" -q update </dev/null >"$log" 2>&1 || true # other archives may be without sources
  if ! source_versions >/dev/null; then
    if grep -qE '^(W|E|Err)' "$log"; then
      fail "the lists of source packages cannot be had: is there a network (a proxy to be set for apt?)" "$log"
    fi
    fail "the machine's package archives have no source package of trilinos. Build Kokkos $minimum_kokkos or newer yourself \
(OpenMP on)\n  and name it: Kokkos_ROOT=/where/it/is $0" "$log"
  fi
  say "downloading $(source_versions | head -n 1 | awk '{ print $1, $3 }') (170 MB)"
  (cd "$state/download" && apt-get -c "$apt/apt.conf" -q source --download-only --tar-only --only-source trilinos </dev/null 2>&1) |
    tee "$log" | grep -E '^(Need|Get|Fetched|Err|E:|W:)' || true
  grep -q 'Download complete' "$log" ||
    fail "the source package of trilinos could not be downloaded (network? disk space?); what came is kept" "$log"
}

unpack_source() { # leaves $state/source/{kokkos,kokkos-kernels}
  local archive log=$state/unpack.log
  [ -e "$state/source/complete" ] && return
  require_disk
  download_source
  archive=$(find "$state/download" -maxdepth 1 -name 'trilinos_*.orig.tar.*' ! -name '*.asc' | sort -V | tail -n 1)
  say "unpacking Kokkos and Kokkos Kernels"
  rm -rf "$state/source.part" "$state/source"
  mkdir -p "$state/source.part"
  tar -xf "$archive" -C "$state/source.part" --strip-components=2 --wildcards \
    '*/packages/kokkos/*' '*/packages/kokkos-kernels/*' >"$log" 2>&1 ||
    fail "Kokkos cannot be unpacked from $archive (disk full, or this release of Trilinos comes without it)" "$log"
  # Kokkos 3 leaves an include to the compiler's library, and g++ 13 and later no longer have it there.
  local pool=$state/source.part/kokkos/core/src/impl/Kokkos_MemoryPool.cpp
  if [ -f "$pool" ] && ! grep -q '<cstdint>' "$pool"; then sed -i '1i #include <cstdint>' "$pool"; fi
  touch "$state/source.part/complete"
  mv "$state/source.part" "$state/source"
}

source_version() { # source_version kokkos Kokkos  ->  3.4.1
  sed -nE "s/^ *set *\($2_VERSION_(MAJOR|MINOR|PATCH) *([0-9]+)\).*/\2/Ip" "$state/source/$1/CMakeLists.txt" |
    head -n 3 | paste -sd.
}

jobs_here() { # as many as there are cores and memory for (1.5 GiB each)
  local cores memory
  cores=$(nproc)
  memory=$(awk '/^MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)
  if [ "$memory" -lt 1 ]; then memory=1; fi
  echo $((cores < memory ? cores : memory))
}

show_progress() { # of what Ninja or make print, every tenth step
  awk '
    match($0, /^\[ *[0-9]+[\/%]/) {
      split(substr($0, 2), n, /[\/%\]]/)
      percent = n[2] + 0 > 0 ? 100 * n[1] / n[2] : n[1]
      if (percent >= next_shown) { printf "   %3d %%\n", percent; fflush(); next_shown = 10 * int(percent / 10) + 10 }
    }'
}

# build NAME [CMAKE ARGUMENT...]: configures for $prefix, installs beside it, and moves the result there.
build() {
  local name=$1 log=$state/$1.log tree=$state/build-$1 stage=$state/stage-$1
  shift
  say "configuring $name"
  # A tree that was configured and then interrupted is built further; one that was not starts afresh.
  if [ ! -e "$tree/configured" ]; then
    rm -rf "$tree"
    cmake -S "$state/source/$name" -B "$tree" -DCMAKE_INSTALL_PREFIX="$prefix" \
      -DCMAKE_INSTALL_LIBDIR=lib -DCMAKE_BUILD_TYPE=Release -DCMAKE_POSITION_INDEPENDENT_CODE=ON "$@" \
      </dev/null >"$log" 2>&1 || fail "$name does not configure (is there a working C++ compiler?)" "$log"
    touch "$tree/configured"
  fi
  say "building $name"
  if ! cmake --build "$tree" --parallel "$(jobs_here)" </dev/null 2>&1 | tee -a "$log" | show_progress; then
    rm -f "$tree/configured"
    fail "$name does not build (disk full? too little memory?)" "$log"
  fi
  rm -rf "$stage"
  DESTDIR=$stage cmake --install "$tree" </dev/null >>"$log" 2>&1 || fail "$name cannot be installed (disk full?)" "$log"
  cp -a "$stage$prefix/." "$prefix/" || fail "$name cannot be copied to $prefix (disk full?)"
  rm -rf "$stage" "$tree"
}

build_from_source() {
  if [ -e "$state/source.ok" ]; then
    say "Kokkos $(cat "$state/source.ok") is in $prefix"
    return
  fi
  command -v apt-get >/dev/null || fail "there is no apt-get here to take Kokkos from. Build Kokkos $minimum_kokkos or newer \
yourself (OpenMP on)\n  and name it: Kokkos_ROOT=/where/it/is $0"
  unpack_source
  local kokkos standard=17
  kokkos=$(source_version kokkos Kokkos)
  version_at_least "$kokkos" $minimum_kokkos ||
    fail "the machine's trilinos holds Kokkos $kokkos; at least $minimum_kokkos is needed. Build a newer one yourself and name \
it: Kokkos_ROOT=/where/it/is $0"
  ! version_at_least "$kokkos" 5 || standard=20
  if [ ! -e "$state/kokkos.ok" ]; then
    build kokkos -DKokkos_ENABLE_OPENMP=ON -DKokkos_ENABLE_SERIAL=ON -DKokkos_ENABLE_TESTS=OFF \
      -DCMAKE_CXX_STANDARD=$standard -DKokkos_CXX_STANDARD=$standard
    touch "$state/kokkos.ok"
  fi
  build kokkos-kernels -DKokkos_ROOT="$prefix" -DCMAKE_CXX_STANDARD=$standard -DKokkosKernels_ADD_DEFAULT_ETI=OFF \
    -DKokkosKernels_ENABLE_TESTS=OFF -DKokkosKernels_ENABLE_EXAMPLES=OFF
  probe "$state/built.log" -DKokkos_ROOT="$prefix" -DKokkosKernels_ROOT="$prefix" ||
    fail "a probe project does not configure, link and run with the Kokkos that was built" "$state/built.log"
  echo "$kokkos" >"$state/source.ok"
  rm -rf "$state/source" "$state/download" "$state/apt"
  say "Kokkos $version ($devices) and Kokkos Kernels $kernels are in $prefix"
}

# ---- all of it -------------------------------------------------------------------------------------------

mkdir -p "$state" 2>/dev/null && [ -w "$state" ] || fail "cannot write in $prefix"
exec 9>"$state/lock"
if command -v flock >/dev/null && ! flock -n 9; then
  say "another bootstrap is at work in $prefix; waiting for it"
  flock 9
fi
install_packages
if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
if [ $cuda = yes ] && [ -z "$release" ]; then
  # shellcheck source=cmake/bootstrap_cuda.sh
  . "$repo/cmake/bootstrap_cuda.sh"
  build_cuda
elif [ $hip$from_source = yesyes ]; then
  # shellcheck source=cmake/bootstrap_hip.sh
  . "$repo/cmake/bootstrap_hip.sh"
  build_hip
elif [ $hip = yes ] || [ -n "$release" ]; then
  # shellcheck source=cmake/bootstrap_releases.sh
  . "$repo/cmake/bootstrap_releases.sh"
  if [ $hip = yes ]; then lay_out_hip; elif [ $cuda = yes ]; then lay_out_cuda; else lay_out_kokkos "$release"; fi
elif [ $from_source = yes ] || ! { use_named_kokkos || use_packaged_kokkos; }; then build_from_source; fi
rm -rf "$state/probe"
if [ $plots = yes ]; then
  if python=$(bash "$repo/cmake/python.sh" matplotlib); then
    say "plots: the matplotlib of $python"
  else
    say "no plots: no python3 in PATH and no /usr/bin/python3 imports matplotlib"
  fi
fi
say "done"
