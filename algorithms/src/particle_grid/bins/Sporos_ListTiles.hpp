// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LISTTILES_HPP
#define SPOROS_LISTTILES_HPP

/// \file Sporos_ListTiles.hpp
/// The tiles with points, from sorted keys.

#include <Sporos_KokkosCompat.hpp>
#include <particle_grid/bins/Sporos_BinKernels.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>

#include <cstdint>

namespace Sporos {
namespace Impl {

/// Where the tile number changes in the sorted keys; block b has the points
/// b * block .. (b + 1) * block. On devices the threads of a warp read keys
/// that lie side by side.
template <bool Host>
struct FindTiles {
  static constexpr int block = Host ? searched_keys : searched_device_keys;
  const std::uint32_t* keys;
  int* starts;
  BinCounts* counts;
  std::uint32_t key_end;
  int log2_local;  ///< see TiledCells
  int n;

  KOKKOS_FUNCTION void operator()(int b, int& tile, bool final) const {
    const int begin = b * block;
    const int end   = n - begin < block ? n : begin + block;
    const int found = count_tiles(begin, end);
    if (!final) {
      tile += found;
      return;
    }
    for (int i = begin; found > 0 && i < end; ++i)
      if (first_of_tile(i)) starts[tile++] = i;
    if (b == 0 && keys[0] >= key_end) counts->inside = 0;
    if (keys[begin] < key_end && (end == n || keys[end] >= key_end)) {
      int last = end - 1;
      while (keys[last] >= key_end) --last;
      counts->inside = last + 1;
    }
    if (end == n) counts->tiles = tile;
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION bool first_of_tile(int i) const {
    return keys[i] < key_end &&
           (i == 0 || (keys[i - 1] >> log2_local) != (keys[i] >> log2_local));
  }
  KOKKOS_FORCEINLINE_FUNCTION int count_tiles(int begin, int end) const {
    int found = 0;
    if (begin == 0 && first_of_tile(begin++)) ++found;
    for (int i = begin; i < end; ++i)
      found += int(keys[i] < key_end) &
               int(((keys[i] ^ keys[i - 1]) >> log2_local) != 0);
    return found;
  }
};

template <class Cells>
struct ColorTiles {
  Cells cells;
  const std::uint32_t* keys;
  const int* starts;
  const BinCounts* counts;
  std::uint32_t* colors;

  KOKKOS_FUNCTION void operator()(int t) const {
    colors[t] = t < counts->tiles
                    ? cells.color(keys[starts[t]] >> cells.log2_local)
                    : std::uint32_t(Cells::colors);
  }
};

/// Ranges in the order of tiles, parts of tiles, and the tiles of each colour
/// in the sorted colours.
struct ListTiles {
  const std::uint32_t* keys;
  const int* starts;
  BinCounts* counts;
  const std::uint32_t* colors;  // sorted
  TileRanges to;
  int log2_local;
  int n_colors;

  KOKKOS_FUNCTION void operator()(int t, int& slot, bool final) const {
    const int n_tiles = counts->tiles;
    if (t >= n_tiles) {
      if (final && t == n_tiles) finish(t, slot);
      return;
    }
    const int begin = starts[t];
    const int end   = t + 1 < n_tiles ? starts[t + 1] : counts->inside;
    const int slots = to.slots(end - begin);
    if (final) {
      to.put(t, PointRange{keys[begin] >> log2_local, begin, end, slot, slots});
      begin_colors(t, int(colors[t]));
    }
    slot += slots;
  }

 private:
  KOKKOS_FUNCTION void finish(int t, int slot) const {
    begin_colors(t, n_colors);
    counts->parts  = slot;
    counts->listed = t;
  }
  /// Colours end at place t, from that of the tile before it on, and others
  /// begin there, up to `last`.
  KOKKOS_FUNCTION void begin_colors(int t, int last) const {
    const int previous = t == 0 ? -1 : int(colors[t - 1]);
    for (int c = previous; c < last; ++c) {
      if (c >= 0) counts->color_end[c] = t;
      if (c + 1 < n_colors) counts->color_begin[c + 1] = t;
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
