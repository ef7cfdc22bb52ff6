// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXACTSUMKERNELS_HPP
#define SPOROS_EXACTSUMKERNELS_HPP

/// \file Sporos_ExactSumKernels.hpp
/// The kernels of exact_sum. Each piece of the values, and on devices many
/// threads, adds to one of a few slots; the slots are added to the result. The
/// cut may follow the number of threads, since exact sums have no order.

#include <Sporos_EngineConstants.hpp>
#include <Sporos_ExactSumBlock.hpp>
#include <Sporos_ExactSumDigits.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Rows of values: elements of rank 1 have one component.
template <class Values>
struct ExactSumRows {
  Values m_values;

  KOKKOS_INLINE_FUNCTION double operator()(std::int64_t i, int c) const {
    if constexpr (view_rank_v<Values> == 1)
      return double(m_values(std::size_t(i)));
    else
      return double(m_values(std::size_t(i), std::size_t(c)));
  }
};

/// Hosts: piece p adds its blocks to slots of its own.
template <class Values, class Slots>
struct ExactSumPieces {
  ExactSumRows<Values> m_rows;
  Slots m_slots;  // (piece, component)
  std::int64_t m_n;
  int m_pieces;

  void operator()(int p) const {
    const std::int64_t blocks = ceil_div(m_n, std::int64_t(exact_block));
    const int components      = int(m_slots.extent(1));
    const std::int64_t end    = blocks * (p + 1) / m_pieces;
    for (int c = 0; c < components; ++c) m_slots(p, c) = ExactSumDigits{};
    for (std::int64_t b = blocks * p / m_pieces; b < end; ++b)
      for (int c = 0; c < components; ++c) block(m_slots(p, c), b, c);
  }

  void block(ExactSumDigits& sum, std::int64_t b, int c) const {
    const std::int64_t begin = b * exact_block;
    const int n = int(std::min(m_n - begin, std::int64_t(exact_block)));
    double x[exact_block];
    for (int i = 0; i < n; ++i) x[i] = m_rows(begin + i, c);
    for (int i = n; i < exact_block; ++i) x[i] = 0;
    add_exact_block(sum, x, n);
  }
};

/// Devices: thread t adds every m_threads-th row, at most exact_block of them,
/// to slot t mod the number of slots, by integer atomics. A digit takes at most
/// 2^32 with each add, so that 2^30 adds fit without carries.
template <class Values, class Slots>
struct ExactSumThreads {
  ExactSumRows<Values> m_rows;
  Slots m_slots;  // (slot, component)
  std::int64_t m_n;
  int m_threads;

  KOKKOS_INLINE_FUNCTION void operator()(int t) const {
    const int slot = t % int(m_slots.extent(0));
    for (int c = 0; c < int(m_slots.extent(1)); ++c)
      thread(m_slots(slot, c), t, c);
  }

  KOKKOS_INLINE_FUNCTION void thread(ExactSumDigits& sum, int t, int c) const {
    double largest = 0;
    for (std::int64_t i = t; i < m_n; i += m_threads) {
      const double x = m_rows(i, c);
      largest        = x > largest ? x : -x > largest ? -x : largest;
    }
    const ExactSplit at(largest);
    double leading = 0, middle = 0;
    int flags = 0;
    for (std::int64_t i = t; i < m_n; i += m_threads) {
      const double x = m_rows(i, c);
      flags |= ExactSumDigits::flag(real_to_bits(x));
      add(sum, at.m_works ? ExactSplit::split(x, at.m_first, at.m_second,
                                              leading, middle)
                          : x);
    }
    add(sum, leading);
    add(sum, middle);
    Kokkos::atomic_fetch_or(&sum.m_flags, flags);
  }

  /// Adds the digits of x to a sum. Infinities and NaN add none: their flags
  /// alone decide on the result.
  KOKKOS_INLINE_FUNCTION static void add(ExactSumDigits& sum, double x) {
    const std::uint64_t bits = real_to_bits(x);
    if (x == 0 || ExactSumDigits::flag(bits) > ExactSumDigits::other) return;
    const DoubleParts parts(bits);
    const std::uint64_t digit[3] = {parts.low, parts.high & 0xffffffffu,
                                    parts.high >> 32};
    for (int d = 0; d < 3; ++d)
      Kokkos::atomic_add(
          reinterpret_cast<unsigned long long*>(&sum.m_digit[parts.first + d]),
          static_cast<unsigned long long>(bits >> 63 ? 0 - digit[d]
                                                     : digit[d]));
  }
};

