// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_ANYSIMULATION_IMPL_HPP
#define SPOROS_MEMBRANE_ANYSIMULATION_IMPL_HPP

#include "Membrane_AnySimulation.hpp"
#include "Membrane_Simulation.hpp"

namespace MembraneApp {

template <class Delta>
class SimulationOf : public AnySimulation {
 public:
  explicit SimulationOf(const Options& options)
      : m_simulation(Kokkos::DefaultExecutionSpace(), options) {}

  void step() override { m_simulation.step(); }
  Status status() const override { return m_simulation.status(); }
  Frame frame() const override { return m_simulation.frame(); }
  const Shares& shares() const override { return m_simulation.shares(); }
  std::string describe() const override { return m_simulation.describe(); }

 private:
  Simulation<Kokkos::DefaultExecutionSpace, Delta> m_simulation;
};

}  // namespace MembraneApp

#endif
