// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Renumbering of whole meshes: maps and dats stay consistent, loops give what
// they gave, shuffles are undone, blocks keep to their size.

#include "Sporos_Test.hpp"

#include <Sporos_ParLoop.hpp>
#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace ReorderTest {

using Sporos::Dat;
using Sporos::Map;
using Sporos::Mesh;
using Sporos::MeshOrdering;
using Sporos::Order;
using Sporos::ReorderOptions;
using Sporos::Set;
using Sporos::Test::Spaces;

/// nx * ny quadrilaterals with nodes, inner edges and boundary edges.
struct Entries {
  int nx, ny;
  std::vector<int> cell_nodes, edge_nodes, edge_cells, rim_nodes, rim_cells;

  Entries(int nx_, int ny_) : nx(nx_), ny(ny_) {
    for (int j = 0; j < ny; ++j)
      for (int i = 0; i < nx; ++i) {
        append(cell_nodes, {node(i, j), node(i + 1, j), node(i + 1, j + 1),
                            node(i, j + 1)});
        edge({node(i, j), node(i, j + 1)}, i > 0 ? cell(i - 1, j) : -1,
             cell(i, j));
        edge({node(i, j), node(i + 1, j)}, j > 0 ? cell(i, j - 1) : -1,
             cell(i, j));
      }
    for (int j = 0; j < ny; ++j)
      edge({node(nx, j), node(nx, j + 1)}, -1, cell(nx - 1, j));
    for (int i = 0; i < nx; ++i)
      edge({node(i, ny), node(i + 1, ny)}, -1, cell(i, ny - 1));
  }
  int node(int i, int j) const { return j * (nx + 1) + i; }
  int cell(int i, int j) const { return j * nx + i; }
  int n_nodes() const { return (nx + 1) * (ny + 1); }
  int n_edges() const { return int(edge_cells.size()) / 2; }

 private:
  static void append(std::vector<int>& to, const std::vector<int>& what) {
    to.insert(to.end(), what.begin(), what.end());
  }
  void edge(const std::vector<int>& nodes, int a, int b) {
    append(a < 0 ? rim_nodes : edge_nodes, nodes);
    append(a < 0 ? rim_cells : edge_cells,
           a < 0 ? std::vector<int>{b} : std::vector<int>{a, b});
  }
};

std::vector<double> ramp(int n, double scale) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(scale * (i + 1) / (i % 7 + 3));
  return values;
}

/// A mesh with dats of several types and layouts in one memory space.
template <class Exec>
struct Grid {
  using Memory = typename Exec::memory_space;
  using Left   = Kokkos::LayoutLeft;
  using Right  = Kokkos::LayoutRight;

  Entries e;
  Set nodes, cells, edges, rim;
  Map<4, Memory> cell_nodes;
  Map<2, Memory> edge_nodes, edge_cells;
  Map<Sporos::dynamic_arity, Memory> rim_nodes;
  Map<1, Memory> rim_cells;
  Dat<double, 2, Left, Memory> x;
  Dat<double, 4, Right, Memory> q, res;
  Dat<int, 1, Right, Memory> id;
  Dat<float, 3, Left, Memory> rim_data;
  Mesh mesh;

  Grid(int nx, int ny)
      : e(nx, ny),
        nodes("nodes", e.n_nodes()),
        cells("cells", nx * ny),
        edges("edges", e.n_edges()),
        rim("rim", int(e.rim_cells.size())),
        cell_nodes("cell_nodes", cells, nodes, e.cell_nodes),
        edge_nodes("edge_nodes", edges, nodes, e.edge_nodes),
        edge_cells("edge_cells", edges, cells, e.edge_cells),
        rim_nodes("rim_nodes", rim, nodes, 2, e.rim_nodes),
        rim_cells("rim_cells", rim, cells, e.rim_cells),
        x("x", nodes, ramp(2 * nodes.size(), .1)),
        q("q", cells, ramp(4 * cells.size(), .3)),
        res("res", cells),
        id("id", cells, Sporos::identity_order(cells.size())),
        rim_data("rim_data", rim,
                 [&] {
                   const auto values = ramp(3 * rim.size(), 2.);
                   return std::vector<float>(values.begin(), values.end());
                 }()),
        mesh(cell_nodes, edge_nodes, edge_cells, rim_nodes, rim_cells, x, q,
             res, id, rim_data) {}

