// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_BINKERNELS_HPP
#define SPOROS_BINKERNELS_HPP

/// \file Sporos_BinKernels.hpp
/// The kernels of ParticleBins::update.

#include <Sporos_KokkosCompat.hpp>
#include <Sporos_Pack.hpp>
#include <particle_grid/bins/Sporos_GridConstants.hpp>
#include <particle_grid/bins/Sporos_OrderRepair.hpp>
#include <particle_grid/bins/Sporos_TiledCells.hpp>

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Coordinates of points as pointer and strides, so that one kernel serves
/// every layout. P: const float or const double. (Strides count as many bytes
/// as pointers, since Kokkos 5 computes offsets in the type of the indices.)
template <class P, int Dim>
struct PointPositions {
  P* data;
  std::ptrdiff_t
      stride[2];  ///< from point to point, from direction to direction
  int n;

  /// positions: shape (n, Dim), or (n) in one dimension
  template <class View>
  explicit PointPositions(const View& positions)
      : data(positions.data()),
        stride{std::ptrdiff_t(positions.stride(0)), 1},
        n(int(positions.extent(0))) {
    if constexpr (view_rank_v<View> == 2)
      stride[1] = std::ptrdiff_t(positions.stride(1));
  }

  PointPositions(P* data_, const std::ptrdiff_t (&stride_)[2], int n_)
      : data(data_), stride{stride_[0], stride_[1]}, n(n_) {}

  KOKKOS_FORCEINLINE_FUNCTION P& operator()(int i, int d) const {
    return data[i * stride[0] + d * stride[1]];
  }

  /// Prefetches into the level-2 cache: it has room for more misses at a time.
  KOKKOS_FORCEINLINE_FUNCTION void prefetch([[maybe_unused]] int i) const {
    SPOROS_PREFETCH_LEVEL_2(&(*this)(i, 0));
    if (stride[1] == 1) {  // three numbers lie in at most two lines
      SPOROS_PREFETCH_LEVEL_2(&(*this)(i, Dim - 1));
      return;
    }
    for (int d = 1; d < Dim; ++d) SPOROS_PREFETCH_LEVEL_2(&(*this)(i, d));
  }
};

/// Coordinates of the points begin .. begin + count, direction by direction.
template <class P, class Real, int Dim, int Block>
KOKKOS_FORCEINLINE_FUNCTION void load_coordinates(
    const PointPositions<P, Dim>& x, int begin, int count,
    Real (&out)[Dim][Block]) {
  for (int d = 0; d < Dim; ++d)
    for (int i = 0; i < count; ++i) out[d][i] = Real(x(begin + i, d));
}

/// An integer as wide as Real: loops with both vectorise well.
template <class Real>
using LaneInteger = std::conditional_t<sizeof(Real) == 8, std::int64_t, int>;

/// floor of a number that is small enough for an int. (std::floor is not
/// vectorised as long as floating-point exceptions count.)
template <class Real>
KOKKOS_FORCEINLINE_FUNCTION int small_floor(Real x) {
  const int t = int(x);
  return t - (Real(t) > x ? 1 : 0);
}

/// Consecutive sorted points that one work item adds up: a tile, or a part of a
/// tile that holds very many.
struct PointRange {
  std::uint32_t tile;
  int begin, end;
  int slot, slots;  ///< of the sums of the tile's parts: the first one and
                    ///< their number; parts have those of their tile
};

/// Tiles with points that follow one another, and so do their points.
struct TileList {
  const PointRange *begin = nullptr, *end = nullptr;

  bool empty() const { return begin == end; }
  int first_point() const { return begin->begin; }
  int end_point() const { return (end - 1)->end; }
  int points() const { return empty() ? 0 : end_point() - first_point(); }
};

constexpr int none_bad = std::numeric_limits<int>::max();

/// Numbers that the inspection kernels find.
struct BinCounts {
  int inside;  ///< points with a cell; they come first in sorted order
  int tiles;   ///< tiles with points
  int listed;  ///< ranges: tiles with points, or all tiles by number
  int parts;   ///< parts of tiles
  int crowds;  ///< crowded buckets, see PointBuckets
  int color_begin[most_colors], color_end[most_colors];
  int first_bad;  ///< first point whose coordinates are not finite
};

