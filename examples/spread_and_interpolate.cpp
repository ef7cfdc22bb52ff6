// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spreads the charges of points to a grid, and reads the density at the points.
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  // Points on a circle, each with the charge 2 / n.
  const int n = 1000;
  Kokkos::View<double* [2]> positions("positions", n);
  Kokkos::View<double*> charges("charges", n), values("values", n);
  Kokkos::parallel_for(
      "circle", n, KOKKOS_LAMBDA(int i) {
        positions(i, 0) = 0.5 + 0.3 * std::cos(6.283185307179586 * i / n);
        positions(i, 1) = 0.5 + 0.3 * std::sin(6.283185307179586 * i / n);
        charges(i)      = 2. / n;
      });

  // The periodic unit square in 64 x 64 cells. The plan sorts the points.
  const Sporos::Grid<2> grid({64, 64}, 1. / 64);
  const Sporos::ParticleGridPlan plan(exec, grid, Sporos::Peskin4{}, positions);

  Kokkos::View<double**> density("density", 64, 64);  // zeros
  Sporos::spread(exec, plan, charges, density);       // adds to density
  Sporos::interpolate(exec, plan, density, values);   // overwrites values

  // No charge is lost: the integral of the density is the charge of all points.
  double total = 0, largest = 0;
  Kokkos::parallel_reduce(
      "total", 64,
      KOKKOS_LAMBDA(int i, double& sum) {
        for (int j = 0; j < 64; ++j) sum += density(i, j) / (64 * 64);
      },
      total);
  Kokkos::parallel_reduce(
      "largest", n,
      KOKKOS_LAMBDA(int i, double& m) { m = values(i) > m ? values(i) : m; },
      Kokkos::Max<double>(largest));
  std::printf("charge on the grid %.6f, largest density at a point %.2f\n",
              total, largest);
  return std::abs(total - 2) < 1e-12 ? 0 : 1;
}
