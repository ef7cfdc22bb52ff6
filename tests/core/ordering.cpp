// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Orders of vertices are permutations, undo a random renumbering of grids whose
// best bandwidth is known, and keep blocks within their size.

#include "Sporos_Test.hpp"

#include <Sporos_Ordering.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace OrderingTest {

using Sporos::Blocks;
using Sporos::Graph;
using Sporos::Order;
using Sporos::TableTargets;

Graph make_graph(int n, const std::vector<std::pair<int, int>>& edges) {
  std::vector<int> map;
  for (const auto& e : edges) {
    map.push_back(e.first);
    map.push_back(e.second);
  }
  return Sporos::graph_of_targets(int(edges.size()), n,
                                  TableTargets<int>{{map.data(), 2, 2, 1, 0}});
}

/// nx * ny vertices with neighbours left, right, below, above.
std::vector<std::pair<int, int>> grid_edges(int nx, int ny) {
  std::vector<std::pair<int, int>> edges;
  for (int j = 0; j < ny; ++j)
    for (int i = 0; i < nx; ++i) {
      if (i + 1 < nx) edges.emplace_back(j * nx + i, j * nx + i + 1);
      if (j + 1 < ny) edges.emplace_back(j * nx + i, (j + 1) * nx + i);
    }
  return edges;
}

Graph shuffled(int n, std::vector<std::pair<int, int>> edges, int seed) {
  const auto number = Sporos::inverse(Sporos::random_order(n, seed));
  for (auto& e : edges)
    e = {number[std::size_t(e.first)], number[std::size_t(e.second)]};
  return make_graph(n, edges);
}

using Ordering = Order (*)(const Graph&);
const std::vector<std::pair<std::string, Ordering>> orderings{
    {"reverse Cuthill-McKee", Sporos::reverse_cuthill_mckee},
    {"Gibbs-Poole-Stockmeyer", Sporos::gibbs_poole_stockmeyer}};

TEST_CASE("graphs of items and of targets", "[ordering]") {
  // two triangles with a common edge, and a point of its own
  const std::vector<int> map{0, 1, 2, 2, 1, 3};
  const TableTargets<int> targets{{map.data(), 3, 3, 1, 0}};
  const Graph points = Sporos::graph_of_targets(2, 5, targets);
  CHECK(points.offsets == std::vector<int>{0, 2, 5, 8, 10, 10});
  CHECK(points.neighbors == std::vector<int>{1, 2, 0, 2, 3, 0, 1, 3, 1, 2});
  const Graph items = Sporos::graph_of_items(2, 5, targets);
  CHECK(items.offsets == std::vector<int>{0, 1, 2});
  CHECK(items.neighbors == std::vector<int>{1, 0});
  CHECK(Sporos::graph_of_items(2, 5, targets, 1).neighbors.empty());
  const Order as_is{0, 1, 2, 3, 4};
  CHECK(bandwidth(points, as_is) == 2);
  CHECK(profile(points, as_is) == 0 + 1 + 2 + 2);
}

TEST_CASE("permutations", "[ordering]") {
  CHECK(Sporos::is_permutation({}));
  CHECK(Sporos::is_permutation({2, 0, 1}));
  CHECK_FALSE(Sporos::is_permutation({2, 0, 2}));
  CHECK_FALSE(Sporos::is_permutation({1, 3, 0}));
  CHECK_FALSE(Sporos::is_permutation({-1, 1, 0}));
  CHECK(Sporos::inverse({2, 0, 1}) == std::vector<int>{1, 2, 0});
  for (int n : {0, 1, 2, 1000}) {
    const auto order = Sporos::random_order(n, 5);
    CHECK(int(order.size()) == n);
    CHECK(Sporos::is_permutation(order));
    CHECK(order == Sporos::random_order(n, 5));
  }
  CHECK(Sporos::random_order(1000, 5) != Sporos::random_order(1000, 6));
  // the same everywhere
  CHECK(Sporos::random_order(6, 1) == Order{3, 2, 4, 1, 5, 0});
  // all places are reached about equally often
  std::vector<int> first(4, 0);
  for (int seed = 0; seed < 4000; ++seed)
    ++first[std::size_t(Sporos::random_order(4, std::uint64_t(seed))[0])];
  for (int count : first) CHECK(std::abs(count - 1000) < 150);
}