/// Ranges of tiles, and parts of those with many points or of all.
struct TileRanges {
  PointRange *ranges, *parts;
  int part_points;
  int least_parts;  ///< of a tile with points

  /// Parts of a tile with n > 0 points
  KOKKOS_FORCEINLINE_FUNCTION int slots(int n) const {
    return n > part_points ? ceil_div(n, part_points) : least_parts;
  }
  /// Range number t and its parts
  KOKKOS_FUNCTION void put(int t, const PointRange& r) const {
    ranges[t]      = r;
    const int size = r.slots > 0 ? ceil_div(r.end - r.begin, r.slots) : 0;
    for (int j = 0; j < r.slots; ++j)
      parts[r.slot + j] = PointRange{
          r.tile, r.begin + j * size,
          j + 1 < r.slots ? r.begin + (j + 1) * size : r.end, r.slot, r.slots};
  }
};

struct ClearCounts {
  BinCounts* counts;

  KOKKOS_FUNCTION void operator()(int) const { *counts = {}; }
};

/// Keys of `block` consecutive points at a time, and the first point whose
/// coordinates are not finite. Blocks of one point count no changes.
template <class Cells, class Positions, int Block, class Key>
struct InspectPoints {
  static constexpr int Dim = std::extent<decltype(Cells::dir)>::value;
  Cells cells;
  Positions positions;
  Key* keys;
  int n;
  ChangedKeys changes;
  ImagesOfPoints images;

  KOKKOS_FUNCTION void operator()(int b, int& first_bad) const {
    const int begin = b * Block;
    const int count = n - begin < Block ? n - begin : Block;
    if constexpr (Block > 1)
      whole_block(begin, count, first_bad);
    else
      keys[begin] = key_of(begin, first_bad);
    if constexpr (Block > 1) changes.count(b);
  }

  /// The key of point i
  KOKKOS_FUNCTION Key key_of(int i, int& first_bad) const {
    using Real    = std::decay_t<decltype(cells.origin[0])>;
    bool inside   = true;
    int cell[Dim] = {};
    for (int k = 0; k < Dim; ++k) {
      Real r;
      const auto x = Real(positions(i, cells.dir[k]));
      const Located l =
          cells.window.is_line[k]
              ? cells.locate_on_window(
                    k, x, PointImages::of(images(i), cells.dir[k]), cell[k])
              : cells.locate(k, x, cell[k], r);
      if (l != Located::inside) inside = false;
      if (l == Located::not_finite && i < first_bad) first_bad = i;
    }
    return inside ? cells.template key<Key>(cell) : Key(cells.whole_key_end());
  }

