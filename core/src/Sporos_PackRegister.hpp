// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PACKREGISTER_HPP
#define SPOROS_PACKREGISTER_HPP

/// \file Sporos_PackRegister.hpp
/// The registers of packs: vector extensions of GCC and Clang, and a few
/// instructions that the extensions lack, as built-in functions of the
/// compilers: <immintrin.h> takes half as long to compile as Kokkos_Core.hpp.
/// For other compilers and in CUDA sources registers are arrays.

#include <Sporos_KokkosCompat.hpp>

#include <cmath>
#include <cstdint>
#include <type_traits>
#include <utility>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && \
    !defined(__HIPCC__)
#define SPOROS_PACK_VECTOR_EXTENSIONS
#endif
#if defined(SPOROS_PACK_VECTOR_EXTENSIONS) && \
    (defined(__clang__) || __GNUC__ >= 12)
#define SPOROS_PACK_SHUFFLES
#endif
// Newer versions of Clang have these in place of functions for each size.
#if defined(__clang__)
#if __has_builtin(__builtin_elementwise_fma) && \
    __has_builtin(__builtin_elementwise_sqrt)
#define SPOROS_PACK_ELEMENTWISE
#endif
#endif

/// A function of packs that kernels call: in sources for devices, where packs
/// are arrays, a function of devices like the kernels.
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
#define SPOROS_PACK_FUNCTION SPOROS_ALWAYS_INLINE
#else
#define SPOROS_PACK_FUNCTION KOKKOS_FORCEINLINE_FUNCTION
#endif

#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
// The empty assembly is a side effect: GCC leaves out calls of functions that
// do nothing but prefetch.
#define SPOROS_PREFETCH(address) \
  do {                           \
    __builtin_prefetch(address); \
    __asm__ volatile("");        \
  } while (false)
#define SPOROS_PREFETCH_LEVEL_2(address) \
  do {                                   \
    __builtin_prefetch(address, 0, 2);   \
    __asm__ volatile("");                \
  } while (false)
#define SPOROS_PREFETCH_WRITE(address) \
  do {                                 \
    __builtin_prefetch(address, 1);    \
    __asm__ volatile("");              \
  } while (false)
#else
/// Prefetches the cache line at an address; nothing where compilers cannot.
#define SPOROS_PREFETCH(address) (void)(address)
/// Prefetches the cache line at an address into the level-2 cache: for lines
/// that are not needed soon.
#define SPOROS_PREFETCH_LEVEL_2(address) (void)(address)
/// Prefetches the cache line at an address that will be written.
#define SPOROS_PREFETCH_WRITE(address) (void)(address)
#endif

