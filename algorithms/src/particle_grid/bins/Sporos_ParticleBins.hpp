// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEBINS_HPP
#define SPOROS_PARTICLEBINS_HPP

/// \file Sporos_ParticleBins.hpp
/// Points sorted by cell, cells grouped by tile, tiles grouped by colour: what
/// a plan computes for the positions of one time step.

#include <Sporos_Error.hpp>
#include <Sporos_ForEachIndex.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_ViewChecks.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_ListTiles.hpp>
#include <particle_grid/bins/Sporos_OrderRepair.hpp>
#include <particle_grid/bins/Sporos_PointBuckets.hpp>
#include <particle_grid/bins/Sporos_SortBuckets.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <iterator>
#include <limits>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// n values of T in a workspace of doubles.
template <class T, class Exec, class Space>
T* typed_scratch(const Exec& exec, Space& space, std::size_t n) {
  static_assert(sizeof(T) <= sizeof(double), "typed_scratch: T too large");
  return reinterpret_cast<T*>(space.require_data(
      exec, (n * sizeof(T) + sizeof(double) - 1) / sizeof(double)));
}

/// \param whole did the last update of the plan run to its end?
inline void check_updated(const char* function, bool whole) {
  check(whole, function, "plan", "one whose last update succeeded",
        "one whose update ended with an exception; update it again");
}

/// Throws if there is a point whose coordinates are not finite; none_bad: none.
inline void check_finite_points(const char* function, int first_bad) {
  check(first_bad == none_bad, function, "positions", "finite coordinates",
        text("NaN, infinity or an overflow in cells at point ", first_bad));
}

/// Owner of the sorted points. Everything is in internal directions (see
/// TiledCells).
template <class Exec, int Dim, class Real, int Support, bool Wide = wide_tiles>
class ParticleBins {
 public:
  using Cells        = TiledCells<Dim, Real, Support, Wide>;
  using memory_space = typename Exec::memory_space;
  template <class T>
  using Array = typename WorkspaceView<T, memory_space>::view_type;

  Cells cells;
  /// Sums of a tile depend on the points alone that touch the same grid point:
  /// no tile is cut into parts.
  bool any_ranks        = false;
  int n                 = 0;
  std::uint64_t version = 0;        ///< number of updates so far
  Array<int> permutation;           ///< sorted -> given order
  Array<std::uint32_t> keys;        ///< sorted keys, see TiledCells; of wide
                                    ///< ones the tiles
  std::uint16_t* locals = nullptr;  ///< cell in the tile, of sorted points
  Real* fractions       = nullptr;  ///< r of direction k at k * pitch + i
  std::size_t pitch     = 0;
  PointRange* ranges    = nullptr;  ///< tiles, see BinCounts::listed
  int* by_color         = nullptr;  ///< indices of ranges, those of a colour
                                    ///< side by side; only with points
  PointRange* parts = nullptr;      ///< parts of tiles
  BinCounts* counts = nullptr;

