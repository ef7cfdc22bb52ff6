// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SORTBUCKETS_HPP
#define SPOROS_SORTBUCKETS_HPP

/// \file Sporos_SortBuckets.hpp
/// Devices: points that lie in their buckets (Sporos_PointBuckets.hpp) come in
/// order, cell, then number.
///
/// A team takes the buckets and shares that begin in a chunk of places. In
/// scratch a point counts those of its bucket that come before it: a bucket has
/// some points on average, and few have very many. A share that does not fit
/// into scratch is alone in its cell, and its numbers are distinct. So they are
/// put in order by bits, one for each number, a window of numbers after the
/// other.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_PaddedArray.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_PointBuckets.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Distinct numbers of points of one share, put in order by a team. They lie in
/// [low, low + 2^log2_numbers) and go to `sorted`.
template <class Member>
struct SortNumbers {
  static constexpr int threads     = bucket_team;
  static constexpr int words       = bucket_room;  ///< of bits, in scratch
  static constexpr int log2_window = log2_bucket_room + 5;  ///< bits of these
  /// Windows of numbers whose points are counted in scratch
  static constexpr int log2_windows = log2_bucket_room - 1;
  static constexpr int windows      = 1 << log2_windows;

  const Member& team;
  std::uint32_t* bits;
  std::uint32_t* ends;  ///< of the points of windows

  /// from: words with the numbers as their lower halves
  KOKKOS_FUNCTION void sort(const std::uint64_t* from, int n, std::uint32_t low,
                            int log2_numbers, int* sorted) const {
    constexpr std::uint32_t together = std::uint32_t(windows) << log2_window;
    const std::uint32_t size         = std::uint32_t(1) << log2_numbers;
    for (std::uint32_t skip = 0; skip < size; skip += together) {
      const std::uint32_t first = low + skip;
      cut(from, n, first, sorted);
      int begin = 0;
      for (int w = 0; w < windows; ++w) {
        const int end = int(ends[w]);
        if (begin < end)
          sort_window(first + (std::uint32_t(w) << log2_window), sorted + begin,
                      end - begin);
        begin = end;
      }
      sorted += begin;
      team.team_barrier();  // before the next ends
    }
  }

 private:
  /// The numbers of windows from number `first` on, window by window
  KOKKOS_FUNCTION void cut(const std::uint64_t* from, int n,
                           std::uint32_t first, int* sorted) const {
    constexpr int each = windows / threads;
    const int thread   = team.team_rank();
    for (int w = thread; w < windows; w += threads) ends[w] = 0;
    team.team_barrier();
    for (int j = thread; j < n; j += threads) {
      const std::uint32_t window =
          (std::uint32_t(from[j]) - first) >> log2_window;
      if (window < std::uint32_t(windows))
        Kokkos::atomic_fetch_add(ends + window, std::uint32_t(1));
    }
    team.team_barrier();
    std::uint32_t sum = 0;
    for (int k = 0; k < each; ++k) sum += ends[thread * each + k];
    std::uint32_t place = team.team_scan(sum);
    for (int k = 0; k < each; ++k) {
      const std::uint32_t points = ends[thread * each + k];
      ends[thread * each + k]    = place;
      place += points;
    }
    team.team_barrier();
    for (int j = thread; j < n; j += threads) {
      const auto number          = std::uint32_t(from[j]);
      const std::uint32_t window = (number - first) >> log2_window;
      if (window < std::uint32_t(windows))
        sorted[Kokkos::atomic_fetch_add(ends + window, std::uint32_t(1))] =
            int(number);
    }
    team.team_barrier();
  }

  KOKKOS_FUNCTION void sort_window(std::uint32_t low, int* numbers,
                                   int n) const {
    constexpr int each = words / threads;
    const int thread   = team.team_rank();
    for (int w = thread; w < words; w += threads) bits[w] = 0;
    team.team_barrier();
    for (int j = thread; j < n; j += threads) {
      const std::uint32_t bit = std::uint32_t(numbers[j]) - low;
      Kokkos::atomic_fetch_or(bits + bit / 32, std::uint32_t(1) << bit % 32);
    }
    team.team_barrier();
    int sum = 0;
    for (int k = 0; k < each; ++k) sum += popcount(bits[thread * each + k]);
    int place = team.team_scan(sum);
    for (int w = thread * each; w < (thread + 1) * each; ++w)
      for (int bit = 0; bit < 32; ++bit)
        if ((bits[w] >> bit & 1) != 0)
          numbers[place++] = int(low) + w * 32 + bit;
    team.team_barrier();
  }
};

/// See above. Gather: GatherPoints, which writes what a plan keeps of a point.
template <class Gather>
struct SortBuckets {
  static constexpr int threads = bucket_team;
  static constexpr int chunk   = bucket_chunk;
  static constexpr int room    = bucket_room;
  static_assert(chunk + most_bucket_points <= room,
                "buckets that are not crowded fit");
  PointBuckets buckets;
  const std::uint64_t* words;  ///< see ScatterPoints
  Gather gather;