TEST_CASE("orders undo shuffles of grids", "[ordering]") {
  struct Case {
    int nx, ny;
  };
  for (const auto& c : {Case{40, 25}, Case{7, 300}, Case{30, 30}}) {
    const int n       = c.nx * c.ny;
    const int optimum = std::min(c.nx, c.ny);
    const auto edges  = grid_edges(c.nx, c.ny);
    const Graph grid  = shuffled(n, edges, 3);
    const auto before = Sporos::identity_order(n);
    const auto line_by_line =
        profile(make_graph(n, grid_edges(optimum, n / optimum)), before);
    for (const auto& ordering : orderings) {
      INFO(ordering.first << ", " << c.nx << " x " << c.ny);
      const Order order = ordering.second(grid);
      REQUIRE(int(order.size()) == n);
      CHECK(Sporos::is_permutation(order));
      CHECK(bandwidth(grid, before) > n / 2);
      CHECK(bandwidth(grid, order) >= optimum);
      CHECK(bandwidth(grid, order) <= optimum + 1);
      CHECK(double(profile(grid, order)) <= 1.15 * double(line_by_line));
      CHECK(order == ordering.second(grid));
    }
  }
}

TEST_CASE("Gibbs-Poole-Stockmeyer is narrower on irregular graphs",
          "[ordering]") {
  // trees of long branches: one level structure is wide where the other is not
  int narrower = 0, wider = 0;
  for (int seed = 0; seed < 30; ++seed) {
    const int n     = 400;
    const auto tree = Sporos::random_order(n, std::uint64_t(seed));
    std::vector<std::pair<int, int>> edges;
    for (int v = 1; v < n; ++v)
      edges.emplace_back(v, std::max(0, v - 1 - tree[std::size_t(v)] % 12));
    const Graph graph = shuffled(n, edges, seed + 100);
    const int rcm     = bandwidth(graph, Sporos::reverse_cuthill_mckee(graph));
    const Order gps   = Sporos::gibbs_poole_stockmeyer(graph);
    CHECK(Sporos::is_permutation(gps));
    CHECK(profile(graph, gps) <=
          profile(graph, Order(gps.rbegin(), gps.rend())));
    narrower += bandwidth(graph, gps) < rcm;
    wider += bandwidth(graph, gps) > rcm;
  }
  CHECK(narrower > 2 * wider);
  // a path, a star and a ring
  std::vector<std::pair<int, int>> path, star, ring;
  for (int v = 1; v < 50; ++v) {
    path.emplace_back(v - 1, v);
    star.emplace_back(0, v);
    ring.emplace_back(v - 1, v);
  }
  ring.emplace_back(49, 0);
  const auto best = [](const Graph& graph) {
    return bandwidth(graph, Sporos::gibbs_poole_stockmeyer(graph));
  };
  CHECK(best(shuffled(50, path, 1)) == 1);
  CHECK(best(shuffled(50, ring, 2)) == 2);
  CHECK(best(shuffled(50, star, 3)) == 25);
}

TEST_CASE("orders of nothing, of one vertex and of components", "[ordering]") {
  auto edges = grid_edges(5, 8);  // 40 vertices
  for (auto& e : grid_edges(6, 10))
    edges.emplace_back(40 + e.first, 40 + e.second);
  edges.emplace_back(100, 101);  // and 5 vertices of their own
  const int n       = 107;
  const Graph graph = shuffled(n, edges, 8);
  for (const auto& ordering : orderings) {
    INFO(ordering.first);
    CHECK(ordering.second(Graph{}).empty());
    CHECK(ordering.second(make_graph(1, {})) == Order{0});
    CHECK(Sporos::is_permutation(ordering.second(make_graph(7, {}))));
    const Order order = ordering.second(graph);
    CHECK(Sporos::is_permutation(order));
    CHECK(bandwidth(graph, order) <= 7);
    // a loop at a vertex and an edge twice do no harm
    Graph odd;
    odd.offsets   = {0, 3, 5};
    odd.neighbors = {0, 1, 1, 0, 0};
    CHECK(Sporos::is_permutation(ordering.second(odd)));
  }
}

TEST_CASE("elements sorted by their targets", "[ordering]") {
  const std::vector<int> map{4, 1, 0, 3, 1, 0, 2, 2, 3, 1, 3, 0};
  const TableTargets<int> targets{{map.data(), 2, 2, 1, 0}};
  // (1 4) (0 3) (0 1) (2 2) (1 3) (0 3)
  CHECK(Sporos::order_by_targets(6, 5, targets) == Order{2, 1, 5, 4, 0, 3});
  CHECK(Sporos::order_by_targets(0, 0, TableTargets<int>{}).empty());
  CHECK(Sporos::order_by_targets(2, 0, TableTargets<int>{}) == Order{0, 1});
}

TEST_CASE("data points sorted by the blocks that write them", "[ordering]") {
  // items 0 1 | 2 3 | 4 in three blocks
  Blocks blocks;
  blocks.n_blocks = 3;
  blocks.block    = {0, 0, 1, 1, 2};
  const std::vector<int> map{5, 1, 1, 4, 4, 3, 0, 3, 5, 0};
  // blocks of point 0: 1 2; 1: 0; 2: none; 3: 1; 4: 0 1; 5: 0 2
  const TableTargets<int> targets{{map.data(), 2, 2, 1, 0}};
  CHECK(Sporos::order_by_writing_blocks(5, 6, targets, blocks) ==
        Order{1, 3, 4, 5, 0, 2});
}

