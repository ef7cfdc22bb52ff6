// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CELLWINDOW_HPP
#define SPOROS_CELLWINDOW_HPP

/// \file Sporos_CellWindow.hpp
/// Numbers of the cells near a window of a grid.

#include <Sporos_GridWindow.hpp>
#include <Sporos_KokkosCompat.hpp>

#include <cstdint>
#include <limits>

namespace Sporos {
namespace Impl {

/// The periodic images of a point in all directions of the grid in one byte,
/// two bits a direction.
struct PointImages {
  /// The bits for image -1, 0 or 1 in direction d.
  KOKKOS_FORCEINLINE_FUNCTION static std::uint8_t bits(int image, int d) {
    return std::uint8_t((image & 3) << 2 * d);
  }
  /// The image in direction d.
  KOKKOS_FORCEINLINE_FUNCTION static int of(std::uint8_t images, int d) {
    const int bits = images >> 2 * d & 3;
    return (bits ^ 2) - 2;
  }
};

/// The images of the points from number `from` on; those before have none.
struct ImagesOfPoints {
  const std::uint8_t* images = nullptr;  ///< see PointImages; null: none
  int from                   = 0;

  KOKKOS_FORCEINLINE_FUNCTION std::uint8_t operator()(int i) const {
    return images == nullptr || i < from ? std::uint8_t(0) : images[i - from];
  }
  /// Has one of `count` points from `begin` on an image?
  KOKKOS_FUNCTION bool any(int begin, int count) const {
    if (images == nullptr || begin + count <= from) return false;
    unsigned found = 0;
    for (int i = begin; i < begin + count; ++i) found |= (*this)(i);
    return found != 0;
  }
};

/// The cell on a ring of n cells of a cell that may lie outside by any
/// distance.
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION int ring_cell(Real cell, Real n) {
  using std::floor;
  if (cell >= 0 && cell < n) return int(cell);
  const Real in_ring = cell - n * floor(cell / n);
  return in_ring >= 0 && in_ring < n ? int(in_ring) : 0;
}

/// Colours that a direction may need.
constexpr int direction_colors = 4;
/// Colours that all directions of a grid may need.
constexpr int most_colors =
    direction_colors * direction_colors * direction_colors;

/// The colours around a ring of columns of tiles, the last of which has `last`
/// cells. Images of columns of one colour are disjoint. An image is as long as
/// that of a whole column: that of a last column narrower than what neighbours
/// overlap reaches into the second column, and that of the column before it
/// into the first. Four such columns need four colours, others three or two.
KOKKOS_INLINE_FUNCTION int ring_color(int column, int columns, int last,
                                      int support) {
  const int after = columns - 1 - column;
  if (columns > 2 && columns % 2 != 0 && after == 0) return 2;
  if (columns > 2 && columns % 2 == 0 && last < support + 1) {
    if (columns == 4) return column;
    if (after < 3) return after == 1 ? 1 : 2;
  }
  return column % 2;
}

/// A window turns the ring of cells of a periodic direction into a line, unless
/// it wraps there: the cells of the grid, again and again. The line is cut into
/// the columns of tiles of the grid (see TiledCells), the same for every
/// window, so that what windows have in common is summed up in the same order.
/// The last column of the grid may be narrower than the others. Its missing
/// cells have numbers, so that every column begins at a multiple of its extent;
/// no point lies there. Cells are numbered from the first column that is near
/// the window.
template <int Dim>
struct CellWindow {
  bool is_line[Dim] = {};  ///< else direction k is as without a window
  int to_local[Dim] = {};  ///< local number of cell 0 of the grid
  int low[Dim] = {};  ///< a cell from low .. end of the grid becomes a local
  int end[Dim] = {};  ///< one by to_local and by the turns of its image alone

  bool is_ring[Dim] = {};  ///< is the direction periodic? Else it has walls
  int period[Dim]   = {};  ///< cells of the grid; of rings only
  int beyond[Dim]   = {};  ///< the cell after the ghost cell at an upper wall
  int columns[Dim]  = {};  ///< of the grid
  int last[Dim]     = {};  ///< cells of the last column
  int gap[Dim]      = {};  ///< missing cells of the last column
  int first_column[Dim] = {};  ///< number in the grid of the first local column