 private:
  /// Loops that compilers vectorise, for the points that lie in the grid, or in
  /// a periodic direction at most one period beside it; the few others one by
  /// one. (With -O2, g++ 12 vectorises loops of constant length only: the last
  /// block is filled up with its first point.)
  KOKKOS_FUNCTION void whole_block(int begin, int count, int& first_bad) const {
    using Real = std::decay_t<decltype(cells.origin[0])>;
    using Flag = LaneInteger<Real>;
    Real x[Dim][Block];
    load_coordinates(positions, begin, count, x);
    for (int d = 0; d < Dim; ++d)
      for (int i = count; i < Block; ++i) x[d][i] = x[d][0];
    const bool moved = images.any(begin, count);
    int cell[Dim][Block];
    Flag found[Block];
    for (int i = 0; i < Block; ++i) found[i] = 1;
    for (int k = 0; k < Dim; ++k) {
      int first = cells.base[k];
      Real low = Real(-first), end = Real(cells.cells[k] - first);
      if (cells.window.is_line[k]) {
        first = cells.window.to_local[k];
        low   = Real(cells.window.low[k]);
        end   = Real(cells.window.end[k]);
      }
      const int period = cells.wraps[k] ? cells.cells[k] : 0;
      low -= Real(period);
      end += Real(period);
      const Real* const x_k = x[cells.dir[k]];
      Real p[Block];
      for (int i = 0; i < Block; ++i) {
        const Real at   = cells.position(k, x_k[i]);
        const bool here = (at >= low) & (at < end);
        found[i] &= Flag(here);
        p[i] = here ? at : low;
      }
      for (int i = 0; i < Block; ++i) {
        int c = small_floor(p[i]) + first;
        c += c < 0 ? period : 0;
        cell[k][i] = c - (c >= period ? period : 0);
      }
      for (int i = 0; moved && i < count; ++i)
        cell[k][i] += cells.window.turn(k) *
                      PointImages::of(images(begin + i), cells.dir[k]);
      if (cells.window.is_line[k])
        for (int i = 0; i < Block; ++i)
          found[i] &= Flag(unsigned(cell[k][i]) < unsigned(cells.cells[k]));
    }
    Flag all = 1;
    Key key[Block];
    for (int i = 0; i < Block; ++i) {
      int c[Dim];
      for (int k = 0; k < Dim; ++k) c[k] = cell[k][i];
      key[i] = cells.template key<Key>(c);
      all &= found[i];
    }
    for (int i = 0; i < count; ++i) keys[begin + i] = key[i];
    if (all != 0) return;
    for (int i = 0; i < count; ++i)
      if (found[i] == 0) keys[begin + i] = key_of(begin + i, first_bad);
  }
};

/// Copies keys that are sorted in place.
struct KeepKeys {
  const std::uint32_t* from;
  std::uint32_t *to, *and_to;

  KOKKOS_FUNCTION void operator()(int i) const { to[i] = and_to[i] = from[i]; }
};

/// Sorted points become the given ones.
struct TakeOrder {
  const std::uint32_t* keys;
  std::uint32_t* given_keys;  ///< null: not kept
  int* permutation;

  KOKKOS_FUNCTION void operator()(int i) const {
    permutation[i] = i;
    if (given_keys != nullptr) given_keys[i] = keys[i];
  }
};

/// Sorted changes of an order
struct OrderChanges {
  const std::uint32_t* listed;
  const int* order;
  std::uint32_t* sorted;

  KOKKOS_FUNCTION void operator()(int i) const { sorted[i] = listed[order[i]]; }
};

/// Sorted keys and the points that they belong to, and where to keep them if
/// they are not in their arrays; of wide keys, their tiles are kept.
template <class Key>
struct PointOrder {
  const Key* keys;
  const int* points;
  std::uint32_t* to_keys = nullptr;
  int* to_points         = nullptr;
};

/// Cells in their tiles, and fractions of sorted points. Keeps: keeps keys and,
/// if these are narrow, points.
template <bool Keeps, class Cells, class Positions, class Real, class Key>
struct GatherPoints {
  Cells cells;
  Positions positions;
  PointOrder<Key> order;
  std::uint16_t* locals;
  Real* fractions;
  std::size_t pitch;
  int n;

  KOKKOS_FUNCTION void operator()(int i) const {
    if (i + positions_ahead < n)  // they are read in random order
      positions.prefetch(order.points[i + positions_ahead]);
    put(i, order.keys[i], order.points[i]);
  }

  /// Sorted point i is point p.
  KOKKOS_FORCEINLINE_FUNCTION void put(int i, Key key, int p) const {
    constexpr int D = std::extent<decltype(cells.dir)>::value;
    locals[i] = std::uint16_t(key & ((1u << Cells::Shape::log2_cells) - 1u));
    if constexpr (Keeps) {
      constexpr bool wide = sizeof(Key) == 8;
      order.to_keys[i] =
          std::uint32_t(wide ? key >> Cells::Shape::log2_cells : key);
      if constexpr (!wide) order.to_points[i] = p;
    }
    for (int k = 0; k < D; ++k) {
      int cell;
      Real r = 0;
      cells.locate(k, Real(positions(p, cells.dir[k])), cell, r);
      fractions[k * pitch + i] = r;
    }
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
