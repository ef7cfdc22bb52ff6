// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKMATH_HPP
#define SPOROS_PACKMATH_HPP

/// \file Sporos_PackMath.hpp
/// Mathematical functions of packs and of scalars, so that a kernel that is a
/// template over its real type can call `Sporos::sqrt`, `Sporos::select`, ...
/// for both.

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_PackType.hpp>

#include <cmath>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class P>
struct PackTraits {
  using scalar               = P;
  static constexpr int width = 1;
};
template <class T, int W>
struct PackTraits<Pack<T, W>> {
  using pack                 = Pack<T, W>;
  using scalar               = T;
  static constexpr int width = W;
};

template <class... T>
using EnableArithmetic =
    std::enable_if_t<(std::is_arithmetic<T>::value && ...), int>;

/// The first pack among the types; no type if there is none.
template <class... A>
struct FirstPack {};
template <class A, class... B>
struct FirstPack<A, B...>
    : std::conditional_t<IsPack<A>::value, PackTraits<A>, FirstPack<B...>> {};
template <class... A>
using PackOf = typename FirstPack<A...>::pack;

}  // namespace Impl

/// The lanes of a pack; 1 for a scalar.
template <class P>
constexpr int pack_width = Impl::PackTraits<P>::width;

/// The type of a pack's lanes; a scalar itself.
template <class P>
using scalar_of = typename Impl::PackTraits<P>::scalar;

// ---------------------------------------------------------------------------
// Packs

// The friends of Pack and Mask, found also when they are called by their
// qualified names or with a pack and a scalar.
/// The square root, lane by lane; correctly rounded.
template <class T, int W>
SPOROS_PACK_FUNCTION Pack<T, W> sqrt(const Pack<T, W>& a) {
  return sqrt(a);  // the friend: not a template
}
/// The smaller one, lane by lane; NaN where one of them is. One of both may be
/// a scalar.
template <class A, class B, class P = Impl::PackOf<A, B>>
SPOROS_PACK_FUNCTION P min(const A& a, const B& b) {
  return min(P(a), P(b));
}
/// The larger one, lane by lane; NaN where one of them is. One of both may be a
/// scalar.
template <class A, class B, class P = Impl::PackOf<A, B>>
SPOROS_PACK_FUNCTION P max(const A& a, const B& b) {
  return max(P(a), P(b));
}
/// a b + c lane by lane, fused where the architecture has the instruction;
/// scalars may be among them.
template <class A, class B, class C, class P = Impl::PackOf<A, B, C>>
SPOROS_PACK_FUNCTION P fma(const A& a, const B& b, const C& c) {
  return fma(P(a), P(b), P(c));
}
/// Lane by lane a where m, else b; one of both may be a scalar.
template <class T, int W, class A, class B>
SPOROS_PACK_FUNCTION Impl::PackOf<A, B> select(const Mask<T, W>& m, const A& a,
                                               const B& b) {
  using P = Impl::PackOf<A, B>;
  return select(m, P(a), P(b));
}
/// Is any lane true?
template <class T, int W>
SPOROS_PACK_FUNCTION bool any_of(const Mask<T, W>& m) {
  return any_of(m);
}
/// Are all lanes true?
template <class T, int W>
SPOROS_PACK_FUNCTION bool all_of(const Mask<T, W>& m) {
  return all_of(m);
}

/// |a| lane by lane; clears the sign of zeros and NaN, too.
template <class T, int W>
SPOROS_PACK_FUNCTION Pack<T, W> abs(const Pack<T, W>& a) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
  if constexpr (std::is_floating_point<T>::value) {
    using Bits           = typename Mask<T, W>::vector_type;
    using Lane           = typename Mask<T, W>::Lane;
    const Bits magnitude = Impl::Register<Lane, Pack<T, W>::lanes>::broadcast(
        std::numeric_limits<Lane>::max());
    Pack<T, W> r;
    for (int i = 0; i < Pack<T, W>::registers; ++i)
      r.v[i] = reinterpret_cast<typename Pack<T, W>::vector_type>(
          reinterpret_cast<Bits>(a.v[i]) & magnitude);
    return r;
  } else {
    return select(a < T(0), -a, a);
  }
#else
  Pack<T, W> r;
  for (int i = 0; i < W; ++i) {
    if constexpr (std::is_floating_point<T>::value)
      r.set(i, Impl::Math::fabs(a[i]));
    else
      r.set(i, T(a[i] < T(0) ? -a[i] : a[i]));
  }
  return r;
