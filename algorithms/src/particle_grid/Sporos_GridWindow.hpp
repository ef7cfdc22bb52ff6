// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRIDWINDOW_HPP
#define SPOROS_GRIDWINDOW_HPP

/// \file Sporos_GridWindow.hpp
/// A part of a uniform grid, for fields that hold only that part.

#include <Sporos_Error.hpp>
#include <Sporos_Grid.hpp>

#include <cstdint>

namespace Sporos {

/// A box of cells of a grid. A field on the window has the grid points number
/// first[d], first[d] + 1, ... of the grid in direction d.
///
/// In a periodic direction the window may begin below 0 and reach beyond the
/// end: grid points -1 and cells(d) - 1 are the same point, but two places of
/// the field. Next to a wall the window stays in the grid, and one that reaches
/// the upper wall holds the grid points on the wall (but see
/// `ends_before_wall`).
template <int Dim>
struct GridWindow {
  Kokkos::Array<int, Dim> first;  ///< the first cell, in numbers of the grid
  Kokkos::Array<int, Dim> cells;  ///< number of cells, all positive
  /// Directions in which fields wrap around: periodic ones, of which the window
  /// has all cells, 0, ..., cells(d) - 1. Points have no images there.
  Kokkos::Array<bool, Dim> wraps{};
  /// Directions in which fields do not hold the grid points on the upper wall,
  /// although the window may reach it: those of a block that ends before it.
  Kokkos::Array<bool, Dim> ends_before_wall{};

  /// Number of grid points in direction d of a field with staggering g in that
  /// direction.
  template <class Real>
  int points(const Grid<Dim, Real>& grid, int d, double g) const {
    const bool at_end =
        first[d] + cells[d] == grid.cells(d) && !ends_before_wall[d];
    return cells[d] + (at_end ? grid.points(d, g) - grid.cells(d) : 0);
  }
};

namespace Impl {

/// Cells beyond a window that points may lie in and still touch it, one cell
/// that another staggering carries into, and one more.
constexpr int window_margin(int support) { return support / 2 + 3; }

/// Throws for a window that a plan with this support cannot take.
template <int Dim, class Real>
[[gnu::cold]] void check_window(const char* function,
                                const Grid<Dim, Real>& grid,
                                const GridWindow<Dim>& window, int support) {
  const int margin = window_margin(support);
  for (int d = 0; d < Dim; ++d) {
    const int first = window.first[d], cells = window.cells[d];
    const int n     = grid.cells(d);
    const bool ring = grid.boundary(d) == Boundary::periodic;
    check(!window.wraps[d] || (ring && first == 0 && cells == n), function,
          "window",
          text("all cells of a periodic direction, [0, ", n, "), where wraps[",
               d, "] is set"),
          text("[", first, ", ", std::int64_t(first) + cells,
               ring ? ")" : ") between walls"));
    if (window.wraps[d]) continue;
    // places of images, up to two periods away, must be ints
    check(!ring || n < 1 << 29, function, "grid",
          text("fewer than 2^29 cells in the periodic direction ", d,
               " of which a window has a part"),
          n);
    const int lowest  = ring ? margin - n : 0;
    const int highest = ring ? 2 * n - margin : n;
    check(cells >= support, function, "window",
          text("at least as many cells in direction ", d,
               " as the support of the delta function, ", support),
          cells);
    check(
        highest - lowest >= support, function, "grid",
        text("at least ", (support + 2 * margin + 2) / 3,
             " cells in the periodic direction ", d,
             " of which a window has a part (or a window with wraps[", d, "])"),
        n);
    check(first >= lowest && first <= highest - cells, function, "window",
          text("cells in [", lowest, ", ", highest, ") in direction ", d),
          text("[", first, ", ", std::int64_t(first) + cells, ")"));
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