  static std::size_t scratch_bytes() {
    return room * (sizeof(std::uint64_t) + sizeof(std::uint16_t)) +
           2 * sizeof(PointRun);
  }
  int teams() const { return ceil_div(gather.n, chunk); }

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    auto* const staged = team_scratch<std::uint64_t>(team, room);
    auto* const order  = team_scratch<std::uint16_t>(team, room);
    auto* const ends   = team_scratch<PointRun>(team, 2);
    const int from     = team.league_rank() * chunk;
    const int to       = Math::min(gather.n, from + chunk);
    // the runs of the points before and at the end of the chunk
    if (team.team_rank() == 0) ends[0] = from > 0 ? run(from - 1) : PointRun{};
    if (team.team_rank() == threads / 2) ends[1] = run(to - 1);
    team.team_barrier();
    const int begin = ends[0].end, last = ends[1].begin, end = ends[1].end;
    if (begin >= end) return;
    const bool fits = end - begin <= room;
    sort(team, begin, fits ? end : last, staged, order);
    if (!fits) sort_share(team, last, end, staged, order);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION PointRun run(int place) const {
    const std::uint64_t word = words[place];
    return buckets.run(std::uint32_t(word >> 32), int(std::uint32_t(word)));
  }

  template <class Member>
  KOKKOS_FUNCTION void sort(const Member& team, int begin, int end,
                            std::uint64_t* staged, std::uint16_t* order) const {
    const int n = end - begin, thread = team.team_rank();
    for (int j = thread; j < n; j += threads) staged[j] = words[begin + j];
    team.team_barrier();
    for (int j = thread; j < n; j += threads) {
      const std::uint64_t word = staged[j];
      const PointRun of =
          buckets.run(std::uint32_t(word >> 32), int(std::uint32_t(word)));
      int place = of.begin - begin;
      for (int k = of.begin - begin; k < of.end - begin; ++k)
        place += staged[k] < word ? 1 : 0;
      order[place] = std::uint16_t(j);
    }
    team.team_barrier();
    for (int j = thread; j < n; j += threads) {
      const std::uint64_t word = staged[order[j]];
      gather.put(begin + j, std::uint32_t(word >> 32),
                 int(std::uint32_t(word)));
    }
  }

  template <class Member>
  KOKKOS_FUNCTION void sort_share(const Member& team, int begin, int end,
                                  std::uint64_t* staged,
                                  std::uint16_t* order) const {
    const std::uint64_t word = words[begin];
    const int log2           = buckets.log2_numbers;
    team.team_barrier();  // all have read the scratch
    SortNumbers<Member>{team, reinterpret_cast<std::uint32_t*>(staged),
                        reinterpret_cast<std::uint32_t*>(order)}
        .sort(words + begin, end - begin, std::uint32_t(word) >> log2 << log2,
              log2, gather.order.to_points + begin);
    team.team_barrier();
    for (int i = begin + team.team_rank(); i < end; i += threads)
      gather.put(i, std::uint32_t(word >> 32), gather.order.to_points[i]);
  }
};

/// Sorts points by buckets, see Sporos_PointBuckets.hpp. Eight launches.
template <class Exec, class Cells, class Positions, class Real>
struct BucketSort {
  using Range   = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  using Inspect = InspectPoints<Cells, Positions, 1, std::uint32_t>;
  using Gather  = GatherPoints<true, Cells, Positions, Real, std::uint32_t>;

  Inspect inspect;
  ClearBuckets clear;
  ListAllTiles<Cells> list;
  SortBuckets<Gather> sort;

  void run(const Exec& exec) {
    list.step                   = list.threads();
    const PointBuckets& buckets = clear.buckets;
    BinCounts* const counts     = clear.counts;
    const PointsOfThreads points{list.n};
    for_each_index("Sporos::ParticleGridPlan::clear_buckets",
                   Range(exec, 0, Math::max(buckets.blocks(), most_colors)),
                   clear);
    using Count = CountInBuckets<Inspect>;
    for_each_index("Sporos::ParticleGridPlan::keys",
                   Range(exec, 0, points.threads()),
                   JoinSmallest<Count, int>{{inspect, buckets, list.ranks},
                                            &counts->first_bad});
    scan_index<std::uint32_t>("Sporos::ParticleGridPlan::place_buckets",
                              Range(exec, 0, buckets.blocks()),
                              PlaceBuckets{buckets, counts});
    for_each_index("Sporos::ParticleGridPlan::tiles",
                   Range(exec, 0, list.threads()), list);
    const int crowds = int(PointBuckets::most_crowds(points.n));
    Kokkos::parallel_for(
        "Sporos::ParticleGridPlan::place_shares",
        teams<PlaceShares::threads>(exec, Math::min(crowd_teams, crowds), 0),
        PlaceShares{buckets, counts});
    for_each_index(
        "Sporos::ParticleGridPlan::scatter", Range(exec, 0, points.threads()),
        ScatterPoints{buckets, list.keys, list.ranks, words, points});
    Kokkos::parallel_for("Sporos::ParticleGridPlan::gather",
                         teams<SortBuckets<Gather>::threads>(
                             exec, sort.teams(), sort.scratch_bytes()),
                         sort);
  }

  std::uint64_t* words;

 private:
  template <int Threads>
  static auto teams(const Exec& exec, int league, std::size_t scratch) {
    LightTeams<Exec, TeamBound<Threads>> policy(exec, league, Threads);
    policy.set_scratch_size(0, Kokkos::PerTeam(int(scratch)));
    return policy;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
