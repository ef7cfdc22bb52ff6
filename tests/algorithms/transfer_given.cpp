// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Hosts: plans that keep points in the given order and sort them when a call
// needs that. Whatever was called before, results have the bits of a new plan.

#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_ParticleGridGradient.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace TransferGiven {

using namespace Sporos;
using Test::host_values;
using Exec = Kokkos::DefaultHostExecutionSpace;

template <class View>
auto bits(const View& v) {
  using T = typename View::non_const_value_type;
  return std::vector<T>(v.data(), v.data() + v.span());
}

/// Points on a grid that is periodic in direction 0 and has walls in the other.
struct Given {
  using Plan = ParticleGridPlan<Exec, 2, double, Roma3>;

  int n;
  Exec exec{};
  Grid<2> grid{
      {64, 40}, {1., 1.}, {Boundary::periodic, Boundary::wall}, {0., 0.}};
  Kokkos::View<double* [2], Kokkos::LayoutRight, Exec> x;
  Kokkos::View<double*, Exec> strengths, values;
  Kokkos::View<double**, Exec> field;

  explicit Given(int points)
      : n(points),
        x("x", std::size_t(points)),
        strengths("strengths", std::size_t(points)),
        values("values", std::size_t(points)),
        field("field", 64, 41) {
    move(1);
    std::mt19937 random(3);
    for (int i = 0; i < n; ++i) strengths(i) = std::sin(i + .5);
    for (int i = 0; i < 64; ++i)
      for (int j = 0; j < 41; ++j) source(i, j) = double(random() % 997);
  }
  Kokkos::View<double**, Exec> source{"source", 64, 41};

  /// Some points lie beyond the walls, or a period away.
  void move(unsigned seed) {
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> uniform(0, 1);
    for (int i = 0; i < n; ++i) {
      x(i, 0) = 64 * uniform(random) + (i % 100 == 7 ? 64 * (i % 5 - 2) : 0);
      x(i, 1) = 40 * uniform(random) * (i % 50 == 3 ? 1.2 : 1.);
    }
  }
  Plan fresh() const { return Plan(exec, grid, Roma3{}, x); }

  auto spread_by(const Plan& plan, SpreadAlgorithm algorithm) const {
    SpreadOptions options;
    options.algorithm = algorithm;
    Kokkos::deep_copy(exec, field, .25);
    spread(exec, plan, strengths, field, options);
    exec.fence();
    return bits(field);
  }
  auto interpolate_by(const Plan& plan, InterpolateAlgorithm algorithm) const {
    InterpolateOptions options;
    options.algorithm = algorithm;
    interpolate(exec, plan, source, values, options);
    exec.fence();
    return bits(values);
  }
};

using A = SpreadAlgorithm;
using B = InterpolateAlgorithm;

bool is_kept(const Given::Plan& plan) { return plan.state().given.kept(); }

TEST_CASE("points that are kept or sorted have the same bits", "[given]") {
  for (const int n : {1, 2, 64, 1023, 1025, 5000, 20000}) {
    Given g(n);
    const auto fresh    = g.fresh();
    const auto expected = g.spread_by(fresh, A::replicated);
    const auto read     = g.interpolate_by(fresh, B::unsorted);
    INFO(n << " points");
    for (const bool sorts : {false, true}) {
      auto plan = g.fresh();
      // the next update does what these calls needed
      sorts ? g.spread_by(plan, A::tiled) : g.spread_by(plan, A::replicated);
      plan.update(g.exec, g.x);
      CHECK(is_kept(plan) == !sorts);
      CHECK(g.spread_by(plan, A::replicated) == expected);
      CHECK(g.interpolate_by(plan, B::unsorted) == read);
      CHECK(g.spread_by(plan, A::tiled) == g.spread_by(fresh, A::tiled));
      CHECK(g.spread_by(plan, A::sweep) == g.spread_by(fresh, A::sweep));
      CHECK(g.interpolate_by(plan, B::sorted) ==
            g.interpolate_by(fresh, B::sorted));
      CHECK(host_values(plan.permutation()) ==
            host_values(fresh.permutation()));
      CHECK(g.spread_by(plan, A::replicated) == expected);
    }
  }
}

