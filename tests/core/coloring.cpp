// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Colourings of maps, blocks and lists: valid, few colours where that is known,
// balanced, the same each time.

#include "Sporos_Test.hpp"

#include <Sporos_Coloring.hpp>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ColoringTest {

using Sporos::BlockTargets;
using Sporos::color_items;
using Sporos::Coloring;
using Sporos::CsrTargets;
using Sporos::is_valid_coloring;
using Sporos::TableTargets;
using Sporos::TargetTable;

/// Validity told by comparing all pairs of items.
template <class Targets>
bool no_conflict(int n_items, const Targets& targets,
                 const std::vector<int>& color) {
  std::vector<std::vector<int>> lists(std::size_t(n_items), std::vector<int>{});
  for (int i = 0; i < n_items; ++i) {
    auto& list = lists[std::size_t(i)];
    targets.for_each(i, [&](int t) { list.push_back(t); });
    std::sort(list.begin(), list.end());
  }
  for (std::size_t i = 0; i < lists.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (color[i] != color[j]) continue;
      std::vector<int> common;
      std::set_intersection(lists[i].begin(), lists[i].end(), lists[j].begin(),
                            lists[j].end(), std::back_inserter(common));
      if (!common.empty()) return false;
    }
  return true;
}

template <class Targets>
Coloring check_coloring(int n_items, int n_targets, const Targets& targets) {
  const Coloring c = color_items(n_items, n_targets, targets);
  REQUIRE(int(c.color.size()) == n_items);
  CHECK(no_conflict(n_items, targets, c.color));
  CHECK(is_valid_coloring(n_items, n_targets, targets, c.color.data(),
                          c.n_colors));
  // every colour is used, and none beyond
  std::vector<int> used(std::size_t(c.n_colors), 0);
  for (int color : c.color) {
    REQUIRE(color >= 0);
    REQUIRE(color < c.n_colors);
    ++used[std::size_t(color)];
  }
  CHECK(std::count(used.begin(), used.end(), 0) == 0);
  // a workspace changes nothing, nor does what it did before
  Sporos::ColoringWorkspace workspace;
  std::vector<int> again(c.color.size());
  for (int repeat = 0; repeat < 2; ++repeat) {
    CHECK(color_items(workspace, n_items, n_targets, targets, again.data()) ==
          c.n_colors);
    CHECK(again == c.color);
  }
  return c;
}

std::vector<int> random_map(int n_items, int arity, int n_targets, int seed) {
  std::mt19937 generator(static_cast<unsigned>(seed));
  std::uniform_int_distribution<int> uniform(0, n_targets - 1);
  std::vector<int> map(std::size_t(n_items) * std::size_t(arity));
  for (int& t : map) t = uniform(generator);
  return map;
}

TEST_CASE("colouring of an edge chain needs two colours", "[coloring]") {
  const int n = 101;
  std::vector<int> map;
  for (int e = 0; e < n; ++e) {
    map.push_back(e);
    map.push_back(e + 1);
  }
  const TableTargets<int> edges{{map.data(), 2, 2, 1, 0}};
  CHECK(check_coloring(n, n + 1, edges).n_colors == 2);
  const std::vector<int> offsets{0, 20, 40, 60, 80, n};
  const auto blocks =
      color_items(5, n + 1, BlockTargets<int>{edges, offsets.data()});
  CHECK(blocks.color == std::vector<int>{0, 1, 0, 1, 0});
}

