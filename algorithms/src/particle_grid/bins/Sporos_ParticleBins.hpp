// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PARTICLEBINS_HPP
#define SPOROS_PARTICLEBINS_HPP

/// \file Sporos_ParticleBins.hpp
/// Points sorted by cell, cells grouped by tile, tiles grouped by colour: what
/// a plan computes for the positions of one time step.

#include <Sporos_Error.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_OrderRepair.hpp>
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
  return reinterpret_cast<T*>(
      space.require(exec, (n * sizeof(T) + sizeof(double) - 1) / sizeof(double))
          .data());
}

/// Owner of the sorted points. Everything is in internal directions (see
/// TiledCells).
template <class Exec, int Dim, class Real, int Support, bool Wide = wide_tiles>
class ParticleBins {
 public:
  using Cells        = TiledCells<Dim, Real, Support, Wide>;
  using memory_space = typename Exec::memory_space;
  template <class T>
  using Array = Kokkos::View<T*, memory_space>;
  using Count = Kokkos::View<BinCounts, memory_space>;

  Cells cells;
  /// Sums of a tile depend on the points alone that touch the same grid point:
  /// no tile is cut into parts.
  bool any_ranks        = false;
  int n                 = 0;
  std::uint64_t version = 0;    ///< number of updates so far
  Array<int> permutation;       ///< sorted -> given order
  Array<std::uint32_t> keys32;  ///< sorted keys, if they fit
  Array<std::uint64_t> keys64;  ///< sorted keys otherwise
  Array<std::uint16_t> locals;  ///< cell in the tile, of sorted points
  Array<Real> fractions;        ///< r of direction k at k * pitch + i
  std::size_t pitch = 0;
  Array<PointRange> ranges;  ///< tiles with points
  Array<int> by_color;       ///< indices of ranges in order of colour
  Array<PointRange> parts;   ///< parts of tiles that are cut
  Count counts;

