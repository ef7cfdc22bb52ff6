// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Displacements of many windows of two images, as in particle image
// velocimetry: one call, a window of shifts, normalised, with a plan.
#include <Sporos_CrossCorrelate.hpp>

#include <cstdio>

KOKKOS_FUNCTION float pixel(int n, int y, int x) {
  return float((n * 31 + (y * 53 + x * 101) * (y + 2 * x + 7)) % 97);
}

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  const int n = 200, size = 24, reach = 6, shifts = 2 * reach + 1;

  // The contents of window i move by (2, i % 5 - 2) from the image a to b.
  Kokkos::View<float***> a("a", n, size, size), b("b", n, size, size);
  Kokkos::View<float***> out("out", n, shifts, shifts);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        for (int y = 0; y < size; ++y)
          for (int x = 0; x < size; ++x) {
            a(i, y, x) = pixel(i, y + 8, x + 8);
            b(i, y, x) = pixel(i, y + 6, x + 8 - (i % 5 - 2));
          }
      });

  Sporos::CorrelateOptions options;
  options.mode      = Sporos::CorrelateMode::window;  // only small shifts
  options.window    = {-reach, reach + 1, -reach, reach + 1};
  options.normalize = Sporos::Normalize::whole;  // 1: the windows are equal
  // The plan keeps all memory, for calls with arrays of these sizes.
  const Sporos::CrossCorrelatePlan plan(exec, b, a, out, options);
  Sporos::cross_correlate(exec, plan, b, a, out);

  int found = 0;
  Kokkos::parallel_reduce(
      "peaks", n,
      KOKKOS_LAMBDA(int i, int& sum) {
        int dy = 0, dx = 0;
        for (int y = 0; y < shifts; ++y)
          for (int x = 0; x < shifts; ++x)
            if (out(i, y, x) > out(i, dy, dx)) dy = y, dx = x;
        if (dy - reach == 2 && dx - reach == i % 5 - 2) ++sum;
      },
      found);
  std::printf("%d of %d displacements\n", found, n);
  return found == n ? 0 : 1;
}
