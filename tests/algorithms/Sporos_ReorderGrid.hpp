// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// A mesh of quadrilaterals with all kinds of maps and dats, to renumber.

#ifndef SPOROS_REORDERGRID_HPP
#define SPOROS_REORDERGRID_HPP

#include <Sporos_Reorder.hpp>

#include <vector>

namespace ReorderTest {

using Sporos::Dat;
using Sporos::Map;
using Sporos::Mesh;
using Sporos::MeshOrdering;
using Sporos::Order;
using Sporos::ReorderOptions;
using Sporos::Set;

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

inline std::vector<double> ramp(int n, double scale) {
  std::vector<double> values;
  for (int i = 0; i < n; ++i) values.push_back(scale * (i + 1) / (i % 7 + 3));
  return values;
}

/// A mesh with dats of several types and layouts in one memory space.
template <class Memory>
struct Grid {
  using Left  = Kokkos::LayoutLeft;
  using Right = Kokkos::LayoutRight;

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

inline std::vector<MeshOrdering> orderings() {
  std::vector<MeshOrdering> all{
      MeshOrdering::natural, MeshOrdering::reverse_cuthill_mckee,
      MeshOrdering::gibbs_poole_stockmeyer, MeshOrdering::random};
  if (Sporos::have_metis()) all.push_back(MeshOrdering::metis);
  return all;
}

using Host = Kokkos::DefaultHostExecutionSpace::memory_space;

}  // namespace ReorderTest

#endif