TEST_CASE("replicated adds what serial does", "[given]") {
  for (const int n : {0, 1, 65, 3000, 20000}) {
    const Given g(n);
    const auto plan     = g.fresh();
    const auto given    = g.spread_by(plan, A::replicated),
               expected = g.spread_by(plan, A::serial);
    const auto read     = g.interpolate_by(plan, B::unsorted),
               right    = g.interpolate_by(plan, B::serial);
    double worst = 0, worst_read = 0;
    for (std::size_t k = 0; k < given.size(); ++k)
      worst = std::max(worst, std::fabs(given[k] - expected[k]));
    for (std::size_t i = 0; i < read.size(); ++i)
      worst_read = std::max(worst_read, std::fabs(read[i] - right[i]));
    INFO(n << " points, " << plan.state().given.chunk_count() << " chunks");
    CHECK(worst <= 1e-12);
    CHECK(worst_read <= 1e-12 * 997);
    CHECK((n < 20000 || plan.state().given.chunk_count() > 4));
  }
}

TEST_CASE("orders of kept points are those of new plans", "[given]") {
  Given g(20000);
  auto plan = g.fresh();
  CHECK(is_kept(plan));
  CHECK(plan.state().replicates);
  for (unsigned step = 1; step < 6; ++step) {
    g.move(step);
    plan.update(g.exec, g.x);
    CHECK(is_kept(plan));
    CHECK(g.spread_by(plan, A::automatic) ==
          g.spread_by(g.fresh(), A::replicated));
    if (step % 2 != 0) continue;  // several updates without an order
    CHECK(g.spread_by(plan, A::sweep) == g.spread_by(g.fresh(), A::sweep));
    CHECK(host_values(plan.permutation()) ==
          host_values(g.fresh().permutation()));
  }
  // calls that want the order alone
  g.spread_by(plan, A::tiled);
  plan.update(g.exec, g.x);
  CHECK(is_kept(plan));  // both were used
  g.spread_by(plan, A::tiled);
  plan.update(g.exec, g.x);
  CHECK(!is_kept(plan));
  CHECK(g.spread_by(plan, A::automatic) ==
        g.spread_by(g.fresh(), A::replicated));
}

TEST_CASE("values in the order of the plan", "[given]") {
  const Given g(5000);
  const auto plan = g.fresh();
  const auto p    = host_values(plan.permutation());
  const Kokkos::View<double*, Exec> sorted("sorted", p.size()),
      read("read", p.size());
  for (std::size_t i = 0; i < p.size(); ++i)
    sorted(i) = g.strengths(std::size_t(p[i]));
  const auto expected = g.spread_by(plan, A::replicated);
  const auto values   = g.interpolate_by(plan, B::unsorted);
  Kokkos::deep_copy(g.field, .25);
  spread(plan, in_plan_order(sorted), g.field, {A::replicated});
  CHECK(bits(g.field) == expected);
  interpolate(plan, g.source, in_plan_order(read), {B::unsorted});
  for (std::size_t i = 0; i < p.size(); ++i)
    CHECK(read(i) == values[std::size_t(p[i])]);
  // `automatic` takes one algorithm for both
  CHECK(plan.state().replicates);
  Kokkos::deep_copy(g.field, .25);
  spread(plan, in_plan_order(sorted), g.field);
  CHECK(bits(g.field) == expected);
}

TEST_CASE("a wrong point leaves kept points as they were", "[given]") {
  for (const bool sorts : {false, true}) {
    Given g(20000);
    auto plan           = g.fresh();
    const auto expected = g.spread_by(plan, A::replicated);
    const auto order    = host_values(g.fresh().permutation());
    if (sorts) CHECK(host_values(plan.permutation()) == order);
    g.move(2);
    g.x(13000, 1) = std::numeric_limits<double>::quiet_NaN();
    g.x(13001, 0) = std::numeric_limits<double>::infinity();
    std::string error;
    try {
      plan.update(g.exec, g.x);
    } catch (const std::invalid_argument& e) {
      error = e.what();
    }
    CHECK(error.find("at point 13000") != std::string::npos);
    CHECK(g.spread_by(plan, A::replicated) == expected);
    CHECK(host_values(plan.permutation()) == order);
    plan.check(g.exec);
  }
}

