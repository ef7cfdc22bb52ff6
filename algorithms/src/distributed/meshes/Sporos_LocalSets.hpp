// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOCALSETS_HPP
#define SPOROS_LOCALSETS_HPP

/// \file Sporos_LocalSets.hpp
/// The sets and maps of a mesh as blocks of all ranks, and as local sets with
/// halos.

#include <Sporos_Mesh.hpp>
#include <distributed/meshes/Sporos_Blocks.hpp>
#include <distributed/messages/Sporos_ExchangeLists.hpp>

#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// A set in blocks.
struct SetBlock {
  std::string name;
  RankBlocks blocks;
  std::vector<int> part;  ///< rank that will own each element of the block
  bool has_parts = false;
};

/// A map in blocks: rows of this rank's block, global numbers.
struct MapBlock {
  std::string name;
  int from, to, arity;
  std::vector<GlobalNumber> rows;  ///< -1: nothing
  MissingEntries missing = MissingEntries::refused;
};

/// Local elements of a set. By local number: owned elements whose maps lead to
/// owned elements only (core), the other owned ones, elements of other ranks
/// that increment owned ones (executed here, too), and elements that are only
/// read. The first two classes ascend by global number, the others by owner,
/// then global number, unless the mesh was reordered.
struct LocalSet {
  std::vector<GlobalNumber> global;       ///< of each local element
  int core = 0, owned = 0, executed = 0;  ///< ends of the first classes
  /// Local numbers of owned elements that other ranks have in their halos, and
  /// of the elements of the own halo.
  RankLists send, receive;

  int size() const { return int(global.size()); }
};

/// Local sets and the local numbers of maps, row by row. Elements that are only
/// read have rows without meaning.
struct LocalMesh {
  std::vector<LocalSet> sets;
  std::vector<std::vector<int>> maps;
};

}  // namespace Impl
}  // namespace Sporos

#endif
