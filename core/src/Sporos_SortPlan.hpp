// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTPLAN_HPP
#define SPOROS_SORTPLAN_HPP

/// \file Sporos_SortPlan.hpp
/// What sort_by_key decides, and its scans over (digit, chunk) (use
/// Sporos_SortByKey.hpp).

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// What the inspection says of one chunk.
template <class Key>
struct SortChunkInfo {
  Key any_bit;             // bits that a key has
  Key all_bits;            // bits that all keys have
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
/// places. An iteration does a few entries, as iterations of scans are costly,
/// and reads and writes them at once.
struct SortScanTable {
  using value_type           = std::uint32_t;
  static constexpr int block = 4;

  struct alignas(16) Block {
    value_type m_entry[block];
  };

  std::uint32_t* m_table;  // where memory was allocated: aligned
  const SortPlan* m_plan;
  int m_pass;
  int m_chunks;

  KOKKOS_INLINE_FUNCTION void operator()(int b, value_type& sum,
                                         bool final) const {
    if (m_pass >= m_plan->passes) return;
    const int from = b * block, entries = m_chunks << m_plan->width;
    if (from + block <= entries) {
      Block& whole = reinterpret_cast<Block*>(m_table)[b];
      Block places = whole;
      add(places.m_entry, block, sum);
      if (final) whole = places;
    } else {
      for (int i = from; i < entries; ++i) {
        value_type place = m_table[i];
        add(&place, 1, sum);
        if (final) m_table[i] = place;
      }
    }
  }

  /// Counts become sums of the counts before.
  KOKKOS_INLINE_FUNCTION static void add(value_type* counts, int n,
                                         value_type& sum) {
    for (int i = 0; i < n; ++i) {
      const value_type counted = counts[i];
      counts[i]                = sum;
      sum += counted;
    }
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

#endif
