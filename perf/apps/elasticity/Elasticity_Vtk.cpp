// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Vtk.hpp"

#include <cstddef>
#include <filesystem>

namespace ElasticityApp {

Sporos::Map<> corner_map(const LocalMesh& m) {
  const std::vector<int> nodes = m.cell_nodes.to_host();
  const std::size_t arity      = std::size_t(m.cell_nodes.arity());
  const std::size_t corners    = std::size_t(corner_count(m.shape));
  std::vector<int> rows;
  for (std::size_t k = 0; k < nodes.size(); ++k)
    if (k % arity < corners) rows.push_back(nodes[k]);
  return Sporos::Map<>("corners", m.cells, m.nodes, int(corners), rows);
}

std::string write_vtk(const World& world, const LocalMesh& mesh,
                      const Model& model, const std::string& folder) {
  Sporos::MeshVtk vtk(Exec{}, mesh.coordinates, corner_map(mesh));
  model.add_to(vtk);
  const std::string stem = folder + "/elasticity";
  if (world.size == 1) {
    vtk.write(stem + ".vtu");
    return stem + ".vtu";
  }
  std::vector<std::string> pieces;
  for (int rank = 0; rank < world.size; ++rank)
    pieces.push_back("elasticity-" + std::to_string(rank) + ".vtu");
  world.together([&] {
    if (world.rank == 0) std::filesystem::remove(stem + ".pvtu");
  });
  world.together(
      [&] { vtk.write(folder + '/' + pieces[std::size_t(world.rank)]); });
  world.together([&] {
    if (world.rank == 0) vtk.write_parallel(stem + ".pvtu", pieces);
  });
  return stem + ".pvtu";
}

}  // namespace ElasticityApp
