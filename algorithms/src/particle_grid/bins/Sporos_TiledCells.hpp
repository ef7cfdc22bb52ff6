// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TILEDCELLS_HPP
#define SPOROS_TILEDCELLS_HPP

/// \file Sporos_TiledCells.hpp
/// The cell of a point, its fraction within the cell, and the sort key.

#include <Sporos_Grid.hpp>
#include <Sporos_GridWindow.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_CellWindow.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// Builds without a device use tiles that suit a host's caches; the others fit
/// into a team's scratch.
constexpr bool wide_tiles = is_host_space_v<Kokkos::DefaultExecutionSpace>;

/// Cells of a tile are a power of two in each direction; direction 0 is the one
/// in which SIMD lanes run. Every extent is at least the support, up to
/// max_direct_support, so that tiles two apart never write the same grid point.
template <int Dim, int Support, bool Wide>
struct TileShape {
  KOKKOS_FUNCTION static constexpr int log2_extent(int k) {
    return Dim == 1       ? 8
           : Support > 16 ? 5
           : Dim == 2     ? (k == 0 ? 5 : 4)
           : Support > 7  ? 4
           : k > 0        ? 3
           : Wide         ? 5
                          : (Support <= 4 ? 4 : 3);
  }
  KOKKOS_FUNCTION static constexpr int extent(int k) {
    return k < Dim ? 1 << log2_extent(k) : 1;
  }
  /// bits of the cell number in the tile below direction k
  KOKKOS_FUNCTION static constexpr int log2_below(int k) {
    return (k > 0 ? log2_extent(0) : 0) + (k > 1 ? log2_extent(1) : 0) +
           (k > 2 ? log2_extent(2) : 0);
  }
  static constexpr int log2_cells = log2_below(Dim);
};

/// Widest delta function whose tiles have images: in the cache of a host, and
/// in the scratch of a team on devices, where spread takes tiles, without
/// images, as far as hosts have them.
constexpr int max_tiled_support = 16, max_team_support = 7;
/// Widest one for which spread takes tiles on hosts, without images.
constexpr int max_direct_support = 30;

/// Rows of the grid points of a point
template <int Dim, int Support>
constexpr int support_rows = (Dim > 1 ? Support : 1) * (Dim > 2 ? Support : 1);

/// How a position became a cell.
enum class Located { inside, outside, not_finite };

/// Cells of a grid for one staggering and one support, cut into tiles; a column
/// of tiles, consecutive along the last direction, has consecutive numbers.
///
/// The cell of X is floor((X - origin) / h - g + (s odd ? 1/2 : 0)); it wraps
/// in a periodic direction; next to a wall there is one layer of ghost cells
/// more at both ends. Cell numbers here count from the ghost cell. Directions
/// are in internal order: number k is direction dir[k] of the grid. On a window
/// of the grid only the cells near it are numbered, see CellWindow.
template <int Dim, class Real, int Support, bool Wide = wide_tiles>
struct TiledCells {
  using Shape                 = TileShape<Dim, Support, Wide>;
  static constexpr Real half  = Support % 2 ? Real(.5) : Real(0);
  static constexpr int before = (Support - 1) / 2;

  int dir[Dim];
  int cells[Dim];   ///< with ghosts
  bool wraps[Dim];  ///< do fields wrap around? They do in periodic directions,
                    ///< but for those that a window made a line
  int base[Dim];    ///< cell of the field's first grid point: 1 next to a
                    ///< wall, 0 if it wraps; on a window any number, see
                    ///< CellWindow::set
  int tiles[Dim];
  int log2_row;     ///< of the tiles of a column along direction 0
  int log2_column;  ///< of those along the last one; both 0 unless Wide
  Real origin[Dim], inverse_h[Dim], offset[Dim];
  CellWindow<Dim> window;
  /// Bits of a sorted key below the tile: those of the cell in the tile, or
  /// none where 32 bits do not hold both.
  int log2_local = Shape::log2_cells;

