// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_POINTBLOCK_HPP
#define SPOROS_POINTBLOCK_HPP

/// \file Sporos_PointBlock.hpp
/// Hosts: grid points and weights of a block of points in the given order, one
/// point a SIMD lane.

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>
#include <Sporos_RowPack.hpp>
#include <particle_grid/given/Sporos_GivenPoints.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/stencil/Sporos_Weights.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// Points of a block: fewer where a point has many rows, so that the weights of
/// a block stay in the first cache.
template <int Dim, int Support>
constexpr int block_points =
    support_rows<Dim, Support> <= given_block_widest ? given_block
    : support_rows<Dim, Support> <= given_block      ? given_block_of_64
                                                     : given_block_widest;

/// What relates cells of given points to the grid points that they touch. Grid
/// points are counted from the lowest one on that any point touches.
template <int Dim, class Real, int Support>
struct GivenGeometry {
  using Shift = StaggeringShift<Dim, Real, Support>;
  Shift shift;       ///< from the plan's staggering to that of the field
  int to_grid[Dim];  ///< to numbers of the field's grid points
  int more[Dim];     ///< grid points in direction k beyond the number of cells

  GivenGeometry(const GivenPoints<Dim, Real, Support>& points,
                const Staggering& g)
      : shift(points.cells(), g) {
    for (int k = 0; k < Dim; ++k) {
      to_grid[k] = points.lowest(k) - shift.low[k] -
                   GivenPoints<Dim, Real, Support>::Cells::before;
      more[k] = shift.extra[k] + Support - 1;
    }
  }
};

/// Weights of a block of points. The rows of a point follow one another as in
/// for_each_stencil_row.
template <class T, int Dim, class Real, int Support>
struct PointBlock {
  static constexpr int size  = block_points<Dim, Support>;
  static constexpr int rows  = support_rows<Dim, Support>;
  static constexpr int pitch = next_power_of_two(Support);
  using Located              = LocatedBlock<Dim, Real, size>;

  Located points;        ///< cell: first grid point, see GivenGeometry
  int offset[size];      ///< see find_offsets
  T along[size][pitch];  ///< weights of direction 0, then zeros
  T across[rows][size];  ///< products of those of the others

  template <class Delta>
  void fill(const GivenPoints<Dim, Real, Support>& from, int begin,
            const GivenGeometry<Dim, Real, Support>& geometry,
            const Delta& delta) {
    from.locate(begin, points);
    for (int k = 0; k < Dim; ++k) {
      if (geometry.shift.extra[k] == 0) continue;
      for (int i = 0; i < size; ++i)
        points.cell[k][i] += geometry.shift.apply(k, points.fraction[k][i]) +
                             geometry.shift.low[k];
    }
    constexpr int W = native_pack_width<T> < size ? native_pack_width<T> : size;
    for (int i = 0; i < size; i += W) {
      Pack<T, W> w[Dim][Support];
      for (int k = 0; k < Dim; ++k)
        pack_weights(delta, 0, k,
                     load_converted<Pack<T, W>>(points.fraction[k] + i), w[k]);
      store_transposed<Support>(w[0], along[i], pitch);
      for (int c = 0; c < (Dim > 2 ? Support : 1); ++c)
        for (int b = 0; b < (Dim > 1 ? Support : 1); ++b) {
          Pack<T, W> product(T(1));
          if constexpr (Dim > 1) product = w[1][b];
          if constexpr (Dim > 2) product *= w[Dim - 1][c];
          product.store(across[c * Support + b] + i);
        }
    }
  }

  /// offset: the place of the first grid point in an array whose first element
  /// is the grid point number `corner`
  void find_offsets(const int (&corner)[Dim], const int (&stride)[Dim]) {
    for (int i = 0; i < size; ++i) {
      int at = 0;
      for (int k = 0; k < Dim; ++k)
        at += (points.cell[k][i] - corner[k]) * stride[k];
      offset[i] = at;
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
