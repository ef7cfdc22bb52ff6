// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What a plan keeps of its points, wherever these lie: the order by cell, then
// number, and the lists of tiles, against a sort on the host.

#include "Sporos_Test.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <numeric>
#include <random>
#include <string>
#include <vector>

namespace TransferOrder {

using namespace Sporos;
using Test::host_values;
using Test::Spaces;

template <int Dim>
using Point = std::array<double, Dim>;
template <int Dim>
using Points = std::vector<Point<Dim>>;

/// n values of a pointer of a plan, on the host
template <class Memory, class T>
std::vector<T> values_at(const T* from, std::size_t n) {
  return host_values(
      Kokkos::View<const T*, Memory, Kokkos::MemoryUnmanaged>(from, n));
}

/// A plan of points that come anew again and again
template <class Exec, int Dim, class Real, class Delta>
struct Ordered {
  using Memory = typename Exec::memory_space;
  using Plan   = ParticleGridPlan<Exec, Dim, Real, Delta>;

  Grid<Dim, Real> grid;
  Plan plan;
  std::mt19937 random{11};

  /// The last direction has walls, if any.
  Ordered(const std::array<int, Dim>& cells, bool wall,
          const PlanOptions& options = {})
      : grid(make_grid(cells, wall)),
        plan(Exec{}, grid, Delta{}, Kokkos::View<Real**, Memory>("x", 0, Dim),
             options) {}

  static Grid<Dim, Real> make_grid(const std::array<int, Dim>& cells,
                                   bool wall) {
    Kokkos::Array<int, Dim> along{};
    Kokkos::Array<Real, Dim> h{}, origin{};
    Kokkos::Array<Boundary, Dim> boundary{};
    for (int d = 0; d < Dim; ++d) {
      along[d]    = cells[std::size_t(d)];
      h[d]        = Real(1);
      boundary[d] = wall && d + 1 == Dim ? Boundary::wall : Boundary::periodic;
    }
    return Grid<Dim, Real>(along, h, boundary, origin);
  }

  Point<Dim> anywhere() {
    Point<Dim> p;
    for (int d = 0; d < Dim; ++d)
      p[std::size_t(d)] =
          std::uniform_real_distribution<double>(0, grid.cells(d))(random);
    return p;
  }
  Points<Dim> uniform(int n) {
    Points<Dim> all;
    for (int i = 0; i < n; ++i) all.push_back(anywhere());
    return all;
  }
  /// Points of which a share lies within `size` cells along each direction
  Points<Dim> crowd(int n, double share, double size) {
    Points<Dim> all = uniform(n);
    for (Point<Dim>& p : all)
      if (std::uniform_real_distribution<double>(0, 1)(random) < share)
        for (int d = 0; d < Dim; ++d)
          p[std::size_t(d)] =
              std::fmod(std::uniform_real_distribution<double>(0, size)(random),
                        double(grid.cells(d)));
    return all;
  }
  /// All points in the first row of cells along direction d
  Points<Dim> row(int n, int d) {
    Points<Dim> all = uniform(n);
    for (Point<Dim>& p : all)
      for (int e = 0; e < Dim; ++e)
        if (e != d) p[std::size_t(e)] = .25;
    return all;
  }
  /// Some points lie far beyond walls, around the periods elsewhere.
  Points<Dim> outside(int n, double share) {
    Points<Dim> all = uniform(n);
    for (Point<Dim>& p : all)
      if (std::uniform_real_distribution<double>(0, 1)(random) < share)
        for (int d = 0; d < Dim; ++d)
          p[std::size_t(d)] += (random() % 2 != 0 ? 3. : -2.) * grid.cells(d);
    return all;
  }
  Points<Dim> as_sorted(const Points<Dim>& given) {
    check("before it is sorted", given);
    const auto order = host_values(plan.permutation());
    Points<Dim> all;
    for (const int p : order) all.push_back(given[std::size_t(p)]);
    return all;
  }