  /// Makes direction k a line.
  /// \param first, count the cells of the window
  /// \param ring is the direction periodic? Else it has walls, and ghost cells
  /// \param cells cells of the grid, ghosts included; becomes local cells
  /// \param all_columns, log2_extent of the grid
  /// \param is_node are its cells those of the staggering 0?
  /// \return the local number of the window's first cell, as numbered() takes
  ///   it: less the gap, if the window begins beyond the end of the ring
  int set(int k, int first, int count, bool ring, int& cells, int all_columns,
          int log2_extent, int support, bool is_node) {
    is_line[k]       = true;
    is_ring[k]       = ring;
    const int ghosts = ring ? 0 : 1;
    const int margin = window_margin(support);
    const int extent = 1 << log2_extent;
    period[k]        = ring ? cells : 0;
    beyond[k]        = cells - ghosts;
    columns[k]       = all_columns;
    gap[k]           = ring ? all_columns * extent - cells : 0;
    last[k]          = extent - gap[k];
    const int begin  = on_line(k, first - margin) + ghosts;
    first_column[k]  = begin >> log2_extent;
    to_local[k]      = ghosts - first_column[k] * extent;
    const int past   = on_line(k, first + count + margin - 1) + ghosts + 1;
    const int columns_of_line =
        ((past + extent - 1) >> log2_extent) - first_column[k];
    // the cell of another staggering may be across the ends of the ring
    const int across = is_node ? 0 : 1;
    low[k]           = ring ? across : -1;
    end[k]           = ring ? cells - across : beyond[k];
    cells            = columns_of_line * extent;
    return first + to_local[k];
  }

  /// Local cells from a point to its next periodic image
  KOKKOS_FORCEINLINE_FUNCTION int turn(int k) const {
    return period[k] + gap[k];
  }

  /// What a cell number has too much, or too little, as a distance in the grid.
  KOKKOS_FORCEINLINE_FUNCTION int skipped(int k, int cell) const {
    return cell < to_local[k]                         ? gap[k]
           : cell >= to_local[k] + period[k] + gap[k] ? -gap[k]
                                                      : 0;
  }
  /// The local number of a cell from its distance to the window's first one;
  /// base: see set(). Inverse of TiledCells::grid_cell.
  KOKKOS_FORCEINLINE_FUNCTION int numbered(int k, int distance,
                                           int base) const {
    const int cell = distance + base;
    return cell < to_local[k]                ? cell - gap[k]
           : cell >= to_local[k] + period[k] ? cell + gap[k]
                                             : cell;
  }

  /// The local number of image `image` of the point with the cell low_cell;
  /// `node` is its cell for the staggering 0, which image 0 has in the grid.
  /// False if there is none.
  template <class Real>
  KOKKOS_FUNCTION bool locate(int k, Real low_cell, Real node, int image,
                              int& cell) const {
    if (!is_ring[k]) {
      cell = low_cell >= -1 && low_cell < Real(beyond[k])
                 ? int(low_cell) + to_local[k]
                 : -1;
      return cell >= 0;
    }
    const Real of_ring = Real(period[k]);
    const int c = ring_cell(low_cell, of_ring), n = ring_cell(node, of_ring);
    const int half = period[k] / 2;
    // the cell next to the node's, across the ends of the ring
    const int ring = image + (c - n > half ? -1 : n - c > half ? 1 : 0);
    cell           = c + ring * (period[k] + gap[k]) + to_local[k];
    return true;
  }

  /// The colour of local column t. Columns of one colour write disjoint grid
  /// points. Where the images of columns meet, the order is that of the columns
  /// around the ring, so that windows that wrap have the same sums.
  KOKKOS_FUNCTION int color(int k, int t, int support) const {
    const int column = t + first_column[k];
    if (!is_ring[k]) return column & 1;
    // of the ring the first tiles come first; the line has three columns at
    // most
    if (columns[k] == 1) return 1 - column;
    // every other column is narrow
    if (columns[k] == 2 && last[k] < support + 1) return column & 3;
    const int around = column % columns[k];
    return ring_color(around < 0 ? around + columns[k] : around, columns[k],
                      last[k], support);
  }

 private:
  /// Place on the line of cell i of the grid, -period <= i < 2 period
  int on_line(int k, int i) const {
    if (!is_ring[k]) return i;
    return i + (i < 0 ? -gap[k] : i >= period[k] ? gap[k] : 0);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
