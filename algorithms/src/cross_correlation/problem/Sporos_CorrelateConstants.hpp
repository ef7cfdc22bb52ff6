// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATECONSTANTS_HPP
#define SPOROS_CORRELATECONSTANTS_HPP

/// \file Sporos_CorrelateConstants.hpp
/// The numbers of cross-correlation that were measured, counted or chosen, but
/// for those that Sporos_CorrelateTable.hpp has in the forms below. "Bits": the
/// order of sums, and so their bits, depend on it.
///
/// Measured again, where no other command stands: change the number and run two
/// builds of the benchmark in turn,
///
///   bench_correlation --benchmark_filter='(tile|lane_group_per_shift|fft)/'

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

// ---------------------------------------------------------------------------
// The choice of `automatic`. Measured by correlation_crossover, which writes
// the table: on a Xeon with AVX-512 (2026-11-22), a Zen 4 (2026-11-23) and an
// H100 (2026-11-27); float and double, all shifts and +-8. Judged on a Zen 4
// (2026-11-28, one thread): 53 of 54 choices within 3 % of the best, one 1.21.

/// Hosts, microseconds of one thread.
struct HostCosts {
  double tile;       ///< per modelled cycle of a slide tile
  double dot;        ///< per modelled cycle of a dot tile
  double fft;        ///< per element and log2 of the size
  double fft_start;  ///< per pair
};

/// By the precision in which FFTs are done.
struct HostTable {
  HostCosts single_precision, double_precision;
};

/// Devices. Numbers of shifts are those of all pairs of a call.
struct DeviceTable {
  double fft_from;     ///< shifts times elements of an overlap from which an
                       ///< FFT is faster
  double few_shifts;   ///< up to here a shift has a lane group to itself
  double split_lanes;  ///< overlaps are cut into tasks where shifts give work
                       ///< to fewer lanes. Bits
};

/// Spectra of more bytes exceed caches, and take so many times as long.
/// Measured on a Zen 5 (2026-11-26).
inline constexpr double large_spectrum      = 8 << 20;
inline constexpr double large_spectrum_cost = 1.4;

/// Devices: elements of the smallest overlap for which `fft` is taken. Measured
/// on an H100 (2026-11-27), float, all shifts, 1 to 1000 pairs:
/// bench_correlation, rows fft and shuffle of 16 to 32.
inline constexpr double least_fft_overlap = 24 * 24;

/// Devices: rows of shifts and of left from which `shuffle` takes groups of 8
/// rows of shifts and 4 of left. Counted (2026-11-25): perf/device_counts.sh
/// --machine correlation. Bits.
inline constexpr int tall_rows_of_shifts = 5, tall_rows_of_left = 8;

/// Devices: instructions of a warp, by which `automatic` compares algorithms
/// that sum by the definition, beside the multiply-adds. `tile`: those of a
/// step without its loads, of the part of a chunk that a tile meets, of a tile,
/// and of an element that is copied to scratch. `shuffle`: of an exchange of
/// four bytes. lane_group_per_shift: of a product of each lane, and of a shift.
/// Read off the machine code of loops, others estimated (2026-11-28):
/// perf/device_counts.sh --machine correlation. Bits.
inline constexpr double tile_step_cost = 12, tile_part_cost = 120,
                        tile_cost = 500, tile_copy_cost = 5;
inline constexpr double shuffle_exchange_cost  = 2;
inline constexpr double per_shift_product_cost = 35, per_shift_cost = 600;

/// Multiply-adds of a pair up to which pairs of a wide range are summed by the
/// definition. Chosen: larger ones would take minutes.
inline constexpr double most_by_definition = 1e10;

/// Trials of CorrelateSelection::by_trial. Chosen: a trial takes some
/// hundredths of a second, little beside the plans of FFTW. Timed calls of an
/// algorithm after the first one, seconds after which there are no more of
/// them, and how many times the least time or cost excludes an algorithm.
inline constexpr int trial_calls      = 5;
inline constexpr double trial_seconds = 1e-2, trial_margin = 4;
/// The matrices of a trial: seconds of a call, multiply-adds of a call on
/// devices, and bytes, unless one pair takes more. Chosen.
inline constexpr double trial_call_seconds = 1e-3, trial_products = 2e9;
inline constexpr double trial_bytes = 64 << 20;
/// Devices: multiply-adds of a pair above which sums by the definition are not
/// tried. Chosen: `fft` is faster far below.
inline constexpr double most_trial_products = 1e10;

