// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTKERNELS_HPP
#define SPOROS_SORTKERNELS_HPP

/// \file Sporos_SortKernels.hpp
/// The kernels of sort_by_key (use Sporos_SortByKey.hpp).

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_PaddedArray.hpp>
#include <Sporos_SortChunks.hpp>
#include <Sporos_SortInScratch.hpp>
#include <Sporos_SortItem.hpp>
#include <Sporos_SortPlan.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Where an item lies between passes. One thread writing to many digits: places
/// that are a multiple of a page apart (regular input) would compete for a few
/// cache lines, so each page of a buffer starts one line later than the page
/// before it.
template <class Item, bool Staged>
KOKKOS_INLINE_FUNCTION std::size_t sort_position(std::size_t place) {
  return Staged ? place
                : place + place / (4096 / sizeof(Item)) * (64 / sizeof(Item));
}

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
  using Key                      = typename Keys::non_const_value_type;
  using Item                     = SortItem<Key>;
  using Info                     = SortChunkInfo<Key>;
  using Count                    = std::uint32_t;
  static constexpr bool in_teams = Tuning::staged || !is_host_space_v<Exec>;
  using Member                   = std::conditional_t<
      in_teams, typename Kokkos::TeamPolicy<Exec>::member_type, OneThreadTeam>;
  using InTeam = SortInScratch<Member, Key, Tuning::team_size, Tuning::items>;

  struct Inspect {};
  struct Decide {};
  struct Histogram {};
  struct Scatter {};
  struct Finish {};
  struct OneChunk {};

  static constexpr bool staged     = Tuning::staged;
  static constexpr int most_digits = 1 << Tuning::digit_bits;
  // Kokkos 3.4.1: team_scan reads before its scratch in smaller teams
  static_assert(!staged || is_host_space_v<Exec> ||
                    Tuning::team_size >= warp_threads,
                "Sporos::sort_by_key: teams of devices have a warp at least");

  Keys m_keys;
  Permutation m_permutation;
  Item* m_buffer[2];
  Count* m_table;  // digits x chunks: counts, then places
  Count* m_total;  // not staged: a digit's count over all chunks;
                   // staged, chunks x digits: where runs start in a chunk
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
    return sizeof(Count) * std::size_t(most_digits) + 64;
  }
  std::size_t inspection_bytes() const {
    return counting_bytes() + (staged ? sizeof(Key) * std::size_t(m_chunk) : 0);
  }
  static std::size_t staging_bytes() {
    return counting_bytes() + (staged ? InTeam::bytes() : 0);
  }

  // --- where items lie between passes --------------------------------------
  static constexpr int page = 4096 / sizeof(Item);

  KOKKOS_INLINE_FUNCTION static std::size_t position(std::size_t place) {
    return sort_position<Item, staged>(place);
  }
  /// Items in a row: as many as a loop can read without asking for positions.
  KOKKOS_INLINE_FUNCTION static int row(int size) {
    return staged ? size : page;
  }

  using FromKeys = SortInput<Keys>;
  struct FromBuffer {
    const Item* KOKKOS_RESTRICT m_items;

    KOKKOS_INLINE_FUNCTION FromBuffer at(int start) const {
      return FromBuffer{m_items + position(start)};
    }
    KOKKOS_INLINE_FUNCTION Key key(int j) const { return m_items[j].key(); }
    KOKKOS_INLINE_FUNCTION Item item(int j) const { return m_items[j]; }
  };
  using Moved = std::conditional_t<staged, SortColumns<Key>, FromBuffer>;
  KOKKOS_INLINE_FUNCTION Moved moved(int pass) const {
    if constexpr (staged)
      return Moved::in(m_buffer[pass % 2], m_n);
    else
      return Moved{m_buffer[pass % 2]};
  }

  // --- inspection --------------------------------------------------------
  KOKKOS_INLINE_FUNCTION void operator()(Inspect, const Member& member) const {
    const int chunk = member.league_rank();
    if constexpr (staged) {
      const Info info = inspect_staged(member);
      if (member.team_rank() == 0) m_info[chunk] = info;
    } else {
      m_info[chunk] = inspect(chunk);
      count_digits(member, 0, 1 << m_first_width, FromKeys{m_keys, 0});
    }
  }

  KOKKOS_INLINE_FUNCTION Info inspect(int chunk) const {
    const int start = begin(chunk), end = start + count(chunk);
    const Key mask = m_mask, key0 = m_keys(start) & mask;
    Key any = key0, all = key0;
    std::uint32_t unsorted = 0;
    const int from = (start > 0 ? start : 1), pairs = end - from;
    for (int j = 0; j < pairs; ++j) {
      const Key key    = m_keys(from + j) & mask;
      const Key before = m_keys(from + j - 1) & mask;
      any |= key;
      all &= key;
      unsorted |= (key < before ? 1u : 0u);
    }
    return Info{any, all, unsorted};
  }

  /// Looks at keys and counts digits. Reads each key once: neighbours come from
  /// scratch.
  KOKKOS_INLINE_FUNCTION Info inspect_staged(const Member& member) const {
    const int chunk = member.league_rank(), threads = member.team_size();
    const int start = begin(chunk), size = count(chunk);
    const int digits = 1 << m_first_width;
    Count* counts    = team_scratch<Count>(member, digits);
    Key* keys        = team_scratch<Key>(member, m_chunk);
    clear(member, counts, digits);
    Info info{0, m_mask, 0};
    for (int j = member.team_rank(); j < size; j += threads) {
      const Key key = m_keys(start + j) & m_mask;
      keys[j]       = key;
      info.any_bit |= key;
      info.all_bits &= key;
      Kokkos::atomic_fetch_add(&counts[digit(key, 0, digits)], Count(1));
    }
    member.team_barrier();
    for (int j = member.team_rank(); j < size; j += threads) {
      if (start + j == 0) continue;
      const Key before = j > 0 ? keys[j - 1] : Key(m_keys(start - 1) & m_mask);
      info.unsorted |= (keys[j] < before ? 1u : 0u);
    }
    store_counts(member, counts, digits);
    return combine(member, info);
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
      count_digits(member, shift, digits, moved(m_pass - 1));
    else if (!first_is_counted(plan))
      count_digits(member, shift, digits, FromKeys{m_keys, 0});
  }

  template <class Source>
  KOKKOS_INLINE_FUNCTION void count_digits(const Member& member, int shift,
                                           int digits,
                                           const Source& from) const {
    const int chunk = member.league_rank();
    const int start = begin(chunk), size = count(chunk);
    Count* counts = team_scratch<Count>(member, digits);
    clear(member, counts, digits);
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
    store_counts(member, counts, digits);
  }

  KOKKOS_INLINE_FUNCTION static void clear(const Member& member, Count* counts,
                                           int digits) {
    for (int d = first(member); d < digits; d += step(member)) counts[d] = 0;
    member.team_barrier();
  }

  KOKKOS_INLINE_FUNCTION void store_counts(const Member& member,
                                           const Count* counts,
                                           int digits) const {
    const int chunk = member.league_rank();
    if constexpr (staged) {
      const int part = ceil_div(digits, member.team_size());
      const int from = Math::min(digits, member.team_rank() * part);
      const int to   = Math::min(digits, from + part);
      Count sum      = 0;
      for (int d = from; d < to; ++d) sum += counts[d];
      Count run = member.team_scan(sum);
      for (int d = from; d < to; ++d) {
        m_table[slot(d, chunk, digits)]          = counts[d];
        m_total[std::size_t(chunk) * digits + d] = run;
        run += counts[d];
      }
    } else {
      for (int d = 0; d < digits; ++d)
        m_table[slot(d, chunk, digits)] = counts[d];
    }
  }

  // --- moving ------------------------------------------------------------
  KOKKOS_INLINE_FUNCTION void operator()(Scatter, const Member& member) const {
    const SortPlan& plan = *m_plan;
    if (m_pass >= plan.passes) return;
    if (m_pass > 0)
      scatter_from(member, plan, moved(m_pass - 1));
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
    Count* cursor            = team_scratch<Count>(member, digits);
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

  /// Many threads: the chunk is sorted in scratch; then the runs of equal
  /// digits are written by consecutive threads.
  template <class Source>
  KOKKOS_INLINE_FUNCTION void scatter_staged(const Member& member, int shift,
                                             int width,
                                             const Source& from) const {
    constexpr int threads = Tuning::team_size;
    const int digits      = 1 << width;
    const int chunk = member.league_rank(), thread = member.team_rank();
    const int size  = count(chunk);
    Count* to_place = team_scratch<Count>(member, digits);
    const InTeam team(member);
    // the place of a run less where it starts in the chunk
    for (int d = thread; d < digits; d += threads)
      to_place[d] = m_table[slot(d, chunk, digits)] -
                    m_total[std::size_t(chunk) * digits + d];
    team.load(from.at(begin(chunk)), size);
    team.sort(m_mask, shift, width);
    const bool last = m_pass > 0 && m_pass + 1 == m_plan->passes;
    const auto to   = moved(m_pass);
    for (int row = 0; row < size - thread; row += threads) {
      const Item item   = team.get(row, thread);
      const Count place = static_cast<Count>(row + thread) +
                          to_place[digit(item.key(), shift, digits)];
      if (last)
        put(static_cast<int>(place), item);
      else
        to.set(place, item);
    }
  }

  /// All there is lies in one chunk: one team sorts it by all bits.
  KOKKOS_INLINE_FUNCTION void operator()(OneChunk, const Member& member) const {
    const InTeam team(member);
    team.load(FromKeys{m_keys, 0}, m_n);
    if (m_mask != 0) team.sort(m_mask, 0, bit_width(std::uint64_t(m_mask)));
    for (int j = member.team_rank(); j < m_n; j += Tuning::team_size)
      put(j, team.get(j - member.team_rank(), member.team_rank()));
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
      const Moved from = moved(passes - 1);
      for (int r = 0; r < size; r += row(size)) {
        const Moved sorted = from.at(start + r);
        const int end      = Math::min(row(size), size - r);
        SPOROS_IVDEP
        for (int j = first(member); j < end; j += step(member))
          put(start + r + j, sorted.item(j));
      }
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
