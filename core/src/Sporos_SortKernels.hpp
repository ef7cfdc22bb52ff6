// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// \file
/// The kernels of sort_by_key (use Sporos_SortByKey.hpp).

#ifndef SPOROS_SORTKERNELS_HPP
#define SPOROS_SORTKERNELS_HPP

#include "Sporos_KokkosCompat.hpp"
#include "Sporos_SortPlan.hpp"

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// The steps of the sort. A step is chosen by its tag and its functor is one
/// team per chunk. Tuning says
///   staged        many threads a team: a chunk is sorted in scratch first, so
///                 that it leaves in runs; otherwise one thread does it all
///   team_size     threads wanted
///   digit_bits    widest digit (staged: 8 at most)
///   items         staged: items a thread holds
///   host_decides  kernels are synchronous, the host reads what they found
template <class Exec, class Keys, class Permutation, class Tuning>
struct SortKernels {
  using Key    = typename Keys::non_const_value_type;
  using Item   = SortItem<Key>;
  using Info   = SortChunkInfo<Key>;
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  using Count  = std::uint32_t;
  using Rank   = std::uint16_t;

  struct Inspect {};
  struct Decide {};
  struct Histogram {};
  struct Scatter {};
  struct Finish {};

  static constexpr bool staged = Tuning::staged;
  // Kokkos 3.4.1: team_scan reads before its scratch in smaller teams
  static_assert(!staged || is_host_space_v<Exec> || Tuning::team_size >= 32,
                "Sporos::sort_by_key: teams of devices have 32 threads");
  static constexpr int sub_bits  = 4;  // digits sorted at once in scratch
  static constexpr int sub_count = 1 << sub_bits;

  Keys m_keys;
  Permutation m_permutation;
  Item* m_buffer[2];
  Count* m_table;  // digits x chunks: counts, then places
  Count* m_total;  // not staged: a digit's count over all chunks
  Info* m_info;
  SortPlan* m_plan;
  Key m_mask;         // bits to look at
  int m_n;            // keys
  int m_chunk;        // keys per chunk
  int m_chunks;       // number of chunks
  int m_first_width;  // digit width that the inspection counts with
  int m_pass;         // which digit

  // --- geometry ----------------------------------------------------------
  KOKKOS_INLINE_FUNCTION static int first(const Member& member) {
    return staged ? member.team_rank() : 0;
  }
  KOKKOS_INLINE_FUNCTION static int step(const Member& member) {
    return staged ? member.team_size() : 1;
  }
  KOKKOS_INLINE_FUNCTION int begin(int chunk) const { return chunk * m_chunk; }
  KOKKOS_INLINE_FUNCTION int count(int chunk) const {
    const int left = m_n - begin(chunk);
    return left < m_chunk ? left : m_chunk;
  }
  KOKKOS_INLINE_FUNCTION std::size_t slot(int digit, int chunk,
                                          int digits) const {
    return staged ? std::size_t(digit) * m_chunks + chunk
                  : std::size_t(chunk) * digits + digit;
  }
  KOKKOS_INLINE_FUNCTION int digit(Key key, int shift, int digits) const {
    return static_cast<int>((key & m_mask) >> shift) & (digits - 1);
  }

  /// Bytes of level-0 scratch that a step needs.
  static std::size_t counting_bytes() {
    return sizeof(Count) * (std::size_t(1) << Tuning::digit_bits) + 64;
  }
  static std::size_t staging_bytes(int team_size) {
    return counting_bytes() + (staged
                                   ? sizeof(Item) * team_size * Tuning::items +
                                         sizeof(Rank) * team_size * sub_count
                                   : 0);
  }

  template <class T>
  KOKKOS_INLINE_FUNCTION static T* scratch(const Member& member,
                                           std::size_t entries) {
    return static_cast<T*>(
        member.team_scratch(0).get_shmem(entries * sizeof(T)));
  }

