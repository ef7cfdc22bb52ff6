// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Every call of particle-grid transfer with a plan, for tests of what
/// profilers see and of execution-space instances.

#ifndef SPOROS_TRANSFERCALLS_HPP
#define SPOROS_TRANSFERCALLS_HPP

#include <Sporos_ParticleGrid.hpp>

#include <vector>

namespace Sporos {
namespace Test {

/// Points, and fields on the nodes and on the faces of a grid.
template <class Exec, class Delta>
struct TransferCalls {
  using Memory  = typename Exec::memory_space;
  using Scalars = Kokkos::View<double*, Memory>;
  using Vectors = Kokkos::View<double**, Memory>;
  using Plan    = ParticleGridPlan<Exec, 2, double, Delta>;

  int n;
  Grid<2> grid{{50, 37}, .125};
  Vectors x{"x", std::size_t(n), 2}, vectors{"vectors", std::size_t(n), 2};
  Scalars strengths{"strengths", std::size_t(n)},
      values{"values", std::size_t(n)};
  Vectors field{"field", 50, 37}, buffer{"buffer", 50 * 37, 8};
  Kokkos::View<Kokkos::complex<double>*, Memory> complex{"complex",
                                                         std::size_t(n)};
  Kokkos::View<Kokkos::complex<double>**, Memory> complex_field{"complex field",
                                                                50, 37};
  Kokkos::Array<Vectors, 2> faces{
      {Vectors("face 0", 50, 37), Vectors("face 1", 50, 37)}};

  explicit TransferCalls(int points) : n(points) {}

  Plan make_plan(const Exec& exec) const {
    return Plan(exec, grid, Delta{}, x);
  }
  /// update, and every overload of spread and interpolate.
  void run(const Exec& exec, Plan& plan,
           const std::vector<SpreadAlgorithm>& spreads,
           const std::vector<InterpolateAlgorithm>& interpolates) const {
    plan.update(exec, x);
    for (const SpreadAlgorithm a : spreads) {
      SpreadOptions options;
      options.algorithm = a;
      spread(exec, plan, strengths, field, options);
      spread(exec, plan, vectors, faces, options);
      spread(exec, plan, in_plan_order(complex), complex_field, options);
    }
    spread(exec, plan, strengths, field, buffer);
    for (const InterpolateAlgorithm b : interpolates) {
      InterpolateOptions options;
      options.algorithm = b;
      interpolate(exec, plan, faces, vectors, options);
      interpolate(exec, plan, field, values, options);
      interpolate(exec, plan, complex_field, in_plan_order(complex), options);
    }
    interpolate(exec, grid, Delta{}, x, field, values);
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