  /// All entries and values, row by row.
  std::vector<std::vector<double>> contents() const {
    std::vector<std::vector<double>> all;
    const auto keep = [&](const auto& values) {
      all.emplace_back(values.begin(), values.end());
    };
    keep(cell_nodes.to_host());
    keep(edge_nodes.to_host());
    keep(edge_cells.to_host());
    keep(rim_nodes.to_host());
    keep(rim_cells.to_host());
    keep(x.to_host());
    keep(q.to_host());
    keep(id.to_host());
    keep(rim_data.to_host());
    return all;
  }
};

/// rows of `before` in the new order, with entries renumbered (numbers empty:
/// values).
std::vector<double> moved(const std::vector<double>& before, const Order& order,
                          const std::vector<int>& numbers) {
  const std::size_t width = before.size() / order.size();
  std::vector<double> after;
  for (int i : order)
    for (std::size_t c = 0; c < width; ++c) {
      const double v = before[std::size_t(i) * width + c];
      after.push_back(numbers.empty() ? v : numbers[std::size_t(v)]);
    }
  return after;
}

std::vector<MeshOrdering> orderings() {
  std::vector<MeshOrdering> all{
      MeshOrdering::natural, MeshOrdering::reverse_cuthill_mckee,
      MeshOrdering::gibbs_poole_stockmeyer, MeshOrdering::random};
  if (Sporos::have_metis()) all.push_back(MeshOrdering::metis);
  return all;
}

TEMPLATE_LIST_TEST_CASE("maps and dats are renumbered together, and back",
                        "[reorder]", Spaces) {
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    Grid<TestType> g(11, 7);
    const auto before  = g.contents();
    const auto version = g.edge_cells.version();
    ReorderOptions options;
    options.ordering   = ordering;
    options.block_size = 20;
    const auto r       = Sporos::reorder(g.mesh, options);
    const auto after   = g.contents();
    for (const Set& set : {g.nodes, g.cells, g.edges, g.rim}) {
      CHECK(int(r.order(set).size()) == set.size());
      CHECK(Sporos::is_permutation(r.order(set)));
      CHECK(r.numbers(set) == Sporos::inverse(r.order(set)));
    }
    const auto nodes = r.numbers(g.nodes), cells = r.numbers(g.cells);
    const std::vector<int> values;
    CHECK(after[0] == moved(before[0], r.order(g.cells), nodes));
    CHECK(after[1] == moved(before[1], r.order(g.edges), nodes));
    CHECK(after[2] == moved(before[2], r.order(g.edges), cells));
    CHECK(after[3] == moved(before[3], r.order(g.rim), nodes));
    CHECK(after[4] == moved(before[4], r.order(g.rim), cells));
    CHECK(after[5] == moved(before[5], r.order(g.nodes), values));
    CHECK(after[6] == moved(before[6], r.order(g.cells), values));
    CHECK(after[7] == moved(before[7], r.order(g.cells), values));
    CHECK(after[8] == moved(before[8], r.order(g.rim), values));
    if (ordering != MeshOrdering::natural) {
      CHECK(after != before);
      CHECK(g.edge_cells.version() > version);
    }
    Sporos::apply(g.mesh, inverse(r));
    CHECK(g.contents() == before);
  }
}

