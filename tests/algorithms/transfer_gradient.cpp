// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// interpolate_gradient and spread_dipoles against their definitions, against
// differences, and against one another.

#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_TransferCases.hpp"
#include "Sporos_WrongTransfers.hpp"

#include <Sporos_ParticleGridGradient.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <tuple>
#include <vector>

namespace TransferGradient {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Test::LastSpace;
using Left   = Kokkos::LayoutLeft;
using Right  = Kokkos::LayoutRight;
using Stride = Kokkos::LayoutStride;

/// The definition of the derivative in direction `derived` of points' weights.
template <class C>
Reference<typename C::Delta, C::dim, typename C::Real> derivative(
    const Setup<C>& s, int derived) {
  return {s.problem, s.grid, s.positions, [&, derived](int d, double x) {
            const typename C::Delta delta{};
            return d == derived ? -slope(delta, x) / s.grid.spacing(d)
                                : phi(delta, x);
          }};
}

/// Error that rounding explains, of derivatives of fields within [-1, 1].
template <class C>
double tolerance(const Setup<C>& s) {
  double h = 1;
  for (int d = 0; d < C::dim; ++d) h = std::min(h, double(s.grid.spacing(d)));
  return 8 * s.tolerance() / h;
}

/// All: all algorithms, else `automatic` alone
template <bool All, class C>
void check_gradients(Setup<C>& s) {
  using Real        = typename C::Real;
  constexpr int dim = C::dim;
  const int n       = s.problem.n;
  TestArray<Exec, Real, dim, typename C::layout> field(
      s.template field_extents<dim>());
  TestArray<Exec, Real, 2, typename C::layout> gradients({n, dim}),
      alone({n, dim});
  TestArray<Exec, Real, 1, Left> values({n});
  const auto numbers = random_numbers<Real>(field.size(), 6);
  field.set([&](std::size_t p) { return numbers[p]; });
  const auto read = [&](std::size_t p) { return double(numbers[p]); };
  std::vector<double> slopes, expected;
  for (int d = 0; d < dim; ++d) {
    const auto reference = derivative(s, d);
    for (int i = 0; i < n; ++i)
      slopes.push_back(reference.interpolate(i, read));
  }
  for (int i = 0; i < n; ++i)
    expected.push_back(s.reference.interpolate(i, read));
  std::vector<NamedInterpolate> all{
      {"automatic", InterpolateAlgorithm::automatic}};
  if (All) all = interpolate_algorithms(C::Delta::support);
  for (const NamedInterpolate& a : all) {
    InterpolateOptions options;
    options.algorithm = a.algorithm;
    if (!s.problem.one_staggering()) options.staggering = s.problem.field;
    for (auto* out : {&gradients, &alone})
      out->set([](std::size_t) { return 7; });
    values.set([](std::size_t) { return 7; });
    if constexpr (All) {
      interpolate_with_gradient(Exec{}, s.plan, field.const_view(),
                                values.view(), gradients.view(), options);
      interpolate_gradient(Exec{}, s.plan, field.const_view(), alone.view(),
                           options);
    } else {
      interpolate_with_gradient(Exec{}, s.plan, field.const_view(),
                                values.view(), gradients.view());
      interpolate_gradient(Exec{}, s.plan, field.const_view(), alone.view());
    }
    Kokkos::fence();
    INFO(s.problem.name() << ", algorithm " << a.name);
    CHECK(difference(gradients.get().data(), slopes) <= tolerance(s));
    CHECK(difference(alone.get().data(), slopes) <= tolerance(s));
    CHECK(difference(values.get().data(), expected) <= 2 * s.tolerance());
    const auto result = gradients.get();
    bool zero         = true;
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < dim && !s.reference.is_inside(i); ++d)
        zero = zero && result[std::size_t(d * n + i)] == Real(0);
    CHECK(zero);
    CHECK((gradients.gaps_are_untouched() && field.gaps_are_untouched()));
  }
}

