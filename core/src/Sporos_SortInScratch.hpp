// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTINSCRATCH_HPP
#define SPOROS_SORTINSCRATCH_HPP

/// \file Sporos_SortInScratch.hpp
/// How a team of a device sorts a chunk in its scratch memory (use
/// Sporos_SortByKey.hpp).

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_PaddedArray.hpp>
#include <Sporos_SortItem.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// A chunk of items in scratch. Each array has entries of one power of two
/// bytes, so that banks are used evenly. For from and i see PaddedArray::at.
template <class Key>
struct SortStaging {
  PaddedArray<Key> m_keys;
  PaddedArray<std::uint32_t> m_indices;

  static constexpr std::size_t bytes(int n) {
    return sizeof(Key) * PaddedArray<Key>::room(n) +
           sizeof(std::uint32_t) * PaddedArray<std::uint32_t>::room(n);
  }
  template <class Member>
  KOKKOS_INLINE_FUNCTION static SortStaging take(const Member& member, int n) {
    Key* const keys = team_scratch<Key>(member, PaddedArray<Key>::room(n));
    return SortStaging{{keys},
                       {team_scratch<std::uint32_t>(
                           member, PaddedArray<std::uint32_t>::room(n))}};
  }
  KOKKOS_INLINE_FUNCTION SortItem<Key> get(int from, int i) const {
    return SortItem<Key>::make(m_keys.at(from, i), m_indices.at(from, i));
  }
  KOKKOS_INLINE_FUNCTION void set(int from, int i,
                                  const SortItem<Key>& item) const {
    m_keys.at(from, i)    = item.key();
    m_indices.at(from, i) = item.index();
  }
};

template <>
struct SortStaging<std::uint32_t> {
  using Item = SortItem<std::uint32_t>;
  PaddedArray<Item> m_items;

  static constexpr std::size_t bytes(int n) {
    return sizeof(Item) * PaddedArray<Item>::room(n);
  }
  template <class Member>
  KOKKOS_INLINE_FUNCTION static SortStaging take(const Member& member, int n) {
    return SortStaging{
        {team_scratch<Item>(member, PaddedArray<Item>::room(n))}};
  }
  KOKKOS_INLINE_FUNCTION Item get(int from, int i) const {
    return m_items.at(from, i);
  }
  KOKKOS_INLINE_FUNCTION void set(int from, int i, const Item& item) const {
    m_items.at(from, i) = item;
  }
};

/// Stable sort of Items items a thread by one digit, at most `bits` bits at
/// once. Each thread counts the digits of its consecutive items in its own
/// column of counters. A word holds two counters, of digits d and
/// d + digits / 2: thread t's words all lie in bank t, whatever the digits.
template <class Member, class Key, int Threads, int Items>
struct SortInScratch {
  using Item                = SortItem<Key>;
  using Word                = std::uint32_t;
  static constexpr int bits = 4;
  static_assert(Threads * Items < (1 << 16), "a counter has 16 bits");
  static constexpr int most_rows = (1 << (bits - 1)) + 1;

  // do rows end where the items of a thread and of a team do?
  static constexpr bool whole_rows =
      Threads % (scratch_row / 4) == 0 && scratch_row / 8 % Items == 0;

  const Member& m_member;
  SortStaging<Key> m_staging;
  Word* m_counters;
  Word* m_lower;  // items with digits of the lower half

  static constexpr std::size_t bytes() {
    return SortStaging<Key>::bytes(Threads * Items) +
           sizeof(Word) * (std::size_t(most_rows) * Threads + 1) + 64;
  }

  KOKKOS_INLINE_FUNCTION explicit SortInScratch(const Member& member)
      : m_member(member),
        m_staging(SortStaging<Key>::take(member, Threads * Items)),
        m_counters(
            team_scratch<Word>(member, std::size_t(most_rows) * Threads)),
        m_lower(team_scratch<Word>(member, 1)) {}