TEST_CASE("positions may change after an update that keeps them", "[given]") {
  Given g(20000);
  auto plan           = g.fresh();
  const auto expected = g.spread_by(plan, A::replicated);
  const auto tiled    = g.spread_by(g.fresh(), A::tiled);
  plan.update(g.exec, g.x);
  g.move(9);
  CHECK(g.spread_by(plan, A::replicated) == expected);
  CHECK(g.spread_by(plan, A::tiled) == tiled);
}

/// x with other strides and gaps
template <class Layout, class T = double>
auto laid_out(const Given& g) {
  const auto n = std::size_t(g.n);
  if constexpr (std::is_same<Layout, Kokkos::LayoutStride>::value) {
    const Kokkos::View<T***, Exec> room("room", n, 2, 3);
    const auto x = Kokkos::subview(room, Kokkos::ALL(), Kokkos::ALL(), 1);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < 2; ++d) x(i, d) = T(g.x(i, d));
    return Kokkos::View<T**, Layout, Exec>(x);
  } else {
    const Kokkos::View<T* [2], Layout, Exec> x("x", n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t d = 0; d < 2; ++d) x(i, d) = T(g.x(i, d));
    return x;
  }
}

TEST_CASE("plans that keep the caller's View have the same bits", "[given]") {
  PlanOptions options;
  options.positions = PlanPositions::view;
  for (const int n : {0, 1, 63, 65, 1025, 20000}) {
    const Given g(n);
    INFO(n << " points");
    const auto judge = [&](const auto& x, bool holds) {
      Given::Plan plan(g.exec, g.grid, Roma3{}, x, options);
      const auto fresh = g.fresh();
      for (int round = 0; round < 2; ++round) {
        CHECK(g.spread_by(plan, A::replicated) ==
              g.spread_by(fresh, A::replicated));
        CHECK(g.interpolate_by(plan, B::unsorted) ==
              g.interpolate_by(fresh, B::unsorted));
        CHECK(g.spread_by(plan, A::tiled) == g.spread_by(fresh, A::tiled));
        CHECK(host_values(plan.permutation()) ==
              host_values(fresh.permutation()));
        plan.update(g.exec, x);  // keeps them: the order was not used alone
        CHECK(is_kept(plan) == (n > 0));
        CHECK(plan.state().given.holds() == (holds && n > 0));
      }
    };
    judge(laid_out<Kokkos::LayoutRight>(g), true);
    judge(laid_out<Kokkos::LayoutLeft>(g), true);
    judge(laid_out<Kokkos::LayoutStride>(g), true);
    if (n == 1025) {  // other numbers are copied
      for (int i = 0; i < n; ++i)
        for (int d = 0; d < 2; ++d) g.x(i, d) = float(g.x(i, d));
      judge(laid_out<Kokkos::LayoutLeft, float>(g), false);
    }
  }
}

TEST_CASE("a plan shares the memory of positions until it needs no more",
          "[given]") {
  Given g(20000);
  PlanOptions options;
  options.positions = PlanPositions::view;
  auto plan         = Given::Plan(g.exec, g.grid, Roma3{}, g.x, options);
  const auto copied = g.fresh();
  CHECK(g.x.use_count() == 2);
  CHECK(plan.bytes() + 16 * 20000 <= copied.bytes());
  CHECK(plan.describe().find("; positions are the caller's") !=
        std::string::npos);
  const auto expected = g.spread_by(plan, A::replicated);
  {  // the plan owns what the caller forgets
    const auto other = laid_out<Kokkos::LayoutLeft>(g);
    plan.update(g.exec, other);
  }
  CHECK(g.x.use_count() == 1);
  CHECK(g.spread_by(plan, A::replicated) == expected);
  plan.update(g.exec, g.x);
  g.spread_by(plan, A::tiled);
  CHECK(g.x.use_count() == 2);
  plan.update(g.exec, g.x);  // sorts
  CHECK(g.x.use_count() == 1);
  CHECK(!is_kept(plan));
}

