// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PEAKOPTIONS_HPP
#define SPOROS_PEAKOPTIONS_HPP

/// \file Sporos_PeakOptions.hpp
/// Peaks of correlations, and how they are found. Users include
/// Sporos_FindPeaks.hpp or Sporos_CorrelatePeaks.hpp.

#include <Sporos_KokkosCompat.hpp>

namespace Sporos {

/// A peak of the results of a pair. Where there are fewer peaks than asked for,
/// all numbers of the others are NaN.
struct Peak {
  double dy     = 0;  ///< shift in y, in rows; 0 for signals
  double dx     = 0;  ///< shift in x, in columns
  double height = 0;  ///< the result at the element of the peak
  /// Height divided by that of the next peak; infinity if there is no next one,
  /// or none above 0; 0 if this height is not above 0.
  double ratio = 0;
  double dz    = 0;  ///< shift in z, in planes; 0 unless of volumes

  /// Is it a peak, no mark of a missing one?
  KOKKOS_FUNCTION constexpr bool found() const { return height == height; }
};

/// How a peak is placed between elements. A direction without a neighbour on
/// each side, or with one that is not finite, stays at the element.
enum class SubPixel {
  none,          ///< at the element
  gaussian,      ///< maximum of the Gauss curve through three values of each
                 ///< direction; a parabola if one of them is not above 0
  parabola,      ///< maximum of the parabola through three values
  centroid,      ///< mean place of three values, weighted by them; a parabola
                 ///< if one of them is not above 0
  least_squares  ///< maximum of the quadratic surface that is closest to 3 x 3
                 ///< values (of volumes 3 x 3 x 3), at most 1 away in each
                 ///< direction; a parabola if one of them is missing or not
                 ///< finite, as all are for signals, or if the surface has no
                 ///< maximum
};

/// Options of find_peaks and correlate_peaks.
struct PeakOptions {
  /// Shift of the first element of the results. With a plan its first shift.
  int dy0 = 0;
  int dx0 = 0;  ///< See dy0.
  /// Two peaks of a pair are at least so many elements apart in y or in x (or
  /// in z). 1: all local maxima.
  int least_distance = 1;
  /// So many rows and columns at each side of the results have no peaks; of
  /// results of signals so many elements, of volumes planes, too.
  int border = 0;
  /// How a peak is placed between elements.
  SubPixel sub_pixel = SubPixel::gaussian;
  /// correlate_peaks: the images of left, and of right, are a series. Results
  /// of window k of all images are added, and the sums searched for peaks.
  bool ensemble = false;
  int dz0       = 0;  ///< See dy0; of volumes.
};

}  // namespace Sporos

#endif
