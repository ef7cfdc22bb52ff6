// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_THEORY_HPP
#define SPOROS_ELASTICITY_THEORY_HPP

/// \file Elasticity_Theory.hpp
/// Materials and loads, and answers that are known.

#include "Elasticity_Options.hpp"

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>

namespace ElasticityApp {

/// Lame's numbers. Those of Poisson's equation make its right-hand side that of
/// one component.
struct Material {
  double lambda = -1, mu = 1;
};

/// Displacements that are a wave in each component, u_c = s sin(k_c . x), the
/// load under which they are in equilibrium, and a weight.
struct Load {
  Material material;
  double strength   = 1;  ///< s; 0: only the weight
  double weight     = 0;  ///< downwards, along the last component
  double wave[3][3] = {{1.9, .7, -1.1}, {-.8, 2.1, .9}, {1.2, -.6, 1.7}};

  template <class Real>
  KOKKOS_FUNCTION Real sine(const Real (&x)[3], int c) const {
    return Real(strength) *
           Sporos::sin(Real(wave[c][0]) * x[0] + Real(wave[c][1]) * x[1] +
                       Real(wave[c][2]) * x[2]);
  }
  /// The displacements at a place.
  template <int C, class Real>
  KOKKOS_FUNCTION void displacement(const Real (&x)[3], Real (&u)[C]) const {
    for (int c = 0; c < C; ++c) u[c] = sine(x, c);
  }
  /// The force on a unit of volume: minus the divergence of the stress,
  /// -(lambda + mu) grad div u - mu Laplace u.
  template <int C, class Real>
  KOKKOS_FUNCTION void force(const Real (&x)[3], Real (&f)[C]) const {
    Real u[C];
    displacement(x, u);
    const double both = material.lambda + material.mu;
    for (int d = 0; d < C; ++d) {
      double square = 0;
      for (int e = 0; e < 3; ++e) square += wave[d][e] * wave[d][e];
      f[d] = Real(material.mu * square) * u[d];
      for (int c = 0; c < C; ++c)
        f[d] = f[d] + Real(both * wave[c][c] * wave[c][d]) * u[c];
    }
    f[C - 1] = f[C - 1] - Real(weight);
  }
};

/// What the options ask for.
Load make_load(const Options& options);

/// How far the end of the cantilever sinks, for long beams: bending and shear
/// (S. P. Timoshenko; the factor of shear of G. R. Cowper).
double beam_deflection(const Options& options);

}  // namespace ElasticityApp

#endif