  void update(const Points<Dim>& points) {
    const Kokkos::View<Real**, Memory> x("x", points.size(), Dim);
    const auto host = Kokkos::create_mirror_view(x);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (std::size_t d = 0; d < Dim; ++d) host(i, d) = Real(points[i][d]);
    Kokkos::deep_copy(x, host);
    plan.update(x);
  }

  void check(const std::string& what, const Points<Dim>& points) {
    INFO(what << ", " << points.size() << " points in dimension " << Dim);
    update(points);
    const auto order = host_values(plan.permutation());
    const auto& bins = plan.state().bins;
    const auto cells = bins.cells;
    const auto n     = points.size();
    REQUIRE(std::size_t(bins.n) == n);
    if (n == 0) return;
    // the definition
    std::vector<std::uint64_t> keys(n);
    std::vector<std::array<Real, Dim>> r(n);
    for (std::size_t i = 0; i < n; ++i) {
      int cell[Dim];
      bool inside = true;
      for (int k = 0; k < Dim; ++k) {
        const auto x = Real(points[i][std::size_t(cells.dir[k])]);
        if (cells.locate(k, x, cell[k], r[i][std::size_t(k)]) !=
            Sporos::Impl::Located::inside)
          inside = false;
      }
      keys[i] = inside ? cells.template key<std::uint64_t>(cell)
                       : cells.whole_key_end();
    }
    std::vector<int> expected(n);
    std::iota(expected.begin(), expected.end(), 0);
    std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
      return keys[std::size_t(a)] < keys[std::size_t(b)];
    });
    CHECK((order == expected));
    // what is kept of them
    const auto found  = values_at<Memory>(bins.keys.data(), n);
    const auto locals = values_at<Memory>(bins.locals, n);
    bool right        = true;
    for (int k = 0; k < Dim; ++k) {
      const auto fractions =
          values_at<Memory>(bins.fractions + std::size_t(k) * bins.pitch, n);
      for (std::size_t i = 0; i < n; ++i) {
        const auto p = std::size_t(expected[i]);
        right        = right && fractions[i] == r[p][std::size_t(k)] &&
                found[i] == keys[p] &&
                locals[i] == (keys[p] & ((1u << cells.log2_local) - 1));
      }
    }
    CHECK(right);
    std::vector<std::uint64_t> sorted(n);
    for (std::size_t i = 0; i < n; ++i)
      sorted[i] = keys[std::size_t(expected[i])];
    check_tiles(sorted);
  }

  /// Each tile with points is listed once, also by its colour, and cut into
  /// parts; keys are sorted.
  void check_tiles(const std::vector<std::uint64_t>& keys) const {
    using Sporos::Impl::PointRange;
    const auto& bins  = plan.state().bins;
    const auto counts = bins.host_counts(Exec());
    const auto ranges =
        values_at<Memory>(bins.ranges, std::size_t(counts.listed));
    const auto parts = values_at<Memory>(bins.parts, std::size_t(counts.parts));
    const auto end   = bins.cells.whole_key_end();
    CHECK(counts.inside ==
          std::lower_bound(keys.begin(), keys.end(), end) - keys.begin());
    CHECK(counts.listed <= bins.tile_bound());
    CHECK(std::size_t(counts.parts) <= bins.part_bound());
    int place = 0, tiles = 0, cut = 0;
    bool right = true;
    std::vector<int> uses(parts.size(), 0);
    for (const PointRange& t : ranges) {
      right = right && t.begin == place && t.end >= t.begin;
      place = t.end;
      for (int i = t.begin; i < t.end; ++i)
        right =
            right && keys[std::size_t(i)] >> bins.cells.log2_local == t.tile;
      if (t.begin == t.end) continue;
      ++tiles;
      int at = t.begin;
      for (int j = t.slot; j < t.slot + t.slots; ++j, ++cut) {
        const PointRange& part = parts.at(std::size_t(j));
        ++uses[std::size_t(j)];
        right = right && part.tile == t.tile && part.slot == t.slot &&
                part.slots == t.slots && part.begin == at &&
                part.end >= part.begin;
        at = part.end;
      }
      const bool has_slots =
          bins.all_in_parts() || t.end - t.begin > bins.part_points();
      right = right && (t.slots > 0) == has_slots &&
              at == (has_slots ? t.end : t.begin);
    }
    CHECK(right);
    CHECK(place == counts.inside);
    CHECK(tiles == counts.tiles);
    CHECK(cut == counts.parts);
    CHECK(std::count(uses.begin(), uses.end(), 1) == counts.parts);
    const auto by_color =
        values_at<Memory>(bins.by_color, std::size_t(bins.tile_bound()));
    int of_colors = 0;
    std::vector<int> seen(ranges.size(), 0);
    for (int c = 0; c < bins.cells.colors; ++c) {
      CHECK(counts.color_end[c] - counts.color_begin[c] <= bins.color_bound(c));
      for (int i = counts.color_begin[c]; i < counts.color_end[c];
           ++i, ++of_colors) {
        const int t = by_color.at(std::size_t(i));
        ++seen.at(std::size_t(t));
        const PointRange& range = ranges[std::size_t(t)];
        right                   = right && range.begin < range.end &&
                int(bins.cells.color(range.tile)) == c;
      }
    }
    CHECK(right);
    CHECK(of_colors == counts.tiles);
    CHECK(std::count(seen.begin(), seen.end(), 1) == counts.tiles);
  }

  /// Wherever n points lie
  void check_all(int n) {
    check("none", {});
    check("uniform", uniform(n));
    check("one", uniform(1));
    check("few", uniform(9));
    check("all in a cell", crowd(n, 1, 1));
    check("most in a cell", crowd(n, .9, 1));
    check("all in some cells", crowd(n, 1, 4));
    check("half of them crowded", crowd(n, .5, 7));
    for (int d = 0; d < Dim; ++d) check("a row", row(n, d));
    check("some outside", outside(n, .2));
    check("all outside", outside(n, 1));
    Points<Dim> sorted = as_sorted(uniform(n));
    check("sorted", sorted);
    std::reverse(sorted.begin(), sorted.end());
    check("reversed", sorted);
    // neighbouring numbers in a cell
    Points<Dim> some = uniform(n);
    for (int i = n / 3; i < n / 2; ++i) some[std::size_t(i)].fill(.5);
    check("some neighbours in a cell", some);
    check("fewer", uniform(n / 2 + 1));
    check("uniform again", uniform(n));
  }
};

