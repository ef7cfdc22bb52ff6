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
#include <string>
#include <utility>
#include <vector>

namespace EveryTransfer {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, class Layout, int Dim = 2, class Delta = Peskin4>
struct Transfer {
  Problem<Dim> problem;
  Grid<Dim> grid;
  std::vector<double> x, l;
  Reference<Delta, Dim, double> reference;
  TestArray<Exec, double, 2, Layout> positions;
  TestArray<Exec, double, Dim, Layout> field;
  TestArray<Exec, double, 1, Layout> strengths, values;
  ParticleGridPlan<Exec, Dim, double, Delta> plan;

  explicit Transfer(const Problem<Dim>& p, const PlanOptions& options = {})
      : problem(p),
        grid(grid_of<double>(p)),
        x(make_positions(p, grid)),
        l(random_numbers<double>(std::size_t(p.n), 3)),
        reference(p, grid, x),
        positions({p.n, Dim}),
        field(points(reference)),
        strengths({p.n}),
        values({p.n}) {
    const std::size_t n = std::size_t(p.n);
    positions.set([&](std::size_t k) { return x[k % n * Dim + k / n]; });
    strengths.set([&](std::size_t k) { return l[k]; });
    plan = ParticleGridPlan<Exec, Dim, double, Delta>(
        Exec(), grid, Delta{}, positions.const_view(), options);
  }

  static auto points(const Reference<Delta, Dim, double>& of) {
    std::array<int, Dim> n{};
    for (int d = 0; d < Dim; ++d) n[std::size_t(d)] = of.points(d);
    return n;
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
    for (const SpreadAlgorithm a : all_of<SpreadAlgorithm>())
      hosts || a != SpreadAlgorithm::replicated ? check(a) : refuse(a);
    for (const InterpolateAlgorithm a : all_of<InterpolateAlgorithm>())
      hosts || a != InterpolateAlgorithm::unsorted ? check(a) : refuse(a);
  }

 private:
  static constexpr bool hosts = Sporos::Impl::is_host_space_v<Exec>;

  /// Devices have no points in the given order.
  template <class Algorithm>
  void refuse(Algorithm a) {
    std::string error;
    try {
      check(a);
    } catch (const std::invalid_argument& e) {
      error = e.what();
    }
    CHECK(error.find("since devices sort the points") != std::string::npos);
  }
};

TEST_CASE("all algorithms of transfer are known", "[every]") {
  CHECK(all_of<SpreadAlgorithm>().size() == 8);
  CHECK(all_of<InterpolateAlgorithm>().size() == 5);
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
  SECTION("a crowd of points where buckets have many cells") {
    problem.cells = {1024, 512};
    problem.n     = 9000;
    problem.cloud = Cloud::one_cell;
    Transfer<TestType, Kokkos::LayoutLeft>(problem).check(
        SpreadAlgorithm::tiled);
  }
  SECTION("more tiles than teams, colour by colour") {
    problem.cells = {1024, 320};
    problem.n     = 2000;
    PlanOptions options;
    options.any_ranks = true;
    Transfer<TestType, Kokkos::LayoutLeft>(problem, options)
        .check(SpreadAlgorithm::tiled);
  }
}

// Tiles have 16 x 8 x 8 cells (the first or the last direction has 16), their
// images four grid points more in each direction.
TEMPLATE_LIST_TEST_CASE("tiles that are summed at once, in 3D", "[every]",
                        Spaces) {
  struct Shape {
    std::array<int, 3> cells;
    bool wall;
  };
  for (const Shape& shape :
       {Shape{{20, 12, 20}, false}, Shape{{33, 17, 33}, false},
        Shape{{19, 12, 19}, false},  // an image meets itself
        Shape{{14, 6, 14}, true}, Shape{{15, 7, 15}, true},
        Shape{{34, 18, 34}, true}})
    for (const int n : {5, 40, 3000}) {
      Problem<3> problem;
      problem.cells = shape.cells;
      problem.wall  = {shape.wall, shape.wall, shape.wall};
      problem.n     = n;
      INFO(shape.cells[0] << " x " << shape.cells[1] << " x " << shape.cells[2]
                          << " cells, walls " << shape.wall << ", " << n
                          << " points");
      Transfer<TestType, Kokkos::LayoutLeft, 3> transfer(problem);
      transfer.check(SpreadAlgorithm::tiled);
      transfer.check(InterpolateAlgorithm::tiled);
    }
}

TEMPLATE_LIST_TEST_CASE("crowds of points in a tile, in 3D", "[every]",
                        Spaces) {
  Problem<3> problem;
  problem.cells = {24, 24, 24};
  problem.wall  = {true, false, false};
  problem.n     = 4000;
  problem.cloud = Cloud::clustered;
  Transfer<TestType, Kokkos::LayoutRight, 3>(problem).check(
      SpreadAlgorithm::tiled);
  problem.cloud = Cloud::one_cell;
  Transfer<TestType, Kokkos::LayoutLeft, 3>(problem).check(
      SpreadAlgorithm::tiled);
}

// Tiles have 16 x 16 x 16 cells.
TEMPLATE_LIST_TEST_CASE("spread of a wide delta function", "[every]", Spaces) {
  Problem<3> problem;
  problem.cells = {17, 20, 35};
  problem.wall  = {false, true, false};
  for (const int n : {3, 300, 5000}) {
    INFO(n << " points");
    problem.n     = n;  // 5000: a tile is cut
    problem.cloud = n > 1000 ? Cloud::one_cell : Cloud::uniform;
    Transfer<TestType, Kokkos::LayoutLeft, 3, BSpline<8>>(problem).check(
        SpreadAlgorithm::tiled);
    PlanOptions options;
    options.any_ranks = true;
    Transfer<TestType, Kokkos::LayoutLeft, 3, BSpline<8>>(problem, options)
        .check(SpreadAlgorithm::tiled);
  }
}

TEMPLATE_LIST_TEST_CASE("automatic interpolates by tiles that hold 128 points",
                        "[every]", Spaces) {
  Problem<2> problem;
  problem.cells = {64, 32};  // four tiles
  problem.wall  = {false, false};
  for (const auto& [n, expected] :
       {std::pair{511, "interpolate sorted"}, {512, "interpolate tiled"}}) {
    problem.n = n;
    Transfer<TestType, Kokkos::LayoutLeft> transfer(problem);
    CHECK(transfer.plan.describe().find(expected) != std::string::npos);
    transfer.check(InterpolateAlgorithm::automatic);
    PlanOptions options;
    options.any_ranks = true;
    CHECK(Transfer<TestType, Kokkos::LayoutLeft>(problem, options)
              .plan.describe()
              .find("interpolate sorted") != std::string::npos);
  }
}

}  // namespace EveryTransfer