  // --- where items lie between passes --------------------------------------
  // One thread writing to many digits: places that are a multiple of a page
  // apart (regular input) would compete for a few cache lines, so each page of
  // a buffer starts one line later than the page before it.
  static constexpr int page = 4096 / sizeof(Item);
  static constexpr int line = 64 / sizeof(Item);

  KOKKOS_INLINE_FUNCTION static std::size_t position(std::size_t place) {
    return staged ? place : place + place / page * line;
  }
  /// Items in a row: as many as a loop can read without asking for positions.
  KOKKOS_INLINE_FUNCTION static int row(int size) {
    return staged ? size : page;
  }

  struct FromKeys {
    const Keys& m_keys;
    int m_start;

    KOKKOS_INLINE_FUNCTION FromKeys at(int start) const {
      return FromKeys{m_keys, start};
    }
    KOKKOS_INLINE_FUNCTION Key key(int j) const { return m_keys(m_start + j); }
    KOKKOS_INLINE_FUNCTION Item item(int j) const {
      return Item::make(m_keys(m_start + j),
                        static_cast<std::uint32_t>(m_start + j));
    }
  };
  struct FromBuffer {
    const Item* KOKKOS_RESTRICT m_items;

    KOKKOS_INLINE_FUNCTION FromBuffer at(int start) const {
      return FromBuffer{m_items + position(start)};
    }
    KOKKOS_INLINE_FUNCTION Key key(int j) const { return m_items[j].key(); }
    KOKKOS_INLINE_FUNCTION Item item(int j) const { return m_items[j]; }
  };

  // --- inspection --------------------------------------------------------
  KOKKOS_INLINE_FUNCTION void operator()(Inspect, const Member& member) const {
    const int chunk = member.league_rank();
    const int start = begin(chunk), end = start + count(chunk);
    const Key mask = m_mask, key0 = m_keys(start) & mask;
    Key any = key0, all = key0;
    std::uint32_t unsorted = 0;
    const int from = (start > 0 ? start : 1), pairs = end - from;
    for (int j = first(member); j < pairs; j += step(member)) {
      const Key key    = m_keys(from + j) & mask;
      const Key before = m_keys(from + j - 1) & mask;
      any |= key;
      all &= key;
      unsorted |= (key < before ? 1u : 0u);
    }
    const Info info = combine(member, Info{any, all, unsorted});
    if (member.team_rank() == 0) m_info[chunk] = info;
    count_digits(member, 0, 1 << m_first_width, FromKeys{m_keys, 0});
  }

  KOKKOS_INLINE_FUNCTION static Info combine(const Member& member, Info info) {
    if constexpr (staged) {
      member.team_reduce(Kokkos::BOr<Key>(info.any_bit));
      member.team_reduce(Kokkos::BAnd<Key>(info.all_bits));
      member.team_reduce(Kokkos::BOr<std::uint32_t>(info.unsorted));
    }
    return info;
  }

  KOKKOS_INLINE_FUNCTION static void merge(Info& into, const Info& from) {
    into.any_bit |= from.any_bit;
    into.all_bits &= from.all_bits;
    into.unsorted |= from.unsorted;
  }

  KOKKOS_INLINE_FUNCTION void make_plan(const Info& info) const {
    const std::uint64_t differing =
        info.unsorted != 0 ? std::uint64_t(info.any_bit ^ info.all_bits) : 0;
    m_plan->cover(differing, Tuning::digit_bits);
    // one digit that the inspection counted will do
    if (m_plan->passes == 1 && (differing >> m_first_width) == 0) {
      m_plan->shift[0] = 0;
      m_plan->width    = m_first_width;
    }
  }

  /// One team: from what all chunks found to the plan.
  KOKKOS_INLINE_FUNCTION void operator()(Decide, const Member& member) const {
    Info info = m_info[0];
    for (int c = first(member); c < m_chunks; c += step(member))
      merge(info, m_info[c]);
    info = combine(member, info);
    if (member.team_rank() == 0) make_plan(info);
  }

  // --- counting ----------------------------------------------------------
  KOKKOS_INLINE_FUNCTION bool first_is_counted(const SortPlan& plan) const {
    return plan.shift[0] == 0 && plan.width == m_first_width;
  }

