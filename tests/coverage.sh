#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
#   bash tests/coverage.sh [PERCENT]
#
# Builds the unit tests with counters in build/coverage, runs them, and writes which lines of core and algorithms no test
# ran to build/coverage/lines.txt. Fails below PERCENT (default 95). Needs gcovr (apt install gcovr).
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/.."
command -v gcovr >/dev/null || { echo "coverage.sh: gcovr is missing (apt install gcovr)" >&2; exit 2; }
if command -v ninja >/dev/null; then export CMAKE_GENERATOR="${CMAKE_GENERATOR:-Ninja}"; fi
export CMAKE_BUILD_PARALLEL_LEVEL=${CMAKE_BUILD_PARALLEL_LEVEL:-$(nproc)}

cmake --preset coverage
cmake --build build/coverage --target sporos_unit_tests
find build/coverage -name '*.gcda' -delete
OMP_NUM_THREADS=2 ctest --test-dir build/coverage --output-on-failure -j "$(nproc)" -LE 'consume|repeatability|headers|refusals|large' -E '^(readme|examples|fft_units)/'
gcovr --root . --filter core/src --filter algorithms/src --exclude-throw-branches --txt build/coverage/lines.txt \
  --print-summary --fail-under-line "${1:-95}" build/coverage
echo "lines that no test ran: build/coverage/lines.txt"