// ---------------------------------------------------------------------------
// Sums by the definition. Chosen for the error bounds of CorrelateExactness;
// shorter blocks cost some per cent. Bits.

/// The most terms of a sum that shorter blocks would slow down (by a few
/// percent) and hardly improve.
inline constexpr std::int64_t few_terms = 128 * 128;
/// Terms of a block: of double, of float in sums of few terms, and of many.
inline constexpr int double_block_terms = 4096;
inline constexpr int float_block_terms = 256, long_float_block_terms = 64;
/// Blocks that are added up before their sum moves to the totals.
inline constexpr int blocks_of_total = 16;

// ---------------------------------------------------------------------------
// Tiles of hosts

/// Cycles of a call of a tile kernel, and of the work around the tiles of a
/// block of rows. Counted (2026-11-21). Bits: they choose the tile.
inline constexpr double tile_call_cycles = 20, tile_block_cycles = 40;
/// Rows of an overlap, as a part of those of the smaller matrix, for which
/// segments of tiles are merged. Chosen: the mean over the shifts of a large
/// window. Bits.
inline constexpr double mean_overlap = .625;

/// Bytes of a pair above which it is cut into bands of rows, part of them that
/// a band of left takes, and its least rows. Measured on a Zen 5 (2026-11-26),
/// 2048 x 2048, +-8: 4 to 20 times as fast. Bits.
inline constexpr std::ptrdiff_t band_cache = 1 << 20, band_part = 8;
inline constexpr std::ptrdiff_t least_band_rows = 16, most_least_band_rows = 64;
/// Bytes of the results of bands; for more, tasks are blocks of shifts. Chosen.
inline constexpr std::ptrdiff_t band_slots = 16 << 20;

/// Bytes of which pitches are no multiple: rows would share cache sets.
/// Measured on a Zen 3 (2026-11-25), double 512 x 512, +-8: 1.21.
inline constexpr int bad_pitch = 2048;

/// Tasks of a thread: enough to balance, few enough to copy matrices rarely.
/// Chosen.
inline constexpr int tasks_of_thread = 8;

// ---------------------------------------------------------------------------
// Kernels of devices

/// Bytes of sums and operands of a lane of `shuffle`. Room: 160 registers
/// (2026-11-22); larger groups are in local memory.
inline constexpr int lane_register_bytes = 640;
/// Columns of right that a step of a lane of `tile` takes: 16 bytes of floats.
/// Bits.
inline constexpr int tile_step = 4;
/// Bytes of the sums of a lane of `tile`. Room: 128 registers, with operands.
inline constexpr int tile_register_bytes = 288;
/// Tiles of a team, a warp each, and of these beside each other; rows of shifts
/// of a team. Chosen: copies of 3 x 3 and of 2 x 4 tiles take some per cent.
inline constexpr int most_tile_warps = 9, most_tiles_across = 4;
inline constexpr int most_block_rows = 24;
/// A chunk of `tile`: rows of left, columns of right, columns of 16-byte
/// numbers, bytes of a row if tiles have one row, and bytes in all. From rows
/// times columns lanes of a warp must not get more than the shortest block of
/// terms. Room: two teams and more in a multiprocessor, one in a compute unit
/// of AMD GPUs. Bits.
inline constexpr int most_chunk_rows = 32, most_chunk_columns = 64,
                     wide_chunk_columns = 32, flat_chunk_bytes = 2048;
