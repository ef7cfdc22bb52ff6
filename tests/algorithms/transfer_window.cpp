// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans on windows of a grid: what they compute together is what a plan for the
// whole grid does, with the same bits where that is promised.

#include "Sporos_Test.hpp"
#include "Sporos_TransferCases.hpp"
#include "Sporos_WrongCalls.hpp"

#include <cstdint>
#include <cstring>
#include <vector>

namespace TransferWindow {

using namespace Sporos;
using namespace Sporos::Test;

template <class T, int Dim>
struct FieldType {
  using type = typename FieldType<T, Dim - 1>::type*;
};
template <class T>
struct FieldType<T, 0> {
  using type = T;
};

/// A problem, and calls of the library on windows of its grid.
template <class Exec, int Dim, class Real, class Delta>
struct Windows {
  using Memory = typename Exec::memory_space;
  using Plan   = ParticleGridPlan<Exec, Dim, Real, Delta>;
  using Field  = Kokkos::View<typename FieldType<Real, Dim>::type,
                             Kokkos::LayoutRight, Memory>;
  using Values = Kokkos::View<Real*, Memory>;
  using Window = GridWindow<Dim>;

  Problem<Dim> problem;
  Grid<Dim, Real> grid;
  std::vector<Real> x, strength;

  explicit Windows(const Problem<Dim>& p)
      : problem(p),
        grid(grid_of<Real>(p)),
        x(make_positions(p, grid)),
        strength(random_numbers<Real>(std::size_t(p.n), 5)) {}

  template <class View, class T>
  static View on_device(const std::vector<T>& from, View to) {
    const auto host = Kokkos::create_mirror_view(to);
    std::copy(from.begin(), from.end(), host.data());
    Kokkos::deep_copy(to, host);
    return to;
  }
  static Values values_of(const std::vector<Real>& v) {
    return on_device(v, Values("values", v.size()));
  }
  static Kokkos::View<Real**, Kokkos::LayoutRight, Memory> positions_of(
      const std::vector<Real>& v) {
    return on_device(v, Kokkos::View<Real**, Kokkos::LayoutRight, Memory>(
                            "x", v.size() / Dim, Dim));
  }
  Field field_on(const Window& w) const {
    return make_field<Field>(
        [&](int d) { return w.points(grid, d, problem.field[d]); });
  }
  PlanOptions options(bool any_ranks) const {
    PlanOptions o;
    o.staggering = problem.plan;
    o.any_ranks  = any_ranks;
    return o;
  }
  bool ring(int d) const { return grid.boundary(d) == Boundary::periodic; }

  /// All images of all points, those of a point one after another.
  struct Images {
    std::vector<Real> x, strength;
    std::vector<std::uint8_t> image;
  };
  Images images() const {
    Images all;
    for (int i = 0; i < problem.n; ++i)
      for (int code = 0; code < 27; ++code) {
        std::uint8_t bits = 0;
        bool used         = true;
        for (int d = 0, rest = code; d < 3; ++d, rest /= 3) {
          const int image = rest % 3 - 1;
          if (image != 0 && (d >= Dim || !ring(d))) used = false;
          bits = std::uint8_t(bits | Sporos::Impl::PointImages::bits(image, d));
        }
        if (!used) continue;
        for (int d = 0; d < Dim; ++d) all.x.push_back(x[i * Dim + d]);
        all.strength.push_back(strength[i]);
        all.image.push_back(bits);
      }
    return all;
  }

  /// What all points add to the window.
  std::vector<Real> spread_on(const Window& w, const Images& all,
                              bool any_ranks, const SpreadOptions& how) const {
    const auto xs = positions_of(all.x);
    Plan plan(Exec{}, grid, Delta{}, positions_of({}), w, options(any_ranks));
    plan.update(Exec{}, xs,
                on_device(all.image, Kokkos::View<std::uint8_t*, Memory>(
                                         "images", all.image.size())));
    const Field field = field_on(w);
    spread(Exec{}, plan, values_of(all.strength), field, how);
    return host_values(field);
  }