  /// \param all cells of the whole grid, or of a window of it
  [[gnu::cold]] void set_cells(const Cells& all) {
    cells = all.with_fitting_keys();
    for (int k = 0; k < Dim; ++k) {
      std::fill(std::begin(m_columns[k]), std::end(m_columns[k]), 0);
      for (int t = 0; t < cells.columns(k); ++t)
        ++m_columns[k][cells.direction_color(k, t)];
    }
  }
  /// Number of tiles with points as far as the host can tell without waiting.
  int tile_bound() const { return m_tile_bound; }
  /// Upper bound of the number of tiles with points of a colour.
  int color_bound(int color) const {
    std::uint64_t bound = std::uint64_t(1) << cells.log2_tiles();
    for (int k = 0; k < Dim; ++k, color /= direction_colors)
      bound *= std::uint64_t(m_columns[k][color % direction_colors]);
    return int(Math::min(bound, std::uint64_t(m_tile_bound)));
  }
  /// More points than this in a tile are added up in parts; with any_ranks no
  /// tile is cut. Devices have room for many teams: if there are few points,
  /// they cut more.
  int part_points() const {
    if (any_ranks) return std::numeric_limits<int>::max();
    if constexpr (is_host_space_v<Exec>)
      return Math::max(most_part_points, 2 << Cells::Shape::log2_cells);
    if constexpr (Support > max_team_support)  // the sums of a part are large
      return most_part_points;
    return Math::max(least_part_points,
                     Math::min(most_part_points, n / parts_of_all));
  }
  /// Does each tile with points consist of parts, one or several? Devices sum
  /// all tiles of a whole grid at once if it has at most most_images of them,
  /// each into memory: in 3D up to 55 MB of doubles for a component.
  bool all_in_parts() const {
    if constexpr (is_host_space_v<Exec>) {
      return false;
    } else {
      bool fits = !any_ranks && Support <= max_team_support &&
                  cells.tile_count() <= most_images;
      for (int k = 0; k < Dim; ++k) {
        const bool laps =  // an image meets itself
            cells.wraps[k] &&
            cells.cells[k] < Cells::Shape::extent(k) + Support;
        fits = fits && !cells.window.is_line[k] && !laps;
      }
      return fits;
    }
  }
  /// Upper bound of the number of parts.
  std::size_t part_bound() const {
    const auto whole = std::size_t(n) / std::size_t(part_points());
    const auto tiles = std::size_t(m_tile_bound);
    return whole + (all_in_parts() ? tiles : Math::min(whole, tiles));
  }
  std::size_t bytes() const {
    return m_keys.bytes() + m_given_keys.bytes() + m_permutation.bytes() +
           m_locals.bytes() + m_fractions.bytes() + m_starts.bytes() +
           m_colors.bytes() + m_by_color.bytes() + m_ranges.bytes() +
           m_parts.bytes() + m_sort.bytes() + m_sort_colors.bytes() +
           m_wide_keys.bytes() + m_wide_sort.bytes() + m_counts.bytes() +
           m_buckets.bytes();
  }

  /// Sorts the points; on hosts, if few left their cells since the last update,
  /// by a repair of the last order. Throws std::invalid_argument for a
  /// coordinate that is not finite, leaving the bins as they were; spaces that
  /// are asynchronous keep the index of the first such point for check().
  /// function: named in messages
  /// own: the first points, whose numbers stay the same; the repair takes all
  /// others for new ones
  template <class Positions>
  void update(const char* function, const Exec& exec,
              const Positions& positions, const ImagesOfPoints& images,
              int own) {
    const ProfilingRegion region("Sporos::ParticleGridPlan::update");
    if (counts != nullptr) check_device(function, exec);
    m_function   = function;
    m_updated_in = exec;
    m_images     = images;
    m_next_own   = own;
    if (counts == nullptr) allocate_counts(exec);
    if (cells.wide_keys())
      sort_wide(exec, positions);
    else
      repair_or_sort(exec, positions);
    m_own   = own;
    m_whole = true;
  }

  /// Numbers the points anew, in their order.
  void take_order(const Exec& exec) {
    ++version;
    const bool keeps_keys = is_host_space_v<Exec> && !cells.wide_keys();
    for_each_index(
        "Sporos::ParticleGridPlan::take_order", Range(exec, 0, n),
        TakeOrder{keys.data(),
                  keeps_keys ? m_given_keys.require_data(exec, std::size_t(n))
                             : nullptr,
                  permutation.data()});
  }

  /// Throws if the last update ended with an exception on its way, as of an
  /// allocation that failed: then the arrays do not fit each other.
  void check_whole(const char* function) const {
    check_updated(function, m_whole);
  }

  /// Throws for an instance on another device than that of the updates.
  void check_device(const char* function, const Exec& exec) const {
    Impl::check_device(function, exec, device_of(m_updated_in));
  }

  /// Waits for the last update and throws if it met a bad coordinate.
  void check(const Exec& exec) const {
    check_finite(
        read_counts(exec, "Sporos::ParticleGridPlan::check").first_bad);
  }

  BinCounts host_counts(const Exec& exec) const {
    return n > 0 ? read_counts(exec, "Sporos::ParticleGridPlan::describe")
                 : BinCounts{};
  }

 private:
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  template <class T>
  using Space = WorkspaceView<T, memory_space>;
  template <class Memory>
  using Counts = Kokkos::View<BinCounts, Memory, Kokkos::MemoryUnmanaged>;

  /// Copies what the last update found in exec, which may be another instance.
  BinCounts read_counts(const Exec& exec, const char* label) const {
    fence(m_updated_in, label);
    BinCounts to{};
    if constexpr (is_host_space_v<Exec>)
      to = *counts;
    else  // of rank 0: Kokkos compiles no kernel for it
      Kokkos::deep_copy(exec, make_view<Counts<Kokkos::HostSpace>>(&to),
                        make_view<Counts<memory_space>>(counts));
    fence(exec, label);
    return to;
  }

