// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FIELDACCESS_HPP
#define SPOROS_FIELDACCESS_HPP

/// \file Sporos_FieldAccess.hpp
/// A field on a grid as pointer and strides, so that one kernel serves every
/// layout, with the rule for indices that leave the grid.

#include <Sporos_Grid.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>
#include <particle_grid/stencil/Sporos_RealParts.hpp>

#include <cstddef>

namespace Sporos {
namespace Impl {

/// The index on a ring of n grid points of one that may lie outside by any
/// distance; less than a period as a rule.
KOKKOS_FORCEINLINE_FUNCTION int ring_index(int i, int n) {
  if (i < 0)
    i += n;
  else if (i >= n)
    i -= n;
  if (i >= 0 && i < n) return i;
  i %= n;
  return i < 0 ? i + n : i;
}

/// A field of real numbers in internal directions; directions beyond Dim have
/// one point.
template <class T, int Dim>
struct FieldAccess {
  T* data                  = nullptr;
  std::ptrdiff_t stride[3] = {};
  int points[3]            = {};
  bool wraps[3]            = {};  ///< see TiledCells

  FieldAccess() = default;
  /// Real component c of a view of rank Dim, or Dim + 1 (components last).
  template <class View, class Cells>
  FieldAccess(const View& view, const Cells& cells, int c)
      : data(real_data<T>(view)) {
    constexpr int parts = real_parts_v<View>;
    for (int k = 0; k < 3; ++k) {
      const int d = k < Dim ? cells.dir[k] : 0;
      stride[k]   = k < Dim ? std::ptrdiff_t(view.stride(d)) * parts : 0;
      points[k]   = k < Dim ? int(view.extent(d)) : 1;
      wraps[k]    = k < Dim && cells.wraps[k];
    }
    data += c % parts;
    if constexpr (view_rank_v < View >> Dim)
      data += std::ptrdiff_t(view.stride(Dim)) * (c - c % parts);
  }

  FieldAccess<const T, Dim> read_only() const {
    FieldAccess<const T, Dim> field;
    field.data = data;
    for (int k = 0; k < 3; ++k) {
      field.stride[k] = stride[k];
      field.points[k] = points[k];
      field.wraps[k]  = wraps[k];
    }
    return field;
  }

  /// Index of the grid point at i, which may lie outside by any distance;
  /// negative if there is none.
  KOKKOS_FORCEINLINE_FUNCTION int index(int k, int i) const {
    if (i >= 0 && i < points[k]) return i;
    return wraps[k] ? ring_index(i, points[k]) : -1;
  }
};

/// From the staggering that the points were sorted for to another one: in
/// direction k the fraction changes by delta[k] and carries into the cell.
template <int Dim, class Real, int Support>
struct StaggeringShift {
  static constexpr Real half = Support % 2 ? Real(.5) : Real(0);
  Real delta[Dim]            = {};
  int low[Dim]               = {};  ///< 1 if cells may carry down
  int extra[Dim]             = {};  ///< 1 if there is a shift at all

  StaggeringShift() = default;
  template <class Cells>
  StaggeringShift(const Cells& cells, const Staggering& g) {
    for (int k = 0; k < Dim; ++k) {
      delta[k] = cells.offset[k] - (Real(g[cells.dir[k]]) - half);
      low[k]   = delta[k] < 0 ? 1 : 0;
      extra[k] = delta[k] != 0 ? 1 : 0;
    }
  }
  bool none() const {
    for (int k = 0; k < Dim; ++k)
      if (extra[k] != 0) return false;
    return true;
  }
  /// Shifts the fraction; returns the carry into the cell: -1, 0 or 1. Rounding
  /// leaves fractions of 1 - half, too: without a shift upwards they carry
  /// nothing, since tiles have no room for that. (Without branches, so that
  /// hosts shift many at once.)
  KOKKOS_FORCEINLINE_FUNCTION int apply(int k, Real& r) const {
    r += delta[k];
    const int down = low[k] & int(r < -half);
    const int up   = (extra[k] - low[k]) & int(r >= 1 - half);
    r += Real(down - up);
    return up - down;
  }
};

/// First grid point, which may lie outside the grid, that points in the cells
/// from `cell` on touch in direction k when seen with another staggering.
template <class Cells, class Shift>
KOKKOS_FORCEINLINE_FUNCTION int first_touched(const Cells& cells,
                                              const Shift& shift, int k,
                                              int cell) {
  return cells.grid_cell(k, cell) - shift.low[k] - Cells::before;
}

}  // namespace Impl
}  // namespace Sporos

#endif