TEMPLATE_LIST_TEST_CASE("plans order points by cell, then number", "[order]",
                        Spaces) {
  Ordered<TestType, 1, float, Hat2>({{3000}}, true).check_all(2500);
  Ordered<TestType, 2, double, Cosine4>({{70, 37}}, false).check_all(4000);
  Ordered<TestType, 2, float, Roma3>({{5, 300}}, true).check_all(1500);
  Ordered<TestType, 3, double, Roma3>({{20, 33, 17}}, true).check_all(3000);
}

TEMPLATE_LIST_TEST_CASE("plans order points of thin and empty grids", "[order]",
                        Spaces) {
  Ordered<TestType, 3, float, Cosine4>({{1, 1, 40}}, false).check_all(700);
  Ordered<TestType, 3, double, Hat2>({{300, 1, 2}}, false).check_all(700);
  Ordered<TestType, 1, double, Roma3>({{1}}, false).check_all(2000);
  // more cells than points, few and many
  PlanOptions options;
  options.any_ranks = true;
  Ordered<TestType, 3, double, Cosine4>({{64, 64, 64}}, true, options)
      .check_all(6000);
  Ordered<TestType, 3, double, Cosine4>({{128, 64, 128}}, false).check_all(900);
  Ordered<TestType, 2, float, Cosine4>({{1024, 1024}}, false).check_all(17000);
}

