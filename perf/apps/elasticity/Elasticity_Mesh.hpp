// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_MESH_HPP
#define SPOROS_ELASTICITY_MESH_HPP

/// \file Elasticity_Mesh.hpp
/// Blocks of meshes: the unit cube, bent, and the box of the cantilever.

#include "Elasticity_Options.hpp"

#include <cstdint>
#include <vector>

namespace ElasticityApp {

/// A block of consecutive nodes and one of consecutive cells, of one process.
struct MeshBlock {
  Shape shape = Shape::tetrahedra;
  int order   = 1;
  std::vector<double> coordinates;       ///< 3 of each node
  std::vector<int> fixed;                ///< 1: the node's values are given
  std::vector<std::int64_t> cell_nodes;  ///< of each cell, numbers in the mesh
  /// the nodes of each cell that are not fixed, -1 for others
  std::vector<std::int64_t> unknowns;
};

/// Where the block of a process begins if `size` processes share n elements.
inline std::int64_t block_begin(std::int64_t n, int rank, int size) {
  return n / size * rank + n % size * rank / size;
}

/// The block of a process of the box that the options ask for: the cube is
/// fixed on all sides, the cantilever at x = 0.
/// \param cells along the shortest side
MeshBlock box_block(const Options& options, int cells, int rank, int size);

}  // namespace ElasticityApp

#endif
