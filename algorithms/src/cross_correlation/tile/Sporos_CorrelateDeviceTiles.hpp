// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEDEVICETILES_HPP
#define SPOROS_CORRELATEDEVICETILES_HPP

/// \file Sporos_CorrelateDeviceTiles.hpp
/// Cuts the shifts of a pair into register tiles of devices, by a model of
/// instructions.

#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTilePlan.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// Shifts whose sums a lane has in registers, and so many such tiles of a warp,
/// each with its part of the lanes.
struct DeviceTile {
  int rows, columns;
  int of_warp = 1;

  /// Columns of left that four columns of right meet.
  KOKKOS_INLINE_FUNCTION constexpr int reach() const {
    return columns + tile_step - 1;
  }
  KOKKOS_INLINE_FUNCTION constexpr int shifts() const { return rows * columns; }
  KOKKOS_INLINE_FUNCTION constexpr int lanes() const {
    return warp_threads / of_warp;
  }
};

/// All tiles that are compiled, each where its sums fit into registers.
inline constexpr DeviceTile device_tiles[] = {
    {8, 8}, {6, 6}, {4, 8}, {4, 4}, {1, 16}, {4, 8, 8}};
inline constexpr int device_tile_count =
    int(sizeof(device_tiles) / sizeof(device_tiles[0]));

/// \param bytes of a sum
constexpr bool fits_registers(const DeviceTile& t, int bytes) {
  return t.shifts() * bytes <= tile_register_bytes;
}

/// Bytes that a load from a row of left takes: neighbouring tiles begin at a
/// multiple of these.
KOKKOS_INLINE_FUNCTION constexpr int left_load_bytes(const DeviceTile& t,
                                                     int bytes) {
  return t.columns * bytes % 16 == 0 ? 16 : 8;
}

/// Columns of right in scratch at once, at most.
KOKKOS_INLINE_FUNCTION constexpr int chunk_columns(const DeviceTile& t,
                                                   int bytes) {
  return t.rows == 1 ? flat_chunk_bytes / bytes
         : bytes > 8 ? wide_chunk_columns
                     : most_chunk_columns;
}
/// Elements from row to row of right: an odd multiple of four, so that lanes in
/// two rows meet in few banks.
KOKKOS_INLINE_FUNCTION constexpr int chunk_pitch(const DeviceTile& t,
                                                 int bytes) {
  return chunk_columns(t, bytes) + tile_step;
}

/// The tiles of a team, and the chunk of both matrices that it has in scratch.
struct DeviceTiles {
  int number = -1;            ///< of device_tiles; -1: there are none
  int rows = 0, columns = 0;  ///< tiles of a team
  int lead       = 0;         ///< columns of tiles before the first shift
  int chunk_rows = 0;         ///< of left, at most
  int left_pitch = 0;
  double cost    = 0;  ///< of a pair, modelled, in instructions of warps
  double overlap = 0;  ///< elements that a shift meets, in the mean

  bool used() const { return number >= 0; }
  DeviceTile tile() const { return device_tiles[number]; }
  int warps() const { return ceil_div(rows * columns, tile().of_warp); }
  int block_rows() const { return rows * tile().rows; }
  int block_columns() const { return columns * tile().columns; }
  /// Teams beside each other.
  int vectors(const CorrelateShape& s) const {
    return ceil_div(lead + s.columns(), block_columns());
  }
  /// Tiles of a pair.
  double tiles(const CorrelateShape& s) const {
    return double(ceil_div(s.rows(), tile().rows)) *
           ceil_div(lead + s.columns(), tile().columns);
  }
  /// Elements of left and right in scratch.
  int left_elements() const { return chunk_rows * left_pitch; }
  int right_elements(int bytes) const {
    return (chunk_rows + block_rows() - 1) * chunk_pitch(tile(), bytes);
  }
  std::size_t scratch(int bytes) const {
    return std::size_t(bytes) * (left_elements() + right_elements(bytes));
  }
};

/// About as many of `tiles` in each of as few parts as `most` allows.
inline int tiles_of_part(int tiles, int most) {
  return ceil_div(tiles, ceil_div(tiles, most));
}

/// The tiles of a team, and its chunk. \param bytes of a sum
inline DeviceTiles shape_device_tiles(const CorrelateShape& s, int number,
                                      int bytes) {
  DeviceTiles d;
  d.number            = number;
  const DeviceTile& t = device_tiles[number];
  const int down      = ceil_div(s.rows(), t.rows);
  const int across    = ceil_div(s.columns(), t.columns);
  // rows of left are copied 16 bytes at a time if the first shift that a team
  // has columns for is a multiple of tile_step
  const int lead = (s.shifts.dx0 % tile_step + tile_step) % tile_step;
  if (ceil_div(lead + s.columns(), t.columns) == across) d.lead = lead;
  const int most = most_tile_warps * t.of_warp;
  d.columns      = tiles_of_part(across, down == 1 ? most : most_tiles_across);
  d.rows         = tiles_of_part(down,
                                 Math::min(most / d.columns, most_block_rows / t.rows));
  const int columns =
      Math::min(chunk_columns(t, bytes),
                ceil_div(s.extents.right_w, tile_step) * tile_step) +
      d.block_columns();
  d.left_pitch = (ceil_div(columns, tile_step) | 1) * tile_step;
  d.chunk_rows = Math::min(
      Math::min(most_chunk_rows,
                most_chunk_rows * most_chunk_columns / chunk_columns(t, bytes)),
      ceil_div(s.extents.left_h, tile_step) * tile_step);
  while (d.chunk_rows > tile_step && d.scratch(bytes) > tile_scratch_bytes)
    d.chunk_rows -= tile_step;
  return d;
}

