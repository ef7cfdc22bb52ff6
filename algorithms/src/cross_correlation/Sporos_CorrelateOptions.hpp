// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEOPTIONS_HPP
#define SPOROS_CORRELATEOPTIONS_HPP

/// \file Sporos_CorrelateOptions.hpp
/// Options of cross_correlate. Users include Sporos_CrossCorrelate.hpp.

#include <Sporos_KokkosCompat.hpp>

namespace Sporos {

/// What a left and a right one is, and a result of a pair. Ranks of Views
/// follow from it and from Pairing, never the other way round: (n, w) may be a
/// matrix or n signals.
enum class CorrelateOperand {
  signal,  ///< (w): results (W). The engine takes it for a matrix of one row
  matrix,  ///< (h, w): results (H, W)
  volume   ///< (d, h, w), planes before rows before columns: results (D, H, W)
};

/// Which matrices are correlated with which. Shapes are those of left, right
/// and out; (H, W) is the number of shifts in y and x. Signals have (w) and (W)
/// instead, volumes (d, h, w) and (D, H, W).
enum class Pairing {
  one_to_one,   ///< (h, w) x (h, w) -> (H, W); or (n, h, w) x (n, h, w) ->
                ///< (n, H, W), each with its own
  one_to_many,  ///< (h, w) x (m, h, w) -> (m, H, W)
  n_to_mn,      ///< (n, h, w) x (n, m, h, w) -> (n, m, H, W)
  n_to_m        ///< (n, h, w) x (m, h, w) -> (n, m, H, W)
};

/// The shifts that are computed. full, same and valid are those of SciPy's
/// correlate2d (full and valid of real matrices: SciPy exchanges left and right
/// for valid if right is the larger one, which for complex ones gives the
/// conjugate of what the definition gives here).
enum class CorrelateMode {
  full,   ///< all shifts with an overlap
  same,   ///< as many shifts as left has elements; dy from -((h - 1) div 2) on,
          ///< where h is the height of right; dx alike
  valid,  ///< shifts for which the smaller matrix lies within the larger one
  window  ///< the shifts of CorrelateOptions::window
};

/// Shifts [dy0, dy1) x [dx0, dx1). Shifts without overlap are allowed and give
/// 0. Those of signals are [dx0, dx1); dy0 and dy1 stay 0, and are [0, 1) in
/// plans. Those of volumes are [dz0, dz1) x [dy0, dy1) x [dx0, dx1).
struct ShiftWindow {
  int dy0 = 0;  ///< the first shift in y: rows
  int dy1 = 0;  ///< the shift after the last one in y
  int dx0 = 0;  ///< the first shift in x: columns
  int dx1 = 0;  ///< the shift after the last one in x
  int dz0 = 0;  ///< volumes: the first shift in z: planes
  int dz1 = 1;  ///< volumes: the shift after the last one in z

