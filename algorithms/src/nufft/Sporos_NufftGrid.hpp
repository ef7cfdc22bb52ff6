// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTGRID_HPP
#define SPOROS_NUFFTGRID_HPP

/// \file Sporos_NufftGrid.hpp
/// Sizes of a non-uniform FFT: modes, points of the fine grid, and where modes
/// stand there.

#include <Kokkos_Core.hpp>

#include <Sporos_Grid.hpp>

#include <cmath>
#include <cstddef>

namespace Sporos {

/// Modes and points of the fine grid in each direction, the last one
/// contiguous. Negative modes stand at the end of the grid.
template <int Dim>
struct NufftGrid {
  int modes[Dim]  = {};    ///< numbers of modes
  int points[Dim] = {};    ///< numbers of points of the fine grid
  bool centred    = true;  ///< order of the modes

  /// Mode number i of direction d.
  KOKKOS_FUNCTION int wave(int d, int i) const {
    if (centred) return i - modes[d] / 2;
    return i < (modes[d] + 1) / 2 ? i : i - modes[d];
  }
  /// Where mode i stands on the fine grid.
  KOKKOS_FUNCTION int place(int d, int i) const {
    const int k = wave(d, i);
    return k < 0 ? k + points[d] : k;
  }
  /// Which mode stands at a place; negative: none.
  KOKKOS_FUNCTION int mode_at(int d, int place) const {
    const int half = modes[d] / 2;
    const int k    = place < points[d] - half ? place : place - points[d];
    if (k >= modes[d] - half) return -1;
    return centred ? k + half : (k < 0 ? k + modes[d] : k);
  }
  /// Numbers of the fine grid.
  std::size_t size() const { return product(points); }
  std::size_t all_modes() const {
    return product(modes);
  }  ///< Number of modes.

  /// The fine grid over a period of 2 pi in each direction.
  Grid<Dim> transfer_grid() const {
    Kokkos::Array<int, Dim> cells;
    Kokkos::Array<double, Dim> spacing;
    for (int d = 0; d < Dim; ++d) {
      cells[d]   = points[d];
      spacing[d] = 2 * std::acos(-1.) / points[d];
    }
    return {cells, spacing};
  }

 private:
  static std::size_t product(const int (&n)[Dim]) {
    std::size_t p = 1;
    for (const int along : n) p *= std::size_t(along);
    return p;
  }
};

}  // namespace Sporos

#endif