/// All: all algorithms, else `automatic` alone
template <bool All, class C>
void check_dipoles(Setup<C>& s) {
  using Real        = typename C::Real;
  constexpr int dim = C::dim;
  const int n       = s.problem.n;
  TestArray<Exec, Real, dim, typename C::layout> field(
      s.template field_extents<dim>());
  TestArray<Exec, Real, 2, typename C::layout> moments({n, dim});
  const auto numbers = random_numbers<Real>(moments.size(), 5);
  moments.set([&](std::size_t p) { return numbers[p]; });
  const auto before = [](std::size_t p) { return .25 * double(p % 5); };
  std::vector<double> expected(field.size()), part;
  for (std::size_t p = 0; p < expected.size(); ++p) expected[p] = before(p);
  double scale = n > 0 ? 1 : 0;
  for (int d = 0; d < dim; ++d) {
    double one = 0;
    derivative(s, d).spread(std::vector<Real>(numbers.begin() + d * n,
                                              numbers.begin() + (d + 1) * n),
                            1, 0, part, one);
    for (std::size_t p = 0; p < part.size(); ++p) expected[p] += part[p];
    scale += one;
  }
  std::vector<NamedSpread> all{{"automatic", SpreadAlgorithm::automatic, 0}};
  if (All) all = spread_algorithms(C::Delta::support);
  for (const NamedSpread& a : all) {
    SpreadOptions options;
    options.algorithm = a.algorithm;
    options.columns   = a.columns;
    if (!s.problem.one_staggering()) options.staggering = s.problem.field;
    field.set(before);
    if constexpr (All)
      spread_dipoles(Exec{}, s.plan, moments.const_view(), field.view(),
                     options);
    else
      spread_dipoles(Exec{}, s.plan, moments.const_view(), field.view());
    Kokkos::fence();
    INFO(s.problem.name() << ", algorithm " << a.name);
    // rounded fractions change weights by more than their share
    CHECK(difference(field.get().data(), expected) <=
          20 * s.tolerance() * scale);
    CHECK(field.gaps_are_untouched());
  }
}

using Always  = std::tuple<Config<Exec, double, 2, Cosine4, Stride>>;
using More    = std::tuple<Config<Exec, float, 3, BSpline<3>, Left>,
                        Config<Exec, double, 1, Hat2, Right>>;
using Configs = unless_reduced<Always, More>;

TEMPLATE_LIST_TEST_CASE("gradients and dipoles are the definition",
                        "[transfer]", Configs) {
  constexpr int dim = TestType::dim, support = TestType::Delta::support;
  int turn = 0;
  for (const auto& problem : problems<dim, support>()) {
    // at grid points rounding decides on the side of a kink
    if (support == 2 && problem.cloud == Cloud::edges) continue;
    if (problem.n > 900 && turn++ % 8 != 0) continue;
    Setup<TestType> setup(problem);
    check_gradients<true>(setup);
    check_dipoles<true>(setup);
  }
}

TEST_CASE("gradients and dipoles of a wide delta function", "[transfer]") {
  for (const int n : {60, 2000}) {  // without images of tiles, and with them
    Problem<3> problem{{20, 9, 11}, {true, false, false}, Cloud::clustered, n};
    problem.plan = problem.field = {{.5, 0., .5}};
    Setup<Config<Exec, double, 3, BSpline<9>, Right>> setup(problem);
    check_gradients<false>(setup);
    check_dipoles<false>(setup);
  }
}

/// Some points on a grid with a wall
struct Some {
  using Memory              = Exec::memory_space;
  static constexpr int n    = 500;
  static constexpr double h = .04;
  Grid<2> grid{{20, 31}, {{h, .05}}, {{Boundary::wall, Boundary::periodic}}};
  Kokkos::View<double**, Memory> x{"x", n, 2};
  std::vector<double> numbers = random_numbers<double>(2 * n, 3);

  ParticleGridPlan<Exec, 2, double, Cosine4> plan{Exec{}, grid, Cosine4{}, x};

  Some() {
    move(0, 0);
    plan.update(x);
  }

  void move(int direction, double by) {
    const auto host = Kokkos::create_mirror_view(x);
    for (int i = 0; i < n; ++i)
      for (int d = 0; d < 2; ++d)
        host(i, d) = .7 * (numbers[std::size_t(2 * i + d)] + 1) / 2 + .03 +
                     (d == direction ? by : 0.);
    Kokkos::deep_copy(x, host);
  }
};

template <class View>
void fill(const View& view, unsigned seed) {
  const auto host = Kokkos::create_mirror_view(view);
  const auto some = random_numbers<double>(host.span() * 2, seed);
  for (std::size_t i = 0; i < host.span(); ++i) {
    using T = typename View::value_type;
    if constexpr (std::is_same_v<T, double>)
      host.data()[i] = some[i];
    else
      host.data()[i] = T(some[2 * i], some[2 * i + 1]);
  }
  Kokkos::deep_copy(view, host);
}

