// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPBUNDLE_HPP
#define SPOROS_LOOPBUNDLE_HPP

/// \file Sporos_LoopBundle.hpp
/// A tuple for device code.

#include <Sporos_KokkosCompat.hpp>

#include <utility>

// All that is called is inlined, whatever the compiler thinks of its size.
#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && \
    !defined(__HIPCC__)
#define SPOROS_FLATTEN __attribute__((flatten))
#define SPOROS_NOINLINE __attribute__((noinline))
#else
#define SPOROS_FLATTEN
#define SPOROS_NOINLINE
#endif

namespace Sporos {
namespace Impl {

template <int I, class T>
struct BundleLeaf {
  T value;
};

template <class Indices, class... Ts>
struct BundleBase;

template <int... I, class... Ts>
struct BundleBase<std::integer_sequence<int, I...>, Ts...>
    : BundleLeaf<I, Ts>... {};

/// The values v_0, ..., v_{n-1} of types Ts.
template <class... Ts>
struct Bundle
    : BundleBase<std::make_integer_sequence<int, int(sizeof...(Ts))>, Ts...> {
  static constexpr int size = int(sizeof...(Ts));
  using indices             = std::make_integer_sequence<int, size>;
};

template <int I, class T>
KOKKOS_FORCEINLINE_FUNCTION T& get(BundleLeaf<I, T>& leaf) {
  return leaf.value;
}
template <int I, class T>
KOKKOS_FORCEINLINE_FUNCTION const T& get(const BundleLeaf<I, T>& leaf) {
  return leaf.value;
}

}  // namespace Impl
}  // namespace Sporos

#endif
