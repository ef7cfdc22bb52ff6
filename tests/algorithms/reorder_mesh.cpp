// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is renumbered by what: blocks keep to their size, the map whose graph is
// ordered, what a mesh holds, what is refused.

#include "Sporos_ReorderGrid.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cstdint>
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

TEST_CASE("a mesh with a wrong entry is not renumbered", "[reorder]") {
  Set cells("cells", 6);
  const std::vector<int> ring{1, 2, 3, 4, 5, 0};
  const Map<1> next("next", cells, cells, ring),
      back("back", cells, cells, ring);
  const Dat<int> id("id", cells, std::vector<int>{0, 1, 2, 3, 4, 5});
  const Mesh mesh(next, back, id);
  const auto random = find_reordering(mesh, {MeshOrdering::random});
  for (const int wrong : {6, -1, 1000000}) {
    const auto entry = Kokkos::subview(back.view(), 4, 0);
    Kokkos::deep_copy(entry, wrong);
    for (MeshOrdering ordering : orderings())
      CHECK_THROWS_WITH(Sporos::reorder(mesh, ordering),
                        Catch::Matchers::Contains("Sporos::Map: back"));
    CHECK_THROWS_AS(Sporos::apply(mesh, random), std::invalid_argument);
    CHECK(next.to_host() == ring);
    CHECK(id.to_host() == std::vector<int>{0, 1, 2, 3, 4, 5});
    Kokkos::deep_copy(entry, ring[4]);
  }
  CHECK(back.to_host() == ring);
  Sporos::apply(mesh, random);
  CHECK(id.to_host() == random.order(cells));
}

TEST_CASE("meshes are renumbered after an instance", "[reorder]") {
  const Kokkos::DefaultExecutionSpace exec;
  Set cells("cells", 6);
  const std::vector<int> ring{1, 2, 3, 4, 5, 0};
  const Map<1> next("next", cells, cells, ring);
  const Mesh mesh(next);
  const auto r = Sporos::reorder(exec, mesh, MeshOrdering::random);
  CHECK(next.to_host(exec) != ring);
  Sporos::apply(exec, mesh, inverse(r));
  CHECK(next.to_host(exec) == ring);
}

TEST_CASE("elements stay in the ranges of a mesh", "[reorder]") {
  const std::vector<int> cuts{0, 40, 41, 150};
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    Grid<Host> g(13, 11);
    Sporos::reorder(g.mesh, MeshOrdering::random);
    const auto before = g.contents();
    for (std::size_t r = 1; r < cuts.size(); ++r)
      g.mesh.add(g.edges.range(cuts[r - 1], cuts[r]));
    g.mesh.add(g.nodes.range(9, 99)).add(g.edges.range(7, 7));
    CHECK(g.mesh.sets().size() == 4);
    ReorderOptions options;
    options.ordering   = ordering;
    options.block_size = 32;
    const auto r       = Sporos::reorder(g.mesh, options);
    const auto inside  = [&](const Set& set, int begin, int end) {
      const auto& order = r.order(set);
      return std::all_of(order.begin() + begin, order.begin() + end,
                          [&](int e) { return begin <= e && e < end; });
    };
    CHECK(inside(g.edges, 0, 7));
    CHECK(inside(g.edges, 7, 40));
    CHECK(inside(g.edges, 40, 41));
    CHECK(inside(g.edges, 41, 150));
    CHECK(inside(g.edges, 150, g.edges.size()));
    CHECK(inside(g.nodes, 0, 9));
    CHECK(inside(g.nodes, 9, 99));
    CHECK((r.order(g.edges) == Sporos::identity_order(g.edges.size())) ==
          (ordering == MeshOrdering::natural));
    const auto& begins = r.blocks(g.edges);
    for (int cut : {7, 40, 41, 150})
      CHECK((begins.empty() ||
             std::binary_search(begins.begin(), begins.end(), cut)));
    for (std::size_t b = 1; b < begins.size(); ++b)
      CHECK(begins[b] - begins[b - 1] <= 32);
    Sporos::apply(g.mesh, inverse(r));
    CHECK(g.contents() == before);
  }
}

TEST_CASE("maps on one view are renumbered once", "[reorder]") {
  Set cells("cells", 6), other("other", 6);
  const std::vector<int> ring{1, 2, 3, 4, 5, 0};
  Map<1> next("next", cells, cells, ring);
  const Map<1> twin("twin", cells, cells, next.view());
  const Map<Sporos::dynamic_arity> third("third", cells, cells, 1, next.view());
  Dat<int> id("id", cells, std::vector<int>{0, 1, 2, 3, 4, 5});
  Mesh mesh(next, twin, id, third);
  const auto versions = [&] {
    return std::vector<std::uint64_t>{next.version(), twin.version(),
                                      third.version()};
  };
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    ReorderOptions options;
    options.ordering   = ordering;
    options.by         = "twin";
    const auto before  = versions();
    const auto r       = Sporos::reorder(mesh, options);
    const auto entries = twin.to_host(), numbers = id.to_host();
    for (std::size_t k = 0; k < 6; ++k)
      CHECK(numbers[std::size_t(entries[k])] == (numbers[k] + 1) % 6);
    for (std::size_t m = 0; m < 3; ++m)
      CHECK((versions()[m] > before[m]) == (ordering != MeshOrdering::natural));
    Sporos::apply(mesh, inverse(r));
  }
  CHECK(next.to_host() == ring);
  const Map<1> elsewhere("elsewhere", cells, other, next.view());
  CHECK_THROWS_WITH(
      mesh.add(elsewhere),
      "Sporos::Mesh::add: elsewhere: expected all of the entries of next "
      "between its sets, or memory separate from them, got memory that "
      "overlaps "
      "them");
  CHECK(mesh.sets().size() == 1);
}

TEST_CASE("orderings have names, and METIS may be missing", "[reorder]") {
  if (!Sporos::have_metis()) {
    Grid<Host> g(5, 4);
    CHECK_THROWS_AS(Sporos::reorder(g.mesh, MeshOrdering::metis),
                    std::invalid_argument);
  }
  for (MeshOrdering ordering : orderings())
    CHECK(Sporos::mesh_ordering(name(ordering)) == ordering);
}

}  // namespace ReorderTest