struct Flux {
  KOKKOS_FUNCTION void operator()(Sporos::Read<double, 2, 2> x,
                                  Sporos::Read<double, 4, 2> q,
                                  Sporos::Inc<double, 4, 2> res) const {
    const double length = (x(0, 0) - x(1, 0)) * (x(0, 1) + x(1, 1));
    for (int c = 0; c < 4; ++c) {
      const double f = length * (q(0, c) - .7 * q(1, c)) + q(0, 3 - c);
      res(0, c) += f;
      res(1, c) += -f;
    }
  }
};

template <class Exec>
std::vector<double> run_flux(const Grid<Exec>& g) {
  g.res.assign(std::vector<double>(std::size_t(g.cells.size()) * 4, 0.));
  const Exec exec{};
  // the same label and arguments: a plan from before would be found
  par_loop("flux", exec, g.edges, Flux{}, read(g.x, g.edge_nodes),
           read(g.q, g.edge_cells), inc(g.res, g.edge_cells));
  exec.fence();
  return g.res.to_host();
}

TEMPLATE_LIST_TEST_CASE("loops after renumbering give what they gave",
                        "[reorder]", Spaces) {
  Grid<TestType> g(40, 33);
  const auto expected = run_flux(g);
  for (MeshOrdering ordering : orderings()) {
    INFO(name(ordering));
    const auto r     = Sporos::reorder(g.mesh, ordering);
    const auto found = run_flux(g);
    const auto order = r.order(g.cells);
    double worst     = 0;
    for (std::size_t k = 0; k < order.size(); ++k)
      for (std::size_t c = 0; c < 4; ++c) {
        const double wanted = expected[std::size_t(order[k]) * 4 + c];
        worst = std::max(worst, std::abs(found[4 * k + c] - wanted) /
                                    (1 + std::abs(wanted)));
      }
    CHECK(worst < 1e-12);
    Sporos::apply(g.mesh, inverse(r));
  }
  CHECK(run_flux(g) == expected);
}

/// The average distance of the entries of a map from those of the row before.
double stride(const std::vector<int>& rows, int arity) {
  double sum = 0;
  for (std::size_t k = std::size_t(arity); k < rows.size(); ++k)
    sum += std::abs(rows[k] - rows[k - std::size_t(arity)]);
  return sum / double(rows.size());
}

using Host = Kokkos::DefaultHostExecutionSpace;

TEST_CASE("renumbering undoes shuffles", "[reorder]") {
  const int nx = 60, ny = 25;
  Grid<Host> g(nx, ny);
  const double natural = stride(g.e.edge_cells, 2);
  for (MeshOrdering ordering : {MeshOrdering::reverse_cuthill_mckee,
                                MeshOrdering::gibbs_poole_stockmeyer}) {
    INFO(name(ordering));
    const auto shuffle = Sporos::reorder(g.mesh, MeshOrdering::random);
    const auto shaken  = g.contents();
    CHECK(stride(g.edge_cells.to_host(), 2) > 10 * natural);
    const auto r     = Sporos::reorder(g.mesh, ordering);
    const auto cells = g.edge_cells.to_host(), nodes = g.edge_nodes.to_host();
    CHECK(stride(cells, 2) <= natural);
    CHECK(stride(nodes, 2) <= 3 * natural);
    int widest = 0;
    for (std::size_t k = 0; k < cells.size(); k += 2)
      widest = std::max(widest, std::abs(cells[k] - cells[k + 1]));
    CHECK(widest <= ny + 1);
    // elements are sorted by their targets
    for (std::size_t k = 2; k < cells.size(); k += 2)
      REQUIRE(std::min(cells[k - 2], cells[k - 1]) <=
              std::min(cells[k], cells[k + 1]));
    const auto rim = g.rim_cells.to_host();
    CHECK(std::is_sorted(rim.begin(), rim.end()));
    Sporos::apply(g.mesh, inverse(r));
    CHECK(g.contents() == shaken);
    Sporos::apply(g.mesh, inverse(shuffle));
  }
  CHECK(g.edge_cells.to_host() == g.e.edge_cells);
}

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
  options.by     = "edge_cells";
  const auto by  = Sporos::reorder(g.mesh, options);
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
