// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEOPTIONS_HPP
#define SPOROS_CORRELATEOPTIONS_HPP

/// \file Sporos_CorrelateOptions.hpp
/// What can be asked of cross_correlate. Users include
/// Sporos_CrossCorrelate.hpp.

namespace Sporos {

/// Which matrices are correlated with which. Shapes are those of left, right
/// and out; (H, W) is the number of shifts in y and x.
enum class Pairing {
  one_to_one,   ///< (h, w) x (h, w) -> (H, W); or (n, h, w) x (n, h, w) ->
                ///< (n, H, W), each with its own
  one_to_many,  ///< (h, w) x (m, h, w) -> (m, H, W)
  n_to_mn,      ///< (n, h, w) x (n, m, h, w) -> (n, m, H, W)
  n_to_m        ///< (n, h, w) x (m, h, w) -> (n, m, H, W)
};

/// Which shifts are computed. full, same and valid mean what SciPy's
/// correlate2d means by them.
enum class CorrelateMode {
  full,  ///< all with an overlap
  same,  ///< as many as left has elements; dy from -((h - 1) div 2) on, where h
         ///< is the height of right; dx alike
  valid,  ///< those where the smaller matrix lies within the larger one
  window  ///< those of CorrelateOptions::window
};

/// Shifts [dy0, dy1) x [dx0, dx1). Shifts without overlap are allowed; what is
/// computed for them is 0.
struct ShiftWindow {
  int dy0 = 0;  ///< the first shift in y: rows
  int dy1 = 0;  ///< the shift after the last one in y
  int dx0 = 0;  ///< the first shift in x: columns
  int dx1 = 0;  ///< the shift after the last one in x

  /// How many shifts there are in y.
  KOKKOS_FUNCTION constexpr int rows() const { return dy1 - dy0; }
  /// How many shifts there are in x.
  KOKKOS_FUNCTION constexpr int columns() const { return dx1 - dx0; }
};

/// How it is computed. All but fft sum by the definition, in an order that
/// depends on the extents and the options alone: the same bits on every run and
/// at any number of threads. Infinities and NaNs reach only the shifts that
/// meet them in basic, team_per_shift and lane_group_per_shift (on hosts:
/// staged or distributed); tile, shuffle and lane_group_per_shift otherwise
/// multiply them with zeros beside the matrices, too, and fft with all.
enum class CorrelateAlgorithm {
  automatic,  ///< tile, lane_group_per_shift or fft on hosts, by a model that
              ///< was fitted to measurements; shuffle, lane_group_per_shift or
              ///< fft on devices, by thresholds that nobody measured so far
  basic,      ///< a thread per shift: the reference
  tile,  ///< hosts: output rows x vectors of x shifts in registers; on devices
         ///< the same as shuffle
  shuffle,  ///< a lane group owns consecutive x shifts, left slides through the
            ///< lanes, right is broadcast; see the groupings of
            ///< CorrelateOptions
  lane_group_per_shift,  ///< lanes share the overlap of a shift
  team_per_shift,        ///< a team shares the overlap of a shift
  fft  ///< through FFTW or cuFFT, where the build has them; rounding errors
       ///< grow with the largest element of a result, not with each
};

/// How the rows of the overlaps are dealt out (shuffle, lane_group_per_shift).
enum class WorkDistribution {
  automatic,  ///< by the extents
  none,       ///< a worker does all rows of its shifts
  rectangle,  ///< as many workers for each row of shifts as the largest needs
  triangle    ///< exactly one worker per task
};

/// Options of cross_correlate. Numbers that are 0 are chosen automatically;
/// others are taken as they are, or refused.
struct CorrelateOptions {
  /// Which matrices are correlated with which.
  Pairing pairing = Pairing::one_to_one;
  /// Which shifts are computed.
  CorrelateMode mode = CorrelateMode::full;
  /// For CorrelateMode::window; other modes do not look at it.
  ShiftWindow window = {};
  /// How it is computed.
  CorrelateAlgorithm algorithm = CorrelateAlgorithm::automatic;

  /// shuffle: what one lane group holds in registers. right_matrices and
  /// left_matrices (1, 2 or 4; right_matrices also 8) share what is loaded of
  /// the other side; right_rows (1, 2, 4 or 8) is the number of rows of shifts,
  /// left_rows (1, 2 or 4) the number of rows of left in one step. See
  /// Sporos_CorrelateShuffle.hpp for the combinations.
  int right_matrices = 0;
  int left_matrices  = 0;  ///< See right_matrices.
  int right_rows     = 0;  ///< See right_matrices.
  int left_rows      = 0;  ///< See right_matrices.

  /// shuffle, lane_group_per_shift: partial sums of tasks go to slots of their
  /// own and are added in a fixed order. Slots take at most 64 MiB, or what one
  /// block of rows of shifts of one group of pairs needs: launches follow one
  /// another.
  WorkDistribution distribution = WorkDistribution::automatic;
  /// Rows of an overlap that one task does; 0: chosen automatically.
  int rows_per_task = 0;

  /// lane_group_per_shift: keep rows of both matrices in scratch memory.
  bool staged = false;

  /// Subtracts its mean from each matrix first (needs a floating-point out).
  bool subtract_mean = false;
  /// Zero-mean normalised cross-correlation: subtracts means and divides by the
  /// norms of what is left of both matrices, so that equal matrices give 1 at
  /// shift 0. Means and norms are those of whole matrices, not of overlaps: an
  /// exact match at shift (dy, dx) gives about (1 - |dy| / h) (1 - |dx| / w).
  /// Matrices that are constant give 0.
  bool normalize = false;
};

/// Extents of a correlation: n left matrices, m right matrices for each (or, in
/// n_to_m, for all of them).
struct CorrelateExtents {
  int n       = 1;  ///< left matrices
  int m       = 1;  ///< right matrices
  int left_h  = 0;  ///< rows of a left matrix
  int left_w  = 0;  ///< columns of a left matrix
  int right_h = 0;  ///< rows of a right matrix
  int right_w = 0;  ///< columns of a right matrix
};

}  // namespace Sporos

#endif
