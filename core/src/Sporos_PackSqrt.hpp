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
    const auto error = vector_fma(-g, h, half);
    g                = vector_fma(g, error, g);
    h                = vector_fma(h, error, h);
  }
  return vector_fma(vector_fma(-g, g, x), h, g);
}

/// Where the residual would underflow or x is zero, negative, infinite or NaN,
/// the instruction has the last word.
template <>
SPOROS_ALWAYS_INLINE Vector<double, 8> vector_sqrt<double>(
    Vector<double, 8> x) {
  constexpr long long smallest = 0x07b0000000000000;  // 2^-900
  constexpr long long infinity = 0x7ff0000000000000;
  const auto root =
      refined_sqrt<2, double, 8>(x, _mm512_maskz_rsqrt14_pd(__mmask8(-1), x));
  const __m512i above =
      _mm512_sub_epi64(_mm512_castpd_si512(x), _mm512_set1_epi64(smallest));
  const __mmask8 special =
      _mm512_cmpge_epu64_mask(above, _mm512_set1_epi64(infinity - smallest));
  return __builtin_expect(special, 0) ? _mm512_mask_sqrt_pd(root, special, x)
                                      : root;
}
template <>
SPOROS_ALWAYS_INLINE Vector<float, 16> vector_sqrt<float>(Vector<float, 16> x) {
  constexpr int smallest = 0x1c800000;  // 2^-70
  constexpr int infinity = 0x7f800000;
  const auto root =
      refined_sqrt<1, float, 16>(x, _mm512_maskz_rsqrt14_ps(__mmask16(-1), x));
  const __m512i above =
      _mm512_sub_epi32(_mm512_castps_si512(x), _mm512_set1_epi32(smallest));
  const __mmask16 special =
      _mm512_cmpge_epu32_mask(above, _mm512_set1_epi32(infinity - smallest));
  return __builtin_expect(special, 0) ? _mm512_mask_sqrt_ps(root, special, x)
                                      : root;
}

}  // namespace Impl
}  // namespace Sporos

#endif

#endif  // SPOROS_PACKSQRT_HPP
