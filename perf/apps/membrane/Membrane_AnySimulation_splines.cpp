// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_AnySimulation_impl.hpp"

namespace MembraneApp {

std::unique_ptr<AnySimulation> make_simulation_splines(const Options& o) {
  using namespace Sporos;
  if (o.delta == "bspline2")
    return std::make_unique<SimulationOf<BSpline<2>>>(o);
  if (o.delta == "bspline3")
    return std::make_unique<SimulationOf<BSpline<3>>>(o);
  if (o.delta == "bspline4")
    return std::make_unique<SimulationOf<BSpline<4>>>(o);
  if (o.delta == "bspline5")
    return std::make_unique<SimulationOf<BSpline<5>>>(o);
  if (o.delta == "bspline6")
    return std::make_unique<SimulationOf<BSpline<6>>>(o);
  return nullptr;
}

}  // namespace MembraneApp
