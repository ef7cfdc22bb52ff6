// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_VTK_HPP
#define SPOROS_ELASTICITY_VTK_HPP

/// \file Elasticity_Vtk.hpp
/// Meshes with displacements for ParaView.

#include "Elasticity_Model.hpp"
#include "Elasticity_World.hpp"

#include <string>

namespace ElasticityApp {

/// The corners of the cells: shape by shape what VTK draws.
Sporos::Map<> corner_map(const LocalMesh& mesh);

/// One process writes elasticity.vtu. Each of many ranks writes
/// elasticity-<rank>.vtu, and rank 0, after all of them, elasticity.pvtu, which
/// names them. A file gets its name when it is complete. Collective.
/// \return the name of the file
/// \throws std::runtime_error on all ranks that names the file that cannot be
///         written
std::string write_vtk(const World& world, const LocalMesh& mesh,
                      const Model& model, const std::string& folder);

}  // namespace ElasticityApp

#endif
