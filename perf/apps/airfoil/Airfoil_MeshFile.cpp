// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_MeshFile.hpp"

#include <Sporos_MeshFile.hpp>
#ifdef SPOROS_HAVE_HDF5
#include <Sporos_MeshFileHdf5.hpp>
#endif

#include <stdexcept>

namespace AirfoilApp {
namespace {

bool is_hdf5(const std::string& path) {
  return path.size() >= 3 && path.compare(path.size() - 3, 3, ".h5") == 0;
}

#ifndef SPOROS_HAVE_HDF5
[[noreturn]] void refuse_hdf5(const std::string& path) {
  throw std::runtime_error("airfoil: " + path +
                           ": this build knows no HDF5; take a text file");
}
#endif

}  // namespace

Sporos::QuadMesh read_mesh_file(const std::string& path) {
  if (!is_hdf5(path)) return Sporos::read_mesh(path);
#ifdef SPOROS_HAVE_HDF5
  return Sporos::read_mesh_hdf5(path);
#else
  refuse_hdf5(path);
#endif
}

void write_mesh_file(const std::string& path, const Sporos::QuadMesh& mesh) {
  if (!is_hdf5(path)) return Sporos::write_mesh(path, mesh);
#ifdef SPOROS_HAVE_HDF5
  Sporos::write_mesh_hdf5(path, mesh);
#else
  refuse_hdf5(path);
#endif
}

}  // namespace AirfoilApp
