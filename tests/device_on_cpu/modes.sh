#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# Runs tests on an executor in several modes; tests/cuda.sh and tests/hip.sh read this file.

# As many compilers at a time as there are cores and memory for (1.5 GiB each).
use_all_cores() {
  local memory jobs
  memory=$(awk '/^MemAvailable/ { print int($2 / 1572864) }' /proc/meminfo)
  jobs=$(($(nproc) < memory ? $(nproc) : memory))
  export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$((jobs > 0 ? jobs : 1))}
  if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
}

is_mode() { case $1 in plain | race | init | lazy | protect | random:*) ;; *) false ;; esac; }

variables() { # variables MODE: the environment of a mode
  case $1 in
    plain) ;;
    race) echo PTXRUN_RACE=2 PTXRUN_RACE_FATAL=1 ;;
    init) echo PTXRUN_INITCHECK=1 PTXRUN_STRICT=1 ;;
    lazy) echo PTXRUN_LAZY=1 ;;
    protect) echo PTXRUN_PROTECT=1 ;;
    random:*) echo PTXRUN_ORDER="$1" ;;
  esac
}

# run_modes WHAT BUILD-FOLDER CTEST-ARGUMENT...: the tests so selected in each of the modes (an array; empty: all); a log for each and a
# table of seconds in the build folder. Fails where a test does.
run_modes() {
  local what=$1 build=$2 selection=("${@:3}") failed=0 mode logs=() of_mode
  [ ${#modes[@]} -gt 0 ] || modes=(plain race init lazy protect random:1 random:2 random:3)
  for mode in "${modes[@]}"; do
    echo "== tests for $what, mode $mode"
    # Tests of repeatability choose orders themselves: plain is enough.
    if [ "$mode" != plain ]; then of_mode=("${selection[@]}" -LE repeatability); else of_mode=("${selection[@]}"); fi
    # shellcheck disable=SC2046
    env $(variables "$mode") ctest --test-dir "$build" --no-tests=error -j "${CTEST_PARALLEL_LEVEL:-$(nproc)}" --output-on-failure \
      "${of_mode[@]}" | tee "$build/$mode.log" || failed=1
    logs+=("$build/$mode.log")
  done
  # One line for each test: seconds or FAIL in each mode.
  awk '
    FNR == 1 { mode = FILENAME; sub(/.*\//, "", mode); sub(/\.log$/, "", mode); modes[++count] = mode }
    /Test +#[0-9]+:/ && / sec/ {
      name = $0; sub(/.*Test +#[0-9]+: /, "", name); sub(/ .*/, "", name)
      if (!(name in seen)) { seen[name] = 1; names[++n] = name }
      result[name, mode] = /Passed/ ? $(NF - 1) : "FAIL"
    }
    END {
      printf "%-40s", "test"
      for (k = 1; k <= count; ++k) printf "%10s", modes[k]
      print ""
      for (i = 1; i <= n; ++i) {
        printf "%-40s", names[i]
        for (k = 1; k <= count; ++k) printf "%10s", ((names[i], modes[k]) in result) ? result[names[i], modes[k]] : "-"
        print ""
      }
    }' "${logs[@]}" | tee "$build/table.txt"
  return $failed
}
