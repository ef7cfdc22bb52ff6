// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_FlowMesh.hpp"

namespace AirfoilApp {

FlowMesh whole_mesh(const Sporos::QuadMesh& q) {
  using Sporos::Map;
  using Sporos::Set;
  FlowMesh m;
  m.nodes      = Set("nodes", q.nodes());
  m.cells      = Set("cells", q.cells());
  m.edges      = Set("edges", q.edges());
  m.boundary   = Set("boundary", q.boundary_edges());
  m.cell_nodes = Map<4>("cell_nodes", m.cells, m.nodes, q.cell_nodes);
  m.edge_nodes = Map<2>("edge_nodes", m.edges, m.nodes, q.edge_nodes);
  m.edge_cells = Map<2>("edge_cells", m.edges, m.cells, q.edge_cells);
  m.boundary_nodes =
      Map<2>("boundary_nodes", m.boundary, m.nodes, q.boundary_nodes);
  m.boundary_cells =
      Map<1>("boundary_cells", m.boundary, m.cells, q.boundary_cells);
  m.coordinates = q.coordinates;
  m.flags       = q.boundary_flags;
  m.counts      = q;
  m.owned_cells = q.cells();
  return m;
}

}  // namespace AirfoilApp
