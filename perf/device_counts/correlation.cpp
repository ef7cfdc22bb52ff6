// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fixed cases of cross-correlation for perf/device_counts.sh, float, by
// what `automatic` chooses without cuFFT:
//
//   correlation 128     4 pairs of 128 x 128, all shifts
//   correlation 64      16 pairs of 64 x 64, all shifts
//   correlation 32      64 pairs of 32 x 32, all shifts
//   correlation 16      256 pairs of 16 x 16, all shifts
//   correlation window  512 pairs of 64 x 64, shifts -8 to 8
//   correlation 256     a pair of 256 x 256, shifts -32 to 31
//   correlation column  16 pairs of 64 x 64, shifts of rows alone
//   correlation norms   16 pairs of equal 64 x 64, normalised, one shift
//
// With SPOROS_CORRELATE=shuffle, another algorithm. Prints the choice and the
// multiply-adds of the definition. Matrices are 1 everywhere, so that each
// result is the size of its overlap; equal matrices, normalised, give 1.

#include <Kokkos_Core.hpp>

#include <Sporos_CrossCorrelate.hpp>

#include <cmath>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <string>

namespace {

using Exec     = Kokkos::DefaultExecutionSpace;
using Matrices = Kokkos::View<float***, Kokkos::LayoutRight, Exec>;

/// The overlap of two rows of `size` elements at a shift.
int overlap(int size, int shift) { return size - std::abs(shift); }

/// Results of n pairs of matrices of size x size elements.
Matrices correlate(int n, int size, const Matrices& matrices,
                   const Sporos::CorrelateOptions& options) {
  const Exec exec;
  const Sporos::CrossCorrelatePlan<Exec, float> plan(
      exec, {n, 1, size, size, size, size}, options);
  std::cout << plan.describe() << '\n';
  const Matrices out("out", std::size_t(n), std::size_t(options.window.rows()),
                     std::size_t(options.window.columns()));
  Sporos::cross_correlate(exec, plan, matrices, matrices, out);
  exec.fence();
  return out;
}

int verdict(double work, bool right) {
  std::printf("%.0f multiply-adds: %s\n", work, right ? "right" : "WRONG");
  return right ? 0 : 1;
}

Matrices new_matrices(int n, int size) {
  return Matrices("matrices", std::size_t(n), std::size_t(size),
                  std::size_t(size));
}

int ones(int n, int size, Sporos::ShiftWindow window) {
  const Matrices matrices = new_matrices(n, size);
  Kokkos::deep_copy(matrices, 1.f);
  Sporos::CorrelateOptions options;
  options.mode   = Sporos::CorrelateMode::window;
  options.window = window;
  const auto out = Kokkos::create_mirror_view_and_copy(
      Kokkos::HostSpace(), correlate(n, size, matrices, options));
  bool right  = true;
  double work = 0;
  for (int i = 0; i < n; ++i)
    for (int y = 0; y < window.rows(); ++y)
      for (int x = 0; x < window.columns(); ++x) {
        const int expected =
            overlap(size, window.dy0 + y) * overlap(size, window.dx0 + x);
        work += expected;
        right &= out(i, y, x) == float(expected);
      }
  return verdict(work, right);
}

int norms(int n, int size) {
  const Matrices matrices = new_matrices(n, size);
  const auto mirror       = Kokkos::create_mirror_view(matrices);
  for (std::size_t k = 0; k < mirror.size(); ++k)
    mirror.data()[k] = float(k * 37 % 101);
  Kokkos::deep_copy(matrices, mirror);
  Sporos::CorrelateOptions options;
  options.mode      = Sporos::CorrelateMode::window;
  options.window    = {0, 1, 0, 1};
  options.normalize = Sporos::Normalize::whole;
  const auto out    = Kokkos::create_mirror_view_and_copy(
         Kokkos::HostSpace(), correlate(n, size, matrices, options));
  bool right = true;
  for (int i = 0; i < n; ++i) right &= std::fabs(out(i, 0, 0) - 1) < 1e-5f;
  return verdict(double(n) * size * size, right);
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard kokkos(argc, argv);
  const std::string which = argc > 1 ? argv[1] : "";
  if (which == "128") return ones(4, 128, {-127, 128, -127, 128});
  if (which == "window") return ones(512, 64, {-8, 9, -8, 9});
  if (which == "64") return ones(16, 64, {-63, 64, -63, 64});
  if (which == "32") return ones(64, 32, {-31, 32, -31, 32});
  if (which == "16") return ones(256, 16, {-15, 16, -15, 16});
  if (which == "256") return ones(1, 256, {-32, 32, -32, 32});
  if (which == "column") return ones(16, 64, {-63, 64, 0, 1});
  if (which == "norms") return norms(16, 64);
  std::fprintf(
      stderr,
      "correlation: expected 128, 64, 32, 16, window, 256, column or norms, "
      "got \"%s\"\n",
      which.c_str());
  return 2;
}
