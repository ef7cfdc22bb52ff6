// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// The forms in which particle-grid transfer can be called: one shot, vector
// fields on faces, a caller's buffer, mixed types, subviews.

#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_TransferCases.hpp"

#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

namespace TransferInterface {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, int Dim>
using Cosine = Config<Exec, double, Dim, Cosine4>;

Problem<2> plain_problem(int n = 1200) {
  return {{20, 33}, {true, false}, Cloud::uniform, n, 1};
}

TEMPLATE_LIST_TEST_CASE("spread in one call", "[interface]", Spaces) {
  Problem<2> problem = plain_problem();
  for (const Staggering& g : {Grid<2>::node(), Grid<2>::face(1)}) {
    problem.plan = problem.field = g;
    Setup<Cosine<TestType, 2>> s(problem);
    const auto strengths = random_numbers<double>(1200, 5);
    TestArray<TestType, double, 1, Kokkos::LayoutRight> l({1200});
    TestArray<TestType, double, 2, Kokkos::LayoutRight> field(
        s.template field_extents<2>());
    l.set([&](std::size_t i) { return strengths[i]; });
    std::vector<double> expected;
    double scale = 0;
    s.reference.spread(strengths, 1, 0, expected, scale);
    for (const auto a : {SpreadAlgorithm::automatic, SpreadAlgorithm::sweep}) {
      field.set([](std::size_t) { return 0; });
      SpreadOptions options;
      options.algorithm  = a;
      options.staggering = g;
      spread(TestType{}, s.grid, Cosine4{}, s.x.const_view(), l.const_view(),
             field.view(), options);
      CHECK(difference(field.get().data(), expected) <= s.tolerance() * scale);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("vector fields on the faces of a grid", "[interface]",
                        Spaces) {
  using Memory       = typename TestType::memory_space;
  Problem<2> problem = plain_problem();
  problem.plan       = Grid<2>::cell_center();
  Setup<Cosine<TestType, 2>> s(problem);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Memory> strengths(
      "strengths", 1200, 2),
      values("values", 1200, 2);
  const auto numbers = random_numbers<double>(2400, 8);
  set_elements(strengths, [&](std::size_t p) { return numbers[p]; });
  // walls in direction 0
  using Field = Kokkos::View<double**, Kokkos::LayoutRight, Memory>;
  const Kokkos::Array<Field, 2> fields{
      {Field("face 0", 21, 33), Field("face 1", 20, 33)}};
  spread(TestType{}, s.plan, strengths, on_faces(fields));
  interpolate(TestType{}, s.plan, on_faces(fields), values);
  const auto result = elements(values);
  for (int k = 0; k < 2; ++k) {
    Problem<2> one = problem;
    one.field      = Grid<2>::face(k);
    const Reference<Cosine4, 2, double> reference(one, s.grid, s.positions);
    std::vector<double> expected;
    double scale = 0;
    reference.spread(std::vector<double>(numbers.begin() + 1200 * k,
                                         numbers.begin() + 1200 * (k + 1)),
                     1, 0, expected, scale);
    const auto field = elements(fields[k]);
    REQUIRE(field.size() == expected.size());
    CHECK(difference(field.data(), expected) <= s.tolerance() * scale);
    double worst = 0;
    for (int i = 0; i < problem.n; ++i)
      worst = larger_error(
          worst, std::fabs(result[i + k * problem.n] -
                           reference.interpolate(
                               i, [&](std::size_t p) { return field[p]; })));
    CHECK(worst <= s.tolerance() * scale);
  }
}

template <class Buffer, class C>
void check_buffer(Setup<C>& s, const Buffer& buffer,
                  const std::vector<double>& strengths,
                  const std::vector<double>& expected, double scale) {
  using Exec = typename C::execution_space;
  Kokkos::deep_copy(buffer, 1e300);  // what was in it does not matter
  TestArray<Exec, double, 1, Kokkos::LayoutRight> l({s.problem.n});
  TestArray<Exec, double, 2, Kokkos::LayoutLeft> field(
      s.template field_extents<2>());
  l.set([&](std::size_t i) { return strengths[i]; });
  SpreadOptions options;
  options.staggering = s.problem.field;
  const Recorder recorder;
  spread(Exec{}, s.plan, l.const_view(), field.view(), buffer, options);
  // no buffer of the plan's own
  CHECK(std::count(events.allocations.begin(), events.allocations.end(),
                   "Sporos::spread::buffer") == 0);
  CHECK(difference(field.get().data(), expected) <= s.tolerance() * scale);
}

TEMPLATE_LIST_TEST_CASE("sweeps with a caller's buffer", "[interface]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  for (const bool walls : {false, true}) {
    Problem<2> problem = plain_problem();
    problem.wall       = {walls, walls};
    problem.cloud      = walls ? Cloud::ghosts : Cloud::far;
    problem.field      = Grid<2>::face(0);
    Setup<Cosine<TestType, 2>> s(problem);
    const auto strengths = random_numbers<double>(1200, 5);
    std::vector<double> expected;
    double scale = 0;
    s.reference.spread(strengths, 1, 0, expected, scale);
    const std::size_t size = s.reference.size();
    for (const std::size_t columns : {1, 2, 7, 8, 16, 20}) {
      INFO(columns << " columns, walls " << walls);
      check_buffer(s,
                   Kokkos::View<double**, Kokkos::LayoutRight, Memory>(
                       "buffer", size, columns),
                   strengths, expected, scale);
      check_buffer(s,
                   Kokkos::View<double**, Kokkos::LayoutLeft, Memory>(
                       "buffer", size, columns),
                   strengths, expected, scale);
      const Kokkos::View<double***, Kokkos::LayoutRight, Memory> larger(
          "larger", size, columns, 3);
      check_buffer(s, Kokkos::subview(larger, Kokkos::ALL(), Kokkos::ALL(), 1),
                   strengths, expected, scale);
    }
  }
}

/// Fields, strengths and positions of types other than the grid's.
template <class Exec, class Real, class X, class L, class F>
void check_mixed() {
  using Memory             = typename Exec::memory_space;
  const Problem<2> problem = plain_problem();
  const auto grid          = grid_of<Real>(problem);
  const auto positions     = make_positions(problem, grid_of<X>(problem));
  const auto strengths     = random_numbers<L>(1200, 5);
  const Kokkos::View<X**, Memory> x("x", 1200, 2);
  const Kokkos::View<L*, Memory> l("l", 1200);
  const Kokkos::View<F**, Memory> field("field", 21, 33);
  set_elements(
      x, [&](std::size_t p) { return positions[p % 1200 * 2 + p / 1200]; });
  const auto host = Kokkos::create_mirror_view(l);
  for (int i = 0; i < 1200; ++i) host(i) = strengths[i];
  Kokkos::deep_copy(l, host);
  const Exec exec{};
  const ParticleGridPlan<Exec, 2, Real, Cosine4> plan(exec, grid, Cosine4{}, x);
  const Reference<Cosine4, 2, X> reference(problem, grid_of<X>(problem),
                                           positions);
  std::vector<double> expected;
  double scale = 0;
  reference.spread(strengths, 1, 0, expected, scale);
  for (const NamedSpread& a : spread_algorithms(4)) {
    Kokkos::deep_copy(field, F(0));
    SpreadOptions options;
    options.algorithm = a.algorithm;
    options.columns   = a.columns;
    spread(plan, l, field, options);
    INFO("algorithm " << a.name);
    CHECK(difference(elements(field).data(), expected) <= 1e-4 * scale);
  }
  const auto e = elements(field);
  for (const NamedInterpolate& a : interpolate_algorithms(4)) {
    Kokkos::deep_copy(l, L(0));
    InterpolateOptions options;
    options.algorithm = a.algorithm;
    interpolate(plan, field, l, options);
    Kokkos::deep_copy(host, l);
    double worst = 0;
    for (int i = 0; i < 1200; ++i)
      worst = larger_error(
          worst, std::fabs(double(host(i)) -
                           reference.interpolate(
                               i, [&](std::size_t p) { return e[p]; })));
    INFO("algorithm " << a.name);
    CHECK(worst <= 1e-4 * scale);
  }
}

TEST_CASE("positions, strengths and fields of mixed types", "[interface]") {
  check_mixed<LastSpace, double, float, double, float>();
  check_mixed<LastSpace, float, double, float, double>();
}

TEMPLATE_LIST_TEST_CASE("fields and values that are subviews", "[interface]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  Setup<Cosine<TestType, 2>> s(plain_problem());
  const auto strengths = random_numbers<double>(1200, 5);
  const Kokkos::View<double***, Kokkos::LayoutRight, Memory> all("all", 25, 2,
                                                                 40);
  const Kokkos::View<double**, Kokkos::LayoutRight, Memory> many("many", 1300,
                                                                 3);
  const auto field =
      Kokkos::subview(all, std::make_pair(3, 24), 1, std::make_pair(5, 38));
  const auto values = Kokkos::subview(many, std::make_pair(50, 1250), 2);
  set_elements(many, [&](std::size_t p) {
    const std::size_t i = p % 1300;
    return p / 1300 == 2 && i >= 50 && i < 1250 ? strengths[i - 50] : -3.;
  });
  std::vector<double> expected;
  double scale = 0;
  s.reference.spread(strengths, 1, 0, expected, scale);
  spread(s.plan, values, field);
  // a contiguous copy: deep_copy between spaces needs one
  const auto host_all = host_copy(all);
  double worst = 0, others = 0;
  for (int i = 0; i < 25; ++i)
    for (int c = 0; c < 2; ++c)
      for (int j = 0; j < 40; ++j) {
        const bool ours = c == 1 && i >= 3 && i < 24 && j >= 5 && j < 38;
        if (ours)
          worst = larger_error(
              worst,
              std::fabs(host_all(i, c, j) - expected[(i - 3) + 21 * (j - 5)]));
        else
          others = larger_error(others, std::fabs(host_all(i, c, j)));
      }
  CHECK(worst <= s.tolerance() * scale);
  CHECK(others == 0.);

  interpolate(s.plan, field, values);
  const auto result = elements(many);
  worst = others = 0;
  for (int i = 0; i < 1300; ++i)
    for (int c = 0; c < 3; ++c) {
      const double value = result[i + 1300 * c];
      if (c == 2 && i >= 50 && i < 1250)
        worst = larger_error(worst,
                             std::fabs(value - s.reference.interpolate(
                                                   i - 50, [&](std::size_t p) {
                                                     return expected[p];
                                                   })));
      else
        others = larger_error(others, std::fabs(value + 3.));
    }
  CHECK(worst <= s.tolerance() * scale);
  CHECK(others == 0.);
}

TEMPLATE_LIST_TEST_CASE("positions of rank 1 and of any layout", "[interface]",
                        Spaces) {
  using Memory = typename TestType::memory_space;
  Problem<1> problem{{40}, {true}, Cloud::ghosts, 500, 1};
  Setup<Config<TestType, double, 1, Peskin4>> s(problem);
  const auto strengths = random_numbers<double>(500, 5);
  const Kokkos::View<double*, Memory> x("x", 500), l("l", 500), field("f", 41);
  const Kokkos::View<double**, Kokkos::LayoutLeft, Memory> wide("wide", 500, 3);
  const auto hx = Kokkos::create_mirror_view(x),
             hl = Kokkos::create_mirror_view(l);
  for (int i = 0; i < 500; ++i) {
    hx(i) = s.positions[i];
    hl(i) = strengths[i];
  }
  Kokkos::deep_copy(x, hx);
  Kokkos::deep_copy(l, hl);
  set_elements(wide, [&](std::size_t p) {
    return p / 500 == 1 ? s.positions[p % 500] : 1e9;
  });
  std::vector<double> expected;
  double scale = 0;
  s.reference.spread(strengths, 1, 0, expected, scale);
  const auto check = [&](const auto& plan) {
    Kokkos::deep_copy(field, 0.);
    spread(plan, l, field);
    const auto host = host_copy(field);
    CHECK(difference(host.data(), expected) <= s.tolerance() * scale);
  };
  using Plan = ParticleGridPlan<TestType, 1, double, Peskin4>;
  check(Plan(TestType{}, s.grid, Peskin4{}, x));
  const auto column =
      Kokkos::subview(wide, Kokkos::ALL(), std::make_pair(1, 2));
  check(Plan(TestType{}, s.grid, Peskin4{}, column));
}

}  // namespace TransferInterface
