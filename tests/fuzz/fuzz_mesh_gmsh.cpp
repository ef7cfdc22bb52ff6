// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// read_mesh_gmsh either says what is wrong with a file, or gives a mesh whose
/// nodes and members of groups are in range.

#include "Sporos_Fuzz.hpp"

#include <Sporos_MeshFileGmsh.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace {

using Sporos::Fuzz::require;

bool all_below(const std::vector<int>& indices, int size) {
  return std::all_of(indices.begin(), indices.end(),
                     [size](int i) { return i >= 0 && i < size; });
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const Sporos::Fuzz::MemoryFile input;
  input.assign(data, size);
  Sporos::GmshMesh mesh;
  try {
    mesh = Sporos::read_mesh_gmsh(input.path());
  } catch (const std::runtime_error&) {
    return 0;
  }
  require(mesh.coordinates.size() == 3 * std::size_t(mesh.nodes()),
          "a node has three coordinates");
  for (const auto& elements : mesh.elements) {
    require(elements.nodes.size() ==
                std::size_t(elements.size()) * std::size_t(elements.arity),
            "elements are whole");
    require(all_below(elements.nodes, mesh.nodes()), "nodes are in range");
    require(elements.members.size() == mesh.groups.size(),
            "each group has a list");
    for (const auto& list : elements.members)
      require(all_below(list, elements.size()), "members are in range");
  }
  return 0;
}
