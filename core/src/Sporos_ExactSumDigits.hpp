// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXACTSUMDIGITS_HPP
#define SPOROS_EXACTSUMDIGITS_HPP

/// \file Sporos_ExactSumDigits.hpp
/// The number that ExactSum keeps: a fixed-point number of 2176 bits that holds
/// any sum of doubles without rounding (a small superaccumulator; R. M. Neal,
/// "Fast exact summation using small and large superaccumulators", 2015).

#include <Sporos_KokkosCompat.hpp>

#include <cstdint>
#include <cstring>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The parts of an IEEE number: `mantissa` stored bits, then the exponent.
template <class Real>
struct RealFormat;
template <>
struct RealFormat<double> {
  using Bits                    = std::uint64_t;
  static constexpr int mantissa = 52;
  static constexpr int exponent = 11;
  static constexpr int lowest   = -1074;  ///< least positive number, log2
};
template <>
struct RealFormat<float> {
  using Bits                    = std::uint32_t;
  static constexpr int mantissa = 23;
  static constexpr int exponent = 8;
  static constexpr int lowest   = -149;
};

template <class Real>
KOKKOS_INLINE_FUNCTION typename RealFormat<Real>::Bits real_to_bits(Real x) {
  typename RealFormat<Real>::Bits bits;
  memcpy(&bits, &x, sizeof(Real));
  return bits;
}

template <class Real>
KOKKOS_INLINE_FUNCTION Real
real_from_bits(typename RealFormat<Real>::Bits bits) {
  Real x;
  memcpy(&x, &bits, sizeof(Real));
  return x;
}

/// The magnitude of a finite double as mantissa 2^shift units of 2^-1074, cut
/// into what digits `first` and `first + 1` get.
struct DoubleParts {
  int first;
  std::uint64_t low;   ///< below 2^32
  std::uint64_t high;  ///< below 2^52

  KOKKOS_INLINE_FUNCTION explicit DoubleParts(std::uint64_t bits) {
    const std::uint64_t fraction = std::uint64_t(1) << 52;
    const int field              = int(bits >> 52 & 0x7ff);
    const int normal             = field != 0;
    const std::uint64_t mantissa =
        (bits & (fraction - 1)) | (normal ? fraction : 0);
    const int shift = field - normal;
    const int left  = shift & 31;
    first           = shift >> 5;
    low             = mantissa << left & 0xffffffffu;
    high            = mantissa >> (32 - left);
  }
};

/// sum of m_digit[i] 2^(32 i - 1074). Digits are signed, and have room beyond
/// their 32 bits so that carries may wait: the magnitude of a digit is at most
/// 2^52 m_adds. There is room for 2^63 summands of the largest magnitude.
struct ExactSumDigits {
  static constexpr int digits   = 68;
  static constexpr int most     = 1024;   ///< adds until carries must move
  static constexpr int infinity = 0x7ff;  ///< exponent of infinities and NaN

  // What has been added, bit by bit in m_flags.
  static constexpr int minus_zero     = 1;
  static constexpr int other          = 2;  ///< anything but a negative zero
  static constexpr int plus_infinity  = 4;
  static constexpr int minus_infinity = 8;
  static constexpr int not_a_number   = 16;

  long long m_digit[digits] = {};
  int m_adds                = 0;
  int m_flags               = 0;

  /// The flag of a value.
  KOKKOS_INLINE_FUNCTION static int flag(std::uint64_t bits) {
    if (int(bits >> 52 & 0x7ff) == infinity)
      return bits << 12 != 0 ? not_a_number
             : bits >> 63    ? minus_infinity
                             : plus_infinity;
    return bits == std::uint64_t(1) << 63 ? minus_zero : other;
  }

  KOKKOS_INLINE_FUNCTION void add(double x) {
    const std::uint64_t bits = real_to_bits(x);
    const int now            = flag(bits);
    m_flags |= now;
    if (now > other) return;
    const DoubleParts parts(bits);
    const long long sign = -static_cast<long long>(bits >> 63);  // 0 or -1
    m_digit[parts.first] += (static_cast<long long>(parts.low) ^ sign) - sign;
    m_digit[parts.first + 1] +=
        (static_cast<long long>(parts.high) ^ sign) - sign;
    if (++m_adds >= most) normalise();
  }

