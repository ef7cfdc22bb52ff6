// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_FRAME_HPP
#define SPOROS_MEMBRANE_FRAME_HPP

/// \file Membrane_Frame.hpp
/// The state of the simulation at one time, on the host, to draw and to write.

#include "Membrane_ElasticLoop.hpp"

#include <vector>

namespace MembraneApp {

/// Grid fields have cells * cells values, x index fastest: value i + cells j.
struct Frame {
  int step    = 0;
  double time = 0;
  int cells   = 0;
  HostPoints points;         ///< the membrane
  std::vector<double> x, y;  ///< velocity at h (i, j + 1/2), h (i + 1/2, j)
  std::vector<double> vorticity;  ///< at the cell corners h (i, j)
  std::vector<double> pressure;   ///< at the cell centres
};

}  // namespace MembraneApp

#endif
