// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_OWNERPOINTS_HPP
#define SPOROS_OWNERPOINTS_HPP

/// \file Sporos_OwnerPoints.hpp
/// The points near a block of grid points, in a fixed order: by rows of cells,
/// by cells, by numbers. A team lists some layers of rows at a time.

#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/tiles/Sporos_TileOwners.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// Cells around a block, counted from its first cell in each direction: a layer
/// is the cells at one place in direction 2, a row those at one place in
/// directions 1 and 2. A row has pieces: one of the cells below the block in
/// direction 0, then the block's own, owned_row each.
template <int Dim, int Support>
struct OwnerRows {
  using Shape = TileShape<Dim, Support, false>;

  static constexpr int own_pieces = Shape::extent(0) / owned_row;
  static constexpr int pieces     = own_pieces + 1;  ///< of a row
  static constexpr int rows       =                  ///< of a layer
      Dim > 1 ? Shape::extent(1) + Support : 1;
  static constexpr int layers = Dim > 2 ? Shape::extent(2) + Support : 1;
  static constexpr int layer  = rows * pieces;  ///< pieces of a layer
  static constexpr int listed_layers =
      Math::max(1, Math::min(layers, listed_pieces / layer));
  static constexpr int listed = listed_layers * layer;

  /// From `first` to before `end`
  struct Layers {
    int first, end;
  };
};

/// Finds the sorted points of the pieces of rows.
template <int Dim, class Real, int Support>
struct OwnerPoints {
  using Owners = TileOwners<Dim, Real, Support>;
  using Cells  = typename Owners::Cells;
  using Rows   = OwnerRows<Dim, Support>;
  using Block  = typename Owners::Block;

  const Owners& owners;
  const std::uint16_t* locals;
  const int *begins, *ends;  ///< of the points of the near tiles
  Block block;
  int reach[3];  ///< cells below the block whose points reach it

  /// Where the pieces below a block lie in direction 0: the cells from low to
  /// high of a tile that begins `before` grid points before the block.
  struct Below {
    int low, high, before;
    int step;  ///< see TileOwners::find_cell
    bool any;
  };
  /// There are more passes than number 0 if a tile is so narrow that the one
  /// before it reaches the block, too, or a ring is shorter than the support.
  KOKKOS_FUNCTION Below below(int pass) const {
    Below found{0, 0, 0, 0, false};
    int t = block.at[0];
    for (; pass >= 0; --pass) {
      t = owners.below(0, t);
      if (t < 0 || found.before >= reach[0]) return found;
      found.high = owners.width(0, t);
      found.before += found.high;
      found.step = found.step + 1 < owners.steps[0] ? found.step + 1 : 0;
    }
    found.low = Math::max(0, found.before - reach[0]);
    found.any = true;
    return found;
  }

  /// The points of piece e of the layers from `layer` on: the first one, and
  /// how many
  KOKKOS_FUNCTION int find(const Below& below, int pass, int layer, int e,
                           int& first) const {
    const int piece = e % Rows::pieces, row = e / Rows::pieces;
    int near[3] = {piece == 0 ? below.step : 0, 0, 0};
    int low = below.low, high = below.high;
    if (piece == 0 ? !below.any : pass > 0) return 0;
    if (piece > 0) {
      low  = (piece - 1) * owned_row;
      high = low + owned_row;
    }
    int pitch = owners.steps[0], tile = near[0], before = 0;
    SPOROS_UNROLL
    for (int k = 1; k < Dim; ++k) {
      int cell =
          (k == 1 ? row % Rows::rows : layer + row / Rows::rows) - Support;
      if (cell < -reach[k] || !owners.find_cell(k, block.at[k], cell, near[k]))
        return 0;
      tile += near[k] * pitch;
      pitch *= owners.steps[k];
      before += cell << Cells::Shape::log2_below(k);
    }
    const int end = ends[tile];
    first         = partition_point(begins[tile], end, [&](int i) {
      return int(locals[i]) < before + low;
    });
    return count(first, end, before + high);
  }

 private:
  /// How many points from `first` on lie in cells before a cell; few, as a rule
  KOKKOS_FORCEINLINE_FUNCTION int count(int first, int end, int cell) const {
    int i = first, step = 1;
    while (step < end - i && int(locals[i + step - 1]) < cell) {
      i += step;
      step *= 2;
    }
    return partition_point(i, i + Math::min(step, end - i),
                           [&](int p) { return int(locals[p]) < cell; }) -
           first;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
