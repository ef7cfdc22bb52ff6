// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEDEVICETILES_HPP
#define SPOROS_CORRELATEDEVICETILES_HPP

/// \file Sporos_CorrelateDeviceTiles.hpp
/// Cuts the shifts of a pair into register tiles of devices, by a model of
/// instructions.

#include <cross_correlation/problem/Sporos_CorrelateSums.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTilePlan.hpp>

#include <algorithm>
#include <cstddef>

namespace Sporos {
namespace Impl {

/// Shifts whose sums a lane has in registers.
struct DeviceTile {
  int rows, columns;

  /// Columns of left that four columns of right meet.
  KOKKOS_INLINE_FUNCTION constexpr int reach() const {
    return columns + tile_step - 1;
  }
  KOKKOS_INLINE_FUNCTION constexpr int shifts() const { return rows * columns; }
};

/// All tiles that are compiled, each where its sums fit into registers.
inline constexpr DeviceTile device_tiles[] = {
    {8, 8}, {6, 6}, {4, 8}, {4, 4}, {1, 16}};
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

/// The tiles of a team, a warp each, and the chunk of both matrices that it has
/// in scratch.
struct DeviceTiles {
  int number = -1;            ///< of device_tiles; -1: there are none
  int rows = 0, columns = 0;  ///< tiles of a team
  int chunk_rows = 0;         ///< of left, at most
  int left_pitch = 0;
  double cost    = 0;  ///< of a pair, modelled, in instructions of warps
  double overlap = 0;  ///< elements that a shift meets, in the mean

  bool used() const { return number >= 0; }
  DeviceTile tile() const { return device_tiles[number]; }
  int warps() const { return rows * columns; }
  int block_rows() const { return rows * tile().rows; }
  int block_columns() const { return columns * tile().columns; }
  /// Teams beside each other.
  int vectors(const CorrelateShape& s) const {
    return ceil_div(s.columns(), block_columns());
  }
  /// Tiles of a pair.
  double tiles(const CorrelateShape& s) const {
    return double(ceil_div(s.rows(), tile().rows)) *
           ceil_div(s.columns(), tile().columns);
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
  d.columns =
      tiles_of_part(across, down == 1 ? most_tile_warps : most_tiles_across);
  d.rows = tiles_of_part(
      down, Math::min(most_tile_warps / d.columns, most_block_rows / t.rows));
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

/// Adds the cost to the tiles of a team. What a lane does for a step, when it
/// begins with a chunk, when lanes exchange their sums, and for an element of
/// left or right that it copies.
template <class A>
void count_device_tiles(const CorrelateShape& s, DeviceTiles& d) {
  const DeviceTile t = d.tile();
  const int bytes    = int(sizeof(A));
  const int down     = ceil_div(s.rows(), t.rows);
  const int across   = ceil_div(s.columns(), t.columns);
  const double lanes = warp_threads;
  double rows = 0, row_parts = 0, steps = 0, column_parts = 0;
  for (int k = 0; k < down; ++k) {
    const int first = k * t.rows, n = Math::min(t.rows, s.rows() - first);
    for_each_plane(s, [&](const CorrelateExtents& e, int dy0, int) {
      const int dy = dy0 + first;
      const int h =
          Math::min(e.left_h, dy + n - 1 + e.right_h) - Math::max(0, dy);
      rows += Math::max(0, h);
      row_parts += ceil_div(Math::max(0, h), d.chunk_rows);
    });
  }
  for (int k = 0; k < across; ++k) {
    const int first = k * t.columns, dx = s.shifts.dx0 + first;
    const int n = Math::min(t.columns, s.columns() - first);
    const int w = Math::min(s.extents.right_w, s.extents.left_w - dx) -
                  Math::max(0, 1 - dx - n);
    steps += ceil_div(Math::max(0, w), tile_step);
    column_parts += ceil_div(Math::max(0, w), chunk_columns(t, bytes));
  }
  const double tiles = double(down) * across;
  const double parts = row_parts * column_parts;
  const double times = rows * steps / lanes + parts / 2;
  const double adds  = is_complex_v<A> ? 4 : 1;
  const double loads = (tile_step * t.rows * bytes) / 16. +
                       double(t.reach()) * bytes / left_load_bytes(t, bytes);
  const double exchange = t.shifts() * (3 * bytes / 4. + 1);
  const double copied   = rows * steps * tile_step / d.warps() *
                        (2 + double(d.block_rows()) / d.chunk_rows +
                         double(d.block_columns()) / chunk_columns(t, bytes));
  d.cost =
      times * (tile_step * t.shifts() * adds + loads + tile_step_cost) +
      parts * tile_part_cost + tiles * (tile_cost + exchange) +
      times * tile_step / block_terms<A>(most_terms(s.extents)) * exchange +
      copied / lanes * tile_copy_cost;
  d.overlap = rows * steps * tile_step / tiles;
}

/// The cheapest tiles for sums of type A.
template <class A>
DeviceTiles plan_device_tiles(const CorrelateShape& s) {
  DeviceTiles best;
  for (int k = 0; k < device_tile_count; ++k) {
    if (!fits_registers(device_tiles[k], int(sizeof(A)))) continue;
    DeviceTiles d = shape_device_tiles(s, k, int(sizeof(A)));
    count_device_tiles<A>(s, d);
    if (!best.used() || d.cost < best.cost) best = d;
  }
  return best;
}

}  // namespace Impl
}  // namespace Sporos

#endif