TEST_CASE("plans that lost the caller's View say so", "[given]") {
  Given g(20000);
  PlanOptions options;
  options.positions = PlanPositions::view;
  auto plan         = Given::Plan(g.exec, g.grid, Roma3{}, g.x, options);
  const auto column = Kokkos::subview(g.x, Kokkos::ALL(), 1);
  const Kokkos::View<double**, Exec> gradients("gradients", g.x.extent(0), 2);
  const auto refused = [](const std::string& argument, const auto& call) {
    CHECK(Sporos::Impl::thrown_text(call).find(
              argument +
              ": expected memory separate from that of positions, which the "
              "plan") != std::string::npos);
  };
  refused("values", [&] { interpolate(g.exec, plan, g.source, column); });
  refused("gradients",
          [&] { interpolate_gradient(g.exec, plan, g.source, g.x); });
  refused("values", [&] {
    interpolate_with_gradient(g.exec, plan, g.source, column, gradients);
  });
  const double before = g.x(77, 1);
  g.x(77, 1)          = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(plan.update(g.exec, g.x), std::invalid_argument);
  CHECK_THROWS_AS(g.spread_by(plan, A::replicated), std::invalid_argument);
  CHECK_THROWS_AS(g.interpolate_by(plan, B::sorted), std::invalid_argument);
  g.x(77, 1) = before;
  plan.update(g.exec, g.x);
  CHECK(g.spread_by(plan, A::replicated) ==
        g.spread_by(g.fresh(), A::replicated));
}

TEST_CASE("automatic keeps small grids and ordered points", "[given]") {
  const Given g(20000);
  const auto text = g.fresh().describe();
  CHECK(text.find("in the given order, sorted when a call needs that") !=
        std::string::npos);
  CHECK(text.find("spread replicated (") != std::string::npos);
  CHECK(text.find("interpolate unsorted") != std::string::npos);
  const auto outside = [](const std::string& s) {
    return s.substr(s.find("outside the grid"), 30);
  };
  const auto plan = g.fresh();
  CHECK(outside(plan.describe()) !=
        outside("outside the grid: 0 points               "));
  const std::string kept = outside(plan.describe());
  plan.permutation();
  CHECK(outside(plan.describe()) == kept);
  CHECK(plan.describe().find("sorted by keys of 32 bits") != std::string::npos);

  // large grids: only for points that are nearly in order
  const Grid<3> grid({64, 64, 64}, 1.);
  constexpr int n = 200000;
  const Kokkos::View<double* [3], Exec> x("x", n);
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(0, 63.99);
  for (int i = 0; i < n; ++i)
    for (int d = 0; d < 3; ++d) x(i, d) = uniform(random);
  using Plan = ParticleGridPlan<Exec, 3, double, Hat2>;
  CHECK(!Plan(Exec{}, grid, Hat2{}, x).state().replicates);
  for (int i = 0; i < n; ++i) x(i, 0) = 64. * i / n;
  CHECK(Plan(Exec{}, grid, Hat2{}, x).state().replicates);
  // rows of more values cost more than a sort
  CHECK(!ParticleGridPlan<Exec, 3, double, Peskin4>(Exec{}, grid, Peskin4{}, x)
             .state()
             .replicates);
  PlanOptions options;
  options.any_ranks = true;
  CHECK(!Plan(Exec{}, grid, Hat2{}, x, options).state().replicates);
}

TEST_CASE("the given order is refused where bits or memory forbid it",
          "[given]") {
  const Given g(100);
  PlanOptions options;
  options.any_ranks = true;
  const Given::Plan any(g.exec, g.grid, Roma3{}, g.x, options);
  CHECK_THROWS_AS(g.spread_by(any, A::replicated), std::invalid_argument);
  CHECK_THROWS_AS(g.interpolate_by(any, B::unsorted), std::invalid_argument);
  const Grid<2> huge({1 << 16, 1 << 16}, 1.);
  const Kokkos::View<double* [2], Exec> corners("corners", 2);
  corners(1, 0) = corners(1, 1) = 65000;
  const Given::Plan plan(g.exec, huge, Roma3{}, corners);
  const Kokkos::View<double*, Exec> l("l", 2);
  double one = 0;  // never written
  const Kokkos::View<double**, Kokkos::LayoutStride, Exec,
                     Kokkos::MemoryUnmanaged>
      field(&one, Kokkos::LayoutStride(1 << 16, 1 << 16, 1 << 16, 1));
  std::string error;
  try {
    spread(plan, l, field, {A::replicated});
  } catch (const std::invalid_argument& e) {
    error = e.what();
  }
  CHECK(error.find("2^31 grid points") != std::string::npos);
}

}  // namespace TransferGiven
