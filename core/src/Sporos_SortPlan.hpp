// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// What sort_by_key moves, what it decides, and its scans over (digit, chunk)
/// (use Sporos_SortByKey.hpp).

#ifndef SPOROS_SORTPLAN_HPP
#define SPOROS_SORTPLAN_HPP

#include "Sporos_KokkosCompat.hpp"

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// What moves through the passes: a key and where it came from. 32-bit keys
/// share one word with their index.
template <class Key>
struct SortItem {
  static_assert(sizeof(Key) == 8, "keys are 32- or 64-bit unsigned integers");
  Key m_key;
  std::uint32_t m_index;

  KOKKOS_INLINE_FUNCTION static SortItem make(Key key, std::uint32_t index) {
    return SortItem{key, index};
  }
  KOKKOS_INLINE_FUNCTION Key key() const { return m_key; }
  KOKKOS_INLINE_FUNCTION std::uint32_t index() const { return m_index; }
};

template <>
struct SortItem<std::uint32_t> {
  std::uint64_t m_word;

  KOKKOS_INLINE_FUNCTION static SortItem make(std::uint32_t key,
                                              std::uint32_t index) {
    return SortItem{std::uint64_t(index) << 32 | key};
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t key() const {
    return static_cast<std::uint32_t>(m_word);
  }
  KOKKOS_INLINE_FUNCTION std::uint32_t index() const {
    return static_cast<std::uint32_t>(m_word >> 32);
  }
};

/// What the inspection says of one chunk.
template <class Key>
struct SortChunkInfo {
  Key any_bit;             // or of all keys
  Key all_bits;            // and of all keys
  std::uint32_t unsorted;  // is any key smaller than the one before it?
};

/// The digits to sort by, lowest first, all of the same width. No passes: the
/// input is sorted already.
struct SortPlan {
  static constexpr int max_passes = 16;

  int passes;
  int width;
  int shift[max_passes];

  /// Fewest digits of at most max_width bits that cover all bits set in
  /// `differing`, and as narrow as that number of digits allows.
  KOKKOS_INLINE_FUNCTION void cover(std::uint64_t differing, int max_width) {
    const int fewest = place(differing, max_width);
    for (int narrow = 1; narrow <= max_width; ++narrow)
      if (place(differing, narrow) == fewest) break;
  }

  KOKKOS_INLINE_FUNCTION int place(std::uint64_t differing, int digit_width) {
    width  = digit_width;
    passes = 0;
    for (int bit = 0; bit < 64;) {
      if ((differing >> bit) == 0) break;
      if ((differing >> bit & 1) == 0) {
        ++bit;
      } else {
        if (passes < max_passes) shift[passes] = bit;
        ++passes;
        bit += digit_width;
      }
    }
    return passes;
  }
};

/// Staged only: the table of counts, digit after digit, becomes the table of
/// places.
struct SortScanTable {
  using value_type = std::uint32_t;

  std::uint32_t* m_table;
  const SortPlan* m_plan;
  int m_pass;
  int m_chunks;

  KOKKOS_INLINE_FUNCTION void operator()(int i, value_type& sum,
                                         bool final) const {
    if (m_pass >= m_plan->passes || i >= (m_chunks << m_plan->width)) return;
    const value_type counted = m_table[i];
    if (final) m_table[i] = sum;
    sum += counted;
  }
};

/// Not staged: counts, chunk after chunk, become counts of all chunks before,
/// and the total; each iteration does a block of digits.
struct SortScanColumns {
  static constexpr int block = 64;

  std::uint32_t* m_table;
  std::uint32_t* m_total;
  const SortPlan* m_plan;
  int m_chunks;

  KOKKOS_INLINE_FUNCTION void operator()(int b) const {
    const int digits = 1 << m_plan->width, start = b * block;
    const int size = digits - start < block ? digits - start : block;
    if (size <= 0) return;
    std::uint32_t sum[block] = {};
    for (int c = 0; c < m_chunks; ++c) {
      std::uint32_t* row = m_table + std::size_t(c) * digits + start;
      for (int d = 0; d < size; ++d) {
        const std::uint32_t counted = row[d];
        row[d]                      = sum[d];
        sum[d] += counted;
      }
    }
    for (int d = 0; d < size; ++d) m_total[start + d] = sum[d];
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_SORTPLAN_HPP
