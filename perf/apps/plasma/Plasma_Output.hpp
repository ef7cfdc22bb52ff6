// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_OUTPUT_HPP
#define SPOROS_PLASMA_OUTPUT_HPP

/// \file Plasma_Output.hpp
/// The picture of phase space and the fields for ParaView.

#include "Plasma_Simulation.hpp"

#include <string>

namespace PlasmaApp {

/// Writes phase.png and the files of write_vtk into a folder that exists.
/// Collective.
/// \returns the name of the picture, or why there is none
/// \throws std::runtime_error on all ranks that names the file that cannot be
///         written
std::string write_files(const Simulation& s, const std::string& folder);

}  // namespace PlasmaApp

#endif