  /// Number of shifts in y.
  KOKKOS_FUNCTION constexpr int rows() const { return dy1 - dy0; }
  /// Number of shifts in x.
  KOKKOS_FUNCTION constexpr int columns() const { return dx1 - dx0; }
  /// Number of shifts in z: 1 unless of volumes.
  KOKKOS_FUNCTION constexpr int planes() const { return dz1 - dz0; }
};

/// Algorithms. All except fft sum by the definition, in an order that depends
/// only on extents and options: the same bits on every run and with any number
/// of threads. In basic, team_per_shift and lane_group_per_shift (on hosts only
/// staged or distributed), infinities and NaNs reach only the shifts that meet
/// them. tile, shuffle and lane_group_per_shift otherwise also multiply them by
/// zeros around the matrices; fft spreads them to all shifts with an overlap.
enum class CorrelateAlgorithm {
  automatic,  ///< hosts: tile, lane_group_per_shift or fft, by a cost model
              ///< that was fitted to measurements; devices: tile, shuffle or
              ///< lane_group_per_shift by counted instructions, and
              ///< lane_group_per_shift or fft by measured thresholds
  basic,      ///< a thread per shift; reference of the tests
  tile,       ///< sums rows x columns of shifts in registers: of a thread on
         ///< hosts, on devices of each lane of a warp, which share the overlap
  shuffle,  ///< a lane group owns consecutive x shifts, left slides through the
            ///< lanes, right is broadcast; see the groupings of
            ///< CorrelateOptions
  lane_group_per_shift,  ///< lanes share the overlap of a shift
  team_per_shift,        ///< a team shares the overlap of a shift
  fft  ///< FFTW, cuFFT or hipFFT, if linked; rounding errors are relative to
       ///< norms of the matrices, see CorrelateExactness
};

/// When `automatic` may take `fft` (if it is linked, and faster). Sums by the
/// definition are wrong by at most 1e-5 (float; 2e-6 for overlaps of more than
/// 16384 products) of the sum of the absolute values of their own products.
/// Those by `fft` are wrong by about eps log2(N) |left| |right|, where N is the
/// number of elements of a padded matrix, |.| the root of the sum of squares of
/// a whole matrix, and eps that of float or double: small results have fewer
/// digits than large ones, and sums of products that are not negative may be
/// slightly negative.
enum class CorrelateExactness {
  /// Whenever it is faster; pairs with a matrix of a wide range are summed by
  /// the definition afterwards. The range is wide if half as many elements as
  /// the shorter of a row and a column, or more, are not 0 and smaller than eps
  /// times the largest: some shifts may meet no others. (Of a signal, or of a
  /// single row or column, half the root of the number of elements.) It is also
  /// wide if elements are not finite. With a Normalize other than none, and if
  /// the
  /// definition takes more than 1e10 multiply-adds per pair, this is
  /// relative_to_norms.
  by_range,
  relative_to_norms,  ///< whenever it is faster
  by_definition       ///< never
};

/// How `automatic` chooses an algorithm.
enum class CorrelateSelection {
  by_model,  ///< by the cost models of hosts and the thresholds of devices:
             ///< always the same choice in the same build, in no time
  /// By a trial when the plan is made: of tile, lane_group_per_shift and fft on
  /// hosts, of tile, shuffle, lane_group_per_shift, team_per_shift and fft on
  /// devices, those that are possible run on scratch matrices of these extents,
  /// and the fastest is taken. Numbers of pairs are cut to about a millisecond
  /// of work and 64 MiB of matrices (one pair at least). Each algorithm is
  /// called 6 times, or twice if calls take more than 10 ms. Left out are
  /// algorithms that take four times the time of the fastest by the models
  /// (hosts), and sums by the definition of more than 1e10 multiply-adds a pair
  /// (devices). What is found is kept until the program ends, and holds for all
  /// plans of these extents, shifts and options whose numbers of matrices are
  /// the same when they are rounded up to powers of two: only the first of them
  /// takes time. The algorithm decides the bits, and times differ: another run,
  /// or another rank, may give other bits, unless it takes
  /// CrossCorrelatePlan::chosen_options.
  by_trial
};

/// How rows of overlaps are distributed to workers (shuffle,
/// lane_group_per_shift).
enum class WorkDistribution {
  automatic,  ///< by the extents
  none,       ///< a worker does all rows of its shifts
  rectangle,  ///< the same number of workers for each row of shifts
  triangle    ///< one worker for each task
};

/// What a result is. S is the sum of products of the overlap of a shift.
/// Whole measures take means and norms of whole matrices; local ones those of
/// the overlap alone, of left and right, from sums in double. The names of
/// OpenCV's methods stand in parentheses. Shifts without overlap, or with less
/// than CorrelateOptions::least_overlap, give what stands last.
enum class Normalize {
  none,       ///< S (TM_CCORR); 0
  mean_only,  ///< S of the matrices less their means; 0
  /// S of the matrices less their means, divided by their norms, at any scale
  /// except that of denormal numbers. Equal matrices give 1 at shift 0,
  /// constant matrices give 0. For matrices of one size an exact match at shift
  /// (dy, dx) gives about (1 - |dy| / h) (1 - |dx| / w). No coefficient is
  /// larger than 1 in absolute value. 0
  whole,
  /// The zero-mean normalised coefficient of the overlap (TM_CCOEFF_NORMED;
  /// MATLAB's normxcorr2 and skimage's match_template where right lies within
  /// left): an exact match gives 1 at any shift, constant patches give 0. No
  /// coefficient is larger than 1 in absolute value. 0
  local,
  local_mean_only,  ///< S of the overlaps less their means (TM_CCOEFF); 0
  /// S divided by the norms of the overlaps (TM_CCORR_NORMED). Patches of zeros
  /// give 0. 0
  local_norm_only,
  /// The sum of |left - right|^2 (TM_SQDIFF), the smallest for the best match;
  /// the largest number
  square_difference,
  /// square_difference divided by the norms of the overlaps, at most 1
  /// (TM_SQDIFF_NORMED); 1
  square_difference_normalized
};

/// Options of cross_correlate. Numbers that are 0 are chosen automatically;
/// others are used as given, or refused.
struct CorrelateOptions {
  /// The pairs of matrices.
  Pairing pairing = Pairing::one_to_one;
  /// The shifts that are computed.
  CorrelateMode mode = CorrelateMode::full;
  /// The shifts of CorrelateMode::window; other modes ignore it.
  ShiftWindow window = {};
  /// The algorithm.
  CorrelateAlgorithm algorithm = CorrelateAlgorithm::automatic;
  /// When `automatic` may take `fft`.
  CorrelateExactness exactness = CorrelateExactness::by_range;

