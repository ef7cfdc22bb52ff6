// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans that are updated and copied, what they tell, very many points in a
// cell, and very many cells.

#include "Sporos_SparseMemory.hpp"
#include "Sporos_TransferCases.hpp"

#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <optional>
#include <random>
#include <stdexcept>
#include <string>
#include <tuple>
#include <vector>

namespace TransferPlan {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, int Dim>
using Cosine = Config<Exec, double, Dim, Cosine4>;

Problem<2> plain_problem(int n = 1200) {
  return {{20, 33}, {true, false}, Cloud::uniform, n, 1};
}

TEMPLATE_LIST_TEST_CASE("plans are updated for other points and staggerings",
                        "[plan]", Spaces) {
  Setup<Cosine<TestType, 2>> s(plain_problem(3));
  const auto copy = s.plan;  // a handle: sees all updates
  for (const int n : {3, 1000, 10, 0, 777, 2500}) {
    Problem<2> problem = plain_problem(n);
    problem.cloud      = Cloud::ghosts;
    for (const double g : {0., .5, .25, .75, .125, .0}) {
      problem.field = {{g, 0., 0.}};
      Setup<Cosine<TestType, 2>> now(problem);
      s.plan.update(TestType{}, now.x.const_view());
      CHECK(copy.size() == std::size_t(n));
      const auto strengths = random_numbers<double>(n, 5);
      TestArray<TestType, double, 1, Kokkos::LayoutRight> l({n});
      TestArray<TestType, double, 2, Kokkos::LayoutRight> field(
          now.template field_extents<2>());
      l.set([&](std::size_t i) { return strengths[i]; });
      std::vector<double> expected;
      double scale = 0;
      now.reference.spread(strengths, 1, 0, expected, scale);
      for (const NamedSpread& a : spread_algorithms(4)) {
        field.set([](std::size_t) { return 0; });
        SpreadOptions options;
        options.algorithm  = a.algorithm;
        options.columns    = a.columns;
        options.staggering = problem.field;
        spread(copy, l.const_view(), field.view(), options);
        INFO(problem.name() << ", algorithm " << a.name);
        CHECK(difference(field.get().data(), expected) <=
              now.tolerance() * scale);
      }
    }
  }
}

TEMPLATE_LIST_TEST_CASE("a plan tells its order and what it found", "[plan]",
                        Spaces) {
  Problem<2> problem = plain_problem(2000);
  problem.cloud      = Cloud::far;  // beyond the walls, too
  Setup<Cosine<TestType, 2>> s(problem);
  const auto order = host_copy(s.plan.permutation());
  REQUIRE(order.extent(0) == 2000);
  std::vector<int> seen(2000);
  for (int i = 0; i < 2000; ++i) ++seen.at(std::size_t(order(i)));
  CHECK(seen == std::vector<int>(2000, 1));
  int outside = 0;
  for (int i = 0; i < 2000; ++i) outside += s.reference.is_inside(i) ? 0 : 1;
  bool last = true;  // points without a cell come last
  for (int i = 0; i < 2000; ++i)
    last = last && s.reference.is_inside(order(i)) == (i < 2000 - outside);
  CHECK(last);
  CHECK(outside > 100);
  const std::string text = s.plan.describe();
  INFO(text);
  const auto has = [&](const std::string& part) {
    return text.find(part) != std::string::npos;
  };
  CHECK(has("2000 points"));
  CHECK(has("20 (wall) x 33 cells"));
  CHECK(has("outside the grid: " + std::to_string(outside) + " points"));
  CHECK(has("sorted by keys of 32 bits"));
  CHECK(has(std::to_string(s.plan.bytes()) + " bytes"));
}

TEMPLATE_LIST_TEST_CASE("very many points in one cell", "[plan]", Spaces) {
  Problem<3> problem{{12, 40, 11},
                     {false, true, false},
                     Cloud::one_cell,
                     slow_run ? 20000 : 100000,
                     1};
  problem.field = {{0., .5, 0.}};
  Setup<Cosine<TestType, 3>> s(problem);
  CHECK(s.plan.describe().find(" 0 parts") == std::string::npos);
  check_spread<Kokkos::LayoutRight, false>(s);
  check_interpolate<Kokkos::LayoutRight, false>(s);
}

/// One plan for few and many, spread and crowded points, one after another
TEMPLATE_LIST_TEST_CASE("plans are updated with more and fewer points",
                        "[plan]", Spaces) {
  using One             = Setup<Cosine<TestType, 2>>;
  const auto problem_of = [](Cloud cloud, int n) {
    Problem<2> problem = plain_problem(n);
    problem.cloud      = cloud;
    problem.components = 2;
    return problem;
  };
  One first(problem_of(Cloud::uniform, 3));
  for (const auto& problem :
       {problem_of(Cloud::uniform, 900), problem_of(Cloud::far, 6000),
        problem_of(Cloud::one_cell, 66000), problem_of(Cloud::clustered, 5001),
        problem_of(Cloud::ghosts, 901), problem_of(Cloud::far, 140000)}) {
    if (slow_run && problem.n > 10000) continue;  // minutes
    One now(problem);
    first.plan.update(TestType{}, now.x.const_view());
    now.plan = first.plan;
    check_spread<Kokkos::LayoutRight, true>(now);
    check_interpolate<Kokkos::LayoutLeft, true>(now);
    check_spread<Kokkos::LayoutStride, false>(now);
    check_interpolate<Kokkos::LayoutStride, false>(now);
  }
}

// ---------------------------------------------------------------------------

/// spread to a field of which few pages exist.
template <class Plan, class Positions, class Strengths>
void check_wide_spread(const Plan& plan, const Positions& x, const Strengths& l,
                       const std::optional<Staggering>& staggering) {
  const std::size_t nx = std::size_t(plan.grid().cells(0)),
                    ny = std::size_t(plan.grid().cells(1));
  const SparseMemory<double> memory(nx * ny);
  if (memory.data() == nullptr) {
    WARN("the system gives no array of that size");
    return;
  }
  const Kokkos::View<double**, Kokkos::LayoutRight, Kokkos::HostSpace,
                     Kokkos::MemoryUnmanaged>
      field(memory.data(), nx, ny);
  std::map<std::size_t, double> expected;
  const Staggering g = staggering.value_or(Staggering{{0., 0., 0.}});
  for (std::size_t i = 0; i < x.extent(0); ++i)
    for (int a = -2; a <= 3; ++a)
      for (int b = -2; b <= 3; ++b) {
        const double u = std::floor(x(i, 0)) + a, v = std::floor(x(i, 1)) + b;
        expected[std::size_t(u + nx) % nx * ny + std::size_t(v + ny) % ny] +=
            l(i) * phi(Roma3{}, u + g[0] - x(i, 0)) *
            phi(Roma3{}, v + g[1] - x(i, 1));
      }
  for (const auto a : {SpreadAlgorithm::serial, SpreadAlgorithm::sweep,
                       SpreadAlgorithm::tiled, SpreadAlgorithm::atomic}) {
    for (const auto& place : expected) memory.data()[place.first] = 0;
    spread(plan, l, field, {a, staggering});
    double worst = 0;
    for (const auto& [place, value] : expected)
      worst = larger_error(worst, std::fabs(memory.data()[place] - value));
    INFO("algorithm " << int(a));
    CHECK(worst <= 1e-9);
  }
}

/// Sorted by tile, by cell in the tile, by number?
template <class Bins>
void check_order(const Bins& bins) {
  const auto tile = host_copy(bins.keys);
  const auto cell =
      host_copy(Kokkos::View<const std::uint16_t*, typename Bins::memory_space,
                             Kokkos::MemoryTraits<Kokkos::Unmanaged>>(
          bins.locals, std::size_t(bins.n)));
  const auto point = host_copy(bins.permutation);
  bool sorted      = true;
  for (int i = 1; i < bins.n; ++i)
    sorted = sorted && std::make_tuple(tile(i - 1), cell(i - 1), point(i - 1)) <
                           std::make_tuple(tile(i), cell(i), point(i));
  CHECK(sorted);
}

/// A grid with more cells than 32 bits can number. Its fields do not fit into
/// memory; those to interpolate have stride 0 in direction 1: f(x, y) = f(x).
template <class Exec>
void check_wide_keys() {
  using Memory     = typename Exec::memory_space;
  constexpr int nx = 1 << 17, ny = 3 << 16, n = 5000;
  const Grid<2> grid({nx, ny}, 1.);
  const Exec exec{};
  const Kokkos::View<double**, Memory> x("x", n, 2);
  const Kokkos::View<double*, Memory> l("l", n), line("line", nx);
  std::mt19937 generator(1);
  std::uniform_real_distribution<double> uniform(0, 1);
  const auto hx = Kokkos::create_mirror_view(x);
  const auto hl = Kokkos::create_mirror_view(l);
  for (int i = 0; i < n; ++i) {
    const int twin = i % 4 == 0 ? i : i - 1;  // some share a cell, or a tile
    hx(i, 0)       = i == twin ? nx * uniform(generator) : hx(twin, 0);
    hx(i, 1)       = i == twin ? ny * uniform(generator)
                               : hx(twin, 1) + (i % 4 == 1 ? 0. : -1.);
    hl(i)          = uniform(generator);
  }
  Kokkos::deep_copy(x, hx);
  Kokkos::deep_copy(l, hl);
  ParticleGridPlan<Exec, 2, double, Roma3> plan(exec, grid, Roma3{}, x);
  CHECK(plan.describe().find("sorted by keys of 64 bits") != std::string::npos);
  if constexpr (Sporos::Impl::is_host_space_v<Exec>) {
    // refused: nothing changes
    const Kokkos::View<double**, Memory> wrong("wrong", n, 2);
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 2; ++d) wrong(i, d) = hx(n - 1 - i, d) + 3;
    wrong(n / 2, 1) = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(plan.update(exec, wrong), std::invalid_argument);
  }
  check_order(plan.state().bins);

