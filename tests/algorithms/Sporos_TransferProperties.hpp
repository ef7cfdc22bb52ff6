// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Properties that spread and interpolate have whatever the numbers: adjoint to
/// each other, conservative, exact for constants and linear functions, and the
/// same to the last bit each time.

#ifndef SPOROS_TRANSFERPROPERTIES_HPP
#define SPOROS_TRANSFERPROPERTIES_HPP

#include "Sporos_TransferCases.hpp"

#include <numeric>

namespace Sporos {
namespace Test {

template <int Dim, int Support>
Problem<Dim> property_problem(bool wall, int n) {
  Problem<Dim> p{};
  const int cells[3] = {37, 3 * Support, 21};
  for (int d = 0; d < Dim; ++d) {
    p.cells[d] = cells[d];
    p.wall[d]  = wall;
  }
  p.n     = n;
  p.plan  = {{.5, .25, 0.}};
  p.field = {{.5, 0., .5}};
  return p;
}

/// One spread into a field of zeros.
template <class C>
std::vector<typename C::Real> spread_once(
    Setup<C>& s, const std::vector<typename C::Real>& strengths,
    SpreadOptions options) {
  using Exec   = typename C::execution_space;
  using Real   = typename C::Real;
  using Layout = typename C::layout;
  TestArray<Exec, Real, 1, Layout> l(s.template value_extents<1>());
  TestArray<Exec, Real, C::dim, Layout> field(
      s.template field_extents<C::dim>());
  l.set([&](std::size_t i) { return strengths[i]; });
  options.staggering = s.problem.field;
  spread(s.plan, l.const_view(), field.view(), options);
  return field.get();
}
template <class C, class F>
std::vector<typename C::Real> interpolate_once(Setup<C>& s, const F& f,
                                               InterpolateAlgorithm algorithm) {
  using Exec   = typename C::execution_space;
  using Real   = typename C::Real;
  using Layout = typename C::layout;
  TestArray<Exec, Real, 1, Layout> values(s.template value_extents<1>());
  TestArray<Exec, Real, C::dim, Layout> field(
      s.template field_extents<C::dim>());
  field.set(f);
  InterpolateOptions options;
  options.algorithm  = algorithm;
  options.staggering = s.problem.field;
  interpolate(s.plan, field.const_view(), values.view(), options);
  return values.get();
}

/// factor times <a, b>; scale: the sum of absolute values.
struct ScalarProduct {
  const char* name;
  double sum = 0, scale = 0;