/// Rows of left and columns of right that blocks of shifts meet, added up, and
/// the chunks that these are cut into.
struct BlockSums {
  double rows = 0, row_chunks = 0, columns = 0, column_chunks = 0;
  double blocks = 0;  ///< of shifts
};

/// Blocks of so many rows and columns of shifts. \param together so many blocks
/// beside each other, or what there is of them, take as long as the widest one
inline BlockSums sum_blocks(const CorrelateShape& s, const DeviceTiles& d,
                            int rows, int columns, int together, int bytes) {
  BlockSums sums;
  for (int first = 0; first < s.rows(); first += rows)
    for_each_plane(s, [&](const CorrelateExtents& e, int dy0, int) {
      const int n = Math::min(rows, s.rows() - first), dy = dy0 + first;
      const int h = Math::max(
          0, Math::min(e.left_h, dy + n - 1 + e.right_h) - Math::max(0, dy));
      sums.rows += h;
      sums.row_chunks += ceil_div(h, d.chunk_rows);
    });
  const int most  = chunk_columns(d.tile(), bytes);
  const auto wide = [&](int first) {
    const int dx = s.shifts.dx0 + first;
    const int n  = Math::min(columns, s.columns() - first);
    const int w  = Math::min(s.extents.right_w, s.extents.left_w - dx) -
                  Math::max(0, 1 - dx - n);
    return ceil_div(Math::max(0, w), tile_step) * tile_step;
  };
  for (int first = -d.lead; first < s.columns(); first += together * columns) {
    int w = 0;
    for (int n = 0; n < together; ++n)
      if (first + n * columns < s.columns())
        w = Math::max(w, wide(first + n * columns));
    sums.columns += double(together) * w;
    sums.column_chunks += double(together) * ceil_div(w, most);
    sums.blocks += together;
  }
  sums.blocks *= ceil_div(s.rows(), rows);
  return sums;
}

/// Adds the cost to the tiles of a team. What a lane does for a step, when it
/// begins with a chunk, when lanes exchange their sums, and for an element of
/// left or right that it copies.
template <class A>
void count_device_tiles(const CorrelateShape& s, DeviceTiles& d) {
  const DeviceTile t    = d.tile();
  const int bytes       = int(sizeof(A));
  const BlockSums tiles = sum_blocks(s, d, t.rows, t.columns, t.of_warp, bytes);
  const BlockSums teams =
      sum_blocks(s, d, d.block_rows(), d.block_columns(), 1, bytes);
  const double parts = tiles.row_chunks * tiles.column_chunks;
  const double times =
      tiles.rows * tiles.columns / tile_step / t.lanes() + parts / 2;
  const double adds  = is_complex_v<A> ? 4 : 1;
  const double loads = (tile_step * t.rows * bytes) / 16. +
                       double(t.reach()) * bytes / left_load_bytes(t, bytes);
  const double exchange = t.shifts() * (3 * bytes / 4. + 1);
  const double copied   = 2 * teams.rows * teams.columns +
                        teams.rows * teams.column_chunks * d.block_columns() +
                        teams.row_chunks * d.block_rows() * teams.columns;
  const double of_lanes =
      times * (tile_step * t.shifts() * adds + loads + tile_step_cost) +
      parts * tile_part_cost + tiles.blocks * (tile_cost + exchange) +
      times * tile_step / block_terms<A>(most_terms(s.extents)) * exchange;
  d.cost    = of_lanes / t.of_warp + copied / warp_threads * tile_copy_cost;
  d.overlap = tiles.rows * tiles.columns / d.tiles(s);
}

/// May the lanes of a tile sum a whole chunk between two exchanges?
template <class A>
bool fits_blocks(const CorrelateShape& s, const DeviceTiles& d) {
  const int columns =
      Math::min(chunk_columns(d.tile(), int(sizeof(A))),
                ceil_div(s.extents.right_w, tile_step) * tile_step);
  return d.chunk_rows * columns <=
         std::int64_t(block_terms<A>(most_terms(s.extents))) * d.tile().lanes();
}

/// The cheapest tiles for sums of type A.
template <class A>
DeviceTiles plan_device_tiles(const CorrelateShape& s) {
  DeviceTiles best;
  for (int k = 0; k < device_tile_count; ++k) {
    if (!fits_registers(device_tiles[k], int(sizeof(A)))) continue;
    DeviceTiles d = shape_device_tiles(s, k, int(sizeof(A)));
    if (!fits_blocks<A>(s, d)) continue;
    count_device_tiles<A>(s, d);
    if (!best.used() || d.cost < best.cost) best = d;
  }
  return best;
}

}  // namespace Impl
}  // namespace Sporos

#endif