  /// Item from + i, where `from` is a multiple of Threads.
  KOKKOS_INLINE_FUNCTION Item get(int from, int i) const {
    return whole_rows ? m_staging.get(from, i) : m_staging.get(0, from + i);
  }

  /// Reads `size` items; the rest of the chunk becomes the largest of all.
  template <class Source>
  KOKKOS_INLINE_FUNCTION void load(const Source& from, int size) const {
    const int thread = m_member.team_rank();
    SPOROS_UNROLL
    for (int k = 0; k < Items; ++k) {
      const int j = k * Threads + thread;
      const Item item =
          j < size ? from.item(j) : Item::make(~Key(0), ~std::uint32_t(0));
      if constexpr (whole_rows)
        m_staging.set(k * Threads, thread, item);
      else
        m_staging.set(0, j, item);
    }
    m_member.team_barrier();
  }

  /// Sorts by the `width` bits of key & mask from bit `shift` on.
  KOKKOS_INLINE_FUNCTION void sort(Key mask, int shift, int width) const {
    // the highest digit may reach beyond the key
    const int key_end = 8 * static_cast<int>(sizeof(Key));
    const int steps   = (width + bits - 1) / bits;
    const int narrow  = (width + steps - 1) / steps;
    for (int done = 0; done < width && shift + done < key_end; done += narrow) {
      const int now = Math::min(narrow, width - done);
      step(shift + done, Key(mask >> (shift + done)) & Key((1 << now) - 1),
           1 << (now - 1));
    }
  }

 private:
  /// The word of a digit's counter and how far up the counter is.
  struct Counter {
    int word;
    int shift;
  };
  KOKKOS_INLINE_FUNCTION Counter counter(const Item& item, int shift, Key mask,
                                         int half) const {
    const int digit = static_cast<int>((item.key() >> shift) & mask);
    return Counter{(digit & (half - 1)) * Threads + m_member.team_rank(),
                   digit < half ? 0 : 16};
  }

  KOKKOS_INLINE_FUNCTION void step(int shift, Key mask, int half) const {
    const int thread = m_member.team_rank();
    Item item[Items];
    int rank[Items];  // among the thread's own items of that digit
    SPOROS_UNROLL
    for (int k = 0; k < Items; ++k) {
      if constexpr (whole_rows)
        item[k] = m_staging.get(thread * Items, k);
      else
        item[k] = m_staging.get(0, thread * Items + k);
    }
    const int rows = half | 1;  // odd: scans use all banks
    for (int r = 0; r < rows; ++r) m_counters[r * Threads + thread] = 0;
    SPOROS_UNROLL
    for (int k = 0; k < Items; ++k) {
      const Counter c    = counter(item[k], shift, mask, half);
      const Word counted = m_counters[c.word];
      rank[k]            = int(counted >> c.shift & 0xffff);
      m_counters[c.word] = counted + (Word(1) << c.shift);
    }
    m_member.team_barrier();
    scan(rows);
    m_member.team_barrier();
    const int lower = static_cast<int>(*m_lower);
    SPOROS_UNROLL
    for (int k = 0; k < Items; ++k) {
      const Counter c = counter(item[k], shift, mask, half);
      const int first = int(m_counters[c.word] >> c.shift & 0xffff) +
                        (c.shift == 0 ? 0 : lower);
      m_staging.set(0, first + rank[k], item[k]);
    }
    m_member.team_barrier();
  }

  /// Counters become sums of the counters before, both halves at once; each
  /// thread scans consecutive words.
  KOKKOS_INLINE_FUNCTION void scan(int rows) const {
    const int thread  = m_member.team_rank();
    Word* const words = m_counters + thread * rows;
    Word sum          = 0;
    for (int r = 0; r < rows; ++r) sum += words[r];
    Word before = m_member.team_scan(sum);
    for (int r = 0; r < rows; ++r) {
      const Word counted = words[r];
      words[r]           = before;
      before += counted;
    }
    if (thread == Threads - 1) *m_lower = before & 0xffff;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
