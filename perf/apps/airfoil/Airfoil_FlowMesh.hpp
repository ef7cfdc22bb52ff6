// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_FLOWMESH_HPP
#define SPOROS_AIRFOIL_FLOWMESH_HPP

/// \file Airfoil_FlowMesh.hpp
/// The mesh that the simulation runs on, wherever it comes from.

#include <Sporos_Mesh.hpp>
#include <Sporos_MeshGenerators.hpp>

#include <cstdint>
#include <vector>

namespace AirfoilApp {

/// Elements of a whole mesh.
struct Counts {
  std::int64_t nodes = 0, cells = 0, edges = 0, boundary_edges = 0;

  Counts() = default;
  Counts(const Sporos::QuadMesh& m)
      : nodes(m.nodes()),
        cells(m.cells()),
        edges(m.edges()),
        boundary_edges(m.boundary_edges()) {}
};

/// Sets and maps of the elements that this process works on: all, or those of
/// one of many ranks with their halos.
struct FlowMesh {
  Sporos::Set nodes, cells, edges, boundary;
  Sporos::Map<4> cell_nodes;
  Sporos::Map<2> edge_nodes, edge_cells, boundary_nodes;
  Sporos::Map<1> boundary_cells;
  std::vector<double> coordinates;  ///< 2 per node
  std::vector<int> flags;           ///< 1 per boundary edge
  Counts counts;                    ///< of the whole mesh
  int owned_cells = 0;              ///< of this process; they come first
  /// number of each cell in the whole mesh; empty: its own
  std::vector<std::int64_t> cell_numbers;
};

/// All of a mesh.
FlowMesh whole_mesh(const Sporos::QuadMesh& mesh);

}  // namespace AirfoilApp

#endif
