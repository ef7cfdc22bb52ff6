// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_MESHFILE_HPP
#define SPOROS_AIRFOIL_MESHFILE_HPP

/// \file Airfoil_MeshFile.hpp
/// Mesh files of both kinds: HDF5 if the name ends with ".h5", else text.

#include <Sporos_MeshGenerators.hpp>

#include <string>

namespace AirfoilApp {

/// \throws std::runtime_error for files that cannot be read, and for HDF5 in a
///         build without it
Sporos::QuadMesh read_mesh_file(const std::string& path);

/// \throws std::runtime_error for files that cannot be written, and for HDF5 in
///         a build without it
void write_mesh_file(const std::string& path, const Sporos::QuadMesh& mesh);

}  // namespace AirfoilApp

#endif
