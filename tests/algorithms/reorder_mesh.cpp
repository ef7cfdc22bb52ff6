// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is renumbered by what: blocks keep to their size, the map whose graph is
// ordered, what a mesh holds, what is refused.

#include "Sporos_ReorderGrid.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

namespace ReorderTest {

/// Distinct targets of each block, over all targets: 1 if blocks share none.
double loads(const std::vector<int>& rows, int arity, int n_targets,
             const std::vector<int>& begins) {
  std::size_t sum = 0;
  for (std::size_t b = 0; b + 1 < begins.size(); ++b)
    sum += std::set<int>(rows.begin() + begins[b] * arity,
                         rows.begin() + begins[b + 1] * arity)
               .size();
  return double(sum) / n_targets;
}

TEST_CASE("METIS blocks of elements", "[reorder]") {
  if (!Sporos::have_metis()) return;
  Grid<Host> g(60, 50);
  std::vector<int> equal{0};
  while (equal.back() < g.edges.size())
    equal.push_back(std::min(equal.back() + 128, g.edges.size()));
  Sporos::reorder(g.mesh, MeshOrdering::random);
  Sporos::reorder(g.mesh, MeshOrdering::gibbs_poole_stockmeyer);
  const double gps = loads(g.edge_cells.to_host(), 2, g.cells.size(), equal);
  ReorderOptions options;
  options.ordering   = MeshOrdering::metis;
  options.block_size = 128;
  const auto r       = Sporos::reorder(g.mesh, options);
  const auto& begins = r.blocks(g.edges);
  REQUIRE(begins.size() > 2);
  CHECK(begins.front() == 0);
  CHECK(begins.back() == g.edges.size());
  for (std::size_t b = 1; b < begins.size(); ++b) {
    CHECK(begins[b] > begins[b - 1]);
    CHECK(begins[b] - begins[b - 1] <= 128);
  }
  CHECK(r.blocks(g.cells).empty());
  const auto rows = g.edge_cells.to_host();
  CHECK(loads(rows, 2, g.cells.size(), begins) < .8 * gps);
  // cells of few blocks come first
  std::vector<std::set<int>> writers(std::size_t(g.cells.size()));
  for (std::size_t b = 0; b + 1 < begins.size(); ++b)
    for (int k = 2 * begins[b]; k < 2 * begins[b + 1]; ++k)
      writers[std::size_t(rows[std::size_t(k)])].insert(int(b));
  for (std::size_t c = 1; c < writers.size(); ++c) {
    REQUIRE(writers[c - 1].size() <= writers[c].size());
    if (writers[c - 1].size() == writers[c].size())
      REQUIRE(writers[c - 1] <= writers[c]);
  }
}

TEST_CASE("the map that is ordered", "[reorder]") {
  // by default the one with the most data behind it: edges to cells
  Grid<Host> g(20, 9), h(20, 9);
  ReorderOptions options;
  options.by = "edge_cells";
  const auto by =
      Sporos::reorder(Kokkos::DefaultHostExecutionSpace(), g.mesh, options);
  const auto own = Sporos::reorder(h.mesh, ReorderOptions{});
  CHECK(by.order(g.cells) == own.order(h.cells));
  CHECK(by.order(g.edges) == own.order(h.edges));
  Grid<Host> k(20, 9);
  options.by   = "cell_nodes";
  const auto r = Sporos::reorder(k.mesh, options);
  CHECK(r.order(k.nodes) != own.order(h.nodes));
  // cells are sorted by their nodes then
  const auto rows = k.cell_nodes.to_host();
  for (std::size_t c = 4; c < rows.size(); c += 4)
    REQUIRE(*std::min_element(&rows[c - 4], &rows[c]) <=
            *std::min_element(&rows[c], &rows[c] + 4));
}

TEST_CASE("what a mesh holds", "[reorder]") {
  Set cells("cells", 6), alone("alone", 3);
  const std::vector<int> ring{1, 2, 3, 4, 5, 0};
  Map<1> next("next", cells, cells, ring);
  Dat<int> id("id", cells, std::vector<int>{0, 1, 2, 3, 4, 5});
  Dat<int> same = id, other("other", alone, std::vector<int>{7, 8, 9});
  const Dat<int> shared("shared", cells, id.view());
  Mesh mesh(next, id, same, shared, other);
  mesh.add(next).add(id).add(alone);
  CHECK(mesh.sets().size() == 2);
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    const auto r = Sporos::reorder(mesh, ordering);
    CHECK(id.to_host() == r.order(cells));  // moved once
    const auto entries = next.to_host(), numbers = id.to_host();
    for (std::size_t k = 0; k < 6; ++k)
      CHECK(numbers[std::size_t(entries[k])] == (numbers[k] + 1) % 6);
    Sporos::apply(mesh, inverse(r));
  }
  CHECK(next.to_host() == ring);
  CHECK(other.to_host() == std::vector<int>{7, 8, 9});

  // nothing at all, no maps, empty sets
  for (MeshOrdering ordering : orderings()) {
    CHECK(Sporos::reorder(Mesh{}, ordering).sets().empty());
    CHECK(Sporos::reorder(Mesh(other), ordering).order(alone).size() == 3);
    Set none("none", 0);
    const Map<2> empty("empty", none, none, std::vector<int>{});
    const Dat<double, 2> nothing("nothing", none);
    const auto r = Sporos::reorder(Mesh(empty, nothing), ordering);
    CHECK(r.order(none).empty());
  }
}

TEST_CASE("renumbering is refused", "[reorder]") {
  Grid<Host> g(5, 4);
  const auto before = g.contents();
  ReorderOptions options;
  options.by = "cell_edges";
  CHECK_THROWS_WITH(Sporos::reorder(g.mesh, options),
                    "Sporos::reorder: by: expected the name of a map of the "
                    "mesh, got cell_edges");
  options.by       = "";
  options.ordering = MeshOrdering::metis;
  if (Sporos::have_metis()) options.block_size = 0;
  CHECK_THROWS_AS(Sporos::reorder(g.mesh, options), std::invalid_argument);
  const auto r = Sporos::reorder(Mesh(g.rim_cells), MeshOrdering::natural);
  CHECK_THROWS_WITH(r.order(g.edges),
                    "Sporos::Reordering: set: expected a set of the mesh that "
                    "was reordered, got edges");
  CHECK_THROWS_AS(Sporos::apply(g.mesh, r), std::invalid_argument);
  CHECK(g.contents() == before);
  CHECK_THROWS_AS(Sporos::mesh_ordering("RCM"), std::invalid_argument);
  for (MeshOrdering ordering : orderings())
    CHECK(Sporos::mesh_ordering(name(ordering)) == ordering);
}

}  // namespace ReorderTest
