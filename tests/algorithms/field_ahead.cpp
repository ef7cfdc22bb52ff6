// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What hosts ask for ahead of its use. That shows in time alone, so that here
// is tested what is asked for.

#include "Sporos_Test.hpp"

#include <Sporos_ParticleGrid.hpp>
#include <particle_grid/tiles/Sporos_FieldAhead.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <set>
#include <vector>

namespace FieldAheadTest {

using namespace Sporos;
using namespace Sporos::Impl;

using Field3 = Kokkos::View<const double***, Kokkos::LayoutRight,
                            Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
using Cells3 = TiledCells<3, double, 4>;

/// A field on the nodes of a periodic grid, seen with the staggering g
struct Problem {
  Grid<3, double> grid;
  Cells3 cells;
  StaggeringShift<3, double, 4> shift;
  std::vector<double> memory;
  FieldAccess<const double, 3> field;

  Problem(int x, int y, int z, double g = 0)
      : grid({z, y, x}, 1.),
        cells(grid, Staggering{{0., 0., 0.}}, true),
        shift(cells, Staggering{{g, g, g}}),
        memory(std::size_t(z) * y * x),
        field(Field3(memory.data(), z, y, x), cells, 0) {}

  /// Numbers of the cache lines of a row, beginning with its first value
  std::set<std::ptrdiff_t> row(int y, int z, int begin, int end) const {
    std::set<std::ptrdiff_t> lines;
    const std::ptrdiff_t first = z * field.stride[2] + y * field.stride[1];
    for (int x = begin; x < end; x += 8) lines.insert(first + x);
    return lines;
  }
};

TEST_CASE("the lines of a box are asked for once, in shares", "[transfer]") {
  const Problem p(37, 9, 6);
  const GridBox box{{3, 2, 1}, {30, 7, 5}};
  std::set<std::ptrdiff_t> expected;
  for (int z = box.begin[2]; z < box.end[2]; ++z)
    for (int y = box.begin[1]; y < box.end[1]; ++y)
      for (const std::ptrdiff_t line : p.row(y, z, box.begin[0], box.end[0]))
        expected.insert(line);
  const std::size_t per_row = p.row(0, 0, box.begin[0], box.end[0]).size();
  for (const int share : {1, 3, 4, 7, 1000}) {
    FieldLines<const double> lines(p.field, box);
    CHECK(lines.size() == int(expected.size()));
    std::vector<std::ptrdiff_t> asked;
    for (int i = 0; i < int(expected.size()); i += share) {
      lines.for_next(share, [&](const double* line) {
        asked.push_back(line - p.field.data);
      });
      // whole rows, as many as all calls so far need
      const std::size_t due  = std::size_t(i + share);
      const std::size_t rows = ceil_div(due, per_row);
      CHECK(asked.size() == std::min(rows * per_row, expected.size()));
    }
    CHECK(std::is_sorted(asked.begin(), asked.end()));
    CHECK(std::set<std::ptrdiff_t>(asked.begin(), asked.end()) == expected);
    CHECK(lines.size() == 0);
    lines.for_next(5, [&](const double*) { FAIL("more than all lines"); });
  }
}

TEST_CASE("boxes without points have no lines", "[transfer]") {
  const Problem p(37, 9, 6);
  const GridBox empty[4] = {{{5, 0, 0}, {5, 9, 6}},
                            {{0, 5, 0}, {37, 5, 6}},
                            {{0, 0, 5}, {37, 9, 4}},
                            {{20, 0, 0}, {0, 9, 6}}};
  for (const auto& box : empty) {
    FieldLines<const double> lines(p.field, box);
    CHECK(lines.size() == 0);
    lines.for_next(5, [&](const double*) { FAIL("a line of nothing"); });
  }
  CHECK(FieldLines<const double>().size() == 0);
}

/// Of what was asked for before nothing is asked again where rows just go on,
/// and nothing that was not is left out.
TEST_CASE("the rest of the rows of a box", "[transfer]") {
  const auto has = [](const GridBox& box, const int(&at)[3]) {
    bool all = true;
    for (int k = 0; k < 3; ++k)
      all = all && at[k] >= box.begin[k] && at[k] < box.end[k];
    return all;
  };
  const GridBox box{{3, 1, 2}, {6, 3, 4}};
  int shorter = 0;
  for (int i = 0; i < 1 << 12; ++i) {  // both ends before, at or after its ends
    GridBox other;
    for (int k = 0; k < 3; ++k) {
      other.begin[k] = box.begin[k] - 1 + (i >> 4 * k) % 4;
      other.end[k]   = box.end[k] - 2 + (i >> (4 * k + 2)) % 4;
    }
    const GridBox left = box.without(other);
    bool right         = true;
    for (int z = 0; z < 7; ++z)
      for (int y = 0; y < 7; ++y)
        for (int x = 0; x < 7; ++x) {
          const int at[3] = {x, y, z};
          if (has(left, at) != has(box, at))
            right = right && has(box, at) && has(other, at);
        }
    INFO("box " << i);
    CHECK(right);
    if (left.begin[0] > box.begin[0]) ++shorter;
  }
  CHECK(shorter == 2 * 4 * 2 * 2 * 2 * 2);
}

/// Are all grid points that points in the cells of the tile touch among the
/// lines of the tile, as far as they lie in the grid without wrapping?
void check_lines_around(const Problem& p, std::uint64_t tile) {
  int cell[3];
  p.cells.first_cell(tile, cell);
  std::vector<bool> asked(p.memory.size() + 8);
  FieldLines<const double>(p.field,
                           box_around(p.field, p.cells, p.shift, cell, cell))
      .for_next(1 << 20, [&](const double* line) {
        std::fill_n(asked.begin() + (line - p.field.data), 8, true);
      });
  bool all = true, any = false;
  int first[3], last[3];
  for (int k = 0; k < 3; ++k) {
    const int most = std::min(cell[k] + Cells3::Shape::extent(k),
                              p.cells.cells[k]);  // cells of the tile
    first[k]       = cell[k] - p.cells.ghosts[k] - 1 - p.shift.low[k];
    last[k] =
        most - p.cells.ghosts[k] + 1 + (p.shift.extra[k] - p.shift.low[k]);
  }
  for (int z = first[2]; z <= last[2]; ++z)
    for (int y = first[1]; y <= last[1]; ++y)
      for (int x = first[0]; x <= last[0]; ++x) {
        const int at[3] = {x, y, z};
        bool in_grid    = true;
        for (int k = 0; k < 3; ++k)
          in_grid = in_grid && at[k] >= 0 && at[k] < p.field.points[k];
        if (!in_grid) continue;
        any = true;
        all = all && asked[std::size_t(z * p.field.stride[2] +
                                       y * p.field.stride[1] + x)];
      }
  INFO("tile " << tile);
  CHECK(any);
  CHECK(all);
}

TEST_CASE("what the points of a tile touch is asked for", "[transfer]") {
  for (const double g : {0., .5, .7}) {
    const Problem p(70, 40, 33, g);
    for (int t = 0; t < int(p.cells.tile_count()); ++t) {
      int cell[3];
      p.cells.first_cell(std::uint64_t(t), cell);
      if (cell[0] < 70 && cell[1] < 40 && cell[2] < 33)
        check_lines_around(p, std::uint64_t(t));
    }
  }
}

TEST_CASE("the tiles of a column are worked on in parts", "[transfer]") {
  if (!wide_tiles) return;       // a column is one tile
  const Problem p(256, 64, 64);  // many tiles in a column
  std::vector<PointRange> tiles;
  for (int t = 0; t < 1 << p.cells.log2_tiles(); ++t) {
    if (t % 5 == 3) continue;  // without points
    PointRange r{};
    r.tile  = std::uint64_t(t);
    r.begin = tiles.empty() ? 0 : tiles.back().end;
    r.end   = r.begin + 1 + 40 * (t % 4);
    tiles.push_back(r);
  }
  REQUIRE(tiles.size() > 5);
  const PointRange *const first = tiles.data(), *const last =
                                                    first + tiles.size();
  FieldAhead<const double, 3, double, 4> ahead(p.field, p.cells, p.shift,
                                               {first, last});
  int parts = 0;
  for (const PointRange* t = first; t < last; ++parts) {
    const PointRange* const end = ahead.next_part();
    REQUIRE(end > t);
    REQUIRE(end <= last);
    for (int i = t->begin; i < (end - 1)->end; i += ahead.share_points)
      ahead(ahead.share_points);
    t = end;
  }
  CHECK(parts > 1);
  CHECK(parts < int(tiles.size()));
}

/// Points need not ask for what they touch?
bool in_cache(const Problem& p, int points_of_a_tile) {
  std::vector<PointRange> tiles;
  for (int t = 0; t < 1 << p.cells.log2_tiles(); ++t)
    tiles.push_back(PointRange{std::uint64_t(t), t * points_of_a_tile,
                               (t + 1) * points_of_a_tile, 0, 0});
  FieldAhead<const double, 3, double, 4> ahead(
      p.field, p.cells, p.shift, {tiles.data(), tiles.data() + tiles.size()});
  const std::size_t bytes = p.memory.size() * sizeof(double);
  CHECK(ahead.in_cache() == (bytes <= near_field));  // nothing is asked for yet
  ahead.next_part();
  return ahead.in_cache();
}

TEST_CASE("points of few, or of a field beyond caches, ask themselves",
          "[transfer]") {
  if (!wide_tiles) return;  // a column is one tile
  // 2 MB, 8 MB and 24 MB
  const Problem small(64, 64, 64), medium(100, 100, 100), large(144, 144, 144);
  CHECK(in_cache(small, 200));
  CHECK(in_cache(small, 1));
  CHECK(in_cache(medium, 200));
  CHECK(!in_cache(medium, 1));
  CHECK(!in_cache(large, 200));
  CHECK(!in_cache(large, 1));
}

template <class View>
auto on_host(const View& view) {
  return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), view);
}