  /// \param of the whole grid, or a window of it
  void set_cells(const Cells& of) {
    cells = of;
    for (int k = 0; k < Dim; ++k) {
      std::fill(std::begin(m_columns[k]), std::end(m_columns[k]), 0);
      for (int t = 0; t < cells.columns(k); ++t)
        ++m_columns[k][cells.direction_color(k, t)];
    }
  }
  bool wide_keys() const {
    return cells.key_end() > std::numeric_limits<std::uint32_t>::max();
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
  /// tile is cut. Devices run the tiles of one colour at a time, and have room
  /// for some hundred teams: they cut what would be too few tiles.
  int part_points() const {
    if (any_ranks) return std::numeric_limits<int>::max();
    constexpr int most = 4096;
    if constexpr (is_synchronous_space_v<Exec>) return most;
    return Math::max(512, Math::min(most, n / 1024));
  }
  /// Upper bound of the number of parts.
  std::size_t part_bound() const {
    const auto whole = std::size_t(n) / std::size_t(part_points());
    return whole + Math::min(whole, std::size_t(m_tile_bound));
  }
  std::size_t bytes() const {
    return m_keys32.bytes() + m_keys64.bytes() + m_given_keys32.bytes() +
           m_given_keys64.bytes() + m_permutation.bytes() + m_locals.bytes() +
           m_fractions.bytes() + m_starts.bytes() + m_colors.bytes() +
           m_by_color.bytes() + m_ranges.bytes() + m_parts.bytes() +
           m_sort32.bytes() + m_sort64.bytes();
  }

  /// Sorts the points; on hosts, if few left their cells since the last update,
  /// by a repair of the last order. Throws std::invalid_argument for a
  /// coordinate that is not finite, leaving the bins as they were; spaces that
  /// are asynchronous keep the index of the first such point for check().
  /// own: the first points, whose numbers stay the same; the repair takes all
  /// others for new ones
  template <class Positions>
  void update(const Exec& exec, const Positions& positions,
              const ImagesOfPoints& images, int own) {
    m_updated_in = exec;
    m_images     = images;
    m_next_own   = own;
    if (counts.data() == nullptr) allocate_counts(exec);
    if (wide_keys())
      update(exec, positions, keys64, m_keys64, m_given_keys64, m_sort64);
    else
      update(exec, positions, keys32, m_keys32, m_given_keys32, m_sort32);
    m_own   = own;
    m_whole = true;
  }

  /// Waits for the last update and throws if it met a bad coordinate.
  void check(const Exec& exec) const {
    int first_bad = none_bad;
    read(exec, "Sporos::ParticleGridPlan::check", m_first_bad, first_bad);
    check_finite(first_bad);
  }

  BinCounts host_counts(const Exec& exec) const {
    BinCounts c{};
    if (n > 0) read(exec, "Sporos::ParticleGridPlan::describe", counts, c);
    return c;
  }

 private:
  static constexpr int none_bad = std::numeric_limits<int>::max();
  using Range = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
  template <class T>
  using Space = WorkspaceView<T, memory_space>;

  /// Copies what the last update found in exec, which may be another instance.
  template <class View, class T>
  void read(const Exec& exec, const char* label, const View& found,
            T& to) const {
    fence(m_updated_in, label);
    Kokkos::deep_copy(
        exec, Kokkos::View<T, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(&to),
        found);
    fence(exec, label);
  }

  static void check_finite(int first_bad) {
    Impl::check(first_bad == none_bad, "Sporos::ParticleGridPlan", "positions",
                "finite coordinates",
                text("NaN or infinity at point ", first_bad));
  }

  void allocate_counts(const Exec& exec) {
    counts =
        Count(Kokkos::view_alloc(exec, "Sporos::ParticleGridPlan::counts"));
    m_first_bad = Kokkos::View<int, memory_space>(
        Kokkos::view_alloc(exec, "Sporos::ParticleGridPlan::first_bad"));
  }

  /// \param given on hosts the keys in the given order, for the next update
  template <class Positions, class Key>
  void update(const Exec& exec, const Positions& positions, Array<Key>& keys,
              Space<Key>& key_space, Space<Key>& given,
              SortWorkspace<Key, memory_space>& sort) {
    const auto count = std::size_t(positions.n);
    if constexpr (is_synchronous_space_v<Exec>) {
      const RepairMemory<Key, memory_space> memory(exec, sort, count);
      // the order before is lost if its arrays grow
      const bool kept = m_whole && count <= given.capacity();
      const ChangedKeys<Key> of{
          given.require(exec, kept ? std::size_t(n) : 0).data(),
          memory.now.data(), kept ? m_own : 0, m_next_own, int(count)};
      inspect<ChangedKeys<Key>::block>(exec, positions, memory.now,
                                       CountChanges<Key>{of, memory.counts});
      check_finite(std::exchange(m_first_bad(), none_bad));
      begin_changes();
      // grids of more than 2^32 cells do not pay for compiling it twice
      if constexpr (sizeof(Key) == sizeof(std::uint32_t))
        if (repair(exec, positions, keys, key_space, of, sort, memory)) return;
      resize(exec, count, keys, key_space);
      Kokkos::parallel_for(
          "Sporos::ParticleGridPlan::keep_keys", Range(exec, 0, n),
          KeepKeys<Array<Key>>{memory.now, given.require(exec, count), keys});
    } else {
      begin_changes();
      resize(exec, count, keys, key_space);
      inspect<is_host_space_v<Exec> ? 64 : 1>(exec, positions, keys,
                                              CountNoChanges{});
    }
    sort_by_key(exec, sort, keys, permutation, key_bits());
    gather(exec, positions,
           SortedOrder<Array<Key>, Array<int>>{keys, permutation});
    if (n > 0) list_tiles(exec, keys);
  }

  /// From here on an exception, as of an allocation that fails, leaves bins
  /// that the next update makes anew.
  void begin_changes() {
    m_whole = false;
    ++version;
  }

  int key_bits() const { return bit_width(std::uint64_t(cells.key_end())); }

  template <int Block, class Positions, class Keys, class Changes>
  void inspect(const Exec& exec, const Positions& positions, const Keys& keys,
               const Changes& changes) {
    const int count = positions.n;
    Kokkos::parallel_reduce(
        "Sporos::ParticleGridPlan::keys",
        Range(exec, 0, ceil_div(count, Block)),
        InspectPoints<Cells, Positions, Keys, Block, Changes>{
            cells, positions, keys, count, changes, m_images},
        Kokkos::Min<int, memory_space>(m_first_bad));
  }

  /// Makes room for all arrays of points; keeps keys and permutation if they
  /// need not grow.
  template <class Key>
  void resize(const Exec& exec, std::size_t count, Array<Key>& keys,
              Space<Key>& key_space) {
    keys        = key_space.require(exec, count);
    permutation = m_permutation.require(exec, count);
    // readers load whole registers, also beyond the last point
    pitch     = (count + 31) / 16 * 16;
    locals    = m_locals.require(exec, pitch);
    fractions = m_fractions.require(exec, Dim * pitch);
    n         = int(count);
  }

  /// \return false, with nothing done, if so many points changed that it is
  ///   better to sort all
  template <class Positions, class Key>
  bool repair(const Exec& exec, const Positions& positions, Array<Key>& keys,
              Space<Key>& key_space, const ChangedKeys<Key>& of,
              SortWorkspace<Key, memory_space>& sort,
              const RepairMemory<Key, memory_space>& memory) {
    using Memory = RepairMemory<Key, memory_space>;
    if (of.n_before == 0 || of.n_now == 0) return false;
    const int blocks = ceil_div(of.n_all, ChangedKeys<Key>::block);
    Kokkos::parallel_scan("Sporos::ParticleGridPlan::count_changes",
                          Range(exec, 0, blocks),
                          PlaceChanges{memory.counts, memory.found, blocks});
    const std::uint32_t found = *memory.found;
    const std::uint32_t changes =
        found + std::uint32_t(Math::max(of.n_before - of.n_now, 0));
    if (changes > Memory::max_changes(std::size_t(of.n_all))) return false;
    if (changes == 0 && n == of.n_before) {
      gather(exec, positions,
             SortedOrder<Array<Key>, Array<int>>{keys, permutation});
      return true;
    }
    Kokkos::parallel_for("Sporos::ParticleGridPlan::list_changes",
                         Range(exec, 0, of.blocks()),
                         ListChanges<Key>{of, memory.counts, found,
                                          memory.change_keys, memory.listed});
    sort_by_key(
        exec, sort,
        typename Memory::template Array<Key>(memory.change_keys, changes),
        typename Memory::template Array<int>(memory.order, changes),
        key_bits());
    Kokkos::parallel_for(
        "Sporos::ParticleGridPlan::order_changes", Range(exec, 0, int(changes)),
        OrderChanges{memory.order, memory.listed, memory.changes});
    const MergeChanges<Key> merge{
        keys.data(),  permutation.data(), n,
        of.n_before,  memory.change_keys, memory.changes,
        int(changes), memory.merged_keys, memory.merged_points};
    Kokkos::parallel_scan("Sporos::ParticleGridPlan::merge",
                          Range(exec, 0, merge.chunks()), merge);
    resize(exec, std::size_t(of.n_all), keys, key_space);
    gather(exec, positions,
           MergedOrder<Array<Key>, Array<int>>{
               memory.merged_keys, memory.merged_points, keys, permutation});
    list_tiles(exec, keys);
    return true;
  }

  template <class Positions, class Order>
  void gather(const Exec& exec, const Positions& positions,
              const Order& order) {
    Kokkos::parallel_for(
        "Sporos::ParticleGridPlan::gather", Range(exec, 0, n),
        GatherPoints<Cells, Positions, Order, Array<std::uint16_t>,
                     Array<Real>>{cells, positions, order, locals, fractions,
                                  pitch, n});
  }

  template <class Keys>
  void list_tiles(const Exec& exec, const Keys& keys) {
    constexpr int log2   = Cells::Shape::log2_cells;
    const std::size_t nt = n < 1 || cells.tile_count() > std::uint64_t(n)
                               ? std::size_t(n)
                               : std::size_t(cells.tile_count());
    auto starts          = m_starts.require(exec, nt);
    auto colors          = m_colors.require(exec, nt);
    by_color             = m_by_color.require(exec, nt);
    ranges               = m_ranges.require(exec, nt);

    using Find = FindTiles<Keys, Array<int>, Count, is_host_space_v<Exec>>;
    Kokkos::parallel_scan(
        "Sporos::ParticleGridPlan::tiles",
        Range(exec, 0, ceil_div(n, Find::block)),
        Find{keys, starts, counts,
             typename Keys::non_const_value_type(cells.key_end()), log2, n});
    m_tile_bound = int(nt);
    if constexpr (is_synchronous_space_v<Exec>) m_tile_bound = counts().tiles;
    parts           = m_parts.require(exec, part_bound());
    const auto used = std::make_pair(std::size_t(0), std::size_t(m_tile_bound));
    Array<std::uint32_t> used_colors = Kokkos::subview(colors, used);
    Array<int> used_order            = Kokkos::subview(by_color, used);
    Kokkos::parallel_for(
        "Sporos::ParticleGridPlan::colors", Range(exec, 0, m_tile_bound),
        ColorTiles<Cells, Keys, Array<int>, Count, Array<std::uint32_t>>{
            cells, keys, starts, counts, colors});
    sort_by_key(exec, m_sort_colors, used_colors, used_order,
                bit_width(std::uint64_t(Cells::colors)));
    Kokkos::parallel_scan(
        "Sporos::ParticleGridPlan::ranges", Range(exec, 0, m_tile_bound + 1),
        ListTiles<Keys, Array<int>, Count, Array<std::uint32_t>,
                  Array<PointRange>>{keys, starts, counts, colors, ranges,
                                     parts, log2, part_points(),
                                     Cells::colors});
  }

  Exec m_updated_in{};
  int m_columns[Dim][direction_colors] = {};  ///< of each colour
  ImagesOfPoints m_images;                    ///< only while update() runs
  bool m_whole = false;           ///< the last update ran to its end
  int m_own = 0, m_next_own = 0;  ///< see update(); of the last, and of this
  int m_tile_bound = 0;
  Kokkos::View<int, memory_space> m_first_bad;
  Space<std::uint32_t> m_keys32{"Sporos::ParticleGridPlan::keys"};
  Space<std::uint64_t> m_keys64{"Sporos::ParticleGridPlan::keys"};
  Space<std::uint32_t> m_given_keys32{"Sporos::ParticleGridPlan::given_keys"};
  Space<std::uint64_t> m_given_keys64{"Sporos::ParticleGridPlan::given_keys"};
  Space<int> m_permutation{"Sporos::ParticleGridPlan::permutation"};
  Space<std::uint16_t> m_locals{"Sporos::ParticleGridPlan::locals"};
  Space<Real> m_fractions{"Sporos::ParticleGridPlan::fractions"};
  Space<int> m_starts{"Sporos::ParticleGridPlan::starts"};
  Space<std::uint32_t> m_colors{"Sporos::ParticleGridPlan::colors"};
  Space<int> m_by_color{"Sporos::ParticleGridPlan::by_color"};
  Space<PointRange> m_ranges{"Sporos::ParticleGridPlan::ranges"};
  Space<PointRange> m_parts{"Sporos::ParticleGridPlan::parts"};
  SortWorkspace<std::uint32_t, memory_space> m_sort32;
  SortWorkspace<std::uint64_t, memory_space> m_sort64;
  SortWorkspace<std::uint32_t, memory_space> m_sort_colors;
};

/// bins.update, see there. Sporos::compiled has it for common types.
template <class Exec, int Dim, class Real, int Support, class P>
void update_bins(const Exec& exec, ParticleBins<Exec, Dim, Real, Support>& bins,
                 const PointPositions<P, Dim>& positions,
                 const std::uint8_t* images) {
  bins.update(exec, positions, {images, 0}, positions.n);
}

}  // namespace Impl
}  // namespace Sporos

#endif
