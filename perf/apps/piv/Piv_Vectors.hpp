// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_VECTORS_HPP
#define SPOROS_PIV_VECTORS_HPP

/// \file Piv_Vectors.hpp
/// Interrogation windows and the displacements found in them.

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

  int size() const { return nx * ny; }
  int left(int number) const { return number % nx * step; }
  int top(int number) const { return number / nx * step; }
  /// Place of the centre of a window, from the centre of the first pixel.
  double x(int number) const { return left(number) + (window - 1) / 2.; }
  double y(int number) const { return top(number) + (window - 1) / 2.; }
};

enum class Status : std::uint8_t {
  found,    ///< a peak that fits its neighbours
  replaced  ///< an outlier; what stands is the median of neighbours
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
  std::vector<float> peak;     ///< correlation coefficient
  std::vector<float> snr;      ///< highest over second highest peak
  std::vector<Status> status;

  int outliers() const;

 private:
  std::size_t count() const { return static_cast<std::size_t>(grid.size()); }
};

/// Marks the vectors that have too low an snr or no finite value or that fail
/// the normalised median test (Westerweel and Scarano, "Universal outlier
/// detection for PIV data", 2005: |d - median| over the median deviation of the
/// neighbours + 0.1 pixel; at the edges of the grid lines through two
/// neighbours stand for one, or gradients would fail), and replaces them by the
/// median of those of their 8 neighbours that are not marked, from the edges of
/// holes inwards.
void validate(Vectors& vectors, double median_limit, double snr_limit);

}  // namespace PivApp

#endif