TEMPLATE_LIST_TEST_CASE("plans order crowds of many points", "[order]",
                        Spaces) {
  if (Test::slow_run) return;
  Ordered<TestType, 3, float, Hat2> of({{180, 180, 180}}, false);
  of.check("a cell", of.crowd(300000, 1, 1));
  of.check("a cell and others", of.crowd(200000, .7, 1));
}

/// Points of a window, whose cells have other numbers
template <class Exec>
void check_window() {
  using Memory = typename Exec::memory_space;
  using Plan   = ParticleGridPlan<Exec, 2, double, Cosine4>;
  const Grid<2> grid({64, 50}, 1.);
  GridWindow<2> window;
  window.first[0] = 40;
  window.first[1] = -5;
  window.cells[0] = 24;
  window.cells[1] = 30;
  constexpr int n = 5000;
  const Kokkos::View<double* [2], Memory> x("x", n);
  const auto host = Kokkos::create_mirror_view(x);
  std::mt19937 random(5);
  for (std::size_t i = 0; i < n; ++i) {
    host(i, 0) = std::uniform_real_distribution<double>(0, 64)(random);
    host(i, 1) = std::uniform_real_distribution<double>(0, 50)(random);
  }
  Kokkos::deep_copy(x, host);
  const Plan plan(Exec{}, grid, Cosine4{}, x, window);
  const auto order = host_values(plan.permutation());
  const auto cells = plan.state().bins.cells;
  std::vector<std::uint64_t> keys;
  for (std::size_t i = 0; i < n; ++i) {
    int cell[2];
    bool inside = true;
    for (int k = 0; k < 2; ++k)
      if (cells.locate_on_window(k, host(i, std::size_t(cells.dir[k])), 0,
                                 cell[k]) != Sporos::Impl::Located::inside)
        inside = false;
    keys.push_back(inside ? cells.template key<std::uint64_t>(cell)
                          : cells.whole_key_end());
  }
  std::vector<int> expected(n);
  std::iota(expected.begin(), expected.end(), 0);
  std::stable_sort(expected.begin(), expected.end(), [&](int a, int b) {
    return keys[std::size_t(a)] < keys[std::size_t(b)];
  });
  CHECK((order == expected));
}

TEMPLATE_LIST_TEST_CASE("plans order points of a window", "[order]", Spaces) {
  check_window<TestType>();
}

/// On devices the update itself does not throw.
template <class Exec>
void check_bad_points() {
  using Memory    = typename Exec::memory_space;
  constexpr int n = 3000;
  const Kokkos::View<double* [2], Memory> x("x", n);
  const auto host = Kokkos::create_mirror_view(x);
  for (std::size_t i = 0; i < n; ++i)
    host(i, 0) = host(i, 1) = double(i % 31) + .5;
  Kokkos::deep_copy(x, host);
  const Grid<2> grid({31, 40}, 1.);
  ParticleGridPlan<Exec, 2, double, Hat2> plan(Exec{}, grid, Hat2{}, x);
  for (const std::size_t bad : {std::size_t(2999), std::size_t(70)}) {
    host(bad, 1) = std::numeric_limits<double>::quiet_NaN();
    Kokkos::deep_copy(x, host);
    std::string error;
    try {
      plan.update(x);
    } catch (const std::invalid_argument& e) {
      error = e.what();
    }
    CHECK(error.find("at point " + std::to_string(bad)) != std::string::npos);
  }
  for (const std::size_t good : {std::size_t(2999), std::size_t(70)})
    host(good, 1) = 3.5;
  Kokkos::deep_copy(x, host);
  plan.update(x);
  CHECK(plan.permutation().extent(0) == n);
}

TEMPLATE_LIST_TEST_CASE("the first bad coordinate is found among many",
                        "[order]", Spaces) {
  check_bad_points<TestType>();
}

}  // namespace TransferOrder
