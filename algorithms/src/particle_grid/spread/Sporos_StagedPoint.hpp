// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_STAGEDPOINT_HPP
#define SPOROS_STAGEDPOINT_HPP

/// \file Sporos_StagedPoint.hpp
/// What the threads of a team own of a block of grid points, and what they
/// stage of a point.

#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>

namespace Sporos {
namespace Impl {

/// What one thread owns of a block: owned_row grid points of a row along
/// direction 0. Groups of 4^(Dim - 1) threads have rows side by side, and go
/// through the same points at the same time.
template <int Dim, int Support>
struct OwnerThreads {
  using Shape                  = TileShape<Dim, Support, false>;
  static constexpr int columns = Shape::extent(0) / owned_row;
  static constexpr int count   = columns * Shape::extent(1) * Shape::extent(2);
  static constexpr int side_y = Dim > 1 ? 4 : 1, side_z = Dim > 2 ? 4 : 1;
  static constexpr int across_y = Shape::extent(1) / side_y;

  int column, y, z;

  KOKKOS_FORCEINLINE_FUNCTION explicit OwnerThreads(int rank) {
    const int lane  = rank % (side_y * side_z);
    const int group = rank / (side_y * side_z);
    column          = group % columns;
    y               = group / columns % across_y * side_y + lane % side_y;
    z               = group / columns / across_y * side_z + lane / side_y;
  }
};

/// What a team stages of a point, as numbers of type T that follow one another:
/// the weights of direction 0, with zeros around them so that a thread reads
/// those of its owned_row grid points at once; the weights of directions 1 and
/// 2 from the point's row on, one more than the support, as points may carry
/// into the next cell; the values of all components, if there may be several.
/// One alone is a factor of the last weights.
template <class T, int Dim, int Support, int Components>
struct StagedPoint {
  /// 16 bytes, which a thread reads at once
  struct alignas(16) Piece {
    T value[16 / sizeof(T)];
  };
  static constexpr int lanes   = int(16 / sizeof(T));
  static constexpr int columns = OwnerThreads<Dim, Support>::columns;
  /// Columns before a point's own that its weights do not reach
  static constexpr int reach   = ceil_div(Support, owned_row);
  static constexpr int x_size  = owned_row * (columns == 1 ? 1 : 1 + reach);
  static constexpr int yz_size = Support + 1;
  static constexpr int y = x_size, z = y + (Dim > 1 ? yz_size : 0);
  static constexpr int values = z + (Dim > 2 ? yz_size : 0);
  static constexpr bool folds = Components == 1;
  /// An odd number of pieces: no bank conflicts
  static constexpr int pieces =
      ceil_div(values + (folds ? 0 : Components), lanes) | 1;
  static constexpr int pitch = pieces * lanes;
};

}  // namespace Impl
}  // namespace Sporos

#endif
