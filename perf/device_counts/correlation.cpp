// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fixed cases of cross-correlation for perf/device_counts.sh, float, by
// what `automatic` chooses without cuFFT:
//
//   correlation 64      16 pairs of 64 x 64, all shifts
//   correlation 256     a pair of 256 x 256, shifts -32 to 31
//   correlation column  16 pairs of 64 x 64, shifts of rows alone, means
//                       subtracted
//
// Prints the choice and the multiply-adds of the definition. Matrices are 1
// everywhere, so that each result is the size of its overlap.

#include <Kokkos_Core.hpp>

#include <Sporos_CrossCorrelate.hpp>

#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using Exec     = Kokkos::DefaultExecutionSpace;
using Matrices = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;

/// The overlap of two rows of `size` elements at a shift.
int overlap(int size, int shift) { return size - std::abs(shift); }

int run(int n, int size, Sporos::ShiftWindow window) {
  const auto count = std::size_t(n), edge = std::size_t(size);
  const Matrices left("left", count, edge, edge),
      right("right", count, edge, edge),
      out("out", count, std::size_t(window.rows()),
          std::size_t(window.columns()));
  Kokkos::deep_copy(left, 1.f);
  Kokkos::deep_copy(right, 1.f);
  Sporos::CorrelateOptions options;
  options.mode   = Sporos::CorrelateMode::window;
  options.window = window;
  const Exec exec;
  const Sporos::CrossCorrelatePlan<Exec, float> plan(
      exec, {n, 1, size, size, size, size}, options);
  Sporos::cross_correlate(exec, plan, left, right, out);
  exec.fence();
  std::cout << plan.describe() << '\n';

  const auto mirror =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), out);
  bool right_sums = true;
  double work     = 0;
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < window.rows(); ++y)
      for (int x = 0; x < window.columns(); ++x) {
        const int expected =
            overlap(size, window.dy0 + y) * overlap(size, window.dx0 + x);
        work += expected;
        right_sums &= mirror(i, y, x) == float(expected);
      }
  std::printf("%.0f multiply-adds: %s\n", work, right_sums ? "right" : "WRONG");
  return right_sums ? 0 : 1;
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::string which = argc > 1 ? argv[1] : "";
  if (which == "64") return run(16, 64, {-63, 64, -63, 64});
  if (which == "256") return run(1, 256, {-32, 32, -32, 32});
  if (which == "column") return run(16, 64, {-63, 64, 0, 1});
  std::fprintf(stderr, "correlation: expected 64, 256 or column, got \"%s\"\n",
               which.c_str());
  return 2;
}
