// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves points with a flow: interpolate, move, update the plan, and again.
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  // A rotation about the middle of the unit square, and points on a ray. The
  // last index of a field counts its components.
  const int n = 200, cells = 64, steps = 100;
  Kokkos::View<double** [2]> flow("flow", cells, cells);
  Kokkos::View<double*[2]> positions("positions", n), velocity("velocity", n);
  Kokkos::parallel_for(
      "start", n, KOKKOS_LAMBDA(int i) {
        positions(i, 0) = 0.5 + 0.4 * (i + 1) / n;
        positions(i, 1) = 0.5;
        if (i < cells)
          for (int j = 0; j < cells; ++j) {
            flow(i, j, 0) = 0.5 - double(j) / cells;
            flow(i, j, 1) = double(i) / cells - 0.5;
          }
      });

  const Sporos::Grid<2> grid({cells, cells}, 1. / cells);
  Sporos::ParticleGridPlan plan(exec, grid, Sporos::Cosine4{}, positions);
  const double dt = 3.141592653589793 / 2 / steps;  // a quarter of a turn
  for (int step = 0; step < steps; ++step) {
    Sporos::interpolate(exec, plan, flow, velocity);
    Kokkos::parallel_for(
        "move", n, KOKKOS_LAMBDA(int i) {
          for (int d = 0; d < 2; ++d) positions(i, d) += dt * velocity(i, d);
        });
    plan.update(exec, positions);  // after each move
  }

  const auto host =
      Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), positions);
  const double x = host(n - 1, 0), y = host(n - 1, 1);
  std::printf("the last point is at (%.2f, %.2f)\n", x, y);
  return std::abs(x - 0.5) < 0.01 && std::abs(y - 0.9) < 0.01 ? 0 : 1;
}
