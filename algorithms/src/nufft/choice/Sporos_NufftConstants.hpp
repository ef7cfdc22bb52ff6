// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFTCONSTANTS_HPP
#define SPOROS_NUFFTCONSTANTS_HPP

/// \file Sporos_NufftConstants.hpp
/// Numbers of the non-uniform FFT: the error of the kernel, and the cost model.

#include <cmath>

namespace Sporos {
namespace Impl {

/// Upsamplings that the cost model compares. A finer grid than the last one
/// makes errors smaller still, but its kernel is that of the last one.
constexpr double nufft_upsamplings[]    = {1.25,  1.375, 1.5,   1.625, 1.75,
                                           1.875, 2.,    2.125, 2.25};
constexpr double least_nufft_upsampling = 1.25, most_nufft_upsampling = 4;
/// The finest grid that the kernel's shape and nufft_error() know.
constexpr double most_kernel_upsampling = 2.25;
/// Rounding of options and products that does not matter.
constexpr double nufft_slack           = 1e-9;
constexpr double least_nufft_tolerance = 1e-14, most_nufft_tolerance = .1;
constexpr double least_nufft_tolerance_of_float = 1e-6;
/// In a direction: four times as many are 2^30.
constexpr int most_nufft_modes = 1 << 28;
/// A polynomial in omega^2 of this many terms in place of a Fourier transform
/// that is asked for more often: to rounding for widths up to 16.
constexpr int nufft_transform_terms = 24;
/// Extents of fine grids are multiples of this, and at least it.
constexpr int nufft_columns = 8;
/// Numbers of a row that a team treats between the fine grid and the modes.
constexpr int nufft_piece = 1024;

/// Hosts: points from which the FFT of a line is split into columns and rows,
/// in which threads share. 2^16 complex numbers fill a level-2 cache of 1 MiB;
/// shorter lines take a thread less than a millisecond. Decides bits.
/// Chosen; measure the row 1D of `bash perf/peers.sh nufft` with both.
constexpr int nufft_split_points = 1 << 16;
/// Hosts: planes of a 3D grid for each thread from which a thread transforms
/// rows and columns of a plane at once, while it is in the cache, instead of
/// all rows and then all columns: threads then differ by less than a quarter of
/// their work. Chosen. No bits depend on it.
constexpr int nufft_planes_per_thread = 4;

/// How many groups of modes ahead a split FFT prefetches coefficients: chosen,
/// some 100 ns.
constexpr int nufft_runs_ahead = 8;
/// Coefficients of a cache line.
template <class T>
constexpr int nufft_coefficients_of_line = int(64 / (2 * sizeof(T)));

/// An upper bound of the error of ExponentialOfSemicircle of this width in one
/// direction: of waves that a grid of this upsampling, 1.25 to 2.25, resolves,
/// root mean square over the waves, at the worst position. Fitted to errors of
/// the formula of the kernel at 65 positions, all widths 2 to 16 and
/// upsamplings of 1.25, 1.375, 1.5, 1.75 and 2; the bound is up to 1.5 times
/// the error. tests/fourier/nufft_calls.cpp compares them.
inline double nufft_error(int width, double upsampling) {
  const double q = std::sqrt(1 - 1 / upsampling), w = width;
  const double factor = 9.2 * q - 2 + .022 * w * w + 24 / (w * w * w);
  return 1.05 * factor * std::exp(-std::acos(-1.) * w * q);
}

/// How many times nufft_error() the error of the worst wave at the worst
/// position is: fitted in the same way, for the same widths and upsamplings.
inline double nufft_worst_wave(int width) {
  return 5.5 * std::fmin(1, .15 * width);
}

/// Type 3: the largest coordinate, and the largest unit of rescaled points.
/// Squares of either are finite, so that no quotient of them is NaN.
constexpr double most_nufft_coordinate = 1e150, most_nufft_unit = 1e155;

/// Nanoseconds of one thread, in double; in float, half of those of grid points
/// and stencils. They give the mean of both types in the table of
/// docs/applications.md within 25 % (perf/apps/nufft, 2 threads of a shared Zen
/// 4); sorting the points is in them.
struct NufftCost {
  static constexpr double per_ms      = 1e6;
  static constexpr double point       = 70;   ///< sort, weights
  static constexpr double of_stencil  = .3;   ///< each grid point of a stencil
  static constexpr double grid_point  = 1.5;  ///< zeroing, deconvolution
  static constexpr double of_fft_pass = .3;   ///< each doubling of the grid
};

}  // namespace Impl
}  // namespace Sporos

#endif