  template <class Real>
  ScalarProduct(const std::vector<Real>& a, const std::vector<Real>& b,
                const char* name_, double factor = 1)
      : name(name_) {
    for (std::size_t i = 0; i < a.size(); ++i) {
      const double product = factor * double(a[i]) * double(b[i]);
      sum += product;
      scale += std::fabs(product);
    }
  }
};

/// h^d <spread L, e> = <L, interpolate e>
template <class C>
void spread_and_interpolate_are_adjoint() {
  using Real = typename C::Real;
  for (const bool wall : {false, true}) {
    Problem<C::dim> problem =
        property_problem<C::dim, C::Delta::support>(wall, 1500);
    problem.cloud = wall ? Cloud::ghosts : Cloud::far;
    Setup<C> s(problem);
    const auto strengths = random_numbers<Real>(1500, 1);
    const auto e         = random_numbers<Real>(s.reference.size(), 2);
    std::vector<ScalarProduct> left, right;
    for (const NamedSpread& a : spread_algorithms(C::Delta::support))
      left.emplace_back(
          spread_once(s, strengths, {a.algorithm, std::nullopt, a.columns}), e,
          a.name, s.reference.volume());
    for (const NamedInterpolate& b : interpolate_algorithms(C::Delta::support))
      right.emplace_back(
          interpolate_once(
              s, [&](std::size_t p) { return e[p]; }, b.algorithm),
          strengths, b.name);
    for (const ScalarProduct& a : left)
      for (const ScalarProduct& b : right) {
        INFO(problem.name() << ": " << a.name << " and " << b.name);
        CHECK(std::fabs(a.sum - b.sum) <=
              40 * std::numeric_limits<Real>::epsilon() * (a.scale + b.scale));
      }
  }
}

/// h^d sum of the field = sum of the strengths
template <class C>
void spread_conserves() {
  using Real = typename C::Real;
  if (!Promises<typename C::Delta>::sums_to_one) return;
  Setup<C> s(property_problem<C::dim, C::Delta::support>(false, 2000));
  const auto strengths = random_numbers<Real>(2000, 3);
  double expected = 0, scale = 0;
  for (const Real l : strengths) {
    expected += double(l);
    scale += std::fabs(double(l));
  }
  for (const NamedSpread& a : spread_algorithms(C::Delta::support)) {
    const auto field =
        spread_once(s, strengths, {a.algorithm, std::nullopt, a.columns});
    double sum = 0;
    for (const Real f : field) sum += s.reference.volume() * double(f);
    INFO("algorithm " << a.name);
    CHECK(std::fabs(sum - expected) <=
          40 * std::numeric_limits<Real>::epsilon() * scale);
  }
}

/// Interpolation of 1 is 1; of a coordinate, that coordinate if first moments
/// are 0.
template <class C>
void interpolate_is_exact() {
  using Real           = typename C::Real;
  using Promise        = Promises<typename C::Delta>;
  constexpr int s_half = C::Delta::support / 2 + 1;
  Problem<C::dim> problem =
      property_problem<C::dim, C::Delta::support>(true, 3000);
  for (int d = 0; d < C::dim; ++d) problem.cells[d] += 2 * s_half;
  Setup<C> s(problem);
  const double eps = std::numeric_limits<Real>::epsilon();
  // away from the walls
  std::vector<int> inner;
  for (int i = 0; i < problem.n; ++i) {
    bool in = true;
    for (int d = 0; d < C::dim; ++d) {
      const double u =
          (s.positions[i * C::dim + d] - s.grid.origin(d)) / s.grid.spacing(d);
      in = in && u > s_half && u < problem.cells[d] - s_half;
    }
    if (in) inner.push_back(i);
  }
  REQUIRE(inner.size() > 200);
  for (const NamedInterpolate& a : interpolate_algorithms(C::Delta::support)) {
    INFO("algorithm " << a.name);
    if (Promise::sums_to_one) {
      const auto ones = interpolate_once(
          s, [](std::size_t) { return 1; }, a.algorithm);
      double worst = 0;
      for (const int i : inner)
        worst = larger_error(worst, std::fabs(double(ones[i]) - 1.));
      CHECK(worst <= 20 * eps);
    }
    for (int d = 0; d < C::dim; ++d) {
      const auto coordinates = interpolate_once(
          s,
          [&](std::size_t p) {
            for (int k = 0; k < d; ++k) p /= std::size_t(s.reference.points(k));
            return double(p % std::size_t(s.reference.points(d))) +
                   problem.field[d];
          },
          a.algorithm);
      double worst = 0;
      for (const int i : inner)
        worst = larger_error(
            worst, std::fabs(double(coordinates[i]) -
                             (s.positions[i * C::dim + d] - s.grid.origin(d)) /
                                 s.grid.spacing(d)));
      if (Promise::first_moment)
        CHECK(worst <= 60 * eps * problem.cells[d]);
      else
        CHECK(worst > 1e-3);  // or the test could not tell
    }
  }
}

/// Bits do not change from run to run, nor with a plan made anew.
template <class C>
void results_repeat(int runs) {
  using Real = typename C::Real;
  Problem<C::dim> problem =
      property_problem<C::dim, C::Delta::support>(false, 9001);
  problem.cloud        = Cloud::clustered;
  const auto strengths = random_numbers<Real>(9001, 4);
  const auto same = [](const std::vector<Real>& a, const std::vector<Real>& b) {
    return a.size() == b.size() &&
           std::memcmp(a.data(), b.data(), a.size() * sizeof(Real)) == 0;
  };
  Setup<C> s(problem), other(problem);
  const auto e = random_numbers<Real>(s.reference.size(), 2);
  for (const NamedSpread& a : spread_algorithms(C::Delta::support)) {
    if (a.algorithm == SpreadAlgorithm::atomic) continue;
    const SpreadOptions options{a.algorithm, std::nullopt, a.columns};
    const auto first = spread_once(s, strengths, options);
    bool repeats     = true;
    for (int run = 1; run < runs; ++run) {
      Setup<C>& used = run % 2 ? other : s;
      if (run % 4 == 2)
        used.plan.update(typename C::execution_space{}, used.x.const_view());
      repeats = repeats && same(first, spread_once(used, strengths, options));
    }
    INFO("algorithm " << a.name);
    CHECK(repeats);
  }
  for (const NamedInterpolate& a : interpolate_algorithms(C::Delta::support)) {
    const auto f     = [&](std::size_t p) { return e[p]; };
    const auto first = interpolate_once(s, f, a.algorithm);
    bool repeats     = true;
    for (int run = 1; run < runs; ++run)
      repeats = repeats && same(first, interpolate_once(run % 2 ? other : s, f,
                                                        a.algorithm));
    INFO("algorithm " << a.name);
    CHECK(repeats);
  }
}

}  // namespace Test
}  // namespace Sporos

/// The test cases that every transfer_*.cpp has, for a list of Config.
#define SPOROS_TRANSFER_TESTS(name, List)                                    \
  TEMPLATE_LIST_TEST_CASE(name ": spread is what its definition says",       \
                          "[transfer]", List) {                              \
    Sporos::Test::spread_is_the_definition<TestType>();                      \
  }                                                                          \
  TEMPLATE_LIST_TEST_CASE(name ": interpolate is what its definition says",  \
                          "[transfer]", List) {                              \
    Sporos::Test::interpolate_is_the_definition<TestType>();                 \
  }                                                                          \
  TEMPLATE_LIST_TEST_CASE(name ": spread and interpolate are adjoint",       \
                          "[transfer]", List) {                              \
    Sporos::Test::spread_and_interpolate_are_adjoint<TestType>();            \
  }                                                                          \
  TEMPLATE_LIST_TEST_CASE(name ": spread conserves", "[transfer]", List) {   \
    Sporos::Test::spread_conserves<TestType>();                              \
  }                                                                          \
  TEMPLATE_LIST_TEST_CASE(name                                               \
                          ": interpolate is exact for constants and "        \
                          "linear functions",                                \
                          "[transfer]", List) {                              \
    Sporos::Test::interpolate_is_exact<TestType>();                          \
  }                                                                          \
  TEMPLATE_LIST_TEST_CASE(name ": results repeat to the last bit",           \
                          "[transfer]", List) {                              \
    Sporos::Test::results_repeat<TestType>(Sporos::Test::slow_run ? 3 : 20); \
  }

#endif
