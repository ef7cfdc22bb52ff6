// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TILEOWNERS_HPP
#define SPOROS_TILEOWNERS_HPP

/// \file Sporos_TileOwners.hpp
/// The blocks into which the tiles of devices cut the grid points, and the
/// tiles whose points reach a block.

#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// Block t in a direction has the grid points that are the first ones of the
/// cells of tile t, as far as the field has them. Points of these cells and of
/// the cells below reach it. Behind a wall there may be a block without a tile.
template <int Dim, class Real, int Support>
struct TileOwners {
  using Cells = TiledCells<Dim, Real, Support, false>;
  using Shape = typename Cells::Shape;
  /// Tiles whose points may reach a block, at most: three in a direction, where
  /// the last one of a ring is narrower than the support.
  static constexpr int most_near = Dim == 1 ? 3 : Dim == 2 ? 9 : 27;

  Cells cells;
  const PointRange* ranges;
  const BinCounts* counts;
  int blocks[Dim];  ///< in a direction
  int steps[Dim];   ///< tiles whose points reach a block, the block's included;
                    ///< blocks that the points of a tile reach

  template <class Bins>
  explicit TileOwners(const Bins& bins)
      : cells(bins.cells), ranges(bins.ranges), counts(bins.counts) {
    for (int k = 0; k < Dim; ++k) {
      const bool line   = cells.window.is_line[k];
      const bool ring   = cells.wraps[k] || (line && cells.window.is_ring[k]);
      const int last    = line ? cells.window.last[k] : cells.last_column(k);
      const bool narrow = ring && last < Support;
      blocks[k]         = cells.wraps[k] || line
                              ? cells.tiles[k]
                              : ceil_div(cells.cells[k] + Support, Shape::extent(k));
      steps[k]          = Math::min(blocks[k], narrow ? 3 : 2);
    }
  }

  /// Blocks of the grid
  std::uint64_t block_count() const {
    std::uint64_t n = 1;
    for (int k = 0; k < Dim; ++k) n *= std::uint64_t(blocks[k]);
    return n;
  }
  /// Tiles whose points may reach a block
  KOKKOS_FORCEINLINE_FUNCTION int near() const {
    int n = 1;
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) n *= steps[k];
    return n;
  }

  /// A block, and how far its grid points begin after those of a tile
  struct Block {
    int at[Dim]    = {};
    int after[Dim] = {};
  };

  /// Block number b
  KOKKOS_FUNCTION Block block(int b) const {
    Block found;
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      found.at[k] = b % blocks[k];
      b /= blocks[k];
    }
    return found;
  }
  /// Number j of the blocks that the points of a tile reach; false if it does
  /// not exist
  KOKKOS_FUNCTION bool reached(std::uint32_t tile, int j, Block& found) const {
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      int t = int(tile % std::uint32_t(cells.tiles[k]));
      tile /= std::uint32_t(cells.tiles[k]);
      found.after[k] = 0;
      for (int step = j % steps[k]; step > 0; --step) {
        found.after[k] += width(k, t);
        ++t;
        if (t == blocks[k]) t = cells.wraps[k] ? 0 : -1;
        if (t < 0) return false;
      }
      found.at[k] = t;
      j /= steps[k];
    }
    return true;
  }

  /// Number j of the tiles whose points may reach a block, as an index of
  /// ranges; negative if it has no points. before: how far its grid points
  /// begin before those of the block
  KOKKOS_FUNCTION int near_range(const Block& block, int j,
                                 int (&before)[Dim]) const {
    std::uint32_t number = 0, pitch = 1;
    SPOROS_UNROLL
    for (int k = 0; k < Dim; ++k) {
      int t     = block.at[k];
      before[k] = 0;
      for (int step = j % steps[k]; step > 0; --step) {
        t = below(k, t);
        if (t < 0) return -1;
        before[k] += width(k, t);
      }
      if (t >= cells.tiles[k]) return -1;
      number += std::uint32_t(t) * pitch;
      pitch *= std::uint32_t(cells.tiles[k]);
      j /= steps[k];
    }
    // where all tiles before it are listed, it is its own index
    if (counts->listed == 0) return -1;
    const int last = int(Math::min(number, std::uint32_t(counts->listed - 1)));
    const int i    = ranges[last].tile == number
                         ? last
                         : partition_point(0, last, [&](int r) {
                          return ranges[r].tile < number;
                        });
    const PointRange& range = ranges[i];
    return range.tile == number && range.begin < range.end ? i : -1;
  }

  /// The tile before tile t; negative: none
  KOKKOS_FORCEINLINE_FUNCTION int below(int k, int t) const {
    return t > 0 ? t - 1 : cells.wraps[k] ? cells.tiles[k] - 1 : -1;
  }
  /// Grid points of block t, as far as there are tiles
  KOKKOS_FORCEINLINE_FUNCTION int width(int k, int t) const {
    if (cells.wraps[k])
      return t + 1 < cells.tiles[k] ? Shape::extent(k) : cells.last_column(k);
    const auto& window = cells.window;
    if (!window.is_line[k] || window.gap[k] == 0) return Shape::extent(k);
    const int around = (t + window.first_column[k]) % window.columns[k];
    return (around < 0 ? around + window.columns[k] : around) + 1 ==
                   window.columns[k]
               ? window.last[k]
               : Shape::extent(k);
  }

  /// Finds the cell at `cell`, counted from the first one of block t: the tile
  /// as steps down from the block (modulo steps[k]) and the cell in the tile.
  /// False if there is none.
  KOKKOS_FORCEINLINE_FUNCTION bool find_cell(int k, int t, int& cell,
                                             int& step) const {
    step = 0;
    while (cell < 0) {
      t = below(k, t);
      if (t < 0) return false;
      cell += width(k, t);
      step = step + 1 < steps[k] ? step + 1 : 0;
    }
    return true;
  }
};

/// The sums of the parts of tiles, in memory: an image of a tile and of the
/// grid points after it for each part and component.
template <int Dim, int Support>
struct PartImage {
  using Shape = TileShape<Dim, Support, false>;
  KOKKOS_FUNCTION static constexpr int extent(int k) {
    return k < Dim ? Shape::extent(k) + Support : 1;
  }
  static constexpr int size = extent(0) * extent(1) * extent(2);

  KOKKOS_FORCEINLINE_FUNCTION static int place(int x, int y, int z) {
    return (z * extent(1) + y) * extent(0) + x;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
