// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GRIDCONSTANTS_HPP
#define SPOROS_GRIDCONSTANTS_HPP

/// \file Sporos_GridConstants.hpp
/// The thresholds and sizes of particle-grid transfer, on one rank and on many:
/// unit, where each comes from, and what measures it again.
///
/// "chosen": no measurement is recorded that decides between it and half or
/// twice as much. "room": what fits into a number, a team or scratch. Machines
/// are those of the tables of mechanisms in the docs: AMD EPYC, OpenMP, double
/// and cosine4. Parts, chunks and tiles also decide the order of sums, that is
/// their bits.
///
/// To measure a number again, change it, build bench_particle_grid a second
/// time and run both programs in turn. FILTER stands for
///
///     perf/bench/bench_particle_grid --benchmark_filter=...

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

// ---------------------------------------------------------------------------
// What is taken by itself

/// A plan has fewer points than this. Room: kernels number them by int and look
/// some batches of points ahead; 2^31 - 2^16.
constexpr std::size_t points_end = 2147418112;
/// Devices interpolate by tiles if there are so many points for each tile of
/// the grid, on average. An H100, 2026-11-27. FILTER
/// 'interpolate/(tiled|sorted)/'
constexpr int least_points_to_copy_tiles = 128;
/// Components of one pass at most; more take several passes. Room: accumulators
/// in registers. FILTER '/(c2|c3|mac|complex)$'
constexpr int max_group = 4;
/// Boxes of shifts that a sweep may take: the most columns, and those that
/// options leave to the library. More than 16 do not fit into registers; 10 are
/// what the authors of the algorithm found best.
constexpr int most_sweep_columns = 16;
constexpr int sweep_columns      = 10;  ///< see most_sweep_columns

// ---------------------------------------------------------------------------
// Hosts: points in the given order. `bash perf/range.sh build/openmp` measures
// steps with all of this.

/// Points whose box is found in one go; a chunk has a multiple of them. Chosen.
constexpr int piece_points = 1024;
/// Chunks at most, each with a copy of a part of the grid. Chosen.
constexpr int most_chunks = 64;
/// Boxes of chunks grow by so many cells: copies of moving points seldom need
/// more memory than before. Chosen.
constexpr int box_step = 4;
/// Points of each chunk that tell whether points are nearly in order. Chosen.
constexpr int chunk_samples = 32;
/// Points whose weights are computed at once if they have up to 16 rows each,
/// up to 64, and more. Room: the first cache.
constexpr int given_block        = 64;
constexpr int given_block_of_64  = 32;  ///< see given_block
constexpr int given_block_widest = 16;  ///< see given_block
/// Grid points of a line to which copies are added in one go. Chosen.
constexpr int added_points = 2048;
/// Cells of a periodic direction in which points up to a period away are found
/// without branches, at most. Room: twice as many fit into an int.
constexpr int most_cells_around = 1 << 29;
/// Grid points of a copy, at most. Room: they are numbered by int.
constexpr double most_copied_points = 2147483647.;
/// Nanoseconds to zero a grid point of a copy and to add it to the field, on
/// grids of so many bytes, and beyond. Zen 4, 2D Hat2, one thread, 2026-11-28.
constexpr double copied_in_level_2 = .3, copied_level_2 = 256e3;
constexpr double copied_in_level_3 = .5, copied_level_3 = 4e6;
constexpr double copied_beyond = 1.;  ///< see copied_in_level_2
/// Nanoseconds of a point's row in so many bytes, and beyond, of a value of the
/// row, and of a point, for a spread and for an interpolation. Zen 4, Hat2 and
/// ExponentialOfSemicircle<3> to <7>, 2D 128^2 to 1024^2 and 3D 32^3 to 128^3,
/// 1e5 and 1e6 points, random and in order, one thread, 2026-11-28.
constexpr double given_row_level_1 = .8, given_level_1 = 100e3;
constexpr double given_row_level_2 = 1.5, given_level_2 = 512e3;
constexpr double given_row_level_3 = 2., given_level_3 = 2e6;
constexpr double given_row_shared = 3.3, given_shared = 4e6;
constexpr double given_row_beyond = 7.;   ///< see given_row_level_1
constexpr double given_value      = .2;   ///< see given_row_level_1
constexpr double given_point      = 2.;   ///< see given_row_level_1
constexpr double given_update     = 1.5;  ///< of a point, see given_row_level_1
/// Share of the grid that boxes have where points are nearly in order, and of
/// their memory that such points touch at a time. Chosen.
constexpr double ordered_share = .5, ordered_at_once = .1;
/// Time that few chunks cost on several threads: half of a point's, divided by
/// their number. Chosen.
constexpr double few_chunks = .5;
/// Nanoseconds of an update that sorts, with a spread and an interpolation by
/// tiles: of a point, of one where points are nearly in order, and of a grid
/// point of its support. See given_row_level_1.
constexpr double sorted_point         = 27.;
constexpr double sorted_ordered_point = 18.;  ///< see sorted_point
constexpr double sorted_grid_point    = .25;  ///< see sorted_point

