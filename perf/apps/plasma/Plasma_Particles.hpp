// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_PARTICLES_HPP
#define SPOROS_PLASMA_PARTICLES_HPP

/// \file Plasma_Particles.hpp
/// Electrons: positions, velocities and numbers. Their charge per mass is -1.

#include "Plasma_Options.hpp"

#include <Kokkos_Core.hpp>

#include <cstdint>

namespace PlasmaApp {

/// FFTW works on hosts, so the application does.
using Exec    = Kokkos::DefaultHostExecutionSpace;
using Pairs   = Kokkos::View<double* [2], Kokkos::LayoutRight, Exec>;
using Numbers = Kokkos::View<std::int64_t*, Exec>;

struct Particles {
  Pairs x, v;
  Numbers number;
};

/// The rectangle, the wave and the lattice on which particles start. The number
/// of a particle tells its place, whichever rank makes it.
struct Setup {
  double length[2];  ///< of the rectangle
  double velocity;   ///< of the beams, or 0
  double shift;      ///< displacement of particles by the first wave
  double wave;       ///< 2 pi / length[0]
  int cells[2];
  std::int64_t lattice[2];
  int beams;

  explicit Setup(const Options& o);
  double spacing() const { return length[0] / cells[0]; }
  std::int64_t count() const { return lattice[0] * lattice[1] * beams; }
  /// Charge of a particle, for the mean density -1.
  double charge() const { return -length[0] * length[1] / double(count()); }
};

/// Particles with the numbers first to end at their places of time 0.
Particles make_particles(const Exec& exec, const Setup& setup,
                         std::int64_t first, std::int64_t end);

/// v -= kick field, then x += drift v, into the rectangle again.
void push(const Exec& exec, const Setup& setup, const Particles& p,
          const Pairs& field, double kick, double drift);

}  // namespace PlasmaApp

#endif
