// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_WEIGHTS_HPP
#define SPOROS_WEIGHTS_HPP

/// \file Sporos_Weights.hpp
/// Calls delta functions with what they take.

#include <Sporos_DeltaFunctions.hpp>
#include <Sporos_Pack.hpp>

#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Can weights(r, w) be called with a T?
template <class Delta, class T, class = void>
struct HasWeights : std::false_type {};
template <class Delta, class T>
struct HasWeights<Delta, T,
                  std::void_t<decltype(std::declval<const Delta&>().weights(
                      std::declval<T>(), std::declval<T*>()))>>
    : std::true_type {};

/// All weights at r. A delta function that takes double or float alone is
/// called with that.
template <class Delta, class T>
KOKKOS_FORCEINLINE_FUNCTION void scalar_weights(const Delta& delta, T r, T* w) {
  if constexpr (HasWeights<Delta, T>::value) {
    delta.weights(r, w);
  } else {
    using U =
        std::conditional_t<HasWeights<Delta, double>::value, double, float>;
    U own[Delta::support];
    delta.weights(U(r), own);
    for (int j = 0; j < Delta::support; ++j) w[j] = T(own[j]);
  }
}

/// Weights of all lanes of r.
template <class Delta, class T, int W>
SPOROS_ALWAYS_INLINE void pack_weights(const Delta& delta, const Pack<T, W>& r,
                                       Pack<T, W>* w) {
  if constexpr (HasWeights<Delta, Pack<T, W>>::value) {
    delta.weights(r, w);
  } else {
    T lane[W][Delta::support];
    for (int i = 0; i < W; ++i) scalar_weights(delta, r[i], lane[i]);
    for (int j = 0; j < Delta::support; ++j)
      w[j] = Pack<T, W>::generate([&](int i) { return lane[i][j]; });
  }
}

/// Do weights depend on the set of weights (see TransferGroup) and the internal
/// direction k? Then a delta function has the functions scalar(set, k, r, w)
/// and pack(set, k, r, w).
template <class Delta>
inline constexpr bool is_directional_v = false;

/// A delta function as kernels take it, which count directions as in dir.
template <class Delta, int Dim>
Delta oriented(Delta delta, [[maybe_unused]] const int (&dir)[Dim]) {
  if constexpr (is_directional_v<Delta>) delta.orient(dir);
  return delta;
}

/// Weights of direction k in a set.
template <class Delta, class T>
KOKKOS_FORCEINLINE_FUNCTION void scalar_weights(const Delta& delta, int set,
                                                int k, T r, T* w) {
  if constexpr (is_directional_v<Delta>)
    delta.scalar(set, k, r, w);
  else
    scalar_weights(delta, r, w);
}
/// Weights of direction k in a set, of all lanes of r.
template <class Delta, class T, int W>
SPOROS_ALWAYS_INLINE void pack_weights(const Delta& delta, int set, int k,
                                       const Pack<T, W>& r, Pack<T, W>* w) {
  if constexpr (is_directional_v<Delta>)
    delta.pack(set, k, r, w);
  else
    pack_weights(delta, r, w);
}

/// Pack P of numbers that may have another type
template <class P, class Real>
SPOROS_ALWAYS_INLINE P load_converted(const Real* p) {
  using T = typename P::value_type;
  if constexpr (std::is_same<T, Real>::value)
    return P::load(p);
  else
    return P::generate([&](int l) { return T(p[l]); });
}

}  // namespace Impl
}  // namespace Sporos

#endif
