// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Simulation.hpp"

namespace AirfoilApp {

template std::unique_ptr<AnySimulation>
make_simulation_of<float, Kokkos::LayoutLeft>(const FlowMesh&, const Options&,
                                              const Sporos::LoopOptions&);

}  // namespace AirfoilApp
