// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_POINTBUCKETS_HPP
#define SPOROS_POINTBUCKETS_HPP

/// \file Sporos_PointBuckets.hpp
/// Devices: where the points of few cells go, before teams put them in order.
///
/// A bucket has the points of 2^log2_cells consecutive cells, some points on
/// average. Atomics count them, a scan places the buckets, and points go to
/// their buckets in any order: cell, then number of the point is an order
/// without ties, so that the last step (Sporos_SortBuckets.hpp) finds it again
/// whatever came before. Buckets of very many points are crowded. These are cut
/// into shares, of the points of one cell with neighbouring numbers.

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Consecutive places of points
struct PointRun {
  int begin, end;
};

struct PointBuckets {
  using Key                      = std::uint32_t;
  static constexpr Key crowded   = Key(1) << 31;  ///< marks a place
  static constexpr int of_a_scan = 16;            ///< buckets of an iteration
  static constexpr int shares_of = 1 << log2_bucket_shares;

  Key* places;       ///< counts of points, then where buckets begin; of a
                     ///< crowded one its number, and the mark
  int* crowds;       ///< where crowded buckets begin
  Key* shares;       ///< of crowded buckets: counts, then places
  Key count;         ///< the bucket of this number: points without a cell
  int log2_cells;    ///< of a bucket
  int log2_numbers;  ///< numbers of points from which those of a share come

  /// Cells of a bucket for n points, binary logarithm; negative if there are
  /// far more cells than points.
  static int choose_log2_cells(std::uint64_t cells, int log2_of_tile, int n) {
    const int most = Math::min(most_log2_bucket, log2_of_tile);
    int log2       = 0;
    while (log2 < most && cells >> log2 > std::uint64_t(n / bucket_points))
      ++log2;
    return cells >> log2 <= std::uint64_t(n) ? log2 : -1;
  }
  /// Entries of places: also of points without a cell, and of what comes after
  KOKKOS_FUNCTION int blocks() const {
    return int(ceil_div(count + 2, Key(of_a_scan)));
  }
  static std::size_t most_crowds(int n) {
    return std::size_t(n / most_bucket_points) + 1;
  }

  KOKKOS_FORCEINLINE_FUNCTION int begin(Key bucket) const {
    const Key place = places[bucket];
    return place < crowded ? int(place) : crowds[place - crowded];
  }
  /// The share of a point in a crowded bucket
  KOKKOS_FORCEINLINE_FUNCTION Key* share(Key place, Key key, int point) const {
    const Key cell = key & ((Key(1) << log2_cells) - 1);
    return shares + (std::size_t(place - crowded) << log2_bucket_shares) +
           (cell << (log2_bucket_shares - log2_cells) |
            Key(point >> log2_numbers));
  }
  /// Where the points of a bucket begin, or those of a share if it is crowded
  KOKKOS_FORCEINLINE_FUNCTION int place(Key key, int point) const {
    const Key at = places[key >> log2_cells];
    return int(at < crowded ? at : *share(at, key, point));
  }
  /// The places of all points of the bucket or share of a point
  KOKKOS_FORCEINLINE_FUNCTION PointRun run(Key key, int point) const {
    const Key bucket = key >> log2_cells, at = places[bucket];
    if (at < crowded) return {int(at), begin(bucket + 1)};
    const Key* const own = share(at, key, point);
    const bool last      = (own - shares + 1) % shares_of == 0;
    return {int(*own), last ? begin(bucket + 1) : int(own[1])};
  }
};

/// Memory of buckets
template <class MemorySpace>
struct BucketMemory {
  WorkspaceView<std::uint32_t, MemorySpace> places{
      "Sporos::ParticleGridPlan::places"};
  WorkspaceView<int, MemorySpace> crowds{"Sporos::ParticleGridPlan::crowds"};

  std::size_t bytes() const { return places.bytes() + crowds.bytes(); }

  /// Buckets of so many cells for n points
  /// \param shares 8 bytes for each point
  template <class Exec>
  PointBuckets require(const Exec& exec, std::uint64_t cells, int log2_cells,
                       int n, void* shares) {
    PointBuckets b{};
    b.count        = std::uint32_t(cells >> log2_cells);
    b.log2_cells   = log2_cells;
    b.log2_numbers = Math::max(
        0, bit_width(std::uint64_t(n - 1)) - (log2_bucket_shares - log2_cells));
    b.places = places.require_data(
        exec, std::size_t(b.blocks()) * PointBuckets::of_a_scan);
    b.crowds = crowds.require_data(exec, PointBuckets::most_crowds(n));
    b.shares = static_cast<std::uint32_t*>(shares);
    return b;
  }
};

/// Nothing was counted yet.
struct ClearBuckets {
  PointBuckets buckets;
  BinCounts* counts;
  int tiles;
  int color_begin[most_colors];

  KOKKOS_FUNCTION void operator()(int i) const {
    if (i == 0) {
      counts->inside = counts->tiles = counts->parts = counts->crowds = 0;
      counts->listed                                                  = tiles;
      counts->first_bad = none_bad;
    }
    if (i < most_colors)
      counts->color_begin[i] = counts->color_end[i] = color_begin[i];
    const int blocks = buckets.blocks();
    if (i < blocks)
      for (int k = 0; k < PointBuckets::of_a_scan; ++k)
        buckets.places[k * blocks + i] = 0;
  }
};

/// Points of a thread: t, t + threads and so on, so that neighbouring threads
/// take neighbouring ones. What a kernel loads once serves them all.
struct PointsOfThreads {
  static constexpr int each = points_of_a_thread;
  int n;

  KOKKOS_FUNCTION int threads() const { return ceil_div(n, each); }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(int t, const F& f) const {
    const int step = threads();
    for (int k = 0; k < each; ++k)
      if (t + k * step < n) f(t + k * step);
  }
};