/// Devices: empties the slots.
template <class Slots>
struct ExactSumClear {
  Slots m_slots;

  KOKKOS_INLINE_FUNCTION void operator()(int i) const {
    const int components                    = int(m_slots.extent(1));
    m_slots(i / components, i % components) = ExactSumDigits{};
  }
};

/// Adds the slots of component c, the team's rank, to its result. The halves
/// of a slot's digit go to two digits, so that no digit overflows.
template <class Slots, class Sums, class Exec>
struct ExactSumMerge {
  using Member = typename Kokkos::TeamPolicy<Exec>::member_type;
  Slots m_slots;
  Sums m_sums;  // (component): have m_digits

  KOKKOS_INLINE_FUNCTION void operator()(const Member& team) const {
    constexpr int last  = ExactSumDigits::digits - 1;
    const int c         = team.league_rank();
    ExactSumDigits& sum = m_sums(c).m_digits;
    for (int i = team.team_rank(); i <= last; i += team.team_size()) {
      long long digit = sum.m_digit[i];
      for (int s = 0; s < int(m_slots.extent(0)); ++s) {
        const long long* slot = m_slots(s, c).m_digit;
        digit += i < last ? slot[i] & 0xffffffff : slot[i];
        if (i > 0) digit += slot[i - 1] >> 32;
      }
      sum.m_digit[i] = digit;
    }
    team.team_barrier();
    if (team.team_rank() != 0) return;
    for (int s = 0; s < int(m_slots.extent(0)); ++s)
      sum.m_flags |= m_slots(s, c).m_flags;
    sum.normalise();
  }
};

/// How the rows are cut.
template <class Exec>
struct ExactSumCut {
  int slots, workers;  // workers: pieces on hosts, threads on devices

  ExactSumCut(const Exec& exec, std::int64_t n) {
    if constexpr (is_host_space_v<Exec>) {
      const std::int64_t pieces = ceil_div(n, std::int64_t(8 * exact_block));
      workers = int(std::min(pieces, std::int64_t(4 * exec.concurrency())));
      slots   = workers;
    } else {
      const std::int64_t rows = std::min(
          std::max(n >> 16, std::int64_t(EngineTuning<Exec>::exact_sum_rows)),
          std::int64_t(exact_block));
      workers = int(ceil_div(n, rows));
      slots   = std::min(workers, EngineTuning<Exec>::exact_sum_slots);
    }
  }
};

/// Adds n > 0 rows of `values` to the sums.
template <class Exec, class Slots, class Values, class Sums>
void launch_exact_sum(const Exec& exec, const ExactSumCut<Exec>& cut,
                      const Slots& slots, const Values& values,
                      const Sums& sums) {
  const std::int64_t n = std::int64_t(values.extent(0));
  const int components = int(slots.extent(1));
  if constexpr (is_host_space_v<Exec>) {
    for_each_index(
        "Sporos::exact_sum::pieces",
        Kokkos::RangePolicy<Exec>(exec, 0, cut.workers),
        ExactSumPieces<Values, Slots>{{values}, slots, n, cut.workers});
  } else {
    for_each_index("Sporos::exact_sum::clear",
                   Kokkos::RangePolicy<Exec>(exec, 0, cut.slots * components),
                   ExactSumClear<Slots>{slots});
    for_each_index(
        "Sporos::exact_sum::threads",
        Kokkos::RangePolicy<Exec>(exec, 0, cut.workers),
        ExactSumThreads<Values, Slots>{{values}, slots, n, cut.workers});
  }
  Kokkos::parallel_for(
      "Sporos::exact_sum::merge",
      Kokkos::TeamPolicy<Exec,
                         TeamBound<EngineTuning<Exec>::exact_sum_team_size>>(
          exec, components, EngineTuning<Exec>::exact_sum_team_size),
      ExactSumMerge<Slots, Sums, Exec>{slots, sums});
}

}  // namespace Impl
}  // namespace Sporos

#endif