  KOKKOS_INLINE_FUNCTION void operator()(Histogram,
                                         const Member& member) const {
    const SortPlan& plan = *m_plan;
    if (m_pass >= plan.passes) return;
    const int shift = plan.shift[m_pass], digits = 1 << plan.width;
    if (m_pass > 0)
      count_digits(member, shift, digits, FromBuffer{source()});
    else if (!first_is_counted(plan))
      count_digits(member, shift, digits, FromKeys{m_keys, 0});
  }

  KOKKOS_INLINE_FUNCTION const Item* source() const {
    return m_buffer[(m_pass + 1) % 2];
  }

  template <class Source>
  KOKKOS_INLINE_FUNCTION void count_digits(const Member& member, int shift,
                                           int digits,
                                           const Source& from) const {
    const int chunk = member.league_rank();
    const int start = begin(chunk), size = count(chunk);
    Count* counts = scratch<Count>(member, digits);
    for (int d = first(member); d < digits; d += step(member)) counts[d] = 0;
    member.team_barrier();
    for (int r = 0; r < size; r += row(size)) {
      const Source part = from.at(start + r);
      const int end     = Math::min(row(size), size - r);
      for (int j = first(member); j < end; j += step(member)) {
        Count& counted = counts[digit(part.key(j), shift, digits)];
        if constexpr (staged)
          Kokkos::atomic_fetch_add(&counted, Count(1));
        else
          ++counted;
      }
    }
    member.team_barrier();
    for (int d = first(member); d < digits; d += step(member))
      m_table[slot(d, chunk, digits)] = counts[d];
  }

  // --- moving ------------------------------------------------------------
  KOKKOS_INLINE_FUNCTION void operator()(Scatter, const Member& member) const {
    const SortPlan& plan = *m_plan;
    if (m_pass >= plan.passes) return;
    if (m_pass > 0)
      scatter_from(member, plan, FromBuffer{source()});
    else
      scatter_from(member, plan, FromKeys{m_keys, 0});
  }

  template <class Source>
  KOKKOS_INLINE_FUNCTION void scatter_from(const Member& member,
                                           const SortPlan& plan,
                                           const Source& from) const {
    if constexpr (staged)
      scatter_staged(member, plan.shift[m_pass], plan.width, from);
    else
      scatter_directly(member, plan.shift[m_pass], 1 << plan.width, from);
  }

  /// One thread: items go straight to their places.
  template <class Source>
  KOKKOS_INLINE_FUNCTION void scatter_directly(const Member& member, int shift,
                                               int digits,
                                               const Source& from) const {
    const int chunk = member.league_rank();
    const int start = begin(chunk), size = count(chunk);
    Item* KOKKOS_RESTRICT to = m_buffer[m_pass % 2];
    Count* cursor            = scratch<Count>(member, digits);
    const Count* before      = m_table + slot(0, chunk, digits);
    Count smaller            = 0;
    for (int d = 0; d < digits; ++d) {
      cursor[d] = smaller + before[d];
      smaller += m_total[d];
    }
    for (int r = 0; r < size; r += page) {
      const Source part = from.at(start + r);
      const int end     = Math::min(page, size - r);
      for (int j = 0; j < end; ++j) {
        const Item item       = part.item(j);
        Count& place          = cursor[digit(item.key(), shift, digits)];
        to[position(place++)] = item;
      }
    }
  }

