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
#include <vector>

namespace PlasmaApp {

/// What must not change, over all steps.
struct Conserved {
  double charge     = 0;  ///< largest relative error of the grid's charge
  double momentum   = 0;  ///< largest change, relative to the particles' own
  std::int64_t lost = 0;  ///< particles that are missing or there twice
};

/// Slabs without their ghost layers.
using InnerField   = Kokkos::View<const double**, Kokkos::LayoutStride, Exec>;
using InnerVectors = Kokkos::View<const double***, Kokkos::LayoutStride, Exec>;

class Simulation {
 public:
  /// Collective, as all functions are.
  Simulation(const Exec& exec, World& world, const Setup& setup, double step);

  /// One step of time.
  void step();

  const Setup& setup() const { return m_setup; }
  const World& world() const { return m_world; }
  const Particles& particles() const { return m_particles; }
  /// (rows of the slab, cells along y)
  InnerField density() const;
  /// (rows of the slab, cells along y, 2)
  InnerVectors field() const;
  const Series& series() const { return m_series; }
  /// Counts the particles anew.
  Conserved conserved() const;

 private:
  std::vector<double> total_velocity();
  void record();

  void resize_values();

  Exec m_exec;
  World& m_world;
  Setup m_setup;
  double m_step;
  std::int64_t m_steps = 0;
  Particles m_particles;
  Field m_density;
  Vectors m_field;
  Poisson m_poisson;
  Values m_charges;
  Pairs m_at_particles;  // the field
  Sporos::ExactSumWorkspace<Exec::memory_space> m_workspace;
  std::vector<double> m_start;  // velocity in all
  Series m_series;
  Conserved m_conserved;
};

}  // namespace PlasmaApp

#endif
