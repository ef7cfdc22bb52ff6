// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXACTSUMBLOCK_HPP
#define SPOROS_EXACTSUMBLOCK_HPP

/// \file Sporos_ExactSumBlock.hpp
/// Exact sums of a few hundred doubles by splitting (S. M. Rump, T. Ogita,
/// S. Oishi, "Accurate floating-point summation part I", 2008; J. Demmel,
/// H. D. Nguyen, "Parallel reproducible summation", 2015). Each double is split
/// at two places that are the same for all; the leading parts, and likewise the
/// middle parts, have so few bits that their plain sum is exact. Their two sums
/// go into the digits. What lies below the second place is 0 unless the
/// magnitudes of the values differ by more than about 2^35; then it is added
/// value by value.

#include <Sporos_ExactSumDigits.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// At most this many values are split at the same places.
constexpr int exact_block_log2 = 9;
constexpr int exact_block      = 1 << exact_block_log2;

/// A compiler that reassociates, as with -ffast-math, removes the splitting.
#if defined(__FAST_MATH__) || defined(__ASSOCIATIVE_MATH__)
constexpr bool can_split_exactly = false;
#else
constexpr bool can_split_exactly = true;
#endif

/// (x + m_first) - m_first rounds x to a multiple of the last bit of m_first.
/// With block 2^L, magnitudes at most 2^e and m_first in [2^(e+L), 2^(e+L+1)],
/// the sum of a block of such multiples needs at most 53 bits.
struct ExactSplit {
  double m_first  = 0;
  double m_second = 0;
  bool m_works    = false;  ///< false: add the values one by one

  /// For up to exact_block values with magnitudes up to `largest`.
  KOKKOS_INLINE_FUNCTION explicit ExactSplit(double largest) {
    const int field = int(real_to_bits(largest) >> 52 & 0x7ff);
    const int first = (field > 0 ? field : 1) + 1 + exact_block_log2;
    m_works         = can_split_exactly && largest > 0 && first < 0x7ff - 1;
    if (!m_works) return;
    const int second = first - 53 + exact_block_log2;
    m_first          = power(first);
    // Rounded away, unless the compiler reassociates: clang has no macro for
    // -fassociative-math alone. (Tiny values are added one by one, too.)
    const double small = power(first > 60 ? first - 60 : 1);
    m_works            = (small + m_first) - m_first == 0;
    m_second           = power(second > 0 ? second : 1);
  }

  /// Splits x; adds its leading and middle parts to the sums. Returns the rest.
  template <class T>
  SPOROS_PACK_FUNCTION static T split(const T& x, const T& at_first,
                                      const T& at_second, T& leading,
                                      T& middle) {
    const T a = (x + at_first) - at_first;
    const T r = x - a;
    const T b = (r + at_second) - at_second;
    leading += a;
    middle += b;
    return r - b;
  }

 private:
  /// 1.5 times the power of two with this exponent field: the half keeps sums
  /// with negative numbers above the power.
  KOKKOS_INLINE_FUNCTION static double power(int field) {
    return real_from_bits<double>(std::uint64_t(field) << 52 | std::uint64_t(1)
                                                                   << 51);
  }
};

/// The largest magnitude of n values; NaN is passed over.
inline double largest_magnitude(const double* x, int n) {
  constexpr int W = native_pack_width<double>;
  using P         = Pack<double, W>;
  P even(0.0), odd(0.0);
  const auto raise = [](P& most, const P& a) SPOROS_INLINE_LAMBDA {
    most = select_less(most, a, a, most);  // max would keep a NaN
  };
  for (int i = 0; i < n; i += 2 * W) {
    raise(even, abs(P::load(x + i)));
    raise(odd, abs(P::load(x + i + W)));
  }
  raise(even, odd);
  double result = 0;
  for (int i = 0; i < W; ++i) result = even[i] > result ? even[i] : result;
  return result;
}

/// The sums of a block's leading and middle parts and of the magnitudes of what
/// is left.
struct ExactBlockSums {
  double m_leading = 0, m_middle = 0, m_rest = 0;

  ExactBlockSums(const ExactSplit& at, const double* x, int n) {
    constexpr int W = native_pack_width<double>;
    using P         = Pack<double, W>;
    const P first(at.m_first), second(at.m_second);
    P leading[2] = {P(0.0), P(0.0)}, middle[2] = {P(0.0), P(0.0)}, rest(0.0);
    for (int i = 0; i < n; i += 2 * W) {  // two chains of additions
      const P a = ExactSplit::split(P::load(x + i), first, second, leading[0],
                                    middle[0]);
      const P b = ExactSplit::split(P::load(x + i + W), first, second,
                                    leading[1], middle[1]);
      rest += abs(a) + abs(b);
    }
    leading[0] += leading[1];
    middle[0] += middle[1];
    for (int i = 0; i < W; ++i) {
      m_leading += leading[0][i];
      m_middle += middle[0][i];
      m_rest += rest[i];
    }
  }
};

/// Adds n values, at most exact_block, on the host. x has exact_block entries;
/// those after n are 0.
inline void add_exact_block(ExactSumDigits& sum, const double* x, int n) {
  const ExactSplit split(largest_magnitude(x, n));
  if (!split.m_works) {
    for (int i = 0; i < n; ++i) sum.add(x[i]);
    return;
  }
  const ExactBlockSums sums(split, x, n);
  sum.add(sums.m_leading);
  sum.add(sums.m_middle);
  if (sums.m_rest == 0) return;
  double leading = 0, middle = 0;
  for (int i = 0; i < n; ++i)
    sum.add(ExactSplit::split(x[i], split.m_first, split.m_second, leading,
                              middle));
}

}  // namespace Impl
}  // namespace Sporos

#endif
