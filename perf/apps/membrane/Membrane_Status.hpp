// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_STATUS_HPP
#define SPOROS_MEMBRANE_STATUS_HPP

/// \file Membrane_Status.hpp
/// The figures of a simulation.

#include "Membrane_ElasticLoop.hpp"

namespace MembraneApp {

/// Seconds spent in the parts of the time steps.
struct Shares {
  double update = 0, spread = 0, interpolate = 0, fluid = 0, membrane = 0;
  double total() const {
    return update + spread + interpolate + fluid + membrane;
  }
};

/// What the run is judged by.
struct Status {
  int step    = 0;
  double time = 0;
  Shape shape{};            ///< of the membrane
  double elastic      = 0;  ///< energy in the springs
  double kinetic      = 0;  ///< energy of the fluid
  double max_velocity = 0;  ///< largest component of the velocity
  double divergence   = 0;  ///< largest, times the spacing over max_velocity
  /// sum of the spread force minus sum of the membrane's forces, relative to
  /// the sum of the absolute forces
  double force_error = 0;
  double energy() const { return elastic + kinetic; }
};

}  // namespace MembraneApp

#endif