  Window whole() const {
    Window w;
    for (int d = 0; d < Dim; ++d) {
      w.first[d] = 0;
      w.cells[d] = grid.cells(d);
    }
    return w;
  }
  /// Half of each direction in `cut`: the lower or the upper one
  std::vector<Window> parts(int cut) const {
    std::vector<Window> all{whole()};
    for (int d = 0; d < Dim; ++d) {
      if ((cut >> d) % 2 == 0) continue;
      std::vector<Window> next;
      for (const Window& w : all) {
        Window low = w, high = w;
        low.cells[d]  = w.cells[d] * 2 / 5;
        high.cells[d] = w.cells[d] - low.cells[d];
        high.first[d] = low.cells[d];
        next.push_back(low);
        next.push_back(high);
      }
      all = next;
    }
    return all;
  }

  /// A window that wraps in those directions of a set in which it has all
  /// cells, if windows that wrap there have the same sums as others.
  Window wrapping(Window w, int set) const {
    const auto cells =
        Sporos::Impl::plan_cells<Exec, Dim, Real, Delta::support>(
            grid, options(true));
    for (int k = 0; k < Dim; ++k) {
      const int d = cells.dir[k];
      w.wraps[d]  = (set >> d) % 2 != 0 && w.first[d] == 0 &&
                   w.cells[d] == grid.cells(d) && cells.wraps_alike(k);
    }
    return w;
  }
  static int wraps_of(const Window& w) {
    int set = 0;
    for (int d = 0; d < Dim; ++d) set |= int(w.wraps[d]) << d;
    return set;
  }

  /// f(place in the window's field, place in the grid's) for all grid points
  /// that both have; places outside of periodic directions wrap.
  template <class F>
  void for_each_place(const Window& w, const F& f) const {
    int n[3] = {1, 1, 1}, m[3] = {1, 1, 1}, first[3] = {0, 0, 0};
    for (int d = 0; d < Dim; ++d) {
      n[d]     = w.points(grid, d, problem.field[d]);
      m[d]     = grid.points(d, problem.field[d]);
      first[d] = w.first[d];
    }
    std::size_t p = 0;
    for (int i = 0; i < n[0]; ++i)
      for (int j = 0; j < n[1]; ++j)
        for (int k = 0; k < n[2]; ++k) {
          const int a = (i + first[0] + m[0]) % m[0];
          const int b = (j + first[1] + m[1]) % m[1];
          const int c = (k + first[2] + m[2]) % m[2];
          f(p++, (std::size_t(a) * m[1] + b) * m[2] + c);
        }
  }

  /// The field of a plan without windows, and its values at the points.
  std::vector<Real> whole_field() const {
    const Plan plan(Exec{}, grid, Delta{}, positions_of(x), options(false));
    const Field field = make_field<Field>(
        [&](int d) { return grid.points(d, problem.field[d]); });
    SpreadOptions how;
    how.algorithm  = SpreadAlgorithm::serial;
    how.staggering = problem.field;
    spread(Exec{}, plan, values_of(strength), field, how);
    return host_values(field);
  }

  void check_near(const std::vector<Real>& a,
                  const std::vector<Real>& b) const {
    REQUIRE(a.size() == b.size());
    double most = 0, apart = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      most  = std::max(most, std::fabs(double(b[i])));
      apart = larger_error(apart, std::fabs(double(a[i]) - double(b[i])));
    }
    CHECK(apart <= most * 2000 * double(std::numeric_limits<Real>::epsilon()));
  }

