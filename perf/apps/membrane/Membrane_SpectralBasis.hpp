// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_SPECTRALBASIS_HPP
#define SPOROS_MEMBRANE_SPECTRALBASIS_HPP

/// \file Membrane_SpectralBasis.hpp
/// The real orthonormal basis in which periodic differences are diagonal up to
/// a rotation of cosine and sine of one wave.

#include "Membrane_Product.hpp"

#include <Sporos_KokkosCompat.hpp>

#include <cmath>
#include <string>

namespace MembraneApp {

/// Columns of the basis: 1, cos x, sin x, cos 2x, sin 2x, ..., sampled at n
/// points of a period and normalised (for even n the last column alternates).
/// With the partner p(m) of column m, which is the sine of the same cosine and
/// the reverse (m itself where there is none), the coefficients f of a grid
/// function become
///     forward difference:   even(m) f(m) + odd(m) f(p(m))
///     backward difference: -even(m) f(m) + odd(m) f(p(m))
/// so that the second difference is multiplication by eigenvalue(m) =
/// -(even(m)^2 + odd(m)^2). This holds for every staggering.
template <class ExecSpace>
struct SpectralBasis {
  using Vector  = Kokkos::View<double*, typename ExecSpace::memory_space>;
  using Indices = Kokkos::View<int*, typename ExecSpace::memory_space>;

  Matrix<ExecSpace> columns;     ///< columns(j, m): wave m at point j
  Matrix<ExecSpace> transposed;  ///< transposed(m, j)
  Vector even, odd, eigenvalue;
  Indices partner;

  /// The basis for n >= 2 points with spacing h.
  SpectralBasis(const ExecSpace& exec, int n, double h);
};

namespace Impl {

template <class View>
View basis_array(const std::string& name, int rows) {
  return View("MembraneApp::SpectralBasis::" + name, rows);
}

template <class View>
View basis_array(const std::string& name, int rows, int columns) {
  return View("MembraneApp::SpectralBasis::" + name, rows, columns);
}

}  // namespace Impl

template <class ExecSpace>
SpectralBasis<ExecSpace>::SpectralBasis(const ExecSpace& exec, int n, double h)
    : columns(Impl::basis_array<Matrix<ExecSpace>>("columns", n, n)),
      transposed(Impl::basis_array<Matrix<ExecSpace>>("transposed", n, n)),
      even(Impl::basis_array<Vector>("even", n)),
      odd(Impl::basis_array<Vector>("odd", n)),
      eigenvalue(Impl::basis_array<Vector>("eigenvalue", n)),
      partner(Impl::basis_array<Indices>("partner", n)) {
  auto c = Kokkos::create_mirror_view(columns);
  auto t = Kokkos::create_mirror_view(transposed);
  auto e = Kokkos::create_mirror_view(even);
  auto o = Kokkos::create_mirror_view(odd);
  auto l = Kokkos::create_mirror_view(eigenvalue);
  auto p = Kokkos::create_mirror_view(partner);

  const double turn = 2 * std::acos(-1.) / n;
  for (int m = 0; m < n; ++m) {
    const int wave    = (m + 1) / 2;
    const bool single = wave == 0 || 2 * wave == n;
    const bool sine   = m > 0 && m % 2 == 0;
    p(m)              = single ? m : sine ? m - 1 : m + 1;
    e(m)              = (std::cos(turn * wave) - 1) / h;
    // not left to rounding: the sine of the alternating wave does not exist
    o(m) = single ? 0. : (sine ? -1 : 1) * std::sin(turn * wave) / h;
    l(m) = -(e(m) * e(m) + o(m) * o(m));
    for (int j = 0; j < n; ++j) {
      const double angle =
          turn * static_cast<double>(static_cast<long long>(wave) * j % n);
      const double value = sine ? std::sin(angle) : std::cos(angle);
      c(j, m) = t(m, j) = value * std::sqrt((single ? 1. : 2.) / n);
    }
  }

  Kokkos::deep_copy(exec, columns, c);
  Kokkos::deep_copy(exec, transposed, t);
  Kokkos::deep_copy(exec, even, e);
  Kokkos::deep_copy(exec, odd, o);
  Kokkos::deep_copy(exec, eigenvalue, l);
  Kokkos::deep_copy(exec, partner, p);
  Sporos::Impl::fence(exec, "MembraneApp::SpectralBasis::copied");
}

}  // namespace MembraneApp

#endif
