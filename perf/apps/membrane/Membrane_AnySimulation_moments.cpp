// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_AnySimulation_impl.hpp"

namespace MembraneApp {

std::unique_ptr<AnySimulation> make_simulation_moments(const Options& o) {
  if (o.delta == "hat2") return std::make_unique<SimulationOf<Sporos::Hat2>>(o);
  if (o.delta == "roma3")
    return std::make_unique<SimulationOf<Sporos::Roma3>>(o);
  if (o.delta == "bao6") return std::make_unique<SimulationOf<Sporos::Bao6>>(o);
  return nullptr;
}

}  // namespace MembraneApp
