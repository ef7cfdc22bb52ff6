// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// What holds for spread and interpolate in any dimension, with any delta
/// function, in any space: test cases as templates, to be instantiated by the
/// files transfer_*.cpp.

#ifndef SPOROS_TRANSFERCASES_HPP
#define SPOROS_TRANSFERCASES_HPP

#include "Sporos_Test.hpp"
#include "Sporos_TestArray.hpp"
#include "Sporos_TransferReference.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <tuple>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Test {

/// Layout: that of the fields and values; void: all layouts, and values of
/// several components.
template <class Exec, class Real_, int Dim_, class Delta_, class Layout = void>
struct Config {
  using execution_space             = Exec;
  using Real                        = Real_;
  using Delta                       = Delta_;
  static constexpr int dim          = Dim_;
  static constexpr bool all_layouts = std::is_void<Layout>::value;
  using layout = std::conditional_t<all_layouts, Kokkos::LayoutRight, Layout>;
};

/// A delta function in all spaces.
template <class Real, int Dim, class Delta, class List = Spaces>
struct ConfigsOf;
template <class Real, int Dim, class Delta, class... Execs>
struct ConfigsOf<Real, Dim, Delta, std::tuple<Execs...>> {
  using type = std::tuple<Config<Execs, Real, Dim, Delta>...>;
};
template <class Real, int Dim, class Delta>
using Configs = typename ConfigsOf<Real, Dim, Delta>::type;

/// Are all spaces hosts, which take points in the given order?
constexpr bool hosts_only =
    Sporos::Impl::is_host_space_v<Kokkos::DefaultExecutionSpace>;

struct NamedSpread {
  const char* name;
  SpreadAlgorithm algorithm;
  int columns;
};
/// All algorithms that a support allows, but for sweeps of hundreds of shifts,
/// which are slow.
inline std::vector<NamedSpread> spread_algorithms(int support) {
  using A = SpreadAlgorithm;
  if (support > 8)
    return {{"serial", A::serial, 0}, {"automatic", A::automatic, 0}};
  std::vector<NamedSpread> all{
      {"serial", A::serial, 0},
      {"sweep", A::sweep, 0},
      {"sweep_buffered", A::sweep_buffered, 0},
      {"sweep_buffered, 1 column", A::sweep_buffered, 1},
      {"sweep_buffered, 3 columns", A::sweep_buffered, 3},
      {"sweep_buffered, 5 columns", A::sweep_buffered, 5},
      {"sweep_buffered, 1000 columns", A::sweep_buffered, 1000},
      {"on_the_fly", A::sweep_buffered_on_the_fly, 0},
      {"atomic", A::atomic, 0},
      {"automatic", A::automatic, 0}};
  if (support <= Sporos::Impl::most_tiled_v<Kokkos::DefaultExecutionSpace>)
    all.push_back({"tiled", A::tiled, 0});
  if (hosts_only) all.push_back({"replicated", A::replicated, 0});
  return all;
}
struct NamedInterpolate {
  const char* name;
  InterpolateAlgorithm algorithm;
};
inline std::vector<NamedInterpolate> interpolate_algorithms(int support) {
  using A = InterpolateAlgorithm;
  std::vector<NamedInterpolate> all{{"serial", A::serial},
                                    {"sorted", A::sorted},
                                    {"automatic", A::automatic}};
  if (support <= Sporos::Impl::most_images_v<Kokkos::DefaultExecutionSpace>)
    all.push_back({"tiled", A::tiled});
  if (hosts_only) all.push_back({"unsorted", A::unsorted});
  return all;
}

/// A problem with its reference, its views on the device and its plan.
template <class C>
struct Setup {
  using Exec               = typename C::execution_space;
  using Real               = typename C::Real;
  using Delta              = typename C::Delta;
  static constexpr int dim = C::dim;
  using Positions          = TestArray<Exec, Real, 2, Kokkos::LayoutRight>;
  using Plan               = ParticleGridPlan<Exec, dim, Real, Delta>;

  Problem<dim> problem;
  Grid<dim, Real> grid;
  std::vector<Real> positions;
  Reference<Delta, dim, Real> reference;
  Positions x;
  Plan plan;

  explicit Setup(const Problem<dim>& p)
      : problem(p),
        grid(grid_of<Real>(p)),
        positions(make_positions(p, grid)),
        reference(p, grid, positions),
        x({p.n, dim}),
        plan(Exec{}, grid, Delta{}, (fill(), x.const_view()), options(p)) {}