  /// shuffle: the data of a lane group in registers. right_matrices and
  /// left_matrices (1, 2 or 4; right_matrices also 8) matrices share loads of
  /// the other side. right_rows (1, 4 or 8) is the number of rows of shifts,
  /// left_rows (1 or 4) the number of rows of left in one step.
  /// Sporos_CorrelateShuffle.hpp lists the combinations that are compiled.
  int right_matrices = 0;
  int left_matrices  = 0;  ///< See right_matrices.
  int right_rows     = 0;  ///< See right_matrices.
  int left_rows      = 0;  ///< See right_matrices.

  /// shuffle, lane_group_per_shift: each task writes its partial sum to its own
  /// slot; slots are added in a fixed order. Slots take at most 64 MiB, or the
  /// size for one block of rows of shifts of one group of pairs; larger
  /// problems run in several launches.
  WorkDistribution distribution = WorkDistribution::automatic;
  /// Rows of an overlap in a task of a rectangle or triangle. 0: chosen.
  int rows_per_task = 0;

  /// lane_group_per_shift: keep rows of both matrices in scratch memory.
  bool staged = false;

  /// What a result is. All but Normalize::none need a floating-point out.
  Normalize normalize = Normalize::none;
  /// Phase correlation: the product of the spectra of left and right is divided
  /// by its magnitude, so that all frequencies count alike. A shift of broad
  /// content gives a peak of one element, at most 1 high, whatever contrast and
  /// brightness are. Transforms are those of `fft`, of the operands with zeros
  /// around, no smaller than the shifts of mode full; frequencies that a matrix
  /// has nothing but rounding of are left out. Needs `fft` (also as
  /// `automatic`) and a floating-point out, and normalize none or mean_only: of
  /// matrices with a mean other than 0 the edges correlate, too, at shift 0.
  bool whiten = false;
  /// whole and local: matrices (whole), or what is left of them in the overlap
  /// of a shift (local), whose root-mean-square deviation from the mean is at
  /// most this, in units of their elements, count as constant and give 0. 0:
  /// only those of equal elements. A little above the noise of a camera it
  /// keeps windows without content from correlating.
  double least_deviation = 0;
  /// Local measures and square differences: the least overlap, as a fraction
  /// (0 to 1) of the largest one that matrices of these extents can have, or of
  /// the sum of the weights of a mask if that is less. Shifts of less count as
  /// shifts without overlap. 0: an element is enough, and overlaps of two have
  /// a coefficient of 1 or -1; take some 0.3 to search shifts at the borders.
  double least_overlap = 0;

  /// What left and right ones are. Views of signals have one rank less than
  /// those of matrices, Views of volumes one more.
  CorrelateOperand operand = CorrelateOperand::matrix;

  /// How `automatic` chooses. by_trial needs algorithm `automatic`. There is no
  /// trial where nothing is to choose: with whiten, with SPOROS_CORRELATE in
  /// the environment, without results, and if one algorithm is possible.
  CorrelateSelection selection = CorrelateSelection::by_model;
  /// What `automatic` takes, in place of a choice: the algorithm that another
  /// plan has chosen (CrossCorrelatePlan::chosen_options). Otherwise than with
  /// `algorithm`, all that `automatic` promises holds, such as
  /// CorrelateExactness::by_range. Needs algorithm `automatic` and selection
  /// by_model.
  CorrelateAlgorithm selected = CorrelateAlgorithm::automatic;
};

/// Extents of a correlation: n left matrices, m right matrices for each (or, in
/// n_to_m, for all of them). Signals are matrices of one row.
struct CorrelateExtents {
  int n       = 1;  ///< left matrices; 1 in one_to_many
  int m       = 1;  ///< right matrices; 1 in one_to_one
  int left_h  = 0;  ///< rows of a left matrix
  int left_w  = 0;  ///< columns of a left matrix
  int right_h = 0;  ///< rows of a right matrix
  int right_w = 0;  ///< columns of a right matrix
  int left_d  = 1;  ///< planes of a left volume
  int right_d = 1;  ///< planes of a right volume
};

}  // namespace Sporos

#endif