  void spreads_in_parts() const {
    const std::vector<Real> expected = whole_field();
    const Images all                 = images();
    for (const NamedSpread& a : spread_algorithms(Delta::support)) {
      CAPTURE(problem.name(), a.name);
      SpreadOptions how;
      how.algorithm  = a.algorithm;
      how.columns    = a.columns;
      how.staggering = problem.field;
      std::vector<Real> field(expected.size());
      for (const Window& w : parts((1 << Dim) - 1)) {
        const std::vector<Real> part = spread_on(w, all, false, how);
        for_each_place(
            w, [&](std::size_t p, std::size_t q) { field[q] = part[p]; });
      }
      check_near(field, expected);
      const Window round = wrapping(whole(), (1 << Dim) - 1);
      check_near(spread_on(round, near(round, all), false, how), expected);
    }
  }

  void same_bits_in_parts() const {
    CAPTURE(problem.name());
    const Images all = images();
    SpreadOptions how;
    how.staggering                   = problem.field;
    const std::vector<Real> expected = spread_on(whole(), all, true, how);
    check_near(expected, whole_field());
    for (int cut = 0; cut < 1 << Dim; ++cut)
      for (const Window& straight : parts(cut))
        for (int set = 0; set < 1 << Dim; ++set) {
          const Window w = wrapping(straight, set);
          if (wraps_of(w) != set) continue;
          CAPTURE(cut, set, w.first[0], w.cells[0]);
          const std::vector<Real> part = spread_on(w, near(w, all), true, how);
          std::size_t other            = 0;
          for_each_place(w, [&](std::size_t p, std::size_t q) {
            other += std::memcmp(&part[p], &expected[q], sizeof(Real)) != 0;
          });
          CHECK(other == 0);
        }
  }

  /// The points within `support` + 1 cells of a window's cells: not all, so
  /// that others than those that touch a grid point differ. None has an image
  /// in a direction in which the window wraps.
  Images near(const Window& w, const Images& all) const {
    Images some;
    for (std::size_t i = 0; i < all.image.size(); ++i) {
      bool in = true;
      for (int d = 0; d < Dim; ++d) {
        const double n = grid.cells(d), reach = Delta::support / 2 + 1.6;
        double u = (double(all.x[i * Dim + d]) - grid.origin(d)) /
                   double(grid.spacing(d));
        if (w.wraps[d]) {
          in = in && Sporos::Impl::PointImages::of(all.image[i], d) == 0;
          continue;
        }
        if (ring(d))
          u += n * (Sporos::Impl::PointImages::of(all.image[i], d) -
                    std::floor(u / n));
        in =
            in && u > w.first[d] - reach && u < w.first[d] + w.cells[d] + reach;
      }
      if (!in) continue;
      for (int d = 0; d < Dim; ++d) some.x.push_back(all.x[i * Dim + d]);
      some.strength.push_back(all.strength[i]);
      some.image.push_back(all.image[i]);
    }
    return some;
  }

  /// A window around all of the grid, with ghost layers at periodic ends, but
  /// for the directions of a set, in which it wraps.
  Window with_ghosts(int set) const {
    Window w = wrapping(whole(), set);
    for (int d = 0; d < Dim; ++d) {
      if (!ring(d) || w.wraps[d]) continue;
      w.first[d] -= Delta::support / 2 + 1;
      w.cells[d] += Delta::support + 2;
    }
    return w;
  }

  void sums_in_ghosts(int set) const {
    const std::vector<Real> expected = whole_field();
    const Window w                   = with_ghosts(set);
    const Plan plan(Exec{}, grid, Delta{}, positions_of(x), w, options(false));
    for (const NamedSpread& a : spread_algorithms(Delta::support)) {
      CAPTURE(problem.name(), a.name);
      SpreadOptions how;
      how.algorithm     = a.algorithm;
      how.columns       = a.columns;
      how.staggering    = problem.field;
      const Field field = field_on(w);
      spread(Exec{}, plan, values_of(strength), field, how);
      const std::vector<Real> found = host_values(field);
      std::vector<Real> folded(expected.size());
      for_each_place(
          w, [&](std::size_t p, std::size_t q) { folded[q] += found[p]; });
      check_near(folded, expected);
    }
  }