// ---------------------------------------------------------------------------
// Hosts: tiles with few points work on the field

/// Cost of a row of the field for a point, in values of the tile's image: in 1D
/// and 2D. Zen 3, clustered and sphere 256^3, 1e6, uniform 128^3, 1e4 to 1e5:
/// 1.07 to 2.8 times as fast, 2026-11-24. FILTER
/// '(spread|interpolate)/tiled/double/'
constexpr double direct_row_flat = 1.;
/// Cost of a row (see direct_row_flat) in 3D for supports up to 7, when rows
/// are read or added to; rows of more values than direct_row take twice that:
/// their lines meet in few sets of the first cache where extents are powers of
/// two. Zen 4, Hat2 to ExponentialOfSemicircle<7>, double and complex, uniform
/// 72^3, 128^3 and 200^3, 2 to 192 points a tile, one thread: tiles with so few
/// points take at most 1.2 times as long as the other way, 2026-11-28. FILTER
/// '(spread|interpolate)/tiled/'
constexpr double direct_row_read   = 2.;
constexpr double direct_row_spread = 1.6;  ///< see direct_row_read
constexpr int direct_row           = 8;    ///< see direct_row_read
/// Tiles in 3D with more points than this have an image in any case. See
/// direct_row_read; ExponentialOfSemicircle<5> to <7>, 1e5 points in 112^3 to
/// 200^3 cells.
constexpr double direct_most = 50.;
/// Tiles in `spread` for supports up to direct_narrow. See direct_row_read.
constexpr double direct_most_narrow = 100.;
constexpr int direct_narrow         = 4;  ///< see direct_most_narrow
/// Cost of a row (see direct_row_flat) in 3D for supports above 7. Zen 4,
/// ExponentialOfSemicircle<8> and <10>, uniform 128^3, 1.5e4 to 1.5e5: tiles
/// with 40 points (spread) and 65 (interpolate) take as long with images,
/// 2026-11-28. No case of bench_particle_grid is as wide.
constexpr double direct_wide_read   = 3.;
constexpr double direct_wide_spread = 6.;  ///< see direct_wide_read
/// Cost of a row (see direct_row_flat) whose values lie apart, in one line of
/// memory or each in a line of its own. 2026-11-26.
constexpr double direct_near_read   = 9.;
constexpr double direct_near_spread = 11.;  ///< see direct_near_read
constexpr double direct_far_read    = 3.;   ///< see direct_near_read
constexpr double direct_far_spread  = 1.2;  ///< see direct_near_read

// ---------------------------------------------------------------------------
// Hosts: tiles

/// Points whose weights are computed at once. Instead of 256: Zen 5, sphere
/// 64^3 and uniform 128^3, 1e6, interpolate, 1.12 and 1.10 times as fast,
/// 2026-11-25. FILTER 'interpolate/tiled/'
constexpr int host_batch = 64;
/// Bytes of fields that caches may hold; the next tile of larger ones is
/// prefetched, unless it has fewer points than prefetched_points: 200^3, 4 to
/// 64 points a tile that work on the field: 1.13 to 2.1 times as fast. Zen 4,
/// 2026-11-28. With images: Zen 5, uniform 256^3, 1e6: 1.14 and 1.22 times as
/// fast; prefetched in all fields, uniform 128^3, 1e5: 0.91. 2026-11-25. FILTER
/// '(spread|interpolate)/tiled/'
constexpr double cached_bytes   = 32 << 20;
constexpr int prefetched_points = 2;  ///< see cached_bytes
/// Tiles along direction 0 make one row where there are so many rows, times
/// 2^(Dim - 1). Chosen.
constexpr unsigned least_rows_of_tiles = 16;
/// Columns that run at once, at least, for columns of 8, 4 and 2 tiles along
/// the last direction in 3D. Chosen.
constexpr std::uint64_t columns_of_8_tiles = 512;
constexpr std::uint64_t columns_of_4_tiles = 128;  ///< see columns_of_8_tiles
constexpr std::uint64_t columns_of_2_tiles = 32;   ///< see columns_of_8_tiles
/// Points of a tile that are added up in one go, at most. Chosen; parts let
/// threads share crowded tiles (clustered 128^3, 1e6, Zen 3, one thread: 0.91).
/// Twice the cells of a tile if that is more, as for wide delta functions.
constexpr int most_part_points = 4096;

