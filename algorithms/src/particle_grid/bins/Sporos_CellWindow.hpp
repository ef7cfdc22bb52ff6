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

/// A window turns the ring of cells of a periodic direction into a line: the
/// cells of the grid, again and again. The line is cut into the columns of
/// tiles of the grid (see TiledCells), the same for every window, so that what
/// windows have in common is summed up in the same order. The last column of
/// the grid may be narrower than the others. Its missing cells have numbers, so
/// that every column begins at a multiple of its extent; no point lies there.
/// Cells are numbered from the first column that is near the window.
template <int Dim>
struct CellWindow {
  bool is_set       = false;
  int to_local[Dim] = {};  ///< local number of cell 0 of the grid
  int low[Dim] = {};  ///< a cell from low .. end of the grid becomes a local
  int end[Dim] = {};  ///< one by to_local and by the turns of its image alone

  int period[Dim]   = {};  ///< cells of the grid; 0: wall
  int beyond[Dim]   = {};  ///< the cell after the ghost cell at an upper wall
  int gap[Dim]      = {};  ///< missing cells of the last column
  int line_end[Dim] = {};  ///< local number of the end of the line
  int first_column[Dim] = {};  ///< number in the grid of the first local column
  int colors[Dim]       = {};  ///< see color()

  /// Sets direction k.
  /// \param first, count the cells of the window
  /// \param ghosts layers of ghost cells before the grid: 1 at a wall, else 0
  /// \param cells number of cells of the grid, ghosts included
  /// \param columns, log2_extent of the grid
  /// \param is_node are its cells those of the staggering 0?
  /// \return local cells before the window
  int set(int k, int first, int count, int ghosts, int cells, int columns,
          int log2_extent, int support, bool is_node) {
    is_set           = true;
    const int margin = window_margin(support);
    const int extent = 1 << log2_extent;
    const bool ring  = ghosts == 0;
    period[k]        = ring ? cells : 0;
    beyond[k]        = cells - ghosts;
    gap[k]           = ring ? columns * extent - cells : 0;
    colors[k] = !ring ? 2 : ring_colors(columns, extent - gap[k], support);
    const int begin = on_line(k, first - margin) + ghosts;
    first_column[k] = begin >> log2_extent;
    to_local[k]     = ghosts - first_column[k] * extent;
    const int past  = on_line(k, first + count + margin - 1) + ghosts + 1;
    const int columns_of_line =
        ((past + extent - 1) >> log2_extent) - first_column[k];
    line_end[k] = columns_of_line * extent;
    // the cell of another staggering may be across the ends of the ring
    const int across = is_node ? 0 : 1;
    low[k]           = ring ? across : -1;
    end[k]           = ring ? cells - across : beyond[k];
    return first + to_local[k];
  }

  /// Number of local cells
  KOKKOS_FUNCTION int cells(int k) const { return line_end[k]; }

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
  /// The local number of a cell from its distance to the window's first one,
  /// which has the local number `ghosts`: inverse of TiledCells::grid_cell.
  KOKKOS_FORCEINLINE_FUNCTION int numbered(int k, int distance,
                                           int ghosts) const {
    const int cell = distance + ghosts;
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
    if (period[k] == 0) {
      cell = low_cell >= -1 && low_cell < Real(beyond[k])
                 ? int(low_cell) + to_local[k]
                 : -1;
      return cell >= 0;
    }
    const int c = wrapped(k, low_cell), n = wrapped(k, node);
    const int half = period[k] / 2;
    // the cell next to the node's, across the ends of the ring
    const int ring = image + (c - n > half ? -1 : n - c > half ? 1 : 0);
    cell           = c + ring * (period[k] + gap[k]) + to_local[k];
    return true;
  }

  /// Colours follow one another along the line. Columns of one colour write
  /// disjoint grid points: see ring_colors.
  KOKKOS_FUNCTION int color(int k, int t) const {
    const int c = (t + first_column[k]) % colors[k];
    return c < 0 ? c + colors[k] : c;
  }

 private:
  /// The number of colours along a ring of columns, the last of which has
  /// `last` cells. The image of a tile has the size of a whole tile, also where
  /// cells are missing, and so reaches up to `support` + 1 grid points beyond
  /// the place where its column would end if none were.
  static int ring_colors(int columns, int last, int support) {
    if (columns == 1) return 3;  // the line has at most three
    if (last >= support + 1) return 2;
    // every other column is narrow, or two of three columns are whole
    return columns == 2 ? 4 : 3;
  }

  template <class Real>
  KOKKOS_FORCEINLINE_FUNCTION int wrapped(int k, Real cell) const {
    using std::floor;
    const Real n = Real(period[k]);
    if (cell >= 0 && cell < n) return int(cell);
    const Real in_ring = cell - n * floor(cell / n);
    return in_ring >= 0 && in_ring < n ? int(in_ring) : 0;
  }

  /// Place on the line of cell i of the grid, -period <= i < 2 period
  int on_line(int k, int i) const {
    if (period[k] == 0) return i;
    return i + (i < 0 ? -gap[k] : i >= period[k] ? gap[k] : 0);
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