  TiledCells() = default;
  TiledCells(const Grid<Dim, Real>& grid, const Staggering& g, bool last_fast) {
    for (int k = 0; k < Dim; ++k) {
      const int d  = last_fast ? Dim - 1 - k : k;
      dir[k]       = d;
      wraps[k]     = grid.boundary(d) == Boundary::periodic;
      base[k]      = wraps[k] ? 0 : 1;
      cells[k]     = grid.cells(d) + 2 * base[k];
      tiles[k]     = (cells[k] + Shape::extent(k) - 1) / Shape::extent(k);
      origin[k]    = grid.origin(d);
      inverse_h[k] = Real(1) / grid.spacing(d);
      offset[k]    = Real(g[d]) - half;
    }
    log2_row = log2_column = 0;
    if constexpr (Wide && Dim > 1) choose_columns();
  }

  /// From now on, cells near a window of the grid only.
  [[gnu::cold]] void restrict_to(const GridWindow<Dim>& to) {
    for (int k = 0; k < Dim; ++k) {
      if (to.wraps[dir[k]]) continue;
      base[k]  = window.set(k, to.first[dir[k]], to.cells[dir[k]], wraps[k],
                            cells[k], columns(k), log2_column_extent(k), Support,
                            offset[k] == 0);
      wraps[k] = false;
      tiles[k] = cells[k] >> Shape::log2_extent(k);
    }
  }

  /// A copy with sorted keys of 32 bits that hold tile and cell in the
  /// tile if they can, else the tile.
  TiledCells with_fitting_keys() const {
    TiledCells fitting = *this;
    const bool fit     = tile_count() >> (32 - Shape::log2_cells) == 0;
    fitting.log2_local = fit ? Shape::log2_cells : 0;
    return fitting;
  }
  /// Are points sorted by keys of 64 bits?
  KOKKOS_FUNCTION bool wide_keys() const { return log2_local == 0; }

  /// Do windows that wrap in direction k have the same sums, bit for bit, as
  /// those that do not? Call it before restrict_to().
  bool wraps_alike(int k) const {
    // the image of a tile overlaps itself (k < Dim always: g++ 12 warns without
    // the test)
    if (k >= Dim || !wraps[k] || cells[k] < Shape::extent(k) + Support + 1)
      return false;
    // tiles of a column are taken along the last direction first
    if (columns(k) == 1) return k == 0;
    return columns(k) > 2 || last_column(k) >= Support + 1;
  }

  /// Number of a cell in direction k, counted from that of the field's first
  /// grid point.
  KOKKOS_FORCEINLINE_FUNCTION int grid_cell(int k, int cell) const {
    return cell - base[k] + (window.is_line[k] ? window.skipped(k, cell) : 0);
  }
  /// The cell `carry` cells after a cell.
  KOKKOS_FORCEINLINE_FUNCTION int carried(int k, int cell, int carry) const {
    if (!window.is_line[k]) return cell + carry;
    return window.numbered(k, grid_cell(k, cell) + carry, base[k]);
  }

  /// Tiles of a column in direction k are 2^log2_tiles(k).
  KOKKOS_FORCEINLINE_FUNCTION int log2_tiles([[maybe_unused]] int k) const {
    if constexpr (!Wide) return 0;
    return (k == 0 ? log2_row : 0) + (k == Dim - 1 ? log2_column : 0);
  }
  /// Tiles of a column are 2^log2_tiles().
  KOKKOS_FORCEINLINE_FUNCTION int log2_tiles() const {
    return Wide ? log2_row + log2_column : 0;
  }
  /// Columns along direction k
  KOKKOS_FUNCTION int columns(int k) const {
    return (tiles[k] + (1 << log2_tiles(k)) - 1) >> log2_tiles(k);
  }
  KOKKOS_FUNCTION int log2_column_extent(int k) const {
    return Shape::log2_extent(k) + log2_tiles(k);
  }
  /// Cells of the last column along direction k
  KOKKOS_FUNCTION int last_column(int k) const {
    return cells[k] - ((columns(k) - 1) << log2_column_extent(k));
  }