  void interpolates(int set) const {
    const Plan plan(Exec{}, grid, Delta{}, positions_of(x), options(false));
    const Field field = make_field<Field>(
        [&](int d) { return grid.points(d, problem.field[d]); });
    const std::vector<Real> numbers = random_numbers<Real>(field.size(), 8);
    on_device(numbers, field);
    InterpolateOptions how;
    how.algorithm       = InterpolateAlgorithm::serial;
    how.staggering      = problem.field;
    const Values values = values_of(strength);
    interpolate(Exec{}, plan, field, values, how);
    const std::vector<Real> expected = host_values(values);

    const Window w         = with_ghosts(set);
    const Field ghosted    = field_on(w);
    std::vector<Real> full = std::vector<Real>(ghosted.size());
    for_each_place(w,
                   [&](std::size_t p, std::size_t q) { full[p] = numbers[q]; });
    on_device(full, ghosted);
    for (const bool any_ranks : {false, true}) {
      const Plan part(Exec{}, grid, Delta{}, positions_of(x), w,
                      options(any_ranks));
      for (const NamedInterpolate& a : interpolate_algorithms(Delta::support)) {
        if (any_ranks && a.algorithm != InterpolateAlgorithm::tiled) continue;
        CAPTURE(problem.name(), a.name, any_ranks);
        how.algorithm = a.algorithm;
        interpolate(Exec{}, part, ghosted, values, how);
        check_near(host_values(values), expected);
      }
    }
  }
};

template <class Exec, int Dim, class Real, class Delta>
void check_all(const std::vector<Problem<Dim>>& problems) {
  for (const Problem<Dim>& p : problems) {
    const Windows<Exec, Dim, Real, Delta> windows(p);
    windows.spreads_in_parts();
    windows.same_bits_in_parts();
    for (const int set : {0, 1, 1 << (Dim - 1), (1 << Dim) - 1}) {
      if (set > 0 && windows.wraps_of(windows.with_ghosts(set)) == 0) continue;
      windows.sums_in_ghosts(set);
      windows.interpolates(set);
    }
  }
}

constexpr Staggering node = {{0., 0., 0.}}, middle = {{.5, .5, .5}},
                     face = {{0., .5, .5}};

TEMPLATE_LIST_TEST_CASE("transfer window: 1D", "", Spaces) {
  check_all<TestType, 1, double, Cosine4>(
      {{{{40}}, {{false}}, Cloud::uniform, 300, 1, node, node},
       {{{1100}}, {{false}}, Cloud::far, 900, 1, middle, node},
       {{{515}}, {{true}}, Cloud::ghosts, 200, 1, node, middle}});
}
TEMPLATE_LIST_TEST_CASE("transfer window: 2D", "", Spaces) {
  check_all<TestType, 2, float, Roma3>(
      {{{{33, 65}}, {{false, false}}, Cloud::clustered, 700, 1, node, face},
       {{{24, 21}}, {{false, true}}, Cloud::uniform, 500, 1, middle, node},
       {{{12, 70}}, {{true, false}}, Cloud::edges, 300, 1, face, face}});
}
TEMPLATE_LIST_TEST_CASE("transfer window: 3D", "", Spaces) {
  check_all<TestType, 3, double, Cosine4>({{{{20, 17, 34}},
                                            {{false, false, false}},
                                            Cloud::uniform,
                                            800,
                                            1,
                                            node,
                                            node},
                                           {{{16, 23, 13}},
                                            {{false, true, false}},
                                            Cloud::ghosts,
                                            400,
                                            1,
                                            node,
                                            face}});
}

TEST_CASE("transfer window: wide delta functions") {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  check_all<Exec, 2, double, BSpline<9>>(
      {{{{70, 33}}, {{false, true}}, Cloud::uniform, 2000, 1, middle, face},
       {{{40, 60}}, {{false, false}}, Cloud::clustered, 9000, 1, node, node}});
  check_all<Exec, 3, double, BSpline<16>>({{{{52, 48, 50}},
                                            {{false, true, false}},
                                            Cloud::uniform,
                                            600,
                                            1,
                                            node,
                                            middle}});
}