/// On a field beyond caches: `sorted`, in work items of many tiles, against
/// `serial`, which adds up the same products in the same order; `tiled` within
/// rounding.
TEST_CASE("transfer with a field beyond caches", "[transfer]") {
  using Exec         = Test::LastSpace;
  using View         = Kokkos::View<double***, Kokkos::LayoutRight, Exec>;
  using Values       = Kokkos::View<double*, Exec>;
  const int cells[3] = {60, 75, 140};  // 5 MB
  const Grid<3, double> grid({cells[0], cells[1], cells[2]}, .5);
  const View field("field", cells[0], cells[1], cells[2]);
  const auto numbers = Kokkos::create_mirror_view(field);
  for (std::size_t i = 0; i < numbers.span(); ++i)
    numbers.data()[i] = double(i * 7919 % 1009);
  Kokkos::deep_copy(field, numbers);
  for (const int n : {1, 700, 30000, 200000}) {  // few and many for a tile
    if (Test::slow_run && n > 30000) continue;
    INFO(n << " points");
    const Kokkos::View<double* [3], Exec> x("x", std::size_t(n));
    const auto positions  = Kokkos::create_mirror_view(x);
    const double steps[3] = {.8191725, .6710436, .5497005};
    for (int i = 0; i < n; ++i)
      for (int k = 0; k < 3; ++k)
        positions(i, k) = .5 * cells[k] * std::fmod(i * steps[k], 1.);
    Kokkos::deep_copy(x, positions);
    const ParticleGridPlan<Exec, 3, double, Cosine4> plan(Exec{}, grid,
                                                          Cosine4{}, x);
    const auto interpolated = [&](InterpolateAlgorithm algorithm) {
      const Values values("values", std::size_t(n));
      interpolate(plan, field, values, InterpolateOptions{algorithm});
      return values;
    };
    const Values values = interpolated(InterpolateAlgorithm::serial);
    const auto a        = on_host(values);
    const auto b        = on_host(interpolated(InterpolateAlgorithm::sorted));
    const auto c        = on_host(interpolated(InterpolateAlgorithm::tiled));
    bool same = true, close = true;
    for (int i = 0; i < n; ++i) {
      same  = same && a(i) == b(i);
      close = close && std::abs(a(i) - c(i)) < 1e-10;
    }
    CHECK(same);
    CHECK(close);

    const auto spread_by = [&](SpreadAlgorithm algorithm) {
      const View result("result", cells[0], cells[1], cells[2]);
      SpreadOptions options;
      options.algorithm = algorithm;
      spread(plan, values, result, options);
      return on_host(result);
    };
    const auto d = spread_by(SpreadAlgorithm::serial);
    const auto e = spread_by(SpreadAlgorithm::tiled);
    close        = true;
    for (std::size_t i = 0; i < d.span(); ++i)
      close = close && std::abs(d.data()[i] - e.data()[i]) < 1e-8;
    CHECK(close);
  }
}

}  // namespace FieldAheadTest
