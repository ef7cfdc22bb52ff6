// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_VTK_HPP
#define SPOROS_AIRFOIL_VTK_HPP

/// \file Airfoil_Vtk.hpp
/// The flow as a VTK XML file, for ParaView and VisIt.

#include "Airfoil_Fields.hpp"

#include <string>
#include <vector>

namespace AirfoilApp {

/// Writes cells with density, velocity, pressure and Mach number (.vtu).
/// \throws std::runtime_error that names the file if it cannot be written
void write_vtk(const std::string& path, const Fields& fields);

/// Writes the file that makes one picture of such files (.pvtu).
/// \param pieces their names, in the same folder
/// \throws std::runtime_error that names the file if it cannot be written
void write_parallel_vtk(const std::string& path,
                        const std::vector<std::string>& pieces);

}  // namespace AirfoilApp

#endif