TEST_CASE("vertices sorted by block", "[ordering]") {
  Blocks blocks;
  blocks.n_blocks = 2;
  blocks.block    = {1, 0, 1, 0};
  CHECK(Sporos::order_by_block(blocks) == Order{1, 3, 0, 2});
  CHECK(Sporos::order_by_block(blocks, {3, 2, 1, 0}) == Order{3, 1, 2, 0});
}

std::vector<int> block_sizes(const Blocks& blocks) {
  std::vector<int> sizes(std::size_t(blocks.n_blocks), 0);
  for (int b : blocks.block) ++sizes.at(std::size_t(b));
  return sizes;
}

void check_metis_blocks(const Graph& grid) {
  for (int size : {1, 2, 3, 16, 64, 100, 1199, 1200, 5000}) {
    INFO("block size " << size);
    const Blocks blocks = Sporos::metis_blocks(grid, size);
    REQUIRE(int(blocks.block.size()) == grid.size());
    const auto sizes = block_sizes(blocks);
    CHECK(*std::max_element(sizes.begin(), sizes.end()) <= size);
    CHECK(*std::min_element(sizes.begin(), sizes.end()) > 0);
    CHECK(Sporos::is_permutation(Sporos::order_by_block(blocks)));
    const auto again = Sporos::metis_blocks(grid, size);
    CHECK(again.block == blocks.block);
    if (size < 16) continue;
    const int smaller = int(size / 1.001);
    CHECK(blocks.n_blocks <= (grid.size() + smaller - 1) / smaller + 1);
    int cut = 0;
    for (int v = 0; v < grid.size(); ++v)
      for (const int* w = grid.begin(v); w != grid.end(v); ++w)
        cut += blocks.block[std::size_t(v)] != blocks.block[std::size_t(*w)];
    // blocks near squares: about 4 sqrt(size) of 4 size neighbours are outside
    CHECK(cut <= 1.6 * 4. * grid.size() / std::sqrt(double(size)));
  }
  // METIS itself crashes if neighbours occur more than once at one end
  Graph repeated{{0}, {}};
  for (int v = 0; v < grid.size(); ++v) {
    for (const int* w = grid.begin(v); w != grid.end(v); ++w)
      repeated.neighbors.insert(repeated.neighbors.end(), v % 3 + 1, *w);
    repeated.neighbors.push_back(v);
    repeated.offsets.push_back(int(repeated.neighbors.size()));
  }
  CHECK(Sporos::metis_blocks(repeated, 16).block ==
        Sporos::metis_blocks(grid, 16).block);
  CHECK(Sporos::metis_blocks(Graph{}, 8).n_blocks == 0);
  CHECK(Sporos::metis_blocks(make_graph(1, {}), 8).n_blocks == 1);
  CHECK(Sporos::metis_blocks(make_graph(20, {}), 8).n_blocks >= 3);
}

TEST_CASE("METIS blocks keep to their size", "[ordering]") {
  const Graph grid = shuffled(30 * 40, grid_edges(30, 40), 4);
  if (!Sporos::have_metis()) {
    CHECK_THROWS_WITH(
        Sporos::metis_blocks(grid, 64),
        "Sporos::metis_blocks: library: expected a program "
        "linked with Sporos::metis (SPOROS_HAVE_METIS), got none");
    return;
  }
  check_metis_blocks(grid);
}

TEST_CASE("blocks that are too large are mended", "[ordering]") {
  const Graph grid = make_graph(100, grid_edges(10, 10));
  std::vector<int> block(100, 0);
  for (int v = 60; v < 100; ++v) block[std::size_t(v)] = 1;
  for (int limit : {50, 51, 30, 7}) {
    auto mended = block;
    Sporos::Impl::BlockRepair(grid, mended, limit).run();
    const Blocks blocks = Sporos::Impl::number_blocks(grid, mended);
    const auto sizes    = block_sizes(blocks);
    CHECK(*std::max_element(sizes.begin(), sizes.end()) <= limit);
    CHECK(std::accumulate(sizes.begin(), sizes.end(), 0) == 100);
    if (limit >= 50) CHECK(blocks.n_blocks == 2);
  }
}

TEST_CASE("graphs of more neighbours than their offsets reach", "[ordering]") {
  CHECK(Sporos::Impl::graph_offset("f", 2147483647) == 2147483647);
  CHECK_THROWS_AS(Sporos::Impl::graph_offset("f", 2147483648),
                  std::invalid_argument);
}

}  // namespace OrderingTest
