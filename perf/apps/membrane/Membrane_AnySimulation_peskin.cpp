// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_AnySimulation_impl.hpp"

#include <stdexcept>

namespace MembraneApp {

std::unique_ptr<AnySimulation> make_simulation_peskin(const Options& o) {
  if (o.delta == "cosine4")
    return std::make_unique<SimulationOf<Sporos::Cosine4>>(o);
  if (o.delta == "peskin4")
    return std::make_unique<SimulationOf<Sporos::Peskin4>>(o);
  return nullptr;
}

std::unique_ptr<AnySimulation> make_simulation(const Options& o) {
  for (const auto make : {make_simulation_peskin, make_simulation_moments,
                          make_simulation_splines})
    if (auto simulation = make(o)) return simulation;
  throw std::invalid_argument("membrane: no delta function '" + o.delta + "'");
}

}  // namespace MembraneApp
