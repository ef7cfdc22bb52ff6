// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_PEAKS_HPP
#define SPOROS_PIV_PEAKS_HPP

/// \file Piv_Peaks.hpp
/// From correlation coefficients to displacements.

#include <Kokkos_Core.hpp>

#include <cmath>

namespace PivApp {

/// Where the Gauss curve through the values at -1, 0 and 1 has its peak; a
/// parabola instead if one of them is not positive, 0 if the middle one is not
/// the highest.
KOKKOS_INLINE_FUNCTION float subpixel(float low, float middle, float high) {
  if (!(middle > low) || !(middle > high)) return 0;
  if (low > 0 && high > 0) {
    low    = std::log(low);
    middle = std::log(middle);
    high   = std::log(high);
  }
  const float curvature = 2 * middle - low - high;
  return curvature > 0 ? 0.5f * (high - low) / curvature : 0.f;
}

/// The highest peak of the coefficients of one window each.
/// Coefficients of shifts (dy, dx) from -shifts to shifts are divided by the
/// share of the windows that overlaps, without which peaks lean towards 0. A
/// peak at the rim is none: its snr is 0. The second highest peak is the
/// largest value further than 3 pixels (in x or y) from the first.
struct FindPeaks {
  Kokkos::View<const float****, Kokkos::LayoutRight,
               Kokkos::DefaultExecutionSpace>
      coefficients;  ///< (window, 0, dy, dx)
  Kokkos::View<float* [4], Kokkos::LayoutRight, Kokkos::DefaultExecutionSpace>
      results;  ///< (window): dx, dy, coefficient, snr
  int window, shifts;

  static constexpr int near = 3;

  KOKKOS_FUNCTION float value(int n, int dy, int dx) const {
    const int x         = window - (dx < 0 ? -dx : dx);
    const int y         = window - (dy < 0 ? -dy : dy);
    const float overlap = float(x * y) / float(window * window);
    return coefficients(n, 0, dy + shifts, dx + shifts) / overlap;
  }

  KOKKOS_FUNCTION void operator()(int n) const {
    int px = 0, py = 0;
    float peak = value(n, 0, 0);
    for (int dy = -shifts; dy <= shifts; ++dy)
      for (int dx = -shifts; dx <= shifts; ++dx) {
        const float v = value(n, dy, dx);
        if (v > peak) {
          peak = v;
          px   = dx;
          py   = dy;
        }
      }
    const bool rim =
        px == -shifts || px == shifts || py == -shifts || py == shifts;
    float x = float(px), y = float(py);
    if (!rim) {
      x += subpixel(value(n, py, px - 1), peak, value(n, py, px + 1));
      y += subpixel(value(n, py - 1, px), peak, value(n, py + 1, px));
    }
    results(n, 0) = x;
    results(n, 1) = y;
    results(n, 2) = peak;
    results(n, 3) = rim || !(peak > 0) ? 0.f : ratio(n, px, py, peak);
  }

  /// At most 100.
  KOKKOS_FUNCTION float ratio(int n, int px, int py, float peak) const {
    float second = peak / 100;
    for (int dy = -shifts; dy <= shifts; ++dy)
      for (int dx = -shifts; dx <= shifts; ++dx) {
        const bool close = dx >= px - near && dx <= px + near &&
                           dy >= py - near && dy <= py + near;
        const float v = close ? second : value(n, dy, dx);
        if (v > second) second = v;
      }
    return peak / second;
  }
};

}  // namespace PivApp

#endif