// ---------------------------------------------------------------------------
// Hosts: update

/// Points ahead whose positions are prefetched. Zen 3, uniform 128^3, 1e6, all
/// points move: 1.63 times as fast, 2026-11-24. FILTER 'update/all/'
constexpr int positions_ahead = 128;
/// Points whose cells are found at once. Room: loops that compilers vectorise.
constexpr int inspected_points = 64;
/// Keys of a chunk in which tiles are found, on hosts and on devices. Chosen.
constexpr int searched_keys        = 256;
constexpr int searched_device_keys = 4;  ///< see searched_keys
/// The order is repaired if at most one of so many keys changed; a point that
/// left its cell changes two. Zen 3, uniform 128^3, 1e6, 10 % leave: 1.13 times
/// as fast, 2026-11-24. FILTER 'update/(moved_10_percent|all)/'
constexpr int points_a_change = 4;
/// Sorted points of a chunk with which changes are merged. Chosen.
constexpr int merge_chunk = 4096;

/// The widest support for which `automatic` may take points in the given order:
/// wider ones gain by the sort everywhere. Chosen. `bash perf/range.sh`
constexpr int most_given_support = 7;

// ---------------------------------------------------------------------------
// Devices, by kernel counts and times on an H100, 2026-11-25 to 2026-11-27:
// `bash perf/device_counts.sh transfer`; FILTER '(spread|interpolate)/tiled/'

/// Points of a part of a crowded tile, at least, and parts of all points.
constexpr int least_part_points = 512;
constexpr int parts_of_all      = 1024;  ///< see least_part_points
/// Tiles of a grid that are all summed at once, each into an image in memory.
/// 128^3: 0.24 ms against 0.42 for a launch for each colour.
constexpr std::uint64_t most_images = 2048;
/// Bytes of scratch that a team fills with its image and points. Room: Kokkos
/// gives it 40 KiB.
constexpr int tile_team_bytes = 39 * 1024;
/// Points that a team stages at most. Room: see SpreadTeamTile::inverse.
constexpr int most_staged_points = 256;
/// Points that a team stages, where fewer fit: multiples of so many. Chosen: a
/// warp of CUDA.
constexpr int staged_points_step = 32;
/// Threads of a team that spreads, at least.
constexpr int least_spread_team = 128;
/// Grid points of a row along direction 0 that a thread owns. Chosen: with more
/// a thread multiplies more zeros, with fewer it reads points more often.
constexpr int owned_row = 8;
/// Pieces of rows whose points a team of owners lists at a time, unless a layer
/// has more. Chosen.
constexpr int listed_pieces = 512;
/// Bytes of scratch for the points that a team of owners stages, unless its
/// sums need more, and these points at most. Chosen.
constexpr int owner_staging_bytes   = 24 * 1024;
constexpr int most_staged_by_owners = 128;  ///< see owner_staging_bytes
/// Threads of a team of owners, at least. Chosen.
constexpr int least_owner_team = 64;
/// Threads of a block of kernels whose threads take a point each, at most with
/// HIP. Room: in blocks of 1024, the most that Kokkos has else, a thread has
/// too few registers for the weights of a support of 8 in 3D.
constexpr int point_threads = 256;
/// Threads of a team that interpolates, in 3D and else: in 3D the image lets
/// few teams be active. Chosen.
constexpr int interpolate_team_3d = 256;
constexpr int interpolate_team    = 128;  ///< see interpolate_team_3d
/// Threads of a team that adds images to the field, and that adds the sums of
/// the parts of a tile in tiles most of which are cut. Chosen.
constexpr int adding_team = 256;
/// Threads of a team that adds up the parts of a tile. Chosen.
constexpr int sum_parts_team = 64;
/// Points for each team, where teams take several tiles. Chosen.
constexpr int points_a_team = 256;
/// Threads that give points outside of the grid their zeros. Chosen.
constexpr int zeroing_threads = 1 << 14;

/// Grid points of a row that a host zeroes, or sums up, at a time in a buffer
/// of sweeps. Chosen.
constexpr int buffer_row = 512;

// ---------------------------------------------------------------------------
// Ranks. `bash perf/ranks.sh build/openmp 9` measures a step.

/// Entries of messages ahead that hosts prefetch: they lie apart. Chosen.
constexpr int entries_ahead = 32;
/// Points whose copies for other ranks are listed at a time, on hosts and on
/// devices. Chosen.
constexpr int listed_points        = 1024;
constexpr int listed_device_points = 64;  ///< see listed_points

}  // namespace Impl
}  // namespace Sporos

#endif
