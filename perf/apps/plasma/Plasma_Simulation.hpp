// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_SIMULATION_HPP
#define SPOROS_PLASMA_SIMULATION_HPP

/// \file Plasma_Simulation.hpp
/// The particle-in-cell step: particles to their ranks, spread charges, solve
/// for the field, interpolate it, push. Velocities are half a step ahead.

#include "Plasma_Poisson.hpp"
#include "Plasma_Theory.hpp"
#include "Plasma_World.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace PlasmaApp {

/// What must not change, over all steps.
struct Conserved {
  double charge     = 0;  ///< largest relative error of the grid's charge
  double momentum   = 0;  ///< largest change, relative to the particles' own
  std::int64_t lost = 0;  ///< particles that are missing or there twice
};

/// A slab without its ghost layers.
using Strided = Kokkos::View<const double**, Kokkos::LayoutStride, Exec>;

class Simulation {
 public:
  /// Collective, as all functions are.
  Simulation(const Exec& exec, const World& world, const Setup& setup,
             double step);

  /// One step of time.
  void step();

  const Setup& setup() const { return m_setup; }
  const World& world() const { return m_world; }
  const Particles& particles() const { return m_particles; }
  /// Without ghost layers: (rows of the slab, cells along y).
  Strided density() const { return inside(m_density); }
  Strided ex() const { return inside(m_ex); }
  Strided ey() const { return inside(m_ey); }
  const Series& series() const { return m_series; }
  /// Counts the particles anew.
  Conserved conserved() const;

 private:
  // One cubic spline for charges and forces: particles exert no force on
  // themselves, and those of pairs cancel.
  using Plan = Sporos::ParticleGridPlan<Exec, 2, double, Sporos::BSpline<4>>;

  Strided inside(const Field& f) const;
  void sort();
  std::vector<double> total_velocity();
  void record();

  Exec m_exec;
  const World& m_world;
  Setup m_setup;
  double m_step;
  std::int64_t m_steps = 0;
  Sporos::Grid<2> m_grid;
  Particles m_particles;
  std::optional<Plan> m_plan;
  Field m_density, m_ex, m_ey;
  Poisson m_poisson;
  Kokkos::View<double*, Exec> m_charges;
  Pairs m_field;  // at the particles
  Sporos::ExactSumWorkspace<Exec::memory_space> m_workspace;
  std::vector<double> m_start;  // velocity in all
  Series m_series;
  Conserved m_conserved;
};

}  // namespace PlasmaApp

#endif
