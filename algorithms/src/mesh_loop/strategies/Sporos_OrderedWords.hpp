// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ORDEREDWORDS_HPP
#define SPOROS_ORDEREDWORDS_HPP

/// \file Sporos_OrderedWords.hpp
/// Numbers as words in the same order: the least word of all ranks is that of
/// the minimum or maximum, whatever the type.

#include <Sporos_ExactSumDigits.hpp>
#include <Sporos_Accessors.hpp>

#include <cstdint>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// A word for an integer, float or double; a smaller number has a smaller one.
template <class T>
std::uint64_t ordered_word(T value) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits         = typename RealFormat<T>::Bits;
    constexpr auto top = Bits(Bits(1) << (8 * sizeof(T) - 1));
    const Bits bits    = real_to_bits(value);
    return (bits & top) != 0 ? Bits(~bits) : Bits(bits | top);
  } else if constexpr (std::is_signed_v<T>) {
    return std::uint64_t(std::int64_t(value)) ^ std::uint64_t(1) << 63;
  } else {
    return std::uint64_t(value);
  }
}

template <class T>
T from_ordered_word(std::uint64_t word) {
  if constexpr (std::is_floating_point_v<T>) {
    using Bits         = typename RealFormat<T>::Bits;
    constexpr auto top = Bits(Bits(1) << (8 * sizeof(T) - 1));
    const Bits bits    = Bits(word);
    return real_from_bits<T>((bits & top) != 0 ? Bits(bits & Bits(~top))
                                               : Bits(~bits));
  } else if constexpr (std::is_signed_v<T>) {
    return T(std::int64_t(word ^ std::uint64_t(1) << 63));
  } else {
    return T(word);
  }
}

/// The word of a minimum or maximum, of which the least is wanted: that of NaN
/// is 0, less than those of all floating-point numbers.
template <Reduction R, class T>
std::uint64_t least_word(T value) {
  if (Math::is_nan(value)) return 0;
  const std::uint64_t word = ordered_word(value);
  return R == Reduction::min ? word : ~word;
}
template <Reduction R, class T>
T from_least_word(std::uint64_t word) {
  if constexpr (std::is_floating_point_v<T>)
    if (word == 0) return std::numeric_limits<T>::quiet_NaN();
  return from_ordered_word<T>(R == Reduction::min ? word : ~word);
}

}  // namespace Impl
}  // namespace Sporos

#endif
