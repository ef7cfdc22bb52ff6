// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_SPECTRALBASIS_HPP
#define SPOROS_MEMBRANE_SPECTRALBASIS_HPP

/// \file Membrane_SpectralBasis.hpp
/// The real orthonormal basis in which periodic differences are diagonal up to
/// a rotation of cosine and sine of one wave.

#include <Kokkos_Core.hpp>

#include <cmath>
#include <string>

namespace MembraneApp {

/// Basis functions 1, cos x, cos 2x, ..., -sin 2x, -sin x, sampled at n points
/// of a period and normalised: FFTW's order of "half-complex" transforms. For
/// even n the one in the middle alternates. With the partner p(m) of function
/// m, which is the sine of the same cosine and the reverse (m itself where
/// there is none), the coefficients f of a grid function become
///     forward difference:   even(m) f(m) + odd(m) f(p(m))
///     backward difference: -even(m) f(m) + odd(m) f(p(m))
/// so that the second difference is multiplication by eigenvalue(m) =
/// -(even(m)^2 + odd(m)^2). This holds for every staggering.
template <class ExecSpace>
struct SpectralBasis {
  using Vector = Kokkos::View<double*, typename ExecSpace::memory_space>;

  Vector even, odd, eigenvalue;

  KOKKOS_FUNCTION int partner(int m) const {
    return m > 0 ? static_cast<int>(even.extent(0)) - m : 0;
  }

  /// The basis for n >= 2 points with spacing h.
  SpectralBasis(const ExecSpace& exec, int n, double h);
};

/// Basis function m of n at point j.
inline double basis_function(int n, int m, int j) {
  const bool sine   = 2 * m > n;
  const int wave    = sine ? n - m : m;
  const bool single = wave == 0 || 2 * wave == n;
  const double angle =
      2 * std::acos(-1.) / n *
      static_cast<double>(static_cast<long long>(wave) * j % n);
  return (sine ? -std::sin(angle) : std::cos(angle)) *
         std::sqrt((single ? 1. : 2.) / n);
}

template <class ExecSpace>
SpectralBasis<ExecSpace>::SpectralBasis(const ExecSpace& exec, int n, double h)
    : even("MembraneApp::SpectralBasis::even", n),
      odd("MembraneApp::SpectralBasis::odd", n),
      eigenvalue("MembraneApp::SpectralBasis::eigenvalue", n) {
  auto e = Kokkos::create_mirror_view(even);
  auto o = Kokkos::create_mirror_view(odd);
  auto l = Kokkos::create_mirror_view(eigenvalue);

  const double turn = 2 * std::acos(-1.) / n;
  for (int m = 0; m < n; ++m) {
    const bool single = m == 0 || 2 * m == n;
    e(m)              = (std::cos(turn * m) - 1) / h;
    // not left to rounding: the sine of the alternating wave does not exist
    o(m) = single ? 0. : -std::sin(turn * m) / h;
    l(m) = -(e(m) * e(m) + o(m) * o(m));
  }

  Kokkos::deep_copy(exec, even, e);
  Kokkos::deep_copy(exec, odd, o);
  Kokkos::deep_copy(exec, eigenvalue, l);
  exec.fence();  // the copies on the host end here
}

}  // namespace MembraneApp

#endif