  static PlanOptions options(const Problem<dim>& p) {
    PlanOptions o;
    o.staggering = p.plan;
    // not what fits the layout in half of the cases
    o.contiguous = p.n % 3 == 0   ? ContiguousDirection::first
                   : p.n % 3 == 1 ? ContiguousDirection::last
                                  : ContiguousDirection::automatic;
    return o;
  }
  void fill() {
    x.set([&](std::size_t p) {
      const std::size_t n = std::size_t(problem.n);
      return positions[p % n * dim + p / n];
    });
  }
  /// Relative error that rounding explains.
  double tolerance() const {
    double u = 1;  // distance from the origin in cells
    for (std::size_t i = 0; i < positions.size(); ++i) {
      const int d = int(i % dim);
      u           = std::max(u, (std::fabs(double(positions[i])) +
                       std::fabs(double(grid.origin(d)))) /
                                    grid.spacing(d));
    }
    return std::numeric_limits<Real>::epsilon() *
           (60. * u + 100. + 4. * std::sqrt(double(problem.n)));
  }
  /// Extents of the field, and of the values of the points.
  template <int Rank>
  std::array<int, Rank> field_extents() const {
    std::array<int, Rank> e{};
    for (int d = 0; d < dim; ++d) e[d] = reference.points(d);
    if (Rank > dim) e[Rank - 1] = problem.components;
    return e;
  }
  template <int Rank>
  std::array<int, Rank> value_extents() const {
    std::array<int, Rank> e{};
    e[0] = problem.n;
    if (Rank > 1) e[1] = problem.components;
    return e;
  }
};

/// Largest |a - b| over b's entries, NaN if one is NaN.
template <class T>
double difference(const T* a, const std::vector<double>& b) {
  double worst = 0;
  for (std::size_t i = 0; i < b.size(); ++i)
    worst = larger_error(worst, std::fabs(double(a[i]) - b[i]));
  return worst;
}

/// field += spread, for all algorithms. Vector: values (n, components).
template <class Layout, bool Vector, class C>
void check_spread(Setup<C>& s) {
  using Real               = typename C::Real;
  using Exec               = typename C::execution_space;
  constexpr int field_rank = C::dim + (Vector ? 1 : 0);
  constexpr int value_rank = Vector ? 2 : 1;
  const int components     = Vector ? s.problem.components : 1;
  const auto strengths =
      random_numbers<Real>(std::size_t(s.problem.n) * components, 5);
  TestArray<Exec, Real, value_rank, Layout> l(
      s.template value_extents<value_rank>());
  TestArray<Exec, Real, field_rank, Layout> field(
      s.template field_extents<field_rank>());
  l.set([&](std::size_t p) {
    const std::size_t n = std::size_t(s.problem.n);
    return strengths[p % n * components + p / n];
  });
  const auto before = [](std::size_t p) { return .25 * double(p % 5); };
  std::vector<std::vector<double>> expected(components);
  double scale = 0;
  for (int c = 0; c < components; ++c) {
    double one = 0;
    s.reference.spread(strengths, components, c, expected[c], one);
    for (std::size_t p = 0; p < expected[c].size(); ++p)
      expected[c][p] += before(p + c * expected[c].size());
    scale = std::max(scale, one);
  }
  for (const NamedSpread& a : spread_algorithms(C::Delta::support)) {
    field.set(before);
    SpreadOptions options;
    options.algorithm = a.algorithm;
    options.columns   = a.columns;
    if (!s.problem.one_staggering()) options.staggering = s.problem.field;
    spread(s.plan, l.const_view(), field.view(), options);
    const std::vector<Real> result = field.get();
    INFO(s.problem.name() << ", algorithm " << a.name);
    for (int c = 0; c < components; ++c)
      CHECK(difference(result.data() + c * s.reference.size(), expected[c]) <=
            s.tolerance() * (scale + (s.problem.n > 0 ? 1. : 0.)));
    CHECK(field.gaps_are_untouched());
    CHECK(l.gaps_are_untouched());
  }
}