TEST_CASE("transfer window: crowded tiles have the same bits") {
  using Exec = Kokkos::DefaultExecutionSpace;
  const Windows<Exec, 2, double, Cosine4> windows(
      {{{40, 40}}, {{false, false}}, Cloud::clustered, 12000, 1, node, node});
  windows.same_bits_in_parts();
}

// On hosts these grids have columns of several tiles, also one column alone in
// the direction of lanes, and in the other direction.
TEST_CASE("transfer window: wrapping has the same bits") {
  using Exec                  = Kokkos::DefaultHostExecutionSpace;
  const auto sums_around_rows = [](int k, const Staggering& g, int n) {
    const Windows<Exec, 2, double, Cosine4> windows(
        {{{512, k}}, {{false, false}}, Cloud::uniform, n, 1, g, node});
    CHECK(windows.wraps_of(windows.wrapping(windows.whole(), 1)) == 1);
    windows.same_bits_in_parts();
  };
  sums_around_rows(70, node, 3000);
  sums_around_rows(128, middle, 3000);
  constexpr int many = reduced ? 6000 : 30000;
  sums_around_rows(514, node, many);
  const auto sums_around_columns = [](int i, int j, int k, int n) {
    const Windows<Exec, 3, float, Roma3> windows({{{i, j, k}},
                                                  {{false, false, false}},
                                                  Cloud::uniform,
                                                  n,
                                                  1,
                                                  node,
                                                  node});
    windows.same_bits_in_parts();
  };
  sums_around_columns(96, 96, 40, 5000);
  sums_around_columns(16, 512, 40, many);
}

