// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A delta function of your own: the triangular-shaped cloud of plasma codes.
#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstdio>

struct TriangularCloud {
  static constexpr int support = 3;  // grid points that a point reaches

  /// The weights of the three nearest grid points; r in [-1/2, 1/2] is the
  /// distance from the middle one in cells. T may be a SIMD register.
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    w[0] = T(0.5) * (T(0.5) - r) * (T(0.5) - r);
    w[1] = T(0.75) - r * r;
    w[2] = T(0.5) * (T(0.5) + r) * (T(0.5) + r);
  }
};

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard kokkos(argc, argv);
  const Kokkos::DefaultExecutionSpace exec;

  const int n = 100;
  Kokkos::View<double*> positions("positions", n), values("values", n);
  Kokkos::View<double*> field("field", 64);  // x at the grid points
  Kokkos::parallel_for(
      "points", n, KOKKOS_LAMBDA(int i) {
        positions(i) = 0.1 + 0.8 * i / n;
        if (i < 64) field(i) = i / 64.;
      });

  Sporos::PlanOptions options;
  options.check_delta = true;  // do the weights sum to 1? Else it throws.
  const Sporos::Grid<1> grid({64}, 1. / 64);
  const Sporos::ParticleGridPlan plan(exec, grid, TriangularCloud{}, positions,
                                      options);
  Sporos::interpolate(exec, plan, field, values);

  double error =
      0;  // the weights have no first moment: linear fields are exact
  Kokkos::parallel_reduce(
      "error", n,
      KOKKOS_LAMBDA(int i, double& sum) {
        sum += std::abs(values(i) - positions(i));
      },
      error);
  std::printf("sum of errors %.1e\n", error);
  return error < 1e-12 ? 0 : 1;
}