  void check_finite(int first_bad) const {
    check_finite_points(m_function, first_bad);
  }

  void allocate_counts(const Exec& exec) {
    counts = m_counts.require_data(exec, 1);
    for_each_index("Sporos::ParticleGridPlan::clear_counts", Range(exec, 0, 1),
                   ClearCounts{counts});
  }

  template <class Positions>
  void repair_or_sort(const Exec& exec, const Positions& positions) {
    const auto count = std::size_t(positions.n);
    if constexpr (is_host_space_v<Exec>) {
      const RepairMemory<memory_space> memory(exec, m_sort, count);
      // the order before is lost if its arrays grow
      const bool kept = m_whole && count <= m_given_keys.capacity();
      const ChangedKeys changed{
          m_given_keys.require_data(exec, kept ? std::size_t(n) : 0),
          memory.now.data(), kept ? Math::min(m_own, m_next_own) : 0,
          int(count), memory.counts};
      inspect(exec, positions, memory.now.data(), changed);
      check_finite(std::exchange(counts->first_bad, none_bad));
      begin_changes();
      if (repair(exec, positions, changed, memory))
        return check_order(
            exec, {keys.data(), permutation.data(), changed.before, n});
      resize(exec, count);
      for_each_index(
          "Sporos::ParticleGridPlan::keep_keys", Range(exec, 0, n),
          KeepKeys{memory.now.data(), m_given_keys.require_data(exec, count),
                   keys.data()});
    } else {
      const int log2_bucket = PointBuckets::choose_log2_cells(
          cells.whole_key_end(), Cells::Shape::log2_cells, int(count));
      begin_changes();
      resize(exec, count);
      if (log2_bucket >= 0) {
        sort_by_bucket(exec, positions, log2_bucket);
        return check_order(exec, {keys.data(), permutation.data(), nullptr, n});
      }
      inspect(exec, positions, keys.data(), {});
    }
    sort_by_key(exec, m_sort, keys, permutation, cells.key_bits());
    gather<false>(exec, positions, now_sorted(keys.data()));
    if (n > 0) list_tiles(exec);
    check_order(exec, {keys.data(), permutation.data(), nullptr, n});
  }

  /// Devices, where cells are not far more than points. Until the last kernel
  /// keys are in the given order, and the permutation has ranks in buckets.
  template <class Positions>
  void sort_by_bucket(const Exec& exec, const Positions& positions,
                      int log2_bucket) {
    using Sort   = BucketSort<Exec, Cells, Positions, Real>;
    m_tile_bound = int(cells.tile_count());
    reserve_sort(exec, m_sort, std::size_t(n));
    reserve_lists(exec, std::size_t(m_tile_bound));
    auto* const words =
        reinterpret_cast<std::uint64_t*>(m_sort.even.require_data(exec, 0));
    const PointBuckets buckets =
        m_buckets.require(exec, cells.whole_key_end(), log2_bucket, n,
                          m_sort.odd.require_data(exec, 0));
    const auto to = require_lists(exec, std::size_t(m_tile_bound));
    ClearBuckets clear{buckets, counts, m_tile_bound, {}};
    for (int c = 0, begin = 0; c < Cells::colors; begin += color_bound(c++))
      clear.color_begin[c] = begin;
    Sort{{cells, positions, keys.data(), n, {}, m_images},
         clear,
         {cells, buckets, counts, to, by_color, keys.data(), permutation.data(),
          m_tile_bound, n},
         {buckets,
          words,
          {cells, positions,
           PointOrder<std::uint32_t>{nullptr, nullptr, keys.data(),
                                     permutation.data()},
           locals, fractions, pitch, n}},
         words}
        .run(exec);
  }

  /// Grids of more than 2^32 cells. Their orders are never repaired.
  template <class Positions>
  void sort_wide(const Exec& exec, const Positions& positions) {
    const auto count = std::size_t(positions.n);
    const auto wide  = m_wide_keys.require(exec, count);
    inspect(exec, positions, wide.data(), {});
    if constexpr (is_host_space_v<Exec>)
      check_finite(std::exchange(counts->first_bad, none_bad));
    begin_changes();
    resize(exec, count);
    sort_by_key(exec, m_wide_sort, wide, permutation, cells.key_bits());
    gather<true>(exec, positions, now_sorted(wide.data()));
    if (n > 0) list_tiles(exec);
  }

