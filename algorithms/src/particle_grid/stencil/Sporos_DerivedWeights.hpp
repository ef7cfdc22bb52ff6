// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DERIVEDWEIGHTS_HPP
#define SPOROS_DERIVEDWEIGHTS_HPP

/// \file Sporos_DerivedWeights.hpp
/// Weights of which some are derivatives, as delta functions whose weights
/// depend on the direction.

#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// The derivatives of a delta function as its weights.
template <class Delta>
struct DerivativesOf {
  static constexpr int support = Delta::support;
  const Delta& delta;

  template <class T, class D = Delta>
  KOKKOS_FORCEINLINE_FUNCTION auto weights(T r, T* w) const
      -> decltype(std::declval<const D&>().derivatives(r, w)) {
    delta.derivatives(r, w);
  }
  // of a Composite
  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar(int, int k, T r, T* w) const {
    delta.scalar_slopes(k, r, w);
  }
  template <class P>
  SPOROS_ALWAYS_INLINE void pack(int, int k, const P& r, P* w) const {
    delta.pack_slopes(k, r, w);
  }
};
template <class Delta>
inline constexpr bool is_directional_v<DerivativesOf<Delta>> =
    is_directional_v<Delta>;

template <class Delta>
inline constexpr bool has_derivatives_v =
    HasWeights<DerivativesOf<Delta>, double>::value ||
    HasWeights<DerivativesOf<Delta>, float>::value;

/// Set 0 of weights: derivatives with respect to positions; set 1: weights.
/// See GroupKind::gradient.
template <class Delta, class S, int Dim>
struct GradientDelta {
  static constexpr int support = Delta::support;
  Delta delta;
  S inverse_h[Dim];  ///< of internal directions

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar(int set, int k, T r, T* w) const {
    if (set != 0) return scalar_weights(delta, 0, k, r, w);
    scalar_weights(DerivativesOf<Delta>{delta}, 0, k, r, w);
    SPOROS_UNROLL
    for (int j = 0; j < support; ++j) w[j] *= T(inverse_h[k]);
  }
  template <class P>
  SPOROS_ALWAYS_INLINE void pack(int set, int k, const P& r, P* w) const {
    if (set != 0) return pack_weights(delta, 0, k, r, w);
    pack_weights(DerivativesOf<Delta>{delta}, 0, k, r, w);
    const P scale = P(typename P::value_type(inverse_h[k]));
    for (int j = 0; j < support; ++j) w[j] *= scale;
  }
};
template <class Delta, class S, int Dim>
inline constexpr bool is_directional_v<GradientDelta<Delta, S, Dim>> = true;

/// Derivatives in one internal direction, weights in the others.
template <class Gradient>
struct PartialDelta {
  static constexpr int support = Gradient::support;
  Gradient gradient;
  int direction;

  template <class T>
  KOKKOS_FORCEINLINE_FUNCTION void scalar(int, int k, T r, T* w) const {
    gradient.scalar(k == direction ? 0 : 1, k, r, w);
  }
  template <class P>
  SPOROS_ALWAYS_INLINE void pack(int, int k, const P& r, P* w) const {
    gradient.pack(k == direction ? 0 : 1, k, r, w);
  }
};
template <class Gradient>
inline constexpr bool is_directional_v<PartialDelta<Gradient>> = true;

}  // namespace Impl
}  // namespace Sporos

#endif