  /// Many threads: the chunk is sorted in scratch, four bits at a time, each
  /// thread counting the digits of its consecutive items in its own column;
  /// then the runs of equal digits are written by consecutive threads.
  template <class Source>
  KOKKOS_INLINE_FUNCTION void scatter_staged(const Member& member, int shift,
                                             int width,
                                             const Source& from) const {
    constexpr int items = Tuning::items;
    const int digits = 1 << width, threads = member.team_size();
    const int chunk = member.league_rank(), thread = member.team_rank();
    const int start = begin(chunk), size = count(chunk);
    Item* staging     = scratch<Item>(member, std::size_t(threads) * items);
    Rank* columns     = scratch<Rank>(member, std::size_t(threads) * sub_count);
    Count* run_starts = scratch<Count>(member, digits);

    const Source part = from.at(start);
    Item item[items];
    SPOROS_UNROLL
    for (int k = 0; k < items; ++k) {
      const int j = thread * items + k;  // past the end: the largest of all
      item[k] =
          j < size ? part.item(j) : Item::make(~Key(0), ~std::uint32_t(0));
    }
    // the highest digit may reach beyond the key
    const int key_end = 8 * static_cast<int>(sizeof(Key));
    for (int done = 0; done < width && shift + done < key_end; done += sub_bits)
      sort_in_scratch(member, item, staging, columns, shift + done,
                      width - done < sub_bits ? width - done : sub_bits);

    for (int j = thread; j < size; j += threads) {
      const int d = digit(staging[j].key(), shift, digits);
      if (j == 0 || digit(staging[j - 1].key(), shift, digits) != d)
        run_starts[d] = static_cast<Count>(j);
    }
    member.team_barrier();
    const bool last = m_pass > 0 && m_pass + 1 == m_plan->passes;
    for (int j = thread; j < size; j += threads) {
      const int d       = digit(staging[j].key(), shift, digits);
      const Count place = m_table[slot(d, chunk, digits)] +
                          static_cast<Count>(j) - run_starts[d];
      if (last)
        put(static_cast<int>(place), staging[j]);
      else
        m_buffer[m_pass % 2][place] = staging[j];
    }
  }

  KOKKOS_INLINE_FUNCTION void sort_in_scratch(const Member& member,
                                              Item (&item)[Tuning::items],
                                              Item* staging, Rank* columns,
                                              int shift, int width) const {
    constexpr int items = Tuning::items;
    const int threads = member.team_size(), thread = member.team_rank();
    const int digits = 1 << width;
    for (int d = 0; d < digits; ++d) columns[d * threads + thread] = 0;
    Rank rank[items];  // among the thread's own items of that digit
    SPOROS_UNROLL
    for (int k = 0; k < items; ++k)
      rank[k] =
          columns[digit(item[k].key(), shift, digits) * threads + thread]++;
    member.team_barrier();
    int sum = 0;  // each thread scans `digits` consecutive counters
    for (int d = 0; d < digits; ++d) sum += columns[thread * digits + d];
    int place = member.team_scan(sum);
    for (int d = 0; d < digits; ++d) {
      const int counted            = columns[thread * digits + d];
      columns[thread * digits + d] = static_cast<Rank>(place);
      place += counted;
    }
    member.team_barrier();
    SPOROS_UNROLL
    for (int k = 0; k < items; ++k)
      staging[columns[digit(item[k].key(), shift, digits) * threads + thread] +
              rank[k]] = item[k];
    member.team_barrier();
    SPOROS_UNROLL
    for (int k = 0; k < items; ++k) item[k] = staging[thread * items + k];
    member.team_barrier();
  }

  // --- results -----------------------------------------------------------
  KOKKOS_INLINE_FUNCTION void put(int place, const Item& item) const {
    m_keys(place)        = item.key();
    m_permutation(place) = static_cast<int>(item.index());
  }

  KOKKOS_INLINE_FUNCTION void operator()(Finish, const Member& member) const {
    const int chunk = member.league_rank(), passes = m_plan->passes;
    const int start = begin(chunk), size = count(chunk);
    if (passes == 0) {
      SPOROS_IVDEP
      for (int j = first(member); j < size; j += step(member))
        m_permutation(start + j) = start + j;
    } else if (!staged || passes == 1) {
      const FromBuffer from{m_buffer[(passes + 1) % 2]};
      for (int r = 0; r < size; r += row(size)) {
        const FromBuffer sorted = from.at(start + r);
        const int end           = Math::min(row(size), size - r);
        SPOROS_IVDEP
        for (int j = first(member); j < end; j += step(member))
          put(start + r + j, sorted.item(j));
      }
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif  // SPOROS_SORTKERNELS_HPP
