// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// Square roots of 512-bit registers by multiplications. On Intel's processors
/// they take a third of the 24 cycles of the instruction for eight doubles. The
/// results are correctly rounded, with the same bits as those of the
/// instruction.
///
/// Goldschmidt's iteration from a reciprocal root of 14 bits, and Markstein's
/// last step (IBM J. Res. Dev. 34, 1990): the residual x - g g is exact, so
/// what is rounded is the root to about 2^-52 units in the last place.

#ifndef SPOROS_PACKSQRT_HPP
#define SPOROS_PACKSQRT_HPP

#include "Sporos_PackRegister.hpp"

#if defined(SPOROS_PACK_VECTOR_EXTENSIONS) && defined(__AVX512F__)

namespace Sporos {
namespace Impl {

/// The root of x from an approximation y of 1 / sqrt(x); each step doubles its
/// bits.
template <int Steps, class T, int N>
SPOROS_ALWAYS_INLINE Vector<T, N> refined_sqrt(Vector<T, N> x, Vector<T, N> y) {
  const auto half = Register<T, N>::broadcast(T(.5));
  auto g = x * y, h = half * y;
  for (int step = 0; step < Steps; ++step) {
    const auto error = vector_fma<T>(-g, h, half);
    g                = vector_fma<T>(g, error, g);
    h                = vector_fma<T>(h, error, h);
  }
  return vector_fma<T>(vector_fma<T>(-g, g, x), h, g);
}

/// Where the residual would underflow or x is zero, negative, infinite or NaN,
/// the instruction has the last word. (Compilers differ in the name of its
/// masked form.)
template <class T, int N>
SPOROS_ALWAYS_INLINE Vector<T, N> mended_sqrt(
    Vector<T, N> x, Vector<T, N> root,
    std::conditional_t<N == 8, unsigned char, unsigned short> special) {
  if (__builtin_expect(special, 0) != 0) {
    if constexpr (N == 8)
      __asm__("vsqrtpd %1, %0%{%2%}" : "+v"(root) : "v"(x), "Yk"(special));
    else
      __asm__("vsqrtps %1, %0%{%2%}" : "+v"(root) : "v"(x), "Yk"(special));
  }
  return root;
}

// 5: not less, for unsigned numbers
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_sqrt<double>(
    Vector<double, 8> x) {
  using Bits                   = Vector<unsigned long long, 8>;
  constexpr long long smallest = 0x07b0000000000000;  // 2^-900
  constexpr long long infinity = 0x7ff0000000000000;
  const auto root              = refined_sqrt<2, double, 8>(
      x, __builtin_ia32_rsqrt14pd512_mask(x, Vector<double, 8>{}, -1));
  const auto special = __builtin_ia32_ucmpq512_mask(
      reinterpret_cast<Vector<long long, 8>>(reinterpret_cast<Bits>(x) -
                                             smallest),
      Register<long long, 8>::broadcast(infinity - smallest), 5, -1);
  return mended_sqrt<double, 8>(x, root, special);
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_sqrt<float>(Vector<float, 16> x) {
  using Bits             = Vector<unsigned int, 16>;
  constexpr int smallest = 0x1c800000;  // 2^-70
  constexpr int infinity = 0x7f800000;
  const auto root        = refined_sqrt<1, float, 16>(
      x, __builtin_ia32_rsqrt14ps512_mask(x, Vector<float, 16>{}, -1));
  const auto special = __builtin_ia32_ucmpd512_mask(
      reinterpret_cast<Vector<int, 16>>(reinterpret_cast<Bits>(x) - smallest),
      Register<int, 16>::broadcast(infinity - smallest), 5, -1);
  return mended_sqrt<float, 16>(x, root, special);
}

}  // namespace Impl
}  // namespace Sporos

#endif

#endif  // SPOROS_PACKSQRT_HPP
