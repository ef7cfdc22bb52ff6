// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  // Points of strength 1 on a circle in the periodic unit square.
  const int n = 1000;
  Kokkos::View<double* [2]> positions("positions", n);
  Kokkos::View<double*> strengths("strengths", n), values("values", n);
  Kokkos::parallel_for(
      "points", n, KOKKOS_LAMBDA(int i) {
        const double angle = 6.283185307179586 * i / n;
        positions(i, 0)    = 0.5 + 0.3 * std::cos(angle);
        positions(i, 1)    = 0.5 + 0.3 * std::sin(angle);
        strengths(i)       = 1;
      });

  const Sporos::Grid<2> grid({64, 64}, 1. / 64);
  Kokkos::View<double**> field("field", 64, 64);
  const Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, positions);
  Sporos::spread(exec, plan, strengths, field);
  Sporos::interpolate(exec, plan, field, values);

  // Nothing is lost on the way: the field's integral is the sum of strengths.
  double total = 0;
  Kokkos::parallel_reduce(
      "total", field.size(),
      KOKKOS_LAMBDA(int i, double& sum) { sum += field.data()[i]; }, total);
  total *= grid.spacing(0) * grid.spacing(1);
  std::printf("%d points, on the grid: %.12g\n", n, total);
  return std::abs(total - n) < 1e-9 * n ? 0 : 1;
}