  /// Keys and permutation, which were sorted in place
  template <class Key>
  PointOrder<Key> now_sorted(const Key* sorted) const {
    return {sorted, permutation.data(), keys.data()};
  }

  /// From here on an exception, as of an allocation that fails, leaves bins
  /// that the next update makes anew.
  void begin_changes() {
    m_whole = false;
    ++version;
  }

  template <class Positions, class Key>
  void inspect(const Exec& exec, const Positions& positions, Key* to,
               const ChangedKeys& changes) {
    const ProfilingRegion region("Sporos::ParticleGridPlan::update::keys");
    constexpr int block = is_host_space_v<Exec> ? ChangedKeys::block : 1;
    const int count     = positions.n;
    reduce_min<memory_space>(
        "Sporos::ParticleGridPlan::keys",
        Range(exec, 0, ceil_div(count, block)),
        InspectPoints<Cells, Positions, block, Key>{cells, positions, to, count,
                                                    changes, m_images},
        &counts->first_bad);
  }

  /// Makes room for all arrays of points; keeps keys and permutation if they
  /// need not grow.
  void resize(const Exec& exec, std::size_t count) {
    keys        = m_keys.require(exec, count);
    permutation = m_permutation.require(exec, count);
    // readers load whole registers, also beyond the last point
    pitch     = (count + 31) / 16 * 16;
    locals    = m_locals.require_data(exec, pitch);
    fractions = m_fractions.require_data(exec, Dim * pitch);
    n         = int(count);
  }

  /// \return false, with nothing done, if so many points changed that it is
  ///   better to sort all
  template <class Positions>
  bool repair(const Exec& exec, const Positions& positions,
              const ChangedKeys& changed,
              const RepairMemory<memory_space>& memory) {
    using Memory      = RepairMemory<memory_space>;
    const int dropped = n - changed.n_kept;
    if (changed.n_kept == 0 || dropped > changed.n_all) return false;
    const ProfilingRegion region("Sporos::ParticleGridPlan::update::repair");
    scan_index<std::uint32_t>(
        "Sporos::ParticleGridPlan::count_changes",
        Range(exec, 0, changed.blocks()),
        PlaceChanges{memory.counts, memory.found, changed.blocks()});
    const std::uint32_t changes = *memory.found;
    if (changes > Memory::max_changes(std::size_t(changed.n_all))) return false;
    if (changes == 0 && dropped == 0) {
      gather<false>(exec, positions, now_sorted(keys.data()));
      return true;
    }
    for_each_index(
        "Sporos::ParticleGridPlan::list_changes",
        Range(exec, 0, changed.blocks()),
        ListChanges{changed, changes, memory.change_keys, memory.listed});
    sort_by_key(exec, m_sort,
                make_view<Array<std::uint32_t>>(memory.change_keys, changes),
                make_view<Array<int>>(memory.order, changes), cells.key_bits());
    for_each_index("Sporos::ParticleGridPlan::order_changes",
                   Range(exec, 0, int(changes)),
                   OrderChanges{memory.listed, memory.order, memory.changes});
    const MergeChanges merge{
        keys.data(),    permutation.data(), n,
        changed.n_kept, memory.change_keys, memory.changes,
        int(changes),   memory.merged_keys, memory.merged_points};
    scan_index<int>("Sporos::ParticleGridPlan::merge",
                    Range(exec, 0, merge.chunks()), merge);
    resize(exec, std::size_t(changed.n_all));
    gather<true>(
        exec, positions,
        PointOrder<std::uint32_t>{memory.merged_keys, memory.merged_points,
                                  keys.data(), permutation.data()});
    list_tiles(exec);
    return true;
  }

  template <bool Keeps, class Positions, class Key>
  void gather(const Exec& exec, const Positions& positions,
              const PointOrder<Key>& order) {
    for_each_index("Sporos::ParticleGridPlan::gather", Range(exec, 0, n),
                   GatherPoints<Keeps, Cells, Positions, Real, Key>{
                       cells, positions, order, locals, fractions, pitch, n});
  }