  KOKKOS_INLINE_FUNCTION void add(const ExactSumDigits& b) {
    const int flags = m_flags | b.m_flags;
    const int adds  = m_adds + b.m_adds;
    for (int i = 0; i < digits; ++i) m_digit[i] += b.m_digit[i];
    m_flags = flags;
    m_adds  = adds;
    if (m_adds >= most) normalise();
  }

  /// Moves carries: all digits but the last, which has the sign, come to lie in
  /// [0, 2^32).
  KOKKOS_INLINE_FUNCTION void normalise() {
    long long carry = 0;
    for (int i = 0; i < digits - 1; ++i) {
      const long long digit = m_digit[i] + carry;
      m_digit[i]            = digit & 0xffffffff;
      carry                 = digit >> 32;
    }
    m_digit[digits - 1] += carry;
    m_adds = 1;
  }

  /// Rounded once, to the nearest Real; of two that are equally near to the one
  /// whose last bit is 0.
  template <class Real>
  KOKKOS_FUNCTION Real round() const;
};

template <class Real>
KOKKOS_FUNCTION Real ExactSumDigits::round() const {
  using Format          = RealFormat<Real>;
  using Bits            = typename Format::Bits;
  constexpr int M       = Format::mantissa;
  constexpr Bits sign   = Bits(1) << (M + Format::exponent);
  constexpr Bits beyond = ((Bits(1) << Format::exponent) - 1) << M;  // infinity
  const int infinities  = m_flags & (plus_infinity | minus_infinity);
  if ((m_flags & not_a_number) != 0 ||
      infinities == (plus_infinity | minus_infinity))
    return real_from_bits<Real>(beyond | Bits(1) << (M - 1));
  if (infinities != 0)
    return real_from_bits<Real>(infinities == plus_infinity ? beyond
                                                            : beyond | sign);
  ExactSumDigits sum = *this;
  sum.normalise();
  const bool negative = sum.m_digit[digits - 1] < 0;
  if (negative) {
    for (long long& digit : sum.m_digit) digit = -digit;
    sum.normalise();
  }
  int top = digits - 1;
  while (top >= 0 && sum.m_digit[top] == 0) --top;
  if (top < 0) return real_from_bits<Real>(m_flags == minus_zero ? sign : 0);

  // The 64 bits from the first bit that is set, and whether any is set below.
  std::uint64_t digit[3];
  for (int i = 0; i < 3; ++i)
    digit[i] = top >= i ? std::uint64_t(sum.m_digit[top - i]) : 0;
  const int width = bit_width(digit[0]);
  const std::uint64_t first =
      digit[0] << (64 - width) | digit[1] << (32 - width) | digit[2] >> width;
  bool below = (digit[2] & ((std::uint64_t(1) << width) - 1)) != 0;
  for (int i = 0; i < top - 2; ++i) below |= sum.m_digit[i] != 0;

  // The first bit stands for 2^place times the least number of the format. What
  // fits is left as it is: the bits of a small number are its multiple.
  const int place = 32 * top + width - 1 - (Format::lowest + 1074);
  Bits bits;
  if (place <= M) {
    bits = Bits(first >> (63 - place));
  } else {
    const std::uint64_t kept = first >> (63 - M);
    const std::uint64_t rest = first << (M + 1);
    const std::uint64_t half = std::uint64_t(1) << 63;
    const bool up = rest > half || (rest == half && (below || (kept & 1) != 0));
    const int exponent = place - M;  // one less: kept has a bit above the field
    const bool fits    = exponent < (1 << Format::exponent) - 1;
    bits = fits ? Bits((Bits(exponent) << M) + Bits(kept) + Bits(up)) : beyond;
    if (bits > beyond) bits = beyond;
  }
  return real_from_bits<Real>(negative ? bits | sign : bits);
}

static_assert(std::is_trivially_copyable<ExactSumDigits>::value,
              "Sporos::ExactSum must travel as bytes");

}  // namespace Impl
}  // namespace Sporos

#endif
