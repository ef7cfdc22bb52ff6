// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COLUMNSOFCOLOR_HPP
#define SPOROS_COLUMNSOFCOLOR_HPP

/// \file Sporos_ColumnsOfColor.hpp
/// Columns of tiles on hosts, those of one colour at once.

#include <Sporos_ForEachIndex.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>

namespace Sporos {
namespace Impl {

/// The columns of tiles of one colour, on hosts: i is a place in by_color.
struct ColumnsOfColor {
  const PointRange* ranges;
  const int* by_color;
  int log2_tiles;  ///< of a column, see TiledCells
  int begin, end;  ///< places of the colour

  /// Is it that of the first tile of a column?
  bool starts(int i) const {
    return i == begin || !same_column(range(i - 1), range(i));
  }
  /// The tiles of the column at place i, which are consecutive in both lists
  TileList column_at(int i) const {
    const PointRange* const first = &range(i);
    const PointRange* last        = first + 1;
    while (++i < end && same_column(*first, *last)) ++last;
    return {first, last};
  }

 private:
  const PointRange& range(int i) const { return ranges[by_color[i]]; }
  bool same_column(const PointRange& a, const PointRange& b) const {
    return (a.tile >> log2_tiles) == (b.tile >> log2_tiles);
  }
};

/// Runs make(columns) for the tiles of one colour after another.
template <class Exec, class Bins, class Make>
void for_each_color(const char* label, const Exec& exec, const Bins& bins,
                    const Make& make) {
  using Range = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                    Kokkos::IndexType<int>>;
  const BinCounts& counts = *bins.counts;
  for (int c = 0; c < bins.cells.colors; ++c) {
    const int begin = counts.color_begin[c], end = counts.color_end[c];
    if (begin < end)
      for_each_index(label, Range(exec, begin, end, Kokkos::ChunkSize(1)),
                     make(ColumnsOfColor{bins.ranges, bins.by_color,
                                         bins.cells.log2_tiles(), begin, end}));
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