TEST_CASE("gradients are limits of differences, and the adjoint of dipoles",
          "[transfer]") {
  Some s;
  const Kokkos::View<double**, Some::Memory> field("field", 21, 31),
      gradients("gradients", s.n, 2), moments("moments", s.n, 2),
      dipoles("dipoles", 21, 31);
  const Kokkos::View<double*, Some::Memory> values("values", s.n);
  fill(field, 8);
  fill(moments, 9);
  interpolate_gradient(s.plan, field, gradients);
  spread_dipoles(s.plan, moments, dipoles);
  const auto sum = [](const auto& a, const auto& b) {
    const auto u = elements(a), v = elements(b);
    double all = 0;
    for (std::size_t i = 0; i < u.size(); ++i) all += u[i] * v[i];
    return all;
  };
  const double one = s.grid.cell_volume() * sum(dipoles, field);
  const double two = sum(moments, gradients);
  CHECK(std::fabs(one - two) < 1e-12 * (1 + std::fabs(two)));
  const auto slopes = elements(gradients);
  for (int d = 0; d < 2; ++d) {
    std::vector<double> difference(std::size_t(s.n));
    const double step = 1e-6;
    for (const int sign : {-1, 1}) {
      s.move(d, sign * step);
      s.plan.update(s.x);
      interpolate(s.plan, field, values);
      const auto v = host_copy(values);
      for (int i = 0; i < s.n; ++i)
        difference[std::size_t(i)] += sign * v(i) / (2 * step);
    }
    for (int i = 0; i < s.n; ++i)
      CHECK(std::fabs(difference[std::size_t(i)] -
                      slopes[std::size_t(d * s.n + i)]) < 1e-2);
  }
}

TEST_CASE("gradients of complex fields, and in the plan's order",
          "[transfer]") {
  using Complex = Kokkos::complex<double>;
  Some s;
  const Kokkos::View<Complex**, Some::Memory> field("field", 21, 31),
      gradients("gradients", s.n, 2), moments("moments", s.n, 2),
      dipoles("dipoles", 21, 31);
  const Kokkos::View<double**, Some::Memory> part("part", 21, 31),
      slopes("slopes", s.n, 2), sorted("sorted", s.n, 2), sums("sums", 21, 31),
      again("again", 21, 31);
  fill(field, 8);
  fill(moments, 9);
  interpolate_gradient(s.plan, field, gradients);
  spread_dipoles(s.plan, moments, dipoles);
  for (const bool imaginary : {false, true}) {
    const auto take = [&](const auto& from, const auto& to) {
      const auto all = host_copy(from);
      const auto one = Kokkos::create_mirror_view(to);
      for (std::size_t i = 0; i < one.span(); ++i)
        one.data()[i] = imaginary ? all.data()[i].imag() : all.data()[i].real();
      Kokkos::deep_copy(to, one);
    };
    take(field, part);
    interpolate_gradient(s.plan, part, slopes);
    take(gradients, sorted);
    CHECK(difference(elements(slopes).data(), elements(sorted)) < 1e-11);
    take(moments, slopes);
    Kokkos::deep_copy(sums, 0.);
    spread_dipoles(s.plan, slopes, sums);
    take(dipoles, again);
    CHECK(difference(elements(sums).data(), elements(again)) < 1e-7);
  }
  // bits in the plan's order are those in the given one
  InterpolateOptions to_points;
  SpreadOptions to_grid;
  to_points.algorithm = InterpolateAlgorithm::tiled;
  to_grid.algorithm   = SpreadAlgorithm::tiled;
  interpolate_gradient(Exec{}, s.plan, part, slopes, to_points);
  interpolate_gradient(Exec{}, s.plan, part, in_plan_order(sorted), to_points);
  Kokkos::deep_copy(sums, 0.);
  Kokkos::deep_copy(again, 0.);
  spread_dipoles(Exec{}, s.plan, slopes, sums, to_grid);
  spread_dipoles(Exec{}, s.plan, in_plan_order(sorted), again, to_grid);
  Kokkos::fence();
  CHECK(elements(sums) == elements(again));
  const auto order = host_copy(s.plan.permutation());
  const auto given = host_copy(slopes), in_order = host_copy(sorted);
  bool same = true;
  for (int i = 0; i < s.n; ++i)
    for (int d = 0; d < 2; ++d)
      same = same && in_order(i, d) == given(order(std::size_t(i)), d);
  CHECK(same);
}

