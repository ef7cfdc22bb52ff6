// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The registers of packs: vector extensions of GCC and Clang, and a few
/// instructions that the extensions lack. For other compilers and in CUDA
/// sources they are arrays.

#ifndef SPOROS_PACKREGISTER_HPP
#define SPOROS_PACKREGISTER_HPP

#include "Sporos_KokkosCompat.hpp"

#include <cstdint>
#include <type_traits>
#include <utility>

#if (defined(__GNUC__) || defined(__clang__)) && !defined(__CUDACC__) && \
    !defined(__HIPCC__)
#define SPOROS_PACK_VECTOR_EXTENSIONS
#if defined(__SSE2__)
#include <immintrin.h>
#endif
#endif
#if defined(SPOROS_PACK_VECTOR_EXTENSIONS) && \
    (defined(__clang__) || __GNUC__ >= 12)
#define SPOROS_PACK_SHUFFLES
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
/// The same into the level-2 cache, for lines that are not needed soon.
#define SPOROS_PREFETCH_LEVEL_2(address) (void)(address)
/// The same for a line that will be written.
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

template <class V>
SPOROS_ALWAYS_INLINE V vector_fma(V a, V b, V c) {
  return a * b + c;
}
template <class T, class V>
SPOROS_ALWAYS_INLINE V vector_sqrt(V a) {
  V r;
  for (unsigned i = 0; i < sizeof(V) / sizeof(T); ++i)
    r[i] = T(__builtin_sqrt(double(a[i])));
  return r;
}
// Contraction depends on compiler flags; the instruction does not.
#ifdef __FMA__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 1> vector_fma(Vector<double, 1> a,
                                                  Vector<double, 1> b,
                                                  Vector<double, 1> c) {
  return Vector<double, 1>{__builtin_fma(a[0], b[0], c[0])};
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 1> vector_fma(Vector<float, 1> a,
                                                 Vector<float, 1> b,
                                                 Vector<float, 1> c) {
  return Vector<float, 1>{__builtin_fmaf(a[0], b[0], c[0])};
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 2> vector_fma(Vector<float, 2> a,
                                                 Vector<float, 2> b,
                                                 Vector<float, 2> c) {
  return Vector<float, 2>{__builtin_fmaf(a[0], b[0], c[0]),
                          __builtin_fmaf(a[1], b[1], c[1])};
}
template <>
SPOROS_ALWAYS_INLINE Vector<double, 2> vector_fma(Vector<double, 2> a,
                                                  Vector<double, 2> b,
                                                  Vector<double, 2> c) {
  return _mm_fmadd_pd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 4> vector_fma(Vector<float, 4> a,
                                                 Vector<float, 4> b,
                                                 Vector<float, 4> c) {
  return _mm_fmadd_ps(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<double, 4> vector_fma(Vector<double, 4> a,
                                                  Vector<double, 4> b,
                                                  Vector<double, 4> c) {
  return _mm256_fmadd_pd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 8> vector_fma(Vector<float, 8> a,
                                                 Vector<float, 8> b,
                                                 Vector<float, 8> c) {
  return _mm256_fmadd_ps(a, b, c);
}
#endif
#ifdef __SSE2__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 2> vector_sqrt<double>(
    Vector<double, 2> a) {
  return _mm_sqrt_pd(a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 4> vector_sqrt<float>(Vector<float, 4> a) {
  return _mm_sqrt_ps(a);
}
#endif
#ifdef __AVX__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 4> vector_sqrt<double>(
    Vector<double, 4> a) {
  return _mm256_sqrt_pd(a);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 8> vector_sqrt<float>(Vector<float, 8> a) {
  return _mm256_sqrt_ps(a);
}
#endif
#ifdef __AVX512F__
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_fma(Vector<double, 8> a,
                                                  Vector<double, 8> b,
                                                  Vector<double, 8> c) {
  return _mm512_fmadd_pd(a, b, c);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_fma(Vector<float, 16> a,
                                                  Vector<float, 16> b,
                                                  Vector<float, 16> c) {
  return _mm512_fmadd_ps(a, b, c);
}
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

#endif  // SPOROS_PACKREGISTER_HPP
