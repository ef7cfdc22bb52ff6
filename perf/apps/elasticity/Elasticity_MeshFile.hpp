// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_MESHFILE_HPP
#define SPOROS_ELASTICITY_MESHFILE_HPP

/// \file Elasticity_MeshFile.hpp
/// Meshes of Gmsh with tetrahedra or hexahedra.

#include "Elasticity_Mesh.hpp"

#include <Sporos_MeshFileGmsh.hpp>

#include <string>

namespace ElasticityApp {

/// The group of faces where the cantilever is clamped.
constexpr const char* clamped_group = "fixed";

/// The block of a process of a mesh that was read. Quadratic cells take the
/// nodes that the file has, or get new ones between their corners. Given are
/// the values at all nodes of the boundary, those of a cantilever in the group
/// clamped_group. O(n log n)
/// \param name of the file, for messages
/// \throws std::runtime_error for a mesh without tetrahedra and hexahedra, one
///         with cells of several shapes, and a cantilever without the group
MeshBlock file_block(const Options& options, const std::string& name,
                     const Sporos::GmshMesh& mesh, int rank, int size);

}  // namespace ElasticityApp

#endif
