// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a velocity on a marker-and-cell grid: each component lies on its faces.
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;
  using Grid = Sporos::Grid<2>;

  // The unit square in 32 x 32 cells, with walls. Along its own direction a
  // component has a face at both walls: u is 33 x 32, v is 32 x 33.
  const double h = 1. / 32;
  const Grid grid({32, 32}, {h, h},
                  {Sporos::Boundary::wall, Sporos::Boundary::wall});
  using Field = Kokkos::View<double**>;
  const Field u("u", grid.points(0, 0.), grid.points(1, 0.5));
  const Field v("v", grid.points(0, 0.5), grid.points(1, 0.));
  Kokkos::parallel_for(
      "velocity", 33, KOKKOS_LAMBDA(int i) {
        for (int j = 0; j < 32; ++j) {
          u(i, j) = -(j + 0.5) * h;  // (u, v) = (-y, x): rotation
          v(j, i) = (j + 0.5) * h;
        }
      });

  const int n = 100;  // points on a diagonal, away from the walls
  Kokkos::View<double*[2]> positions("positions", n), velocity("velocity", n);
  Kokkos::parallel_for(
      "points", n, KOKKOS_LAMBDA(int i) {
        positions(i, 0) = positions(i, 1) = 0.1 + 0.8 * i / n;
      });

  // One plan serves both components, in one pass over the points.
  Sporos::PlanOptions options;
  options.staggering = Grid::cell_center();
  const Sporos::ParticleGridPlan plan(exec, grid, Sporos::Peskin4{}, positions,
                                      options);
  const Kokkos::Array<Field, 2> fields{{u, v}};
  Sporos::interpolate(exec, plan, Sporos::on_faces(fields), velocity);

  double error = 0;  // Peskin4 reads linear fields exactly
  Kokkos::parallel_reduce(
      "error", n,
      KOKKOS_LAMBDA(int i, double& sum) {
        sum += std::abs(velocity(i, 0) + positions(i, 1));
        sum += std::abs(velocity(i, 1) - positions(i, 0));
      },
      error);
  std::printf("sum of errors %.1e\n", error);
  return error < 1e-12 ? 0 : 1;
}
