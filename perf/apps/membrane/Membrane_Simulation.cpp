// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Simulation.hpp"

namespace MembraneApp {

template class Simulation<Kokkos::DefaultExecutionSpace>;

AnySimulation make_simulation(const Options& options) {
  return AnySimulation(Kokkos::DefaultExecutionSpace(), options, make_transfer);
}

}  // namespace MembraneApp
