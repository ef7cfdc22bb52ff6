// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks that interpolate is the adjoint of spread, with complex numbers in 1D.
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>

using Complex = Kokkos::complex<double>;

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  // Strengths a at points anywhere (the grid is periodic), and a field f.
  const int n = 300, cells = 128;
  Kokkos::View<double*> positions("positions", n);
  Kokkos::View<Complex*> a("a", n), values("values", n);
  Kokkos::View<Complex*> f("f", cells), spread("spread", cells);
  Kokkos::parallel_for(
      "fill", n, KOKKOS_LAMBDA(int i) {
        positions(i) = 0.618 * i;
        a(i)         = Complex(1. / (i + 1), 0.5 - double(i) / n);
        if (i < cells) f(i) = Complex(i * 37 % 11 - 5., i * 17 % 13 - 6.);
      });

  const double h = 1. / cells;
  const Sporos::Grid<1> grid({cells}, h);
  const Sporos::ParticleGridPlan plan(exec, grid, Sporos::Bao6{}, positions);
  Sporos::spread(exec, plan, a, spread);
  Sporos::interpolate(exec, plan, f, values);

  // h sum over x of spread(x) conj(f(x)) = sum over points of a conj(values)
  double on_grid = 0, at_points = 0;  // the real parts
  Kokkos::parallel_reduce(
      "on_grid", cells,
      KOKKOS_LAMBDA(int x, double& sum) {
        sum += h * (spread(x) * Kokkos::conj(f(x))).real();
      },
      on_grid);
  Kokkos::parallel_reduce(
      "at_points", n,
      KOKKOS_LAMBDA(int i, double& sum) {
        sum += (a(i) * Kokkos::conj(values(i))).real();
      },
      at_points);
  std::printf("%.10f = %.10f\n", on_grid, at_points);
  return std::abs(on_grid - at_points) < 1e-10 ? 0 : 1;
}