  using Field = Kokkos::View<double**, Kokkos::LayoutStride, Memory,
                             Kokkos::MemoryUnmanaged>;
  const Field field(line.data(), Kokkos::LayoutStride(nx, 1, ny, 0));
  const Staggering other{{.5, .25, 0.}};
  for (const bool shifted : {false, true}) {
    const double g  = shifted ? .5 : 0.;
    const auto near = [&](int i, const auto& visit) {
      for (int j = -2; j <= 3; ++j) {
        const double at = std::floor(hx(i, 0)) + j;
        const double w  = phi(Roma3{}, at + g - hx(i, 0));
        visit(int(at + nx) % nx, w);
      }
    };
    std::optional<Staggering> staggering;
    if (shifted) staggering = other;
    const auto hline = Kokkos::create_mirror_view(line);
    for (int i = 0; i < nx; ++i) hline(i) = std::sin(double(i));
    Kokkos::deep_copy(line, hline);
    const Kokkos::View<double*, Memory> values("values", n);
    for (const NamedInterpolate& a : interpolate_algorithms(3)) {
      Kokkos::deep_copy(values, 7.);
      interpolate(plan, field, values, {a.algorithm, staggering});
      const auto result = host_copy(values);
      double worst      = 0;
      for (int i = 0; i < n; ++i) {
        double expected = 0;
        near(i, [&](int p, double w) { expected += w * hline(p); });
        worst = larger_error(worst, std::fabs(result(i) - expected));
      }
      INFO("algorithm " << a.name << ", shifted " << shifted);
      CHECK(worst <= 1e-9);
    }
    if constexpr (Sporos::Impl::is_host_space_v<Exec>)
      check_wide_spread(plan, hx, l, staggering);
  }
}

TEMPLATE_LIST_TEST_CASE("more cells than 32 bits can number", "[plan]",
                        Spaces) {
  check_wide_keys<TestType>();
}

}  // namespace TransferPlan