/// interpolate, for all algorithms and without a plan.
template <class Layout, bool Vector, class C>
void check_interpolate(Setup<C>& s) {
  using Real               = typename C::Real;
  using Exec               = typename C::execution_space;
  constexpr int field_rank = C::dim + (Vector ? 1 : 0);
  constexpr int value_rank = Vector ? 2 : 1;
  const int components     = Vector ? s.problem.components : 1;
  const std::size_t size   = s.reference.size();
  const auto numbers       = random_numbers<Real>(size * components, 6);
  TestArray<Exec, Real, value_rank, Layout> values(
      s.template value_extents<value_rank>());
  TestArray<Exec, Real, field_rank, Layout> field(
      s.template field_extents<field_rank>());
  field.set([&](std::size_t p) { return numbers[p]; });
  std::vector<double> expected, scales;
  for (int c = 0; c < components; ++c)
    for (int i = 0; i < s.problem.n; ++i) {
      expected.push_back(s.reference.interpolate(
          i, [&](std::size_t p) { return double(numbers[p + c * size]); }));
      scales.push_back(
          s.reference.interpolate(i, [](std::size_t) { return 1.; }));
    }
  const auto check = [&] {
    const std::vector<Real> result = values.get();
    double worst                   = 0;
    bool zero                      = true;
    for (std::size_t i = 0; i < expected.size(); ++i) {
      const double d = std::fabs(double(result[i]) - expected[i]);
      worst          = larger_error(worst, d / std::max(1., scales[i]));
      if (!s.reference.is_inside(int(i) % s.problem.n))
        zero = zero && result[i] == Real(0);
    }
    CHECK(worst <= s.tolerance());
    CHECK(zero);
    CHECK(values.gaps_are_untouched());
    CHECK(field.gaps_are_untouched());
  };
  for (const NamedInterpolate& a : interpolate_algorithms(C::Delta::support)) {
    values.set([](std::size_t) { return 7; });
    InterpolateOptions options;
    options.algorithm = a.algorithm;
    if (!s.problem.one_staggering()) options.staggering = s.problem.field;
    interpolate(s.plan, field.const_view(), values.view(), options);
    INFO(s.problem.name() << ", algorithm " << a.name);
    check();
  }
  if (s.problem.one_staggering()) {  // no plan: which cells are ghosts
    values.set([](std::size_t) { return 7; });
    interpolate(Exec{}, s.grid, typename C::Delta{}, s.x.const_view(),
                field.const_view(), values.view(), s.problem.field);
    INFO(s.problem.name() << ", without a plan");
    check();
  }
}

