// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// read_mesh either says what is wrong with a file, or gives a mesh whose
/// indices are in range and that survives write_mesh.

#include "Sporos_Fuzz.hpp"

#include <Sporos_MeshFile.hpp>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace {

using Sporos::Fuzz::require;

bool all_below(const std::vector<int>& indices, int size) {
  return std::all_of(indices.begin(), indices.end(),
                     [size](int i) { return i >= 0 && i < size; });
}

void check_indices(const Sporos::QuadMesh& m) {
  require(all_below(m.cell_nodes, m.nodes()) &&
              all_below(m.edge_nodes, m.nodes()) &&
              all_below(m.boundary_nodes, m.nodes()),
          "numbers of nodes are in range");
  require(all_below(m.edge_cells, m.cells()) &&
              all_below(m.boundary_cells, m.cells()),
          "numbers of cells are in range");
}

void check_same(const Sporos::QuadMesh& a, const Sporos::QuadMesh& b) {
  require(a.coordinates == b.coordinates && a.cell_nodes == b.cell_nodes &&
              a.edge_nodes == b.edge_nodes && a.edge_cells == b.edge_cells &&
              a.boundary_nodes == b.boundary_nodes &&
              a.boundary_cells == b.boundary_cells &&
              a.boundary_flags == b.boundary_flags,
          "a mesh that is written is read again");
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data,
                                      std::size_t size) {
  static const Sporos::Fuzz::MemoryFile input, output;
  input.assign(data, size);
  Sporos::QuadMesh mesh;
  try {
    mesh = Sporos::read_mesh(input.path());
  } catch (const std::runtime_error&) {
    return 0;
  }
  check_indices(mesh);
  Sporos::write_mesh(output.path(), mesh);
  check_same(Sporos::read_mesh(output.path()), mesh);
  return 0;
}
