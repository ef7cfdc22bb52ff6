#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash cmake/quickstart.sh          runs the applications and the short benchmark, and says where the pictures are
#   bash cmake/quickstart.sh test     builds and runs all tests
#
# Both install what is needed first (bootstrap.sh), and both may be run again, from any folder. What cmake and ctest
# take can be given through their environment variables (CXX, CMAKE_BUILD_PARALLEL_LEVEL, CTEST_PARALLEL_LEVEL, Kokkos_ROOT).
set -euo pipefail

repo=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
results=$repo/build/results

say() { printf '\n== [%dm%02ds] %s\n' $((SECONDS / 60)) $((SECONDS % 60)) "$*"; }

configure_and_build() { # configure_and_build PRESET TARGET: sets build
  build=$repo/build/$1
  say "configuring and building in $build"
  (
    cd "$repo"
    if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
    export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}
    cmake --preset "$1"
    cmake --build "$build" --target "$2"
  )
}

run_tests() {
  configure_and_build tests sporos_tests
  say "running the tests"
  # Several at a time, each with few threads; those that wait sleep.
  if [ -z "${OMP_NUM_THREADS:-}" ]; then export OMP_NUM_THREADS=$(($(nproc) < 4 ? $(nproc) : 4)); fi
  CTEST_PARALLEL_LEVEL=${CTEST_PARALLEL_LEVEL:-$(nproc)} ctest --test-dir "$build" --output-on-failure
  say "done"
}

run_apps() {
  local app
  for app in membrane airfoil piv nufft plasma elasticity; do
    [ -x "$build/perf/apps/$app" ] || continue
    say "the application $app, with its defaults"
    (cd "$results" && "$build/perf/apps/$app" --check)
  done
}

run_benchmark() {
  local program=$build/perf/bench/bench_particle_grid json=$results/particle_grid.json python
  if [ ! -x "$program" ]; then return; fi
  say "the short benchmark: a million points on 128^3 cells, double"
  "$program" --benchmark_filter='/double/uniform/128/1000000' --benchmark_out="$json" --benchmark_out_format=json
  say "points per second"
  # With matplotlib if there is one; the table needs none.
  python=$(bash "$repo/cmake/python.sh" matplotlib || bash "$repo/cmake/python.sh")
  "$python" "$repo/perf/plot_particle_grid.py" "$json" --output "$results"
}

run_main_job() {
  configure_and_build openmp sporos_perf
  mkdir -p "$results"
  # As Kokkos recommends it, unless the user knows better.
  export OMP_PROC_BIND=${OMP_PROC_BIND:-spread} OMP_PLACES=${OMP_PLACES:-threads}
  run_apps
  run_benchmark
  say "the pictures are in $results"
  find "$results" -name '*.png' | sort | tail -n 12
}

case ${1:-} in
  '' | test) ;;
  -h | --help) sed -n '4,8s/^# \{0,1\}//p' "${BASH_SOURCE[0]}"; exit 0 ;;
  *) echo "quickstart.sh: unknown argument $1 (none, or: test)" >&2; exit 2 ;;
esac

say "getting what is needed"
if [ "${1:-}" = test ]; then
  bash "$repo/cmake/bootstrap.sh"
  run_tests
else
  bash "$repo/cmake/bootstrap.sh" --with-plots
  run_main_job
fi