/// Problems for one dimension and support.
template <int Dim, int Support>
std::vector<Problem<Dim>> problems() {
  using P               = Problem<Dim>;
  const Staggering node = {{0., 0., 0.}}, center = {{.5, .5, .5}},
                   face = {{.5, 0., .5}}, other = {{.3, .95, .05}};
  const int sizes[3][7][3] = {
      // clang-format off
      {{Support}, {17}, {700}, {258}, {8}, {254}, {2000}},
      {{Support, Support}, {17, 5}, {100, 70}, {65, 17}, {8, 50}, {30, 14},
       {530, 70}},
      // with ghosts, whole tiles; columns of several tiles
      {{Support, Support, Support}, {17, 5, 33}, {40, 21, 9}, {33, 17, 17},
       {8, 50, Support}, {30, 6, 6}, {66, 70, 40}}};
  // clang-format on
  const auto cells = [&](int k) {
    std::array<int, Dim> c{};
    for (int d = 0; d < Dim; ++d)
      c[d] = std::max(sizes[Dim - 1][k][d], Support);
    return c;
  };
  const auto walls = [](bool x, bool y, bool z) {
    std::array<bool, Dim> w{};
    const bool all[3] = {x, y, z};
    for (int d = 0; d < Dim; ++d) w[d] = all[d];
    return w;
  };
  const auto none = walls(false, false, false), every = walls(true, true, true);
  // fewer cells than the support, of which weights go around several times
  const auto thin = [](int i, int j, int k) {
    std::array<int, Dim> c{};
    const int all[3] = {i, j, k};
    for (int d = 0; d < Dim; ++d) c[d] = all[d];
    return c;
  };
  std::vector<P> all{
      {cells(0), none, Cloud::uniform, 0, 1, node, node},
      {cells(0), none, Cloud::uniform, 1, 1, node, node},
      {cells(0), every, Cloud::uniform, 2, 1, center, center},
      {cells(0), none, Cloud::far, 997, 1, node, other},
      {cells(0), every, Cloud::ghosts, 997, 1, face, node},
      {cells(1), none, Cloud::uniform, 997, 1, node, node},
      {cells(1), every, Cloud::uniform, 998, 2, center, face},
      {cells(1), walls(true, false, true), Cloud::far, 999, 1, node, node},
      {cells(1), walls(false, true, false), Cloud::far, 1000, 1, other, center},
      {cells(1), every, Cloud::ghosts, 1000, 1, node, node},
      {cells(2), none, Cloud::uniform, 4001, 1, face, face},
      {cells(2), walls(true, false, false), Cloud::sorted, 500, 3, center,
       center},
      {cells(3), none, Cloud::uniform, 4001, 1, node, other},
      {cells(3), every, Cloud::clustered, 9001, 1, node, node},
      {cells(4), none, Cloud::one_cell, 10007, 1, center, node},
      {cells(5), every, Cloud::ghosts, 3000, 1, center, node},
      {cells(5), every, Cloud::ghosts, 3003, 1, node, center},
      {cells(6), walls(true, false, false), Cloud::uniform, 4001, 1, node,
       other},
      {cells(6), none, Cloud::clustered, 9001, 1, face, face},
      // tiles with few points, at all edges
      {cells(2), none, Cloud::ghosts, 60, 1, node, node},
      {cells(2), none, Cloud::ghosts, 61, 1, face, other},
      {cells(2), every, Cloud::ghosts, 62, 2, center, face},
      {cells(2), walls(true, false, true), Cloud::far, 40, 1, node, node},
      {thin(1, 40, 2), none, Cloud::uniform, 4000, 1, node, face},
      {thin(2, 1, 40), none, Cloud::far, 61, 1, center, center},
      {thin(3, 2, 1), none, Cloud::clustered, 500, 2, node, node},
      {thin(2, 1, 3), every, Cloud::ghosts, 900, 1, node, center},
      {thin(3, 40, 1), walls(true, false, false), Cloud::far, 99, 1, face,
       node}};
  if (Support > 1) {  // else the nearest grid point is a matter of rounding
    all.push_back({cells(1), none, Cloud::edges, 701, 1, node, node});
    all.push_back({cells(3), every, Cloud::edges, 702, 1, node, center});
    all.push_back({cells(2), none, Cloud::edges, 703, 1, center, center});
  }
  if constexpr (Dim < 3) {  // many tiles, among them narrow last ones
    const std::array<int, 2> many =
        Dim == 1 ? std::array<int, 2>{9001, 0} : std::array<int, 2>{330, 147};
    const auto tiles = [&](int more) {
      std::array<int, Dim> c{};
      for (int d = 0; d < Dim; ++d) c[d] = many[d] + more;
      return c;
    };
    all.push_back({tiles(0), none, Cloud::uniform, 4002, 1, node, other});
    all.push_back({tiles(1), every, Cloud::uniform, 4003, 1, face, center});
    if (Dim == 1 && Support <= 8 && !slow_run)  // some hundred in a cell
      all.push_back({tiles(0), none, Cloud::uniform, 1200000, 1, node, node});
  }
  if constexpr (Dim == 3 && (Support == 4 || !slow_run)) {
    // with columns of two and of four tiles
    const std::array<int, Dim> two{40, 44, 300}, four{9, 18, 4100};
    all.push_back({two, every, Cloud::clustered, 9002, 1, face, node});
    all.push_back({four, none, Cloud::uniform, 30000, 1, node, other});
    if (!slow_run) {
      all.push_back({two, none, Cloud::uniform, 12000, 1, node, node});
      all.push_back({two, walls(false, false, true), Cloud::uniform, 4000, 1,
                     other, center});
    }
    if (slow_run)  // minutes
      for (P& problem : all) problem.n = std::min(problem.n, 1500);
  }
  if constexpr (Dim == 3 && Support > 8)  // hundreds of grid points each
    for (P& problem : all)
      problem.n = problem.n > 100 ? 60 + problem.n / 20 : problem.n;
  return all;
}

/// All problems. All layouts for few points, else in turn.
template <class C>
void spread_is_the_definition() {
  int turn = 0;
  for (const auto& problem : problems<C::dim, C::Delta::support>()) {
    Setup<C> setup(problem);
    if constexpr (!C::all_layouts) {
      check_spread<typename C::layout, false>(setup);
    } else {
      const int layout = turn++ % 3;
      const bool all   = problem.n < 100;
      if (all || layout == 0) check_spread<Kokkos::LayoutLeft, false>(setup);
      if (all || layout == 1) check_spread<Kokkos::LayoutRight, false>(setup);
      if (all || layout == 2) check_spread<Kokkos::LayoutStride, false>(setup);
      if (problem.components > 1)
        check_spread<Kokkos::LayoutRight, true>(setup);
    }
  }
}

template <class C>
void interpolate_is_the_definition() {
  int turn = 1;
  for (const auto& problem : problems<C::dim, C::Delta::support>()) {
    Setup<C> setup(problem);
    if constexpr (!C::all_layouts) {
      check_interpolate<typename C::layout, false>(setup);
    } else {
      const int layout = turn++ % 3;
      const bool all   = problem.n < 100;
      if (all || layout == 0)
        check_interpolate<Kokkos::LayoutLeft, false>(setup);
      if (all || layout == 1)
        check_interpolate<Kokkos::LayoutRight, false>(setup);
      if (all || layout == 2)
        check_interpolate<Kokkos::LayoutStride, false>(setup);
      if (problem.components > 1)
        check_interpolate<Kokkos::LayoutLeft, true>(setup);
    }
  }
}

}  // namespace Test
}  // namespace Sporos

#endif