  void list_tiles(const Exec& exec) {
    const ProfilingRegion region("Sporos::ParticleGridPlan::update::tiles");
    const std::size_t nt        = n < 1 || cells.tile_count() > std::uint64_t(n)
                                      ? std::size_t(n)
                                      : std::size_t(cells.tile_count());
    int* const starts           = m_starts.require_data(exec, nt);
    std::uint32_t* const colors = m_colors.require_data(exec, nt);

    using Find = FindTiles<is_host_space_v<Exec>>;
    scan_index<int>("Sporos::ParticleGridPlan::tiles",
                    Range(exec, 0, ceil_div(n, Find::block)),
                    Find{keys.data(), starts, counts, cells.key_end(),
                         cells.log2_local, n});
    m_tile_bound = int(nt);
    if constexpr (is_host_space_v<Exec>) m_tile_bound = counts->tiles;
    const auto to = require_lists(exec, nt);
    const auto used_colors =
        make_view<Array<std::uint32_t>>(colors, m_tile_bound);
    const auto used_order = make_view<Array<int>>(by_color, m_tile_bound);
    for_each_index(
        "Sporos::ParticleGridPlan::colors", Range(exec, 0, m_tile_bound),
        ColorTiles<Cells>{cells, keys.data(), starts, counts, colors});
    sort_by_key(exec, m_sort_colors, used_colors, used_order,
                bit_width(std::uint64_t(Cells::colors)));
    scan_index<int>("Sporos::ParticleGridPlan::ranges",
                    Range(exec, 0, m_tile_bound + 1),
                    ListTiles{keys.data(), starts, counts, colors, to,
                              cells.log2_local, Cells::colors});
  }

  /// An update of fewer points, which sorts them by digits, allocates nothing.
  void reserve_lists(const Exec& exec, std::size_t nt) {
    m_starts.require_data(exec, nt);
    m_colors.require_data(exec, nt);
    reserve_sort(exec, m_sort_colors, nt);
  }

  /// Memory for the lists of nt tiles, once m_tile_bound is known
  TileRanges require_lists(const Exec& exec, std::size_t nt) {
    by_color = m_by_color.require_data(exec, nt);
    ranges   = m_ranges.require_data(exec, nt);
    parts    = m_parts.require_data(exec, part_bound());
    return {ranges, parts, part_points(), int(all_in_parts())};
  }

  const char* m_function = "Sporos::ParticleGridPlan";  ///< that updated
  Exec m_updated_in{};
  int m_columns[Dim][direction_colors] = {};  ///< of each colour
  ImagesOfPoints m_images;                    ///< only while update() runs
  bool m_whole = false;           ///< the last update ran to its end
  int m_own = 0, m_next_own = 0;  ///< see update(); of the last, and of this
  int m_tile_bound = 0;
  Space<BinCounts> m_counts{"Sporos::ParticleGridPlan::counts"};
  Space<std::uint32_t> m_keys{"Sporos::ParticleGridPlan::keys"};
  Space<std::uint32_t> m_given_keys{"Sporos::ParticleGridPlan::given_keys"};
  Space<int> m_permutation{"Sporos::ParticleGridPlan::permutation"};
  Space<std::uint16_t> m_locals{"Sporos::ParticleGridPlan::locals"};
  Space<Real> m_fractions{"Sporos::ParticleGridPlan::fractions"};
  Space<int> m_starts{"Sporos::ParticleGridPlan::starts"};
  Space<std::uint32_t> m_colors{"Sporos::ParticleGridPlan::colors"};
  Space<int> m_by_color{"Sporos::ParticleGridPlan::by_color"};
  Space<PointRange> m_ranges{"Sporos::ParticleGridPlan::ranges"};
  Space<PointRange> m_parts{"Sporos::ParticleGridPlan::parts"};
  BucketMemory<memory_space> m_buckets;
  SortWorkspace<std::uint32_t, memory_space> m_sort;
  SortWorkspace<std::uint32_t, memory_space> m_sort_colors;
  Space<std::uint64_t> m_wide_keys{"Sporos::ParticleGridPlan::wide_keys"};
  SortWorkspace<std::uint64_t, memory_space> m_wide_sort;
};

/// bins.update, see there. Sporos::compiled has it for common types.
template <class Exec, int Dim, class Real, int Support, class P>
void update_bins(const char* function, const Exec& exec,
                 ParticleBins<Exec, Dim, Real, Support>& bins,
                 const PointPositions<P, Dim>& positions,
                 const std::uint8_t* images) {
  bins.update(function, exec, positions, {images, 0}, positions.n);
}

}  // namespace Impl
}  // namespace Sporos

#endif