TEST_CASE("colouring of random maps", "[coloring]") {
  for (int arity : {1, 2, 4, 8})
    for (int n_targets : {1, 7, 60, 1000}) {
      const int n      = 150;
      const auto map   = random_map(n, arity, n_targets, arity + n_targets);
      const auto other = random_map(n, 3, 40, 17 * arity);
      // columns first: as a map of layout left is stored
      std::vector<std::int16_t> left(other.size());
      for (int i = 0; i < n; ++i)
        for (int s = 0; s < 3; ++s)
          left[std::size_t(s * n + i)] =
              std::int16_t(other[std::size_t(3 * i + s)]);
      const TableTargets<int> one{{map.data(), arity, arity, 1, 0}};
      const TableTargets<int> two{{map.data(), arity, arity, 1, 0},
                                  {other.data(), 3, 3, 1, n_targets}};
      const TableTargets<std::int16_t> columns{{left.data(), 3, 1, n, 0}};
      const TableTargets<int> rows{{other.data(), 3, 3, 1, 0}};
      INFO("arity " << arity << ", targets " << n_targets);
      check_coloring(n, n_targets, one);
      check_coloring(n, n_targets + 40, two);
      const auto a = check_coloring(n, 40, columns);
      const auto b = check_coloring(n, 40, rows);
      CHECK(a.color == b.color);
    }
}

TEST_CASE("colouring of blocks", "[coloring]") {
  const int n = 1000, n_targets = 300;
  const auto map   = random_map(n, 2, n_targets, 3);
  const auto other = random_map(n, 1, n_targets, 4);
  const TableTargets<int> elements{{map.data(), 2, 2, 1, 0},
                                   {other.data(), 1, 1, 1, 0}};
  std::vector<int> offsets, unique_offsets{0}, unique;
  for (int e = 0; e < n; e += 13) offsets.push_back(e);
  const int n_blocks = int(offsets.size());
  offsets.push_back(n);
  for (std::size_t b = 0; b + 1 < offsets.size(); ++b) {
    std::vector<int> list;
    for (int e = offsets[b]; e < offsets[b + 1]; ++e)
      elements.for_each(e, [&](int t) { list.push_back(t); });
    std::sort(list.begin(), list.end());
    unique.insert(unique.end(), list.begin(),
                  std::unique(list.begin(), list.end()));
    unique_offsets.push_back(int(unique.size()));
  }
  const CsrTargets<int> csr{unique_offsets.data(), unique.data()};
  const BlockTargets<int> blocks{elements, offsets.data()};
  // how targets are listed makes no difference
  CHECK(check_coloring(n_blocks, n_targets, blocks).color ==
        check_coloring(n_blocks, n_targets, csr).color);
}

/// `degree` items on each of several targets: as many colours are needed.
void check_stars(int degree) {
  const int stars = 3;
  std::vector<int> map;
  for (int i = 0; i < degree; ++i)
    for (int s = 0; s < stars; ++s) {
      map.push_back(s);
      map.push_back(stars + i);  // and one more, shared across stars
    }
  const int n = degree * stars;
  const TableTargets<int> targets{{map.data(), 2, 2, 1, 0}};
  INFO("degree " << degree);
  const auto c = check_coloring(n, stars + degree, targets);
  CHECK(c.n_colors >= degree);
  CHECK(c.n_colors <= degree + 2 * stars);
}

TEST_CASE("colouring with more than 32 and more than 64 colours",
          "[coloring]") {
  for (int degree : {31, 32, 33, 63, 64, 65, 100, 300}) check_stars(degree);
  // a single target: no two items may run together
  const std::vector<int> zeros(200, 0);
  const TableTargets<int> one{{zeros.data(), 1, 1, 1, 0}};
  CHECK(check_coloring(200, 1, one).n_colors == 200);
}

template <class Int>
void check_narrow(int n) {
  const std::vector<int> zeros(std::size_t(n), 0);
  const TableTargets<int> one{{zeros.data(), 1, 1, 1, 0}};
  const int pairs = 1000;  // more items, with two colours
  std::vector<int> map;
  for (int i = 0; i < pairs; ++i) map.push_back(i / 2);
  const TableTargets<int> two{{map.data(), 1, 1, 1, 0}};
  Sporos::ColoringWorkspace workspace;
  std::vector<Int> color(std::size_t(pairs), Int(-1));
  CHECK(color_items(workspace, pairs, pairs / 2, two, color.data()) == 2);
  CHECK(is_valid_coloring(pairs, pairs / 2, two, color.data(), 2));
  CHECK(color_items(workspace, n, 1, one, color.data()) == n);
  CHECK(is_valid_coloring(n, 1, one, color.data(), n));
}