  /// Tile numbers are below this one; not all of the last columns need exist.
  /// Counts up to 2^32 columns.
  KOKKOS_FUNCTION std::uint64_t tile_count() const {
    std::uint64_t n = 1;
    for (int k = 0; k < Dim; ++k)
      n = Math::min(n * std::uint64_t(columns(k)), std::uint64_t(1) << 32);
    return n << log2_tiles();
  }

  /// Sorted keys are below this number, which itself marks a point without a
  /// cell.
  KOKKOS_FUNCTION std::uint32_t key_end() const {
    return std::uint32_t(tile_count()) << log2_local;
  }
  /// key() is below this number.
  KOKKOS_FUNCTION std::uint64_t whole_key_end() const {
    return tile_count() << Shape::log2_cells;
  }
  /// Bits by which points are sorted, those without a cell included
  int key_bits() const { return bit_width(whole_key_end()); }

  /// Distance of coordinate x in internal direction k from the first cell's
  /// lower end, in cells. Kernels that find cells and those that find fractions
  /// must agree on it.
  KOKKOS_FORCEINLINE_FUNCTION Real position(int k, Real x) const {
    return position(x, origin[k], inverse_h[k], offset[k]);
  }
  /// Distance of x in cells, by the numbers of its direction
  KOKKOS_FORCEINLINE_FUNCTION static Real position(Real x, Real origin_k,
                                                   Real inverse_h_k,
                                                   Real offset_k) {
    return Math::multiply_subtract(x - origin_k, inverse_h_k, offset_k);
  }

  /// Cell number and fraction r (see Sporos_DeltaFunctions.hpp) of coordinate x
  /// in internal direction k.
  KOKKOS_FORCEINLINE_FUNCTION Located locate(int k, Real x, int& cell,
                                             Real& r) const {
    using std::floor;
    const Real place = position(k, x);
    const Real low   = floor(place);
    r                = (place - low) - half;
    const Real n     = Real(cells[k]);
    if (wraps[k]) {
      if (!(low >= 0 && low < n) && !(low - low == 0))
        return Located::not_finite;
      cell = ring_cell(low, n);
      return Located::inside;
    }
    if (low >= -1 && low < n - 1) {
      cell = int(low) + 1;
      return Located::inside;
    }
    return low - low == 0 ? Located::outside : Located::not_finite;
  }

  /// The cell number on a window of the point with coordinate x, or of its
  /// periodic image number `image`; `outside` if it is not near the window.
  /// Image 0 of a point has its cell for the staggering 0 in the grid.
  KOKKOS_FUNCTION Located locate_on_window(int k, Real x, int image,
                                           int& cell) const {
    using std::floor;
    const Real low  = floor(position(k, x));
    const Real node = floor((x - origin[k]) * inverse_h[k]);
    if (!(low - low == 0)) return Located::not_finite;
    if (!window.locate(k, low, node, image, cell)) return Located::outside;
    return cell >= 0 && cell < cells[k] ? Located::inside : Located::outside;
  }

  /// The key of a cell: tile number, then number of the cell in the tile;
  /// injective on cells including ghosts. Key: std::uint64_t for wide keys.
  template <class Key>
  KOKKOS_FORCEINLINE_FUNCTION Key key(const int (&cell)[Dim]) const {
    return Key(tile(cell)) << Shape::log2_cells | cell_in_tile(cell);
  }

  /// Cell in direction k of the cell number in the tile
  KOKKOS_FORCEINLINE_FUNCTION static int local_cell(std::uint32_t local,
                                                    int k) {
    return int(local >> Shape::log2_below(k)) & (Shape::extent(k) - 1);
  }

