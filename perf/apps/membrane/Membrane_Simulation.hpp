// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_SIMULATION_HPP
#define SPOROS_MEMBRANE_SIMULATION_HPP

/// \file Membrane_Simulation.hpp
/// The coupled problem: an elastic loop that moves with the fluid and pushes
/// it.

#include "Membrane_ElasticLoop.hpp"
#include "Membrane_FluidSolver.hpp"
#include "Membrane_Frame.hpp"
#include "Membrane_Options.hpp"
#include "Membrane_Status.hpp"
#include "Membrane_Transfer.hpp"

#include <memory>
#include <string>

namespace MembraneApp {

/// Fills in what the options leave to the program: points, steps, time_step,
/// and the time that steps and time_step make.
Options resolve(Options options);

/// Immersed boundary method of second order (Peskin 2002, section 6). A step:
/// the membrane moves half a time step with the velocity interpolated to it,
/// its forces there are spread to the faces of the grid, the fluid goes to the
/// middle of the step, the membrane moves the whole step with the velocity
/// interpolated to the middle positions, the fluid goes to the end.
template <class ExecSpace>
class Simulation {
 public:
  /// \param options complete ones, as from resolve()
  /// \param make_transfer (exec, options, positions) -> std::unique_ptr to a
  ///   Transfer
  template <class MakeTransfer>
  Simulation(const ExecSpace& exec, const Options& options,
             const MakeTransfer& make_transfer);

  /// One time step.
  /// \throws std::invalid_argument when a position is no longer finite
  void step();

  Status status() const;
  /// Copies everything that is drawn and written.
  Frame frame() const;
  const Shares& shares() const { return m_shares; }
  const FluidSolver<ExecSpace>& fluid() const { return m_fluid; }
  std::string describe() const { return m_transfer->describe(); }

 private:
  using memory_space = typename ExecSpace::memory_space;

  /// Adds the seconds since the last call to an account.
  void account(double& seconds);

  ExecSpace m_exec;
  Options m_options;
  double m_h;
  int m_step = 0;
  Springs m_springs;
  Points<memory_space> m_positions, m_middle, m_velocity, m_strengths;
  std::unique_ptr<Transfer<ExecSpace>> m_transfer;
  FluidSolver<ExecSpace> m_fluid;
  Shares m_shares;
  Kokkos::Timer m_timer;
};

/// The one that the program runs, compiled once.
using AnySimulation = Simulation<Kokkos::DefaultExecutionSpace>;
AnySimulation make_simulation(const Options& options);

}  // namespace MembraneApp

#include "Membrane_Simulation_impl.hpp"

namespace MembraneApp {
extern template class Simulation<Kokkos::DefaultExecutionSpace>;
}

#endif
