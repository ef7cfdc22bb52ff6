// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of spread and interpolate once, with both layouts, against
// the definition.

#include "Sporos_AllOf.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_TestArray.hpp"
#include "Sporos_TransferReference.hpp"

#include <array>
#include <cmath>
#include <set>
#include <vector>

namespace EveryTransfer {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, class Layout>
struct Transfer {
  Problem<2> problem;
  Grid<2> grid;
  std::vector<double> x, l;
  Reference<Peskin4, 2, double> reference;
  TestArray<Exec, double, 2, Layout> positions, field;
  TestArray<Exec, double, 1, Layout> strengths, values;
  ParticleGridPlan<Exec, 2, double, Peskin4> plan;

  explicit Transfer(const Problem<2>& p)
      : problem(p),
        grid(grid_of<double>(p)),
        x(make_positions(p, grid)),
        l(random_numbers<double>(std::size_t(p.n), 3)),
        reference(p, grid, x),
        positions({p.n, 2}),
        field({reference.points(0), reference.points(1)}),
        strengths({p.n}),
        values({p.n}) {
    const std::size_t n = std::size_t(p.n);
    positions.set([&](std::size_t k) { return x[k % n * 2 + k / n]; });
    strengths.set([&](std::size_t k) { return l[k]; });
    plan = ParticleGridPlan<Exec, 2, double, Peskin4>(Exec(), grid, Peskin4{},
                                                      positions.const_view());
  }

  void check(SpreadAlgorithm a) {
    std::vector<double> expected;
    double scale = 0, worst = 0;
    reference.spread(l, 1, 0, expected, scale);
    field.set([](std::size_t) { return 0.; });
    SpreadOptions options;
    options.algorithm = a;
    spread(Exec(), plan, strengths.const_view(), field.view(), options);
    Kokkos::fence();
    const auto sums = field.get();
    for (std::size_t k = 0; k < sums.size(); ++k)
      worst = larger_error(worst, std::fabs(sums[k] - expected[k]));
    INFO("spread " << int(a));
    CHECK(worst <= 1e-13 * scale);
    CHECK(field.gaps_are_untouched());
  }

  void check(InterpolateAlgorithm a) {
    const auto f = random_numbers<double>(reference.size(), 5);
    field.set([&](std::size_t k) { return f[k]; });
    values.set([](std::size_t) { return 77.; });
    InterpolateOptions options;
    options.algorithm = a;
    interpolate(Exec(), plan, field.const_view(), values.view(), options);
    Kokkos::fence();
    const auto v = values.get();
    double worst = 0;
    for (int i = 0; i < problem.n; ++i) {
      const double expected =
          reference.interpolate(i, [&](std::size_t k) { return f[k]; });
      worst = larger_error(worst, std::fabs(v[std::size_t(i)] - expected));
    }
    INFO("interpolate " << int(a));
    CHECK(worst <= 1e-13);
    CHECK(values.gaps_are_untouched());
  }

  void check_all() {
    for (const SpreadAlgorithm a : all_of<SpreadAlgorithm>()) check(a);
    for (const InterpolateAlgorithm a : all_of<InterpolateAlgorithm>())
      check(a);
  }
};

TEST_CASE("all algorithms of transfer are known", "[every]") {
  CHECK(all_of<SpreadAlgorithm>().size() == 7);
  CHECK(all_of<InterpolateAlgorithm>().size() == 4);
}

TEMPLATE_LIST_TEST_CASE("every algorithm of transfer", "[every]", Spaces) {
  Problem<2> problem;
  problem.cells = {70, 37};
  problem.wall  = {false, true};
  problem.n     = 3000;
  SECTION("LayoutLeft, points all over the grid") {
    Transfer<TestType, Kokkos::LayoutLeft>(problem).check_all();
  }
  SECTION("LayoutRight, clustered points") {
    problem.cloud = Cloud::clustered;
    Transfer<TestType, Kokkos::LayoutRight>(problem).check_all();
  }
  SECTION("a tile of so many parts that threads share the sum of a point") {
    problem.cells = {20, 14};
    problem.n     = 14000;
    Transfer<TestType, Kokkos::LayoutLeft>(problem).check(
        SpreadAlgorithm::tiled);
  }
  SECTION("more tiles than teams") {
    problem.cells = {1024, 320};
    problem.n     = 2000;
    Transfer<TestType, Kokkos::LayoutLeft>(problem).check(
        SpreadAlgorithm::tiled);
  }
}

}  // namespace EveryTransfer
