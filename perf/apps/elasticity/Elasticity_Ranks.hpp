// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_RANKS_HPP
#define SPOROS_ELASTICITY_RANKS_HPP

/// \file Elasticity_Ranks.hpp
/// The ranks of MPI as a world, in builds with MPI.

#include "Elasticity_World.hpp"

#include <Sporos_Communicator.hpp>

namespace ElasticityApp {

/// Collective. Destroy the world and what it dealt out before MPI_Finalize.
/// \param any_ranks all results have the same bits on any number of ranks
std::unique_ptr<World> make_world_of_ranks(const Sporos::Communicator& comm,
                                           bool any_ranks);

}  // namespace ElasticityApp

#endif
