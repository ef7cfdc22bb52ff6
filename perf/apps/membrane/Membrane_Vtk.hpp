// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_VTK_HPP
#define SPOROS_MEMBRANE_VTK_HPP

/// \file Membrane_Vtk.hpp
/// VTK XML files of the fluid and the membrane, for ParaView and VisIt.

#include "Membrane_Frame.hpp"

#include <string>
#include <vector>

namespace MembraneApp {

/// Writes the frames of one run into a folder: fluid_0000.vti and
/// membrane_0000.vtp and so on, and membrane.pvd, which lists them with their
/// times and is what one opens.
class VtkWriter {
 public:
  /// \param folder an existing folder
  explicit VtkWriter(std::string folder) : m_folder(std::move(folder)) {}

  /// Writes a frame and the collection up to it.
  /// \throws std::runtime_error that names the file that cannot be written
  void write(const Frame& frame);

 private:
  std::string m_folder;
  std::vector<double> m_times;
};

}  // namespace MembraneApp

#endif