namespace Sporos {
namespace Impl {

/// Keeps the compiler from merging the operations that made a pack with those
/// that use it, such as a product with the sum that it goes into.
template <class P>
SPOROS_PACK_FUNCTION void settle([[maybe_unused]] P& pack) {
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
  __asm__ volatile("" : "+m"(pack));
#endif
}

/// Keeps the compiler from merging the operations that made a number or pack
/// with those that use it, in code for hosts, also in sources for devices.
template <class T>
inline void settle_on_host([[maybe_unused]] T& value) {
#if defined(__GNUC__) || defined(__clang__)
  __asm__ volatile("" : "+m"(value));
#endif
}

}  // namespace Impl

/// Bytes in one SIMD register of the architecture that is compiled for.
#if defined(__AVX512F__)
constexpr int simd_register_bytes = 64;
constexpr int simd_registers      = 32;
#elif defined(__AVX__)
constexpr int simd_register_bytes  = 32;
constexpr int simd_registers       = 16;
#else
constexpr int simd_register_bytes = 16;
/// How many SIMD registers the architecture has.
constexpr int simd_registers = 16;
#endif

/// Whether the processor that is compiled for computes a register in two
/// halves, as Zen 4 does those of AVX-512 (which GCC 12 knows as a Zen 3 that
/// has it). Compilers say nothing of other such processors.
#if defined(__AVX512F__) && (defined(__znver4__) || defined(__znver3__))
constexpr bool simd_halves = true;
#else
constexpr bool simd_halves         = false;
#endif

/// Are packs SIMD registers? In sources for devices they are arrays.
#ifdef SPOROS_PACK_VECTOR_EXTENSIONS
constexpr bool packs_are_registers = true;
#else
constexpr bool packs_are_registers = false;
#endif

/// Lanes of T in one SIMD register.
template <class T>
constexpr int native_pack_width = simd_register_bytes / int(sizeof(T));

template <class T, int W>
struct Pack;
template <class T, int W>
struct Mask;

/// Lanes in a register of Pack<T, W>.
template <class T, int W>
constexpr int pack_lanes = W < native_pack_width<T> ? W : native_pack_width<T>;

namespace Impl {

/// f(integral_constant<int, 0>), ..., f(integral_constant<int, N - 1>)
template <class F, int... I>
SPOROS_ALWAYS_INLINE void static_for(std::integer_sequence<int, I...>, F&& f) {
  (f(std::integral_constant<int, I>{}), ...);
}
template <int N, class F>
SPOROS_ALWAYS_INLINE void static_for(F&& f) {
  static_for(std::make_integer_sequence<int, N>{}, f);
}

template <class T>
struct IsPack : std::false_type {};
template <class T, int W>
struct IsPack<Pack<T, W>> : std::true_type {};

#ifdef SPOROS_PACK_VECTOR_EXTENSIONS

/// One register's worth (or less) of lanes; a Pack is an array of these.
template <class T, int N>
struct Register {
  typedef T type __attribute__((vector_size(N * sizeof(T))));
  typedef T unaligned __attribute__((vector_size(N * sizeof(T)),
                                     aligned(alignof(T)), may_alias));
  template <int... I>
  static SPOROS_ALWAYS_INLINE type broadcast(T s,
                                             std::integer_sequence<int, I...>) {
    return type{((void)I, s)...};
  }
  static SPOROS_ALWAYS_INLINE type broadcast(T s) {
    return broadcast(s, std::make_integer_sequence<int, N>{});
  }
};

template <class T, int N>
using Vector = typename Register<T, N>::type;

template <class V, int... I>
SPOROS_ALWAYS_INLINE V fma_lanes(V a, V b, V c,
                                 std::integer_sequence<int, I...>) {
  return V{std::fma(a[I], b[I], c[I])...};
}
/// a b + c, rounded once if the processor has an instruction for that:
/// contraction would depend on compiler flags.
template <class T, class V>
SPOROS_ALWAYS_INLINE V vector_fma(V a, V b, V c) {
#ifdef __FMA__
  if constexpr (std::is_floating_point_v<T>) {
#ifdef SPOROS_PACK_ELEMENTWISE
    return __builtin_elementwise_fma(a, b, c);
#else
    return fma_lanes(
        a, b, c, std::make_integer_sequence<int, int(sizeof(V) / sizeof(T))>{});
#endif
  }
#endif
  return a * b + c;
}
template <class T, class V>
SPOROS_ALWAYS_INLINE V vector_sqrt(V a) {
#ifdef SPOROS_PACK_ELEMENTWISE
  if constexpr (std::is_floating_point_v<T>)
    return __builtin_elementwise_sqrt(a);
#endif
  V r;
  for (unsigned i = 0; i < sizeof(V) / sizeof(T); ++i)
    r[i] = T(std::sqrt(a[i]));
  return r;
}
#ifndef SPOROS_PACK_ELEMENTWISE
#ifdef __FMA__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 2> vector_fma<double>(Vector<double, 2> a,
                                                          Vector<double, 2> b,
                                                          Vector<double, 2> c) {
  return __builtin_ia32_vfmaddpd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 4> vector_fma<float>(Vector<float, 4> a,
                                                        Vector<float, 4> b,
                                                        Vector<float, 4> c) {
  return __builtin_ia32_vfmaddps(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<double, 4> vector_fma<double>(Vector<double, 4> a,
                                                          Vector<double, 4> b,
                                                          Vector<double, 4> c) {
  return __builtin_ia32_vfmaddpd256(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 8> vector_fma<float>(Vector<float, 8> a,
                                                        Vector<float, 8> b,
                                                        Vector<float, 8> c) {
  return __builtin_ia32_vfmaddps256(a, b, c);
}
#endif
#ifdef __AVX512F__
// 4: rounds as the processor is set to
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_fma<double>(Vector<double, 8> a,
                                                          Vector<double, 8> b,
                                                          Vector<double, 8> c) {
  return __builtin_ia32_vfmaddpd512_mask(a, b, c, -1, 4);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_fma<float>(Vector<float, 16> a,
                                                         Vector<float, 16> b,
                                                         Vector<float, 16> c) {
  return __builtin_ia32_vfmaddps512_mask(a, b, c, -1, 4);
}
// (compilers differ in the name of the builtin)
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_sqrt<double>(
    Vector<double, 8> a) {
  Vector<double, 8> root;
  __asm__("vsqrtpd %1, %0" : "=v"(root) : "v"(a));
  return root;
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_sqrt<float>(Vector<float, 16> a) {
  Vector<float, 16> root;
  __asm__("vsqrtps %1, %0" : "=v"(root) : "v"(a));
  return root;
}
#endif
#ifdef __SSE2__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 2> vector_sqrt<double>(
    Vector<double, 2> a) {
  return __builtin_ia32_sqrtpd(a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 4> vector_sqrt<float>(Vector<float, 4> a) {
  return __builtin_ia32_sqrtps(a);
}
#endif
#ifdef __AVX__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 4> vector_sqrt<double>(
    Vector<double, 4> a) {
  return __builtin_ia32_sqrtpd256(a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 8> vector_sqrt<float>(Vector<float, 8> a) {
  return __builtin_ia32_sqrtps256(a);
}
#endif
#endif

#else

/// Fallback: an array with element-wise operators.
template <class T, int N>
struct ArrayRegister {
  T v[N];
  KOKKOS_INLINE_FUNCTION T operator[](int i) const { return v[i]; }
  KOKKOS_INLINE_FUNCTION T& operator[](int i) { return v[i]; }
};
template <class T, int N>
using Vector = ArrayRegister<T, N>;

#endif

}  // namespace Impl

}  // namespace Sporos

#endif