TEST_CASE("gradients and dipoles in a loop allocate and wait for nothing",
          "[transfer]") {
  Some s;
  const Exec exec{};
  const Kokkos::View<double**, Some::Memory> field("field", 21, 31),
      vectors("vectors", s.n, 2);
  const Kokkos::View<double*, Some::Memory> values("values", s.n);
  const auto step = [&] {
    s.plan.update(exec, s.x);
    for (const NamedSpread& a : spread_algorithms(4)) {
      if (a.algorithm == SpreadAlgorithm::sweep_buffered_on_the_fly) continue;
      SpreadOptions options;
      options.algorithm = a.algorithm;
      options.columns   = a.columns;
      spread_dipoles(exec, s.plan, vectors, field, options);
    }
    for (const NamedInterpolate& a : interpolate_algorithms(4)) {
      InterpolateOptions options;
      options.algorithm = a.algorithm;
      interpolate_gradient(exec, s.plan, field, vectors, options);
      interpolate_with_gradient(exec, s.plan, field, values, vectors, options);
    }
  };
  for (int t = 0; t < 5; ++t) {
    s.move(0, .02 * t);
    Kokkos::fence();
    const Recorder recorder;
    step();
    if (t < 3) continue;  // workspaces grow
    CHECK(events.allocations == std::vector<std::string>{});
    CHECK(events.deallocations == std::vector<std::string>{});
    CHECK(events.fences == std::vector<std::string>{});
    CHECK(events.copies == 0);
    CHECK(without_sporos(events.kernels).empty());
    CHECK(events.kernels.size() > 20);
  }
}

TEST_CASE("wrong gradients and dipoles", "[wrong_calls]") {
  struct All : Points {
    V2 vectors{take(20), 10, 2}, field{take(54), 9, 6};
    V1 values{take(10), 10};
    TransferPlan plan{exec, grid, Cosine4{}, x};
  } t;
  Untouched untouched;
  untouched.fill(V1(t.numbers.data(), t.numbers.size()));
  const auto spare = [&](auto... n) {
    return V2(t.numbers.data() + t.used, std::size_t(n)...);
  };
  std::vector<WrongCall> rows;
  const auto both = [&](const char* what, const V2& vectors, const V2& field,
                        const std::string& argument,
                        const std::string& expected,
                        const std::string& actual) {
    const bool named = argument == "gradients";
    rows.push_back(
        {what,
         [=, &t] { interpolate_gradient(t.exec, t.plan, field, vectors); },
         "Sporos::interpolate_gradient", argument, expected, actual});
    rows.push_back({what,
                    [=, &t] { spread_dipoles(t.exec, t.plan, vectors, field); },
                    "Sporos::spread_dipoles", named ? "moments" : argument,
                    expected, actual});
  };
  both("a vector too few", spare(9, 2), t.field, "gradients", "extents (10, 2)",
       "(9, 2)");
  both("a component too many", spare(10, 3), t.field, "gradients",
       "extents (10, 2)", "(10, 3)");
  both("without the wall's points", t.vectors, spare(8, 6), "field",
       "extent(0) == 9", "(8, 6)");
  both("null vectors", V2(nullptr, 10, 2), t.field, "gradients", "memory",
       "a null pointer");
  rows.push_back({"a field in the gradients",
                  [&] {
                    interpolate_gradient(t.exec, t.plan, t.field,
                                         V2(t.field.data() + 9, 10, 2));
                  },
                  "Sporos::interpolate_gradient", "gradients", "separate",
                  "overlaps"});
  rows.push_back({"moments in the field",
                  [&] {
                    spread_dipoles(t.exec, t.plan,
                                   V2(t.field.data() + 9, 10, 2), t.field);
                  },
                  "Sporos::spread_dipoles", "moments", "separate", "overlaps"});
  rows.push_back(
      {"values in the gradients",
       [&] {
         interpolate_with_gradient(t.exec, t.plan, t.field,
                                   V1(t.vectors.data() + 4, 10), t.vectors);
       },
       "Sporos::interpolate_with_gradient", "values", "separate", "overlaps"});
  rows.push_back({"another number of values",
                  [&] {
                    interpolate_with_gradient(t.exec, t.plan, t.field,
                                              V1(t.values.data(), 9),
                                              t.vectors);
                  },
                  "Sporos::interpolate_with_gradient", "values",
                  "extent(0) == 10", "(9)"});
  check_wrong_calls(rows, untouched, 12);

  // small cells: float does not hold 1 / (h^2 h), or 1 / h
  using Floats = Kokkos::View<float**, HostExec>;
  const Floats field("field", 8, 6), moments("moments", 10, 2);
  using HostPlan = ParticleGridPlan<HostExec, 2, double, Cosine4>;
  const Kokkos::View<double**, HostExec> x("x", 10, 2);
  const HostPlan small(HostExec{}, Grid<2>({8, 6}, 1e-14), Cosine4{}, x);
  const HostPlan smaller(HostExec{}, Grid<2>({8, 6}, 1e-40), Cosine4{}, x);
  CHECK_THROWS_AS(spread_dipoles(HostExec{}, small, moments, field),
                  std::invalid_argument);
  CHECK_NOTHROW(interpolate_gradient(HostExec{}, small, field, moments));
  CHECK_THROWS_AS(interpolate_gradient(HostExec{}, smaller, field, moments),
                  std::invalid_argument);
}

}  // namespace TransferGradient
