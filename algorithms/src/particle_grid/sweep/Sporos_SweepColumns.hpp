// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SWEEPCOLUMNS_HPP
#define SPOROS_SWEEPCOLUMNS_HPP

/// \file Sporos_SweepColumns.hpp
/// Columns of tiles with points in the order of their colours (see TiledCells),
/// for sweeps on hosts. Columns of a colour touch disjoint grid points, so one
/// thread can run all sweeps over a column while what they touch is in cache.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_SortByKey.hpp>
#include <Sporos_Workspace.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Where the column changes from one segment (the points of a cell) to the
/// next; also the end of the last column, and how many there are.
template <class Keys, class Offsets>
struct FindColumns {
  Keys keys;  ///< of sorted points
  Offsets offsets;
  int log2_below, segments;  ///< log2_below: bits of a key below the column
  int* starts;
  int* count;

  void operator()(int q, int& column, bool final) const {
    const bool first = q == 0 || column_of(q) != column_of(q - 1);
    if (final && first) starts[column] = q;
    if (first) ++column;
    if (final && q + 1 == segments) {
      starts[column] = segments;
      *count         = column;
    }
  }

 private:
  auto column_of(int q) const { return keys(offsets(q)) >> log2_below; }
};

template <class Cells, class Keys, class Offsets>
struct ColorColumns {
  Cells cells;
  Keys keys;
  Offsets offsets;
  const int* starts;
  std::uint32_t* colors;

  void operator()(int c) const {
    colors[c] = cells.color(keys(offsets(starts[c])) >> cells.log2_local);
  }
};

/// Can sweeps with this support run column by column? Wider ones reach beyond
/// the neighbours of a tile.
template <class Exec, int Support>
constexpr bool sweeps_columns =
    is_host_space_v<Exec>&& Support <= max_tiled_support;

template <class Exec>
class SweepColumns {
 public:
  static constexpr int colors = TiledCells<3, double, 1>::colors;

  /// Segments of column order(i): starts[order[i]] .. starts[order[i] + 1]; i
  /// runs from color_begin(c) to color_begin(c + 1) for colour c.
  const int* starts() const { return m_starts_used; }
  const int* order() const { return m_order_used.data(); }
  int color_begin(int c) const { return m_color_begin[c]; }

  /// Is no column too crowded for several threads to share the work? (Sweeps
  /// that cannot run column by column take five times as long, or more.)
  /// The answer depends on the points alone.
  bool balanced() const { return m_balanced; }

  /// keys: of the sorted points, all of which have a cell; offsets: first point
  /// of each of the segments
  template <class Cells, class Keys, class Offsets>
  void find(const Exec& exec, const Cells& cells, const Keys& keys,
            const Offsets& offsets, int segments) {
    using Range             = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    const std::size_t bound = std::size_t(
        std::min(std::uint64_t(keys.extent(0)),
                 std::uint64_t(cells.tile_count() >> cells.log2_tiles())));
    m_starts_used = m_starts.require_data(exec, bound + 1);
    auto keyed    = m_colors.require(exec, bound);
    auto order    = m_order.require(exec, bound);
    int count     = 0;
    scan_index<int>("Sporos::spread::find_columns", Range(exec, 0, segments),
                    FindColumns<Keys, Offsets>{
                        keys, offsets, cells.log2_local + cells.log2_tiles(),
                        segments, m_starts_used, &count});
    for_each_index("Sporos::spread::color_columns", Range(exec, 0, count),
                   ColorColumns<Cells, Keys, Offsets>{
                       cells, keys, offsets, m_starts_used, keyed.data()});
    const auto used = std::make_pair(std::size_t(0), std::size_t(count));
    keyed           = Kokkos::subview(keyed, used);
    m_order_used    = Kokkos::subview(order, used);
    sort_by_key(exec, m_sort, keyed, m_order_used,
                bit_width(std::uint64_t(colors)));
    for (int c = 0; c <= colors; ++c)
      m_color_begin[c] =
          int(std::lower_bound(keyed.data(), keyed.data() + count,
                               std::uint32_t(c)) -
              keyed.data());
    int largest = 0;
    for (int c = 0; c < count; ++c)
      largest = std::max(
          largest, offsets(m_starts_used[c + 1]) - offsets(m_starts_used[c]));
    m_balanced = largest <= int(keys.extent(0) / 8);
  }

  std::size_t bytes() const {
    return m_starts.bytes() + m_colors.bytes() + m_order.bytes() +
           m_sort.bytes();
  }

 private:
  using memory_space = typename Exec::memory_space;
  template <class T>
  using Space = WorkspaceView<T, memory_space>;

  Space<int> m_starts{"Sporos::spread::column_starts"};
  Space<int> m_order{"Sporos::spread::column_order"};
  Space<std::uint32_t> m_colors{"Sporos::spread::column_colors"};
  SortWorkspace<std::uint32_t, memory_space> m_sort;
  int* m_starts_used = nullptr;
  Kokkos::View<int*, memory_space> m_order_used;
  int m_color_begin[colors + 1] = {};
  bool m_balanced               = false;
};

}  // namespace Impl
}  // namespace Sporos

#endif
