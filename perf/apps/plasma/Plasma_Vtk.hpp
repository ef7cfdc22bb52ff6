// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_VTK_HPP
#define SPOROS_PLASMA_VTK_HPP

/// \file Plasma_Vtk.hpp
/// Fields and particles for ParaView.

#include "Plasma_Simulation.hpp"

#include <string>

namespace PlasmaApp {

/// One process writes fields.vti and particles.vtp. Each of many ranks writes
/// fields-<rank>.vti and particles-<rank>.vtp, and rank 0, after all of them,
/// fields.pvti and particles.pvtp, which name them. A file gets its name when
/// it is complete. Collective.
/// \throws std::runtime_error on all ranks that names the file that cannot be
///         written
void write_vtk(const Simulation& s, const std::string& folder);

}  // namespace PlasmaApp

#endif
