// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Every call of particle-grid transfer with a plan, for tests of what
/// profilers see and of execution-space instances.

#ifndef SPOROS_TRANSFERCALLS_HPP
#define SPOROS_TRANSFERCALLS_HPP

#include <Sporos_ParticleGrid.hpp>

#include <cstddef>
#include <string>
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
  Exec exec;  ///< on whose device all is
  Grid<2> grid{{50, 37}, .125};
  Vectors x = zeros<Vectors>("x", n, 2), vectors = zeros<Vectors>("v", n, 2);
  Scalars strengths = zeros<Scalars>("strengths", n),
          values    = zeros<Scalars>("values", n);
  Vectors field     = zeros<Vectors>("field", 50, 37),
          buffer    = zeros<Vectors>("buffer", 50 * 37, 8);
  Kokkos::View<Kokkos::complex<double>*, Memory> complex =
      zeros<decltype(complex)>("complex", n);
  Kokkos::View<Kokkos::complex<double>**, Memory> complex_field =
      zeros<decltype(complex_field)>("complex field", 50, 37);
  Kokkos::Array<Vectors, 2> faces{
      {zeros<Vectors>("face 0", 50, 37), zeros<Vectors>("face 1", 50, 37)}};

  explicit TransferCalls(int points, const Exec& exec_ = Exec())
      : n(points), exec(exec_) {}

  template <class View, class... Extents>
  View zeros(const char* label, Extents... extents) const {
    return View(Kokkos::view_alloc(exec, std::string(label)),
                std::size_t(extents)...);
  }
  Plan make_plan(const Exec& instance) const {
    return Plan(instance, grid, Delta{}, x);
  }
  /// update, and every overload of spread and interpolate.
  void run(const Exec& instance, Plan& plan,
           const std::vector<SpreadAlgorithm>& spreads,
           const std::vector<InterpolateAlgorithm>& interpolates) const {
    plan.update(instance, x);
    for (const SpreadAlgorithm a : spreads) {
      SpreadOptions options;
      options.algorithm = a;
      spread(instance, plan, strengths, field, options);
      spread(instance, plan, vectors, on_faces(faces), options);
      spread(instance, plan, in_plan_order(complex), complex_field, options);
    }
    spread(instance, plan, strengths, field, buffer);
    for (const InterpolateAlgorithm b : interpolates) {
      InterpolateOptions options;
      options.algorithm = b;
      interpolate(instance, plan, on_faces(faces), vectors, options);
      interpolate(instance, plan, field, values, options);
      interpolate(instance, plan, complex_field, in_plan_order(complex),
                  options);
    }
    interpolate(instance, grid, Delta{}, x, field, values);
  }
};

}  // namespace Test
}  // namespace Sporos

#endif
