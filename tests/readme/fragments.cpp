// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The fragments of README.md, taken from it, each where it may stand; and that
// they do what the text around them says.

#include "Sporos_Test.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <cmath>
#include <cstddef>
#include <fstream>
#include <iostream>
#include <limits>
#include <sstream>
#include <stdexcept>
#include <string>

namespace Readme {

#include "fragment/delta_function.inc"

using Exec = Kokkos::DefaultExecutionSpace;
using Plan = Sporos::ParticleGridPlan<Exec, 2, double, Sporos::Peskin4>;

/// Sum of all entries.
template <class View>
double sum(const View& view) {
  const auto host = Kokkos::create_mirror_view(view);
  Kokkos::deep_copy(host, view);
  double total = 0;
  for (std::size_t i = 0; i < host.size(); ++i) total += host.data()[i];
  return total;
}

/// The objects that fragments take for granted, those of the README's program;
/// fragments stand in member functions.
struct Fragments {
  static constexpr int n = 1000;
  Exec exec;
  Kokkos::View<double*[2]> positions, point_forces, point_velocities;
  Kokkos::View<double*> strengths, values;
  Kokkos::View<double**> field;
  Sporos::Grid<2> grid;

  Fragments()
      : positions("positions", n),
        point_forces("point_forces", n),
        point_velocities("point_velocities", n),
        strengths("strengths", n),
        values("values", n),
        field("field", 64, 64),
        grid({64, 64}, 1. / 64) {
    const auto x = Kokkos::create_mirror_view(positions);
    for (int i = 0; i < n; ++i) {
      x(i, 0) = 0.5 + 0.3 * std::cos(6.283185307179586 * i / n);
      x(i, 1) = 0.5 + 0.3 * std::sin(6.283185307179586 * i / n);
    }
    Kokkos::deep_copy(positions, x);
    Kokkos::deep_copy(point_forces, 1.);
    Kokkos::deep_copy(strengths, 1.);
  }

  Plan make_plan() const {
    return Plan(exec, grid, Sporos::Peskin4{}, positions);
  }

  /// All strengths arrived.
  static void check_total(const Kokkos::View<double**>& f) {
    CHECK(sum(f) / (64 * 64) == Approx(double(n)));
  }

  void walls() {
#include "fragment/walls.inc"
    CHECK(nodes.extent(0) == 64);
    CHECK(nodes.extent(1) == 33);
    CHECK(nodes.extent(2) == 64);
  }

  void delta_function() {
    for (const double r : {0., 0.3, 0.5, 1.}) {
      double w[4], moment[3] = {0, 0, 0};
      M4Prime{}.weights(r, w);
      for (int k = 0; k < 4; ++k)
        for (int p = 0; p < 3; ++p) moment[p] += w[k] * std::pow(k - 1 - r, p);
      CHECK(moment[0] == Approx(1));
      CHECK(std::abs(moment[1]) < 1e-14);
      CHECK(std::abs(moment[2]) < 1e-14);
    }
    Sporos::spread(exec, grid, M4Prime{}, positions, strengths, field);
    check_total(field);
  }

  void spread() {
    const Plan plan = make_plan();
    Kokkos::deep_copy(field, 7.);
#include "fragment/spread.inc"
    check_total(field);
  }

  void buffer() {
    const Plan plan = make_plan();
#include "fragment/buffer.inc"
    check_total(field);
  }

  void unsorted() {
    Kokkos::deep_copy(field, 3.);
#include "fragment/unsorted.inc"
    CHECK(sum(values) == Approx(3. * n));
  }

  void mac() {
    const Plan plan = make_plan();
    const Kokkos::View<double**> u("u", 64, 64), v("v", 64, 64);
    const Kokkos::Array<Kokkos::View<double**>, 2> velocity{{u, v}};
    Kokkos::deep_copy(u, 2.);
    Kokkos::deep_copy(v, 5.);
#include "fragment/mac.inc"
    check_total(force[0]);
    check_total(force[1]);
    CHECK(sum(point_velocities) == Approx(7. * n));
  }

  void error() {
    const Plan plan = make_plan();
    std::ostringstream printed;
    std::streambuf* const console = std::cout.rdbuf(printed.rdbuf());
#include "fragment/error.inc"
    std::cout.rdbuf(console);
    std::ifstream file(SPOROS_README_OUTPUTS "/error.txt");
    std::stringstream shown;
    shown << file.rdbuf();
    CHECK(printed.str() == shown.str());
    CHECK(sum(field) == 0);
  }

  void check(Plan& plan) {
#include "fragment/check.inc"
  }
  void check() {
    Plan plan = make_plan();
    check(plan);
    check_total(field);
    const auto x = Kokkos::create_mirror_view(positions);
    Kokkos::deep_copy(x, positions);
    x(17, 1) = std::numeric_limits<double>::quiet_NaN();
    Kokkos::deep_copy(positions, x);
    CHECK_THROWS_AS(check(plan), std::invalid_argument);
  }
};

}  // namespace Readme

using Readme::Fragments;

TEST_CASE("README: a channel with walls") { Fragments().walls(); }
TEST_CASE("README: a delta function of the user's") {
  Fragments().delta_function();
}
TEST_CASE("README: options of spread") { Fragments().spread(); }
TEST_CASE("README: a buffer of the user's") { Fragments().buffer(); }
TEST_CASE("README: interpolate without a plan") { Fragments().unsorted(); }
TEST_CASE("README: vector fields") { Fragments().mac(); }
TEST_CASE("README: an error") { Fragments().error(); }
TEST_CASE("README: points that are not finite") { Fragments().check(); }
