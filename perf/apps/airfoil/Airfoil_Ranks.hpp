// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_RANKS_HPP
#define SPOROS_AIRFOIL_RANKS_HPP

/// \file Airfoil_Ranks.hpp
/// Many MPI ranks that share a run; a build without MPI leaves it out.

#include "Airfoil_World.hpp"

#include <memory>

namespace AirfoilApp {

/// The ranks of MPI_COMM_WORLD; null if there is one or MPI is not running.
std::unique_ptr<World> make_ranks();

}  // namespace AirfoilApp

#endif
