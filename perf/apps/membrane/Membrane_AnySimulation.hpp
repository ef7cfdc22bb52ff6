// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_ANYSIMULATION_HPP
#define SPOROS_MEMBRANE_ANYSIMULATION_HPP

/// \file Membrane_AnySimulation.hpp
/// A simulation whose delta function is chosen at run time.

#include "Membrane_Frame.hpp"
#include "Membrane_Options.hpp"
#include "Membrane_Status.hpp"

#include <memory>
#include <string>

namespace MembraneApp {

/// Simulation in the default execution space, whatever its delta function.
class AnySimulation {
 public:
  virtual ~AnySimulation()             = default;
  virtual void step()                  = 0;
  virtual Status status() const        = 0;
  virtual Frame frame() const          = 0;
  virtual const Shares& shares() const = 0;
  virtual std::string describe() const = 0;
};

/// The simulation with the delta function that the options name.
/// \param options complete ones, as from resolve()
std::unique_ptr<AnySimulation> make_simulation(const Options& options);

/// The same for a part of the delta functions: null for others. Each part is a
/// source file of its own, since every delta function is a lot to compile.
std::unique_ptr<AnySimulation> make_simulation_moments(const Options& options);
std::unique_ptr<AnySimulation> make_simulation_peskin(const Options& options);
std::unique_ptr<AnySimulation> make_simulation_splines(const Options& options);

}  // namespace MembraneApp

#endif
