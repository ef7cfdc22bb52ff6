// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Grids, cells of points, sort keys and the colours of tiles.

#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_Grid.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <random>
#include <set>
#include <string>
#include <tuple>
#include <vector>

namespace CellsTest {

using namespace Sporos;
using namespace Sporos::Impl;

template <int Dim>
using Ints = Kokkos::Array<int, Dim>;

template <int Dim, class Real = double>
Grid<Dim, Real> make_grid(const Ints<Dim>& cells, bool wall, double h = .37,
                          double origin = -2.1) {
  Kokkos::Array<Real, Dim> hs{}, origins{};
  Kokkos::Array<Boundary, Dim> boundary{};
  for (int d = 0; d < Dim; ++d) {
    hs[d]       = Real(h * (1 + .25 * d));
    origins[d]  = Real(origin + d);
    boundary[d] = wall ? Boundary::wall : Boundary::periodic;
  }
  return Grid<Dim, Real>(cells, hs, boundary, origins);
}

TEST_CASE("grids say what they were made of", "[grid]") {
  const Grid<2> periodic({12, 7}, .5);
  CHECK(periodic.cells(0) == 12);
  CHECK(periodic.cells(1) == 7);
  CHECK(periodic.spacing(1) == .5);
  CHECK(periodic.boundary(0) == Boundary::periodic);
  CHECK(periodic.origin(1) == 0.);
  CHECK(periodic.points(0, 0.) == 12);
  CHECK(periodic.points(0, .5) == 12);
  CHECK(periodic.cell_volume() == .25);

  const Grid<3, float> mixed(
      {4, 5, 6}, {{1.f, .5f, .25f}},
      {{Boundary::wall, Boundary::periodic, Boundary::wall}},
      {{-1.f, 0.f, 3.f}});
  CHECK(mixed.points(0, 0.) == 5);
  CHECK(mixed.points(0, .5) == 4);
  CHECK(mixed.points(1, 0.) == 5);
  CHECK(mixed.points(2, 0.) == 7);
  CHECK(mixed.origin(2) == 3.f);
  CHECK(mixed.cell_volume() == .125f);

  const Staggering face = Grid<3>::face(1);
  CHECK(face[0] == .5);
  CHECK(face[1] == 0.);
  CHECK(face[2] == .5);
  CHECK(Grid<3>::node()[2] == 0.);
  CHECK(Grid<3>::cell_center()[2] == .5);
}

// ---------------------------------------------------------------------------

/// Does a key tell the cell again?
template <class Cells, int Dim>
bool tells_cell(const Cells& cells, std::uint32_t tile, std::uint32_t local,
                const int (&cell)[Dim]) {
  int first[Dim];
  cells.first_cell(tile, first);
  bool good = true;
  for (int k = 0; k < Dim; ++k)
    good = good && cell[k] == first[k] + Cells::local_cell(local, k);
  return good;
}

/// Every cell, ghosts included: its key is new, below the end, and tells the
/// cell again.
template <int Dim, int Support>
void check_keys(const Ints<Dim>& size, bool wall, bool last_fast) {
  using Cells = TiledCells<Dim, double, Support>;
  const Cells cells(make_grid<Dim>(size, wall), Staggering{{0., 0., 0.}},
                    last_fast);
  Ints<3> n{{1, 1, 1}};
  for (int k = 0; k < Dim; ++k) {
    n[k] = cells.cells[k];
    REQUIRE(n[k] == size[last_fast ? Dim - 1 - k : k] + (wall ? 2 : 0));
  }
  std::set<std::uint32_t> seen;
  bool good = true;
  for (int z = 0; z < n[2]; ++z)
    for (int y = 0; y < n[1]; ++y)
      for (int x = 0; x < n[0]; ++x) {
        const int all[3] = {x, y, z};
        int cell[Dim];
        for (int k = 0; k < Dim; ++k) cell[k] = all[k];
        const auto key = cells.template key<std::uint32_t>(cell);
        good = good && key < cells.key_end() && seen.insert(key).second;
        good = good && key == cells.template key<std::uint64_t>(cell);
        good = good && tells_cell(cells, key >> cells.log2_local, key, cell);
      }
  CHECK(good);
}

TEST_CASE("grids that their real type does not resolve are refused", "[grid]") {
  using Line = Grid<1, float>;
  CHECK_NOTHROW(Line({1 << 20}, 1.f));
  const std::string text =
      "Sporos::Grid: cells: expected at most 2^20 cells from coordinate 0 to "
      "either end of direction 0, of which float resolves 1/16";
  Sporos::Test::check_refused(text, [] { Line({17000000}, 1.f); });
  const auto at = [](float origin) {
    return Line({100}, {.5f}, {Boundary::wall}, {origin});
  };
  CHECK_NOTHROW(at(500000.f));
  Sporos::Test::check_refused(text, [&] { at(600000.f); });
  Sporos::Test::check_refused(text, [&] { at(-600000.f); });
  CHECK_NOTHROW(Grid<1>({2147482999}, 1.));
  Sporos::Test::check_refused("cells: expected at most 2^49 cells", [] {
    Grid<1>({3}, {1e-3}, {Boundary::wall}, {1e13});
  });
}

TEST_CASE("keys are injective on cells and ghost cells", "[grid]") {
  for (const bool wall : {false, true})
    for (const bool last_fast : {false, true}) {
      for (const int n : {1, 4, 255, 256, 257, 700})
        check_keys<1, 4>({{n}}, wall, last_fast);
      check_keys<2, 3>({{31, 17}}, wall, last_fast);
      check_keys<2, 3>({{3, 70}}, wall, last_fast);
      check_keys<3, 4>({{17, 5, 33}}, wall, last_fast);
      check_keys<3, 6>({{6, 7, 40}}, wall, last_fast);
    }
}

TEST_CASE("keys of more cells than 32 bits can tell apart", "[grid]") {
  using Cells       = TiledCells<3, double, 4>;
  const Cells cells = Cells(make_grid<3>({{2000, 3000, 4000}}, true),
                            Staggering{{0., 0., 0.}}, true)
                          .with_fitting_keys();
  CHECK(cells.wide_keys());
  CHECK(cells.whole_key_end() > std::uint64_t(2002) * 3002 * 4002);
  CHECK(cells.whole_key_end() >> Cells::Shape::log2_cells == cells.key_end());
  std::mt19937 generator(3);
  std::set<std::uint64_t> keys;
  std::set<std::vector<int>> numbers;
  for (int i = 0; i < 20000; ++i) {
    int cell[3];
    for (int k = 0; k < 3; ++k)
      cell[k] = int(generator() % unsigned(cells.cells[k]));
    const auto key = cells.key<std::uint64_t>(cell);
    keys.insert(key);
    numbers.insert({cell[0], cell[1], cell[2]});
    REQUIRE(key < cells.whole_key_end());
    REQUIRE(tells_cell(cells, std::uint32_t(key >> Cells::Shape::log2_cells),
                       std::uint32_t(key), cell));
  }
  CHECK(keys.size() == numbers.size());
}

// ---------------------------------------------------------------------------

/// Cell and fraction give the position again, up to whole periods.
template <int Support, class Real>
void check_locate(int n, bool wall, double g) {
  using Cells     = TiledCells<1, Real, Support>;
  const auto grid = make_grid<1, Real>({{n}}, wall);
  const Staggering stagger{{g, 0., 0.}};
  const Cells cells(grid, stagger, false);
  const double h = grid.spacing(0), origin = grid.origin(0), period = n * h;
  const double low  = Support % 2 ? -.5 : 0.,
               ulps = 60 * double(n) * std::numeric_limits<Real>::epsilon();
  std::mt19937 generator(7);
  std::uniform_real_distribution<double> uniform(-1.5, n + 1.5);
  for (int i = 0; i < 4000; ++i) {
    const double u = i % 4 ? uniform(generator) : i % (n + 1);
    const Real x   = Real(origin + h * u);
    const double v = (x - origin) / h - g;  // in units of h from grid point 0
    int cell       = -7;
    Real r         = -7;
    const Located located = cells.locate(0, x, cell, r);
    const double floor_v  = std::floor(v - low);
    if (wall) {
      const double slack = ulps;  // rounding may move a point over the edge
      if (v - low < -1 - slack || v - low >= n + 1 + slack) {
        REQUIRE(located == Located::outside);
        continue;
      }
      if (v - low < -1 + slack || v - low >= n + 1 - slack) continue;
    }
    INFO("x = " << x << ", v = " << v << ", floor " << floor_v);
    REQUIRE(located == Located::inside);
    REQUIRE(cell >= 0);
    REQUIRE(cell < cells.cells[0]);
    REQUIRE(r >= low);
    REQUIRE(r <= low + 1);
    // r counts from grid point number `cell`
    const double again = cell - cells.base[0] + double(r);
    double difference  = again - v;
    if (!wall) difference -= n * std::round(difference / n);
    REQUIRE(std::fabs(difference) < ulps);
  }
  int cell = 0;
  Real r   = 0;
  for (const Real bad : {std::numeric_limits<Real>::infinity(),
                         -std::numeric_limits<Real>::infinity(),
                         std::numeric_limits<Real>::quiet_NaN()})
    CHECK(cells.locate(0, bad, cell, r) == Located::not_finite);
  for (const double periods : {-1e3, -4., 1., 77., 1e12}) {
    const Located far =
        cells.locate(0, Real(origin + periods * period), cell, r);
    CHECK(far == (wall && periods != 1. ? Located::outside : Located::inside));
    CHECK((wall || (cell >= 0 && cell < n && r >= low && r <= low + 1)));
  }
  const Located last =
      cells.locate(0, std::numeric_limits<Real>::max(), cell, r);
  CHECK((last == Located::outside || last == Located::not_finite ||
         (!wall && cell >= 0 && cell < n)));
}

TEMPLATE_TEST_CASE("cells and fractions of positions", "[grid]", float,
                   double) {
  for (const bool wall : {false, true})
    for (const double g : {0., .3, .5, .95})
      for (const int n : {6, 17, 64}) {
        check_locate<2, TestType>(n, wall, g);
        check_locate<3, TestType>(n, wall, g);
        check_locate<4, TestType>(n, wall, g);
        check_locate<6, TestType>(n, wall, g);
      }
}

// ---------------------------------------------------------------------------

/// Columns of one colour, images of their tiles and all, must not share a grid
/// point; every tile has a colour. The brute force: who writes where.
template <int Dim, int Support>
void check_colors(const Ints<Dim>& size, bool wall, double g,
                  const GridWindow<Dim>* window = nullptr) {
  using Cells     = TiledCells<Dim, double, Support>;
  const auto grid = make_grid<Dim>(size, wall);
  Cells cells(grid, Staggering{{.5, .5, .5}}, false);
  if (window != nullptr) cells.restrict_to(*window);
  const Staggering staggering{{g, g, g}};
  const StaggeringShift<Dim, double, Support> shift(cells, staggering);
  std::size_t points = 1;
  Kokkos::LayoutLeft layout;
  for (int d = 0; d < Dim; ++d) {
    layout.dimension[d] =
        std::size_t(window ? window->points(grid, d, g) : grid.points(d, g));
    points *= layout.dimension[d];
  }
  std::vector<double> data(points);
  FieldAccess<double, Dim> field = [&] {
    if constexpr (Dim == 1)
      return FieldAccess<double, Dim>(
          Kokkos::View<double*, Kokkos::LayoutLeft, Kokkos::HostSpace>(
              data.data(), layout),
          cells, 0);
    else if constexpr (Dim == 2)
      return FieldAccess<double, Dim>(
          Kokkos::View<double**, Kokkos::LayoutLeft, Kokkos::HostSpace>(
              data.data(), layout),
          cells, 0);
    else
      return FieldAccess<double, Dim>(
          Kokkos::View<double***, Kokkos::LayoutLeft, Kokkos::HostSpace>(
              data.data(), layout),
          cells, 0);
  }();

  std::vector<std::vector<std::uint64_t>> tiles(Cells::colors);
  for (std::uint64_t t = 0; t < cells.tile_count(); ++t) {
    REQUIRE(cells.color(t) < std::uint32_t(Cells::colors));
    tiles[cells.color(t)].push_back(t);
  }
  bool disjoint = true;
  for (const auto& same_color : tiles) {
    std::fill(data.begin(), data.end(), -1.);
    for (const std::uint64_t t : same_color) {
      const auto column = double(t >> cells.log2_tiles());
      const TileImage<double, Dim, Support> image(field, cells, shift, t);
      image.for_each_row(
          [&](double* line, int, int length) {
            for (int i = 0; i < length; ++i) {
              disjoint = disjoint && (line[i] == -1. || line[i] == column);
              line[i]  = column;
            }
          },
          [](int, int) {});
    }
  }
  CHECK(disjoint);
}

template <int Support>
void check_all_colors() {
  constexpr int s = Support;
  for (const bool wall : {false, true})
    for (const double g : {.5, .2, .8}) {  // no carry, carry down, up
      for (int n = s; n < 1300; n += n % 256 < 12 || n % 256 > 244 ? 1 : 23) {
        INFO("support " << s << ", " << n << " cells, wall " << wall << ", g "
                        << g);
        check_colors<1, s>({{n}}, wall, g);
      }
      for (int n = s; n < 140; n += n % 16 < 9 ? 1 : 3) {
        INFO("support " << s << ", 2D, " << n << " cells, wall " << wall
                        << ", g " << g);
        check_colors<2, s>({{n, 20}}, wall, g);
        check_colors<2, s>({{40, n}}, wall, g);
      }
      for (int n = s; n < 80; n += n % 8 < 6 ? 1 : 2) {
        INFO("support " << s << ", 3D, " << n << " cells, wall " << wall
                        << ", g " << g);
        check_colors<3, s>({{n, 10, 7}}, wall, g);
        check_colors<3, s>({{9, n, 17}}, wall, g);
        check_colors<3, s>({{7, 9, n}}, wall, g);
      }
      // columns of several tiles
      for (const Ints<3>& size :
           {Ints<3>{{33, 64, 66}}, Ints<3>{{95, 65, 72}},
            Ints<3>{{600, 67, 71}}, Ints<3>{{17, 100, 98}}}) {
        INFO("support " << s << ", " << size[0] << " x " << size[1] << " x "
                        << size[2] << " cells, wall " << wall << ", g " << g);
        check_colors<3, s>(size, wall, g);
      }
      for (const Ints<2>& size :
           {Ints<2>{{33, 512}}, Ints<2>{{100, 529}}, Ints<2>{{1100, 600}}}) {
        INFO("support " << s << ", " << size[0] << " x " << size[1]
                        << " cells, wall " << wall << ", g " << g);
        check_colors<2, s>(size, wall, g);
      }
    }
}

TEST_CASE("tiles of one colour write disjoint grid points: support 1",
          "[grid]") {
  check_all_colors<1>();
}
TEST_CASE("tiles of one colour write disjoint grid points: support 3",
          "[grid]") {
  check_all_colors<3>();
}
TEST_CASE("tiles of one colour write disjoint grid points: support 4",
          "[grid]") {
  check_all_colors<4>();
}
TEST_CASE("tiles of one colour write disjoint grid points: support 7",
          "[grid]") {
  check_all_colors<7>();
}
TEST_CASE("tiles of one colour write disjoint grid points: support 14",
          "[grid]") {
  check_all_colors<14>();
}
TEST_CASE("tiles of one colour write disjoint grid points: support 16",
          "[grid]") {
  check_all_colors<16>();
}

/// The widest windows on rings of n and 20 cells; a plan takes no wider ones.
template <int Support>
void check_window_colors(int n, double g) {
  const int margin  = window_margin(Support);
  const auto widest = [&](int cells) { return 3 * cells - 2 * margin; };
  for (const int first : {margin - n, 0}) {
    const int count = first == 0 ? n : widest(n);
    if (count < Support) continue;
    INFO("support " << Support << ", " << n << " cells, window from " << first
                    << ", g " << g);
    const GridWindow<1> line{{{first}}, {{count}}};
    check_colors<1, Support>({{n}}, false, g, &line);
    const GridWindow<2> plane{{{margin - 20, first}}, {{widest(20), count}}};
    check_colors<2, Support>({{20, n}}, false, g, &plane);
    if (n > 70) continue;
    const GridWindow<3> box{{{first, 0, first}}, {{count, 20, count}}};
    check_colors<3, Support>({{n, 20, n}}, false, g, &box);
  }
}

TEST_CASE("tiles of one colour write disjoint grid points of a window",
          "[grid]") {
  for (const double g : {.5, .2, .8}) {
    for (int n = 4; n < 540; n += n < 40 || n % 256 < 9 ? 1 : 29)
      check_window_colors<4>(n, g);
    for (int n = 3; n < 60; n += n < 20 ? 1 : 7) check_window_colors<3>(n, g);
    for (int n = 20; n < 100; n += n % 16 < 4 ? 1 : 5)
      check_window_colors<16>(n, g);
  }
}

}  // namespace CellsTest