#endif
}
/// The absolute value in each lane, as abs: the name for floating-point
/// numbers.
template <class T, int W>
SPOROS_PACK_FUNCTION Pack<T, W> fabs(const Pack<T, W>& a) {
  return abs(a);
}

// No vector instruction: one lane after another.
#define SPOROS_IMPL_LANE_BY_LANE(function)                            \
  template <class T, int W>                                           \
  KOKKOS_INLINE_FUNCTION Pack<T, W> function(const Pack<T, W>& a) {   \
    Pack<T, W> r;                                                     \
    for (int i = 0; i < W; ++i) r.set(i, Impl::Math::function(a[i])); \
    return r;                                                         \
  }
SPOROS_IMPL_LANE_BY_LANE(exp)
SPOROS_IMPL_LANE_BY_LANE(log)
SPOROS_IMPL_LANE_BY_LANE(sin)
SPOROS_IMPL_LANE_BY_LANE(cos)
#undef SPOROS_IMPL_LANE_BY_LANE

/// a to the power of b, one lane after another.
template <class T, int W>
KOKKOS_INLINE_FUNCTION Pack<T, W> pow(const Pack<T, W>& a,
                                      const Pack<T, W>& b) {
  Pack<T, W> r;
  for (int i = 0; i < W; ++i) r.set(i, Impl::Math::pow(a[i], b[i]));
  return r;
}
/// a to the power of b, the exponent of all lanes, one lane after another.
template <class T, int W, class S, Impl::EnableArithmetic<S> = 0>
KOKKOS_INLINE_FUNCTION Pack<T, W> pow(const Pack<T, W>& a, S b) {
  return pow(a, Pack<T, W>(T(b)));
}

// ---------------------------------------------------------------------------
// Scalars

// As in the standard library: of an integer, in double.
#define SPOROS_IMPL_SCALAR(function)                                      \
  template <class T, Impl::EnableArithmetic<T> = 0>                       \
  KOKKOS_FORCEINLINE_FUNCTION auto function(T a) {                        \
    using R = std::conditional_t<std::is_floating_point_v<T>, T, double>; \
    return Impl::Math::function(R(a));                                    \
  }
SPOROS_IMPL_SCALAR(sqrt)
SPOROS_IMPL_SCALAR(exp)
SPOROS_IMPL_SCALAR(log)
SPOROS_IMPL_SCALAR(sin)
SPOROS_IMPL_SCALAR(cos)
SPOROS_IMPL_SCALAR(fabs)
#undef SPOROS_IMPL_SCALAR

/// |a| of a scalar; of an integer, too.
template <class T, Impl::EnableArithmetic<T> = 0>
KOKKOS_FORCEINLINE_FUNCTION T abs(T a) {
  if constexpr (std::is_floating_point<T>::value)
    return Impl::Math::fabs(a);
  else
    return a < T(0) ? T(-a) : a;
}
/// a to the power of b, in the common type.
template <class A, class B, Impl::EnableArithmetic<A, B> = 0>
KOKKOS_FORCEINLINE_FUNCTION auto pow(A a, B b) {
  using T = std::common_type_t<A, B>;
  return Impl::Math::pow(T(a), T(b));
}
/// The smaller one, in the common type; NaN if one of them is.
template <class A, class B, Impl::EnableArithmetic<A, B> = 0>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto min(A a, B b) {
  using T = std::common_type_t<A, B>;
  return Impl::Math::least(T(a), T(b));
}
/// The larger one, in the common type; NaN if one of them is.
template <class A, class B, Impl::EnableArithmetic<A, B> = 0>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto max(A a, B b) {
  using T = std::common_type_t<A, B>;
  return Impl::Math::greatest(T(a), T(b));
}
/// a b + c; contracted or not as the compiler's flags say, as in plain code.
template <class A, class B, class C, Impl::EnableArithmetic<A, B, C> = 0>
KOKKOS_FORCEINLINE_FUNCTION constexpr auto fma(A a, B b, C c) {
  return a * b + c;
}
/// a if the condition holds, else b, in the common type.
template <class A, class B, Impl::EnableArithmetic<A, B> = 0>
KOKKOS_FORCEINLINE_FUNCTION constexpr std::common_type_t<A, B> select(
    bool condition, A a, B b) {
  return condition ? a : b;
}
/// For kernels that compile for masks, too: b.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool any_of(bool b) { return b; }
/// For kernels that compile for masks, too: b.
KOKKOS_FORCEINLINE_FUNCTION constexpr bool all_of(bool b) { return b; }

}  // namespace Sporos

#endif
