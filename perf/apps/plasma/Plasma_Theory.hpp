// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_THEORY_HPP
#define SPOROS_PLASMA_THEORY_HPP

/// \file Plasma_Theory.hpp
/// What theory says and what a series of amplitudes shows. Times are in units
/// of 1 / plasma frequency, so that a cold plasma oscillates at frequency 1.

#include <complex>
#include <vector>

namespace PlasmaApp {

/// The amplitude of the longest wave of the field along x, at equal steps.
struct Series {
  double step = 0;
  std::vector<std::complex<double>> amplitude;
};

/// k v / plasma frequency of the wave that grows fastest between two equal cold
/// beams of velocities v and -v.
double fastest_wave();

/// Rate of growth of a wave K between the beams, from omega^2 = K^2 + 1/2 -
/// sqrt(2 K^2 + 1/4).
double growth_rate(double wave);

/// Angular frequency from the first to the last change of sign; 0 if there are
/// fewer than two.
double measured_frequency(const Series& s);

/// Slope of the logarithm of the amplitude by least squares, where it lies
/// between 1e-4 and 1e-2 of its maximum for the first time: waves that do not
/// grow have become small, and the beams are still nearly straight.
double measured_growth(const Series& s);

}  // namespace PlasmaApp

#endif