TEST_CASE("transfer window: wrong calls are refused") {
  using Exec   = Kokkos::DefaultExecutionSpace;
  using Memory = Exec::memory_space;
  using Plan   = ParticleGridPlan<Exec, 2, double, Cosine4>;
  using Window = GridWindow<2>;
  const Grid<2> grid({20, 30}, {1., 1.}, {Boundary::wall, Boundary::periodic});
  const Kokkos::View<double**, Memory> x("x", 3, 2);
  const auto make = [&](const Window& w, const PlanOptions& o = {}) {
    return Plan(Exec{}, grid, Cosine4{}, x, w, o);
  };
  const Window good{{0, -3}, {10, 20}};
  check_refused("window: expected at least as many cells in direction 1", [&] {
    make({{0, 0}, {10, 3}});
  });
  check_refused("window: expected cells in [0, 20) in direction 0, got [-1, 9)",
                [&] {
                  make({{-1, 0}, {10, 20}});
                });
  check_refused("window: expected cells in [0, 20) in direction 0", [&] {
    make({{15, 0}, {6, 20}});
  });
  check_refused("window: expected cells in [-25, 55) in direction 1", [&] {
    make({{0, -26}, {10, 20}});
  });
  check_refused("window: expected cells in [-25, 55) in direction 1", [&] {
    make({{0, 0}, {10, 2147483647}});
  });
  const auto on_ring = [&](int cells) {
    const Grid<2> ring({20, cells}, {1., 1.},
                       {Boundary::wall, Boundary::periodic});
    Plan(Exec{}, ring, Cosine4{}, x, good);
  };
  CHECK_NOTHROW(on_ring(536870911));
  check_refused(
      "grid: expected fewer than 2^29 cells in the periodic direction 1 of "
      "which a window has a part, got 536870912",
      [&] { on_ring(536870912); });
  const Grid<2> thin({20, 4}, {1., 1.}, {Boundary::wall, Boundary::periodic});
  check_refused(
      "grid: expected at least 5 cells in the periodic direction 1 of which a "
      "window has a part (or a window with wraps[1]), got 4",
      [&] {
        Plan(Exec{}, thin, Cosine4{}, x, Window{{0, 0}, {10, 4}});
      });
  const auto wraps = [](Window w, int d) {
    w.wraps[d] = true;
    return w;
  };
  check_refused(
      "window: expected all cells of a periodic direction, [0, 30), "
      "where wraps[1] is set, got [-3, 17)",
      [&] { make(wraps(good, 1)); });
  check_refused(
      "window: expected all cells of a periodic direction, [0, 20), "
      "where wraps[0] is set, got [0, 20) between walls",
      [&] {
        make(wraps({{0, -3}, {20, 20}}, 0));
      });
  PlanOptions any;
  any.any_ranks = true;
  const Grid<2> narrow({20, 8}, {1., 1.}, {Boundary::wall, Boundary::periodic});
  check_refused(
      "window: expected more cells in direction 1, where wraps[1] is "
      "set, since options.any_ranks is, got 8",
      [&] {
        Plan(Exec{}, narrow, Cosine4{}, x, wraps({{0, 0}, {10, 8}}, 1), any);
      });
  CHECK(make(wraps({{0, 0}, {10, 30}}, 1))
            .describe()
            .find("window [0, 10) x [0, 30) (wraps)") != std::string::npos);
  Plan plan = make(good);
  CHECK(plan.describe().find("window [0, 10) x [-3, 17)") != std::string::npos);
  const Kokkos::View<std::uint8_t*, Memory> four("four", 4), three("three", 3);
  check_refused("images: expected extent(0) == 3",
                [&] { plan.update(Exec{}, x, four); });
  const Kokkos::View<std::uint8_t*, Kokkos::LayoutStride, Memory> apart(
      "apart", Kokkos::LayoutStride(3, 2));
  check_refused("images: expected stride(0) == 1, got 2",
                [&] { plan.update(Exec{}, x, apart); });
  const Kokkos::View<std::uint8_t*, Memory> null(nullptr, 3);
  check_refused("images: expected memory for extents",
                [&] { plan.update(Exec{}, x, null); });
  check_refused("images: expected a plan on a window", [&] {
    Plan(Exec{}, grid, Cosine4{}, x).update(Exec{}, x, three);
  });
  const Kokkos::View<double*, Memory> strengths("strengths", 3);
  const Kokkos::View<double**, Memory> whole("whole", 21, 30),
      part("part", 10, 20), at_wall("at_wall", 11, 20);
  check_refused("field: expected extent(0) == 10",
                [&] { spread(Exec{}, plan, strengths, whole); });
  spread(Exec{}, plan, strengths, part);
  // the upper wall has grid points of its own
  spread(Exec{}, make({{10, -3}, {10, 20}}), strengths, at_wall);

  const Plan all = make(good, any);
  SpreadOptions how;
  how.algorithm = SpreadAlgorithm::serial;
  check_refused("options.algorithm: expected automatic or tiled",
                [&] { spread(Exec{}, all, strengths, part, how); });
  InterpolateOptions read;
  read.algorithm = InterpolateAlgorithm::sorted;
  check_refused("options.algorithm: expected automatic or tiled",
                [&] { interpolate(Exec{}, all, part, strengths, read); });
  const Kokkos::View<double**, Memory> buffer("buffer", 200, 4);
  check_refused("options.algorithm: expected automatic or tiled",
                [&] { spread(Exec{}, all, strengths, part, buffer); });
}