TEST_CASE("colours in narrow types", "[coloring]") {
  check_narrow<signed char>(128);  // the most
  check_narrow<unsigned char>(256);
  check_narrow<std::int16_t>(300);
}

TEST_CASE("colouring is balanced", "[coloring]") {
  // quadrilaterals that write their corners
  const int nx = 60, ny = 45;
  std::vector<int> map;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i)
      for (int corner = 0; corner < 4; ++corner)
        map.push_back((j + corner / 2) * (nx + 1) + i + corner % 2);
  const int n = nx * ny, n_targets = (nx + 1) * (ny + 1);
  const TableTargets<int> targets{{map.data(), 4, 4, 1, 0}};
  const auto sizes = [](const Coloring& c) {
    const auto sets = group_by_color(c);
    std::vector<int> all;
    for (std::size_t k = 1; k < sets.offsets.size(); ++k)
      all.push_back(sets.offsets[k] - sets.offsets[k - 1]);
    std::sort(all.begin(), all.end());
    return all;
  };
  const auto corners = sizes(check_coloring(n, n_targets, targets));
  CHECK(corners.size() >= 4);
  CHECK(corners.size() <= 6);
  CHECK(double(corners.back()) / corners.front() < 1.25);
  // a chain with a star at its head: first fit leaves most colours to few
  std::vector<int> chain;
  for (int e = 0; e < 400; ++e) {
    chain.push_back(e < 10 ? 0 : e);
    chain.push_back(e + 1);
  }
  const TableTargets<int> edges{{chain.data(), 2, 2, 1, 0}};
  CHECK(sizes(check_coloring(400, 401, edges)).back() <= 60);
}

TEST_CASE("items grouped by colour", "[coloring]") {
  const std::vector<int> color{2, 0, 2, 1, 0, 2};
  const auto sets = Sporos::group_by_color(6, color.data(), 3);
  CHECK(sets.offsets == std::vector<int>{0, 2, 3, 6});
  CHECK(sets.items == std::vector<int>{1, 4, 3, 0, 2, 5});
  CHECK(Sporos::group_by_color(Coloring{}).offsets == std::vector<int>{0});
}

TEST_CASE("invalid colourings are found", "[coloring]") {
  const std::vector<int> map{0, 1, 1, 2, 3, 3};
  const TableTargets<int> targets{{map.data(), 2, 2, 1, 0}};
  const auto valid = [&](std::vector<int> color, int n_colors) {
    return is_valid_coloring(3, 4, targets, color.data(), n_colors);
  };
  CHECK(valid({0, 1, 0}, 2));
  CHECK(valid({0, 1, 1}, 2));
  CHECK_FALSE(valid({0, 0, 1}, 2));
  CHECK_FALSE(valid({0, 2, 1}, 2));
  CHECK_FALSE(valid({0, -1, 1}, 2));
}

TEST_CASE("colouring nothing, and many tables", "[coloring]") {
  const TableTargets<int> none;
  CHECK(color_items(0, 0, none).n_colors == 0);
  CHECK(check_coloring(5, 0, none).n_colors == 1);
  // any number of tables is one map of as many columns
  const auto map = random_map(60, 40, 500, 5);
  TableTargets<int> columns;
  for (int c = 0; c < 40; ++c) columns.add({map.data() + c, 1, 40, 1, 0});
  CHECK(check_coloring(60, 500, columns).color ==
        color_items(60, 500, TableTargets<int>{{map.data(), 40, 40, 1, 0}})
            .color);
}

}  // namespace ColoringTest