inline constexpr std::size_t tile_scratch_bytes = std::size_t(40) << 10;
/// Lanes that copy a row of a chunk to scratch, if each takes 16 bytes, and if
/// an element. Chosen: 128 bytes of floats side by side.
inline constexpr int wide_copy_lanes = 8, copy_lanes = 32;
/// `tile` cuts overlaps into tasks if tiles are fewer, lanes counted, and tasks
/// have so many rows. Chosen: 8 warps for each scheduler of an H100. Bits.
inline constexpr double tile_split_lanes  = 131072;
inline constexpr int least_tile_task_rows = 8;
/// Lane groups of a team of `shuffle`, and at most of lane_group_per_shift.
/// Chosen.
inline constexpr int shuffle_team = 4, most_per_shift_team = 8;
/// Threads of team_per_shift. Chosen. Bits.
inline constexpr int team_per_shift_threads = 128;
/// Bytes of scratch and number of rows that are staged. Room: several teams.
inline constexpr std::size_t staged_row_bytes = 16 << 10;
inline constexpr std::size_t most_staged_rows = 32;
/// Rows of a task where options ask for tasks and not for rows, and the step of
/// rows that are chosen. Chosen. Bits.
inline constexpr int task_rows_asked = 8, task_rows_step = 4;
/// Bytes of the slots of one launch, unless one block of rows of shifts of one
/// unit needs more. Chosen.
inline constexpr std::size_t slot_bytes = std::size_t(64) << 20;
/// Rows of a column that a thread measures the range of. Chosen.
inline constexpr int range_rows = 64;
/// Threads of a team that searches the results of a pair for peaks. Chosen.
inline constexpr int peak_team = 64;

// ---------------------------------------------------------------------------
// Peaks without results

/// Bytes of the windows and results of the pairs that are correlated at once,
/// on hosts and on devices, unless one pair needs more. Chosen.
inline constexpr double peak_batch_bytes            = 4 << 20;
inline constexpr double peak_batch_bytes_of_devices = 64 << 20;

// ---------------------------------------------------------------------------
// Means, norms and bounds

/// Rows of a block of sums: at least so many, and at most so many blocks, which
/// one thread adds up. Chosen. Bits.
inline constexpr int least_moment_rows = 64, most_moment_blocks = 1024;
/// Threads of a team. Chosen.
inline constexpr int most_moment_team = 16;
/// Hosts: parts in which results are kept within bounds. Chosen.
inline constexpr std::int64_t bound_parts = 1024;

/// Masks: rounding of a sum of squares through FFTs, by the sum of all squares.
/// Chosen for the bound of CorrelateExactness.
inline constexpr double noise_of_transforms = 1e-13;
/// Overlaps of less, by the largest one, are none but rounding of transforms;
/// and what rounding may take from a least overlap. Chosen.
inline constexpr double no_overlap = 1e-9, overlap_rounding = 1e-12;
/// Rounding of square sums of deviations: with masks in epsilons of the sum of
/// squares, else in squares of epsilons. Chosen.
inline constexpr double masked_flat = 64, local_flat = 256;
/// Local measures: bytes of the boxes of a batch of pairs. Chosen.
inline constexpr std::int64_t box_batch_bytes = std::int64_t(32) << 20;

// ---------------------------------------------------------------------------
// register_images

/// Chebyshev points of a direction around a whole shift: the polynomial through
/// them is wrong by 2e-12 of the norms. Chosen.
inline constexpr int shift_nodes = 16;
/// Pixels from a whole shift to the outmost point of any fine grid (that of
/// upsampling 5), at most.
inline constexpr double shift_reach = 0.8;
/// What a place one pixel from the whole shift is worth less, in coefficients:
/// above the rounding of flat correlations, and below what moves a peak of 100
/// pixels by 1/1000. Chosen.
inline constexpr double farness_of_shifts = 1e-8;
/// The largest RegistrationOptions::upsampling. Chosen.
inline constexpr int most_upsampling = 1000;

// ---------------------------------------------------------------------------
// FFTs

/// Whitening leaves out magnitudes of a spectrum of at most so many epsilons of
/// the root of the number of its elements, if matrices are scaled to 1:
/// rounding of transforms. Chosen.
inline constexpr int noise_of_whitening = 4;
/// Largest size of the spectra of a batch, bytes. Chosen.
inline constexpr std::int64_t fft_batch_bytes = std::int64_t(64) << 20;
/// In n_to_m, where blocks of left and right matrices may be transformed again,
/// largest size of the spectra of a block; else that of a batch. Chosen.
inline constexpr std::int64_t fft_block_bytes = std::int64_t(1) << 30;
/// Hosts: real numbers of a spectrum from which threads share it, row by row
/// (measured 2026-11-26: threads gain little for smaller ones) and so many
/// columns at a time (chosen).
inline constexpr std::size_t large_fft    = std::size_t(1) << 17;
inline constexpr int columns_of_large_fft = 16;

}  // namespace Impl
}  // namespace Sporos

#endif
