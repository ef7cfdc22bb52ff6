// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_VECTORS_HPP
#define SPOROS_PIV_VECTORS_HPP

/// \file Piv_Vectors.hpp
/// Interrogation windows and the displacements found in them.

#include <Kokkos_Core.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace PivApp {

/// Square windows on a regular grid; number j nx + i is in column i, row j.
struct WindowGrid {
  int window = 0, step = 0;  ///< pixels
  int nx = 0, ny = 0;

  /// As many windows as fit into the images.
  /// \param overlap of neighbours, per cent
  /// \throws std::invalid_argument if none fits
  WindowGrid(int width, int height, int window, double overlap);

  KOKKOS_FUNCTION int size() const { return nx * ny; }
  KOKKOS_FUNCTION int left(int number) const { return number % nx * step; }
  KOKKOS_FUNCTION int top(int number) const { return number / nx * step; }
  /// Distance of a window's centre from its first pixel's.
  KOKKOS_FUNCTION double middle() const { return (window - 1) / 2.; }
  /// Place of the centre of a window, from the centre of the first pixel.
  KOKKOS_FUNCTION double x(int number) const { return left(number) + middle(); }
  KOKKOS_FUNCTION double y(int number) const { return top(number) + middle(); }
};

enum class Status : std::uint8_t {
  found,     ///< a peak that fits its neighbours
  replaced,  ///< an outlier; what stands is the median of neighbours
  masked     ///< a window that a mask covers; what stands has no meaning
};

/// One displacement per window.
struct Vectors {
  explicit Vectors(const WindowGrid& g)
      : grid(g),
        dx(count()),
        dy(count()),
        peak(count()),
        snr(count()),
        status(count(), Status::found) {}

  WindowGrid grid;
  std::vector<double> dx, dy;  ///< pixels, x right, y down
  std::vector<double> peak;    ///< correlation coefficient
  std::vector<double> snr;     ///< highest over second highest peak
  std::vector<Status> status;

  int outliers() const { return with(Status::replaced); }
  int masked() const { return with(Status::masked); }

 private:
  std::size_t count() const { return static_cast<std::size_t>(grid.size()); }
  int with(Status wanted) const;
};

}  // namespace PivApp

#endif
