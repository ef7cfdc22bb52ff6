// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_POISSON_HPP
#define SPOROS_PLASMA_POISSON_HPP

/// \file Plasma_Poisson.hpp
/// The field of a density: div E = density - mean, E = -grad phi, by Fourier
/// transforms. The wave k of E is -i k / k^2 times that of the density.
///
/// A rank transforms its rows one by one, and after a transpose its columns,
/// each by the same plan: the bits do not depend on the number of ranks.

#include "Plasma_World.hpp"

#include <complex>

namespace PlasmaApp {

/// FFTW's plans for one row or column.
struct LinePlans {
  FftPlan row_forward, row_backward;        ///< real numbers, in place
  FftPlan column_forward, column_backward;  ///< complex, the latter in place

  LinePlans(const int (&cells)[2], const Transposes& t);
};

class Poisson {
 public:
  Poisson(const World& world, const Setup& setup);

  /// Collective.
  /// \param density with ghost layers, which are not read
  /// \param field  with as many; they are not written
  void solve(const Exec& exec, const Field& density, const Vectors& field);

  /// The sum of the density over all grid points, on the rank that has the
  /// first column of waves; else 0.
  double total() const { return m_total; }
  /// The amplitude of the longest wave of Ex along x, on the same rank; else 0.
  std::complex<double> amplitude() const { return m_amplitude; }

 private:
  void forward(const Exec& exec, const Field& density);
  void backward(const Exec& exec, int direction, const Vectors& field);

  const World& m_world;
  int m_cells[2];
  double m_wave[2];
  Transposes m_transposes;
  // (columns of this rank, cells(0))
  Kokkos::View<Kokkos::complex<double>**, Kokkos::LayoutRight, Exec> m_density;
  LinePlans m_plans;
  double m_total = 0;
  std::complex<double> m_amplitude;
};

}  // namespace PlasmaApp

#endif