  /// First cell of a tile in each internal direction.
  KOKKOS_FORCEINLINE_FUNCTION void first_cell(std::uint32_t tile,
                                              int (&cell)[Dim]) const {
    using Tile  = std::uint32_t;
    Tile column = tile >> log2_tiles();
    for (int k = 0; k < Dim; ++k) {
      // the last quotient is the column number itself
      const Tile above = k + 1 < Dim ? column / Tile(columns(k)) : Tile(0);
      cell[k] = int(column - above * Tile(columns(k))) << log2_column_extent(k);
      column  = above;
    }
    if constexpr (!Wide) return;
    cell[0] += int(tile >> log2_column & ((Tile(1) << log2_row) - 1))
               << Shape::log2_extent(0);
    cell[Dim - 1] += int(tile & ((Tile(1) << log2_column) - 1))
                     << Shape::log2_extent(Dim - 1);
  }

  /// Colour of column number t in direction k: columns of one colour write
  /// disjoint grid points. On a window the colour depends on the place in the
  /// grid alone.
  KOKKOS_FUNCTION int direction_color(int k, int t) const {
    if (window.is_line[k]) return window.color(k, t, Support);
    if (!wraps[k]) return t % 2;
    return ring_color(t, columns(k), last_column(k), Support);
  }
  static constexpr int colors = Dim == 1   ? direction_colors
                                : Dim == 2 ? direction_colors * direction_colors
                                           : most_colors;

  /// All tiles of a column have its colour.
  KOKKOS_FUNCTION std::uint32_t color(std::uint32_t tile) const {
    std::uint32_t column = tile >> log2_tiles();
    int c = 0, digit = 1;
    for (int k = 0; k < Dim; ++k, digit *= direction_colors) {
      const auto n = std::uint32_t(columns(k));
      c += digit * direction_color(k, int(column % n));
      column /= n;
    }
    return std::uint32_t(c);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION std::uint32_t tile(const int (&cell)[Dim]) const {
    std::uint32_t column = 0;
    for (int k = Dim - 1; k >= 0; --k)
      column = column * std::uint32_t(columns(k)) +
               std::uint32_t(cell[k] >> log2_column_extent(k));
    if constexpr (!Wide) return column;
    const int in_row    = tile_in_column(cell[0], 0, log2_row);
    const int in_column = tile_in_column(cell[Dim - 1], Dim - 1, log2_column);
    return (column << log2_row | std::uint32_t(in_row)) << log2_column |
           std::uint32_t(in_column);
  }
  KOKKOS_FORCEINLINE_FUNCTION static std::uint32_t cell_in_tile(
      const int (&cell)[Dim]) {
    std::uint32_t local = 0;
    for (int k = Dim - 1; k >= 0; --k)
      local |= std::uint32_t(cell[k] & (Shape::extent(k) - 1))
               << Shape::log2_below(k);
    return local;
  }
  KOKKOS_FORCEINLINE_FUNCTION static int tile_in_column(int cell, int k,
                                                        int log2) {
    return (cell >> Shape::log2_extent(k)) & ((1 << log2) - 1);
  }

  /// Columns of whole rows of tiles, where that leaves enough to do in
  /// parallel: other threads do not touch the lines that their tiles share, and
  /// there are fewer colours. In 3D columns of several rows share more halos.
  void choose_columns() {
    std::uint64_t rows = 1;
    for (int k = 1; k < Dim; ++k) rows *= std::uint64_t(tiles[k]);
    unsigned sharing = 1u << Dim;  // colours
    if (rows >= least_rows_of_tiles << (Dim - 1)) {
      while (log2_row < 4 && 1 << log2_row < tiles[0]) ++log2_row;
      sharing /= 2;
    }
    if constexpr (Dim < 3) return;
    std::uint64_t at_once = 1;
    for (int k = 0; k < Dim; ++k) at_once *= std::uint64_t(columns(k));
    at_once /= sharing;
    log2_column = at_once >= columns_of_8_tiles   ? 3
                  : at_once >= columns_of_4_tiles ? 2
                  : at_once >= columns_of_2_tiles ? 1
                                                  : 0;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