/// Keys of points, and how many points came to their buckets before them.
template <class Inspect>
struct CountInBuckets {
  Inspect inspect;
  PointBuckets buckets;
  int* ranks;

  KOKKOS_FUNCTION void operator()(int t, int& first_bad) const {
    PointsOfThreads{inspect.n}.for_each(t, [&](int i) {
      const std::uint32_t key = inspect.key_of(i, first_bad);
      inspect.keys[i]         = key;
      ranks[i]                = int(Kokkos::atomic_fetch_add(
                         buckets.places + (key >> buckets.log2_cells), std::uint32_t(1)));
    });
  }
};

/// Counts become places; an iteration does several buckets, as iterations of
/// scans are costly.
struct PlaceBuckets {
  using value_type = std::uint32_t;
  struct alignas(16) Four {
    value_type entry[4];
  };
  PointBuckets buckets;
  BinCounts* counts;

  KOKKOS_FUNCTION void operator()(int b, value_type& place, bool final) const {
    constexpr int fours = PointBuckets::of_a_scan / 4;
    Four* const four    = reinterpret_cast<Four*>(buckets.places) + b * fours;
    SPOROS_UNROLL
    for (int q = 0; q < fours; ++q) {
      Four here = four[q];
      SPOROS_UNROLL
      for (int k = 0; k < 4; ++k) {
        const value_type points = here.entry[k];
        here.entry[k]           = place;
        if (final && points > value_type(most_bucket_points))
          here.entry[k] = add_crowd(place);
        place += points;
      }
      if (final) four[q] = here;
    }
  }

 private:
  KOKKOS_FUNCTION value_type add_crowd(value_type place) const {
    const int crowd       = Kokkos::atomic_fetch_add(&counts->crowds, 1);
    buckets.crowds[crowd] = int(place);
    value_type* const shares =
        buckets.shares + (std::size_t(crowd) << log2_bucket_shares);
    for (int s = 0; s < PointBuckets::shares_of; ++s) shares[s] = 0;
    return PointBuckets::crowded + value_type(crowd);
  }
};

/// Lists all tiles by number, those without points too, and by colour those
/// with points; parts and tiles of a colour come in any order. Counts the
/// points of shares.
template <class Cells>
struct ListAllTiles {
  Cells cells;
  PointBuckets buckets;
  BinCounts* counts;
  TileRanges to;
  int* by_color;
  const std::uint32_t* keys;  ///< in the given order
  int* ranks;
  int tiles, n;
  int step = 0;  ///< threads()

  /// Threads: at least one for each tile
  int threads() const {
    return Math::max(tiles, ceil_div(n, points_of_a_counter));
  }

  KOKKOS_FUNCTION void operator()(int t) const {
    if (t < tiles) list(t);
    if (counts->crowds == 0) return;
    for (std::int64_t i = t; i < n; i += step) count(int(i));
  }

 private:
  KOKKOS_FUNCTION void count(int i) const {
    const std::uint32_t key = keys[i];
    const std::uint32_t at  = buckets.places[key >> buckets.log2_cells];
    if (at >= PointBuckets::crowded)
      ranks[i] = int(Kokkos::atomic_fetch_add(buckets.share(at, key, i),
                                              std::uint32_t(1)));
  }
  KOKKOS_FUNCTION void list(int t) const {
    const int log2_buckets = Cells::Shape::log2_cells - buckets.log2_cells;
    const auto first       = std::uint32_t(t) << log2_buckets;
    const int begin        = buckets.begin(first);
    const int end = buckets.begin(first + (std::uint32_t(1) << log2_buckets));
    if (t == 0) counts->inside = buckets.begin(buckets.count);
    const int slots = begin < end ? to.slots(end - begin) : 0;
    const int slot =
        slots > 0 ? Kokkos::atomic_fetch_add(&counts->parts, slots) : -1;
    to.put(t, PointRange{std::uint32_t(t), begin, end, slot, slots});
    if (begin == end) return;
    Kokkos::atomic_fetch_add(&counts->tiles, 1);
    const std::uint32_t c = cells.color(std::uint32_t(t));
    by_color[Kokkos::atomic_fetch_add(counts->color_end + c, 1)] = t;
  }
};

/// Counts of shares become places, a crowded bucket for a team.
struct PlaceShares {
  static constexpr int threads = bucket_team;
  PointBuckets buckets;
  const BinCounts* counts;

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    constexpr int each = PointBuckets::shares_of / threads;
    const int crowds   = counts->crowds;
    for (int c = team.league_rank(); c < crowds; c += team.league_size()) {
      std::uint32_t* const shares = buckets.shares +
                                    (std::size_t(c) << log2_bucket_shares) +
                                    team.team_rank() * each;
      std::uint32_t sum = 0;
      for (int s = 0; s < each; ++s) sum += shares[s];
      std::uint32_t place =
          std::uint32_t(buckets.crowds[c]) + team.team_scan(sum);
      for (int s = 0; s < each; ++s) {
        const std::uint32_t points = shares[s];
        shares[s]                  = place;
        place += points;
      }
      team.team_barrier();
    }
  }
};

/// Points go to their buckets: key and number in one word.
struct ScatterPoints {
  PointBuckets buckets;
  const std::uint32_t* keys;  ///< in the given order
  const int* ranks;
  std::uint64_t* words;

  PointsOfThreads points;

  KOKKOS_FUNCTION void operator()(int t) const {
    points.for_each(t, [&](int i) {
      const std::uint32_t key = keys[i];
      words[buckets.place(key, i) + ranks[i]] =
          std::uint64_t(key) << 32 | std::uint32_t(i);
    });
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
