// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_RANKS_HPP
#define SPOROS_PLASMA_RANKS_HPP

/// \file Plasma_Ranks.hpp
/// The ranks of MPI as a world, in builds with FFTW-MPI.

#include "Plasma_World.hpp"

#include <Sporos_Communicator.hpp>

namespace PlasmaApp {

/// Collective. Destroy the world before MPI_Finalize.
/// \param any_ranks all results have the same bits on any number of ranks
/// \throws std::invalid_argument on all ranks for slabs with fewer rows than
///         charges reach, and for a grid that is too narrow across
std::unique_ptr<World> make_world_of_ranks(const Sporos::Communicator& comm,
                                           const Setup& setup, bool any_ranks);

}  // namespace PlasmaApp

#endif
