// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_POISSON_HPP
#define SPOROS_PLASMA_POISSON_HPP

/// \file Plasma_Poisson.hpp
/// The field of a density: div E = density - mean, E = -grad phi, by Fourier
/// transforms. The wave k of E is -i k / k^2 times that of the density.

#include "Plasma_World.hpp"

#include <complex>

namespace PlasmaApp {

class Poisson {
 public:
  Poisson(const World& world, const Setup& setup);

  /// \param density with ghost layers, which are not read
  /// \param ex, ey  field, of the same extents; ghost layers are not written
  void solve(const Exec& exec, const Field& density, const Field& ex,
             const Field& ey);

  /// The sum of the density over all grid points, on the rank with the first
  /// slab; else 0.
  double total() const { return m_total; }
  /// The amplitude of the longest wave of Ex along x, on the rank that has it;
  /// else 0.
  std::complex<double> amplitude() const { return m_amplitude; }

 private:
  void inverse(const Exec& exec, int direction, const Field& e);

  const World& m_world;
  int m_cells[2];
  double m_wave[2];
  Transforms m_transforms;
  Kokkos::View<Kokkos::complex<double>**, Kokkos::LayoutRight, Exec> m_density;
  double m_total = 0;
  std::complex<double> m_amplitude;
};

}  // namespace PlasmaApp

#endif
