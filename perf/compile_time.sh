#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash perf/compile_time.sh [OPTION...] [FILE.cpp...]
#
# Measures what the compiler needs for the programs of README.md, or for the given files: user seconds, their ratio to
# an empty program that includes Kokkos_Core.hpp, and peak memory. Shows medians. Needs an idle machine and GNU time
# (Debian: time). Takes about a minute.
#
#   --runs N     compile each program N times (default 3)
#   --limit R    fail if a ratio is above R
#   --memory M   fail if the compiler takes more than M MiB
#   --compiled BUILD   compile as programs do that link Sporos::compiled, which BUILD has been configured for
#
# Uses the compiler CXX (default g++), the flags CXXFLAGS (default -std=c++17 -O3 -march=native -fopenmp), and the Kokkos
# in Kokkos_ROOT, CMAKE_PREFIX_PATH or build/deps.
#
# Exit status: 0, 1 above a limit, 2 if a measurement is impossible.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cxx=${CXX:-g++}
read -ra flags <<<"${CXXFLAGS:--std=c++17 -O3 -march=native -fopenmp}"

fail() { echo "compile_time.sh: $*" >&2; exit 2; }

runs=3 limit='' memory='' compiled='' files=()
while [ $# -gt 0 ]; do
  case $1 in
    --runs | --limit | --memory)
      [[ ${2:-} =~ ^[0-9]+(\.[0-9]+)?$ ]] || fail "$1 needs a number"
      printf -v "${1#--}" %s "$2"
      shift ;;
    --compiled)
      compiled=${2:-}
      [ -f "$compiled/compiled/include/Sporos_CompiledTransfers.hpp" ] || fail "--compiled needs a build folder with Sporos_ENABLE_COMPILED"
      shift ;;
    -h | --help) sed -n '4,19s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
    -*) fail "unknown option $1 (see --help)" ;;
    *) [ -f "$1" ] || fail "no file $1"; files+=("$1") ;;
  esac
  shift
done
[[ $runs =~ ^[1-9][0-9]*$ ]] || fail "--runs needs a whole number above 0"
[ -x /usr/bin/time ] || fail "no /usr/bin/time (Debian: apt-get install time)"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

IFS=':;' read -ra prefixes <<<"${Kokkos_ROOT:-}:${CMAKE_PREFIX_PATH:-}:$root/build/deps:/usr/local:/usr"
kokkos=
for prefix in "${prefixes[@]}"; do
  if [ -n "$prefix" ] && [ -f "$prefix/include/Kokkos_Core.hpp" ]; then kokkos=$prefix && break; fi
done
[ -n "$kokkos" ] || fail "found no Kokkos; set Kokkos_ROOT, or run cmake/bootstrap.sh"
flags+=(-isystem "$kokkos/include" -I"$root/core/src" -I"$root/algorithms/src")
for family in particle_grid mesh mesh_loop cross_correlation; do flags+=(-I"$root/algorithms/src/$family"); done
if [ -n "$compiled" ]; then flags+=(-DSPOROS_COMPILED -DSPOROS_COMPILED_FFTW -I"$compiled/compiled/include"); fi
if "$cxx" -E -x c++ -include fftw3.h /dev/null >/dev/null 2>&1; then flags+=(-DSPOROS_HAVE_FFTW); fi

printf '#include <Kokkos_Core.hpp>\nint main() {}\n' >"$work/empty.cpp"
if [ ${#files[@]} -eq 0 ]; then # ```cpp program NAME ... ```
  awk -v work="$work" '/^```cpp program / { file = work "/" $3 ".cpp"; next } /^```/ { file = "" } file { print >file }' \
    "$root/README.md"
  for name in embed mesh correlate; do
    [ -s "$work/$name.cpp" ] || fail "README.md has no program $name"
    files+=("$work/$name.cpp")
  done
fi

median() { sort -n | awk '{ x[NR] = $1 } END { print NR % 2 ? x[(NR + 1) / 2] : (x[NR / 2] + x[NR / 2 + 1]) / 2 }'; }

measure() { # measure FILE: median of user seconds, median of peak MiB
  : >"$work/times"
  for ((run = 0; run < runs; ++run)); do
    /usr/bin/time -a -o "$work/times" -f '%U %M' "$cxx" "${flags[@]}" -c "$1" -o "$work/object.o" || fail "cannot compile $1"
  done
  echo "$(cut -d' ' -f1 "$work/times" | median) $(cut -d' ' -f2 "$work/times" | median | awk '{ printf "%.0f", $1 / 1024 }')"
}

echo "$("$cxx" --version | sed -n 1p), Kokkos in $kokkos"
"$cxx" "${flags[@]}" -c "$work/empty.cpp" -o "$work/object.o" || fail "cannot compile an empty Kokkos program"
row='%-24s %10s %8s %8s\n'
# shellcheck disable=SC2059
printf "$row" program 'user s' ratio MiB
status=0 empty=''
for file in "$work/empty.cpp" "${files[@]}"; do
  result=$(measure "$file")
  read -r seconds mib <<<"$result"
  empty=${empty:-$seconds}
  ratio=$(awk -v a="$seconds" -v b="$empty" 'BEGIN { printf "%.1f", a / b }')
  # shellcheck disable=SC2059
  printf "$row" "$(basename "$file" .cpp)" "$seconds" "$ratio" "$mib"
  if [ -n "$limit" ] && awk -v a="$ratio" -v b="$limit" 'BEGIN { exit !(a > b) }'; then status=1; fi
  if [ -n "$memory" ] && awk -v a="$mib" -v b="$memory" 'BEGIN { exit !(a > b) }'; then status=1; fi
done
[ $status -eq 0 ] || echo "compile_time.sh: above the limit of ${limit:+ratio $limit}${limit:+${memory:+ or }}${memory:+$memory MiB}" >&2
exit $status