/// A window that begins beyond the end of a periodic direction has the sums and
/// values of that a period earlier. Points: the first images of those around
/// the earlier one.
template <class Exec>
void check_beyond_end(int n, int first,
                      const std::vector<NamedSpread>& algorithms) {
  using Memory        = typename Exec::memory_space;
  using Numbers       = Kokkos::View<double*, Memory>;
  using Plan          = ParticleGridPlan<Exec, 1, double, Roma3>;
  constexpr int cells = 20, points = 60;
  const auto numbers = [](std::size_t count, const auto& f) {
    std::vector<double> v(count);
    for (std::size_t i = 0; i < count; ++i) v[i] = f(double(i));
    return Windows<Exec, 1, double, Roma3>::values_of(v);
  };
  const Numbers x =
      numbers(points, [&](double i) { return first - n - 5 + .5 * i + .1; });
  const Numbers strengths =
      numbers(points, [](double i) { return std::fmod(i, 7) - 2.6; });
  const Kokkos::View<std::uint8_t*, Memory> images("images", points);
  Kokkos::deep_copy(images, std::uint8_t(1));
  const Grid<1> grid({n}, 1.);
  const Plan near(Exec{}, grid, Roma3{}, x,
                  GridWindow<1>{{first - n}, {cells}});
  Plan far(Exec{}, grid, Roma3{}, x, GridWindow<1>{{first}, {cells}});
  far.update(Exec{}, x, images);
  const auto same = [](const Numbers& a, const Numbers& b) {
    const std::vector<double> found = host_values(a), right = host_values(b);
    double apart = 0;
    for (std::size_t i = 0; i < right.size(); ++i)
      apart = larger_error(apart, std::fabs(found[i] - right[i]));
    CHECK(apart < 1e-12);
  };
  CAPTURE(n, first);
  for (const double g : {0., .5})
    for (const NamedSpread& a : algorithms) {
      CAPTURE(a.name, g);
      SpreadOptions how;
      how.algorithm  = a.algorithm;
      how.columns    = a.columns;
      how.staggering = Staggering{{g, g, g}};
      const Numbers found("found", cells), right("right", cells);
      spread(Exec{}, far, strengths, found, how);
      spread(Exec{}, near, strengths, right, how);
      same(found, right);
    }
  const Numbers found("found", points), right("right", points);
  const Numbers field =
      numbers(cells, [](double i) { return std::fmod(i, 5) - 1.3; });
  for (const NamedInterpolate& a : interpolate_algorithms(3)) {
    CAPTURE(a.name);
    interpolate(Exec{}, far, field, found, {a.algorithm, std::nullopt});
    interpolate(Exec{}, near, field, right, {a.algorithm, std::nullopt});
    same(found, right);
  }
}

TEMPLATE_LIST_TEST_CASE("transfer window: beyond the end of the ring", "",
                        Spaces) {
  const std::vector<NamedSpread> serial{{"serial", SpreadAlgorithm::serial, 0}};
  for (int first = 280; first <= 576; first += 5)
    check_beyond_end<TestType>(300, first, serial);
  for (int first = 509; first <= 515; ++first)
    check_beyond_end<TestType>(300, first, spread_algorithms(3));
}

TEST_CASE("cells that a staggering leads to have keys on a window") {
  using Exec          = Kokkos::DefaultHostExecutionSpace;
  constexpr int cells = 40;
  // of the last cells that a plan on the window numbers, too
  Kokkos::View<double* [2], Exec> x("x", 4 * cells);
  for (int i = 0; i < 4 * cells; ++i) x(i, 0) = x(i, 1) = i / 4. + .1;
  for (const Boundary boundary : {Boundary::wall, Boundary::periodic})
    for (const double g : {0., .5}) {
      const Grid<2> grid({cells, cells}, {1., 1.}, {boundary, boundary});
      PlanOptions options;
      options.staggering = {{g, g, 0.}};
      const ParticleGridPlan<Exec, 2, double, Roma3> plan(
          Exec{}, grid, Roma3{}, x, GridWindow<2>{{8, 8}, {9, 9}}, options);
      const auto& bins = plan.state().bins;
      const Sporos::Impl::ShiftedPoints<2, double, 3> points(
          bins, Staggering{{.5 - g, .5 - g, 0.}});
      Kokkos::View<std::uint32_t*, Exec> keys("keys", x.extent(0));
      const Sporos::Impl::RekeyPoints<2, double, 3, std::uint32_t> rekey{
          points, bins.cells, keys.data()};
      for (int i = 0; i < bins.counts->inside; ++i) {
        rekey(i);
        CHECK(keys(std::size_t(i)) < bins.cells.key_end());
      }
    }
}

}  // namespace TransferWindow
