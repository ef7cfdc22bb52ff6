// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SCALING_MESH_HPP
#define SPOROS_SCALING_MESH_HPP

/// \file Scaling_Mesh.hpp
/// What each rank of a partitioned airfoil mesh computes and sends, counted.

#include "Scaling_Network.hpp"

#include <Sporos_MeshGenerators.hpp>

#include <cstdint>
#include <vector>

namespace Scaling {

/// Counts of one rank.
struct MeshPart {
  std::int64_t cells      = 0;  ///< owned
  std::int64_t core       = 0;  ///< edges between two owned cells
  std::int64_t rest       = 0;  ///< edges to cells of others, executed by both
  std::int64_t halo       = 0;  ///< cells of others that are read
  std::int64_t sent       = 0;  ///< own cells that are sent, once a receiver
  std::int64_t neighbours = 0;
};

/// Parts of the cells by METIS' k-way partition of the dual graph.
/// \throws std::runtime_error if METIS fails
std::vector<int> parts_of_cells(const Sporos::QuadMesh& mesh, int parts);

/// Counts of all ranks, for a partition of the cells.
std::vector<MeshPart> count_parts(const Sporos::QuadMesh& mesh,
                                  const std::vector<int>& part_of_cell,
                                  int parts);

/// Bytes that a rank sends in an exchange: q and adt of cells.
inline double exchange_bytes(const MeshPart& part) {
  return 5. * 8. * double(part.sent);
}

/// What a sum of a double over all ranks sends: the digits and flags of a sum
/// that is not rounded.
constexpr double sum_bytes = 8. * (68 + 5);

/// Predicted milliseconds of an airfoil iteration: two stages, each with an
/// exchange that core edges hide, and a global sum. The slowest rank counts.
double iteration_time(const std::vector<MeshPart>& parts,
                      const Machine& machine);

}  // namespace Scaling

#endif
