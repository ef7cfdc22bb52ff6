// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATETILEPLAN_HPP
#define SPOROS_CORRELATETILEPLAN_HPP

/// \file Sporos_CorrelateTilePlan.hpp
/// Cuts the shifts of a pair into register tiles on hosts: blocks of rows, each
/// with the same segments of vectors and columns, so that few products are
/// computed for shifts without overlap.

#include <cross_correlation/problem/Sporos_CorrelateConstants.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTileKernels.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <vector>

namespace Sporos {
namespace Impl {

/// Columns [x_begin, x_end) of right meet `count` vectors (columns in a dot
/// tile) of shifts from number `first` on.
struct TileSegment {
  int first, count;
  int x_begin, x_end;
};

/// Some rows of a block, and the rows of left that they meet.
struct TilePhase {
  int first_row, rows;
  int left_begin, left_end;
};

/// The two register tiles of hosts: lanes are consecutive x shifts, or (dot)
/// consecutive columns of the overlap.
enum class TileKind { slide, dot };

struct TilePlan {
  TileKind kind = TileKind::slide;
  int rows      = 0;      ///< rows of shifts in a tile
  int width     = 0;      ///< vectors in a tile, or columns of shifts
  int lanes     = 0;      ///< of a register
  bool halves   = false;  ///< halves of a tile alone where the other meets none
  double cost   = 0;      ///< of a pair, modelled, in cycles
  std::ptrdiff_t cache = band_cache;  ///< larger pairs are cut into bands
  std::ptrdiff_t slots = band_slots;  ///< for the results of bands, at most
  std::vector<TileSegment> segments;

  int blocks(const CorrelateShape& s) const { return ceil_div(s.rows(), rows); }
};

/// Smallest tile with at least so many rows.
constexpr int tile_rows(int rows) {
  return rows <= 2 ? 2 : rows <= 3 ? 3 : rows <= 4 ? 4 : rows <= 6 ? 6 : 8;
}

/// The phases of the rows dy0, dy0 + 1, ... of shifts: first those of the upper
/// half alone, then all, then the lower half alone. Some may be empty.
using TilePhases = std::array<TilePhase, 3>;

inline TilePhases tile_phases(const CorrelateExtents& e, int dy0, int rows,
                              bool halves) {
  const auto begin = [&](int i) { return std::max(0, dy0 + i); };
  const auto end   = [&](int i) {
    return std::min(e.left_h, dy0 + i + e.right_h);
  };
  if (!halves || rows % 2 != 0 || rows < 4)
    return {{{0, rows, begin(0), end(rows - 1)}}};
  const int half = rows / 2, both = begin(half);
  return {{{0, half, begin(0), std::min(both, end(half - 1))},
           {0, rows, both, end(half - 1)},
           {half, half, std::max(both, end(half - 1)), end(rows - 1)}}};
}

/// Calls f(extents, dy0, row) for the matrices of a problem, or for each plane
/// of volumes: its extents, its shift of the first row of shifts, and its first
/// row of left.
template <class F>
void for_each_plane(const CorrelateShape& s, const F& f) {
  const FoldedPlanes& p = s.folded;
  const bool volumes    = p.pitch > 0;
  CorrelateExtents plane;
  plane.left_h              = p.left_h;
  plane.right_h             = p.right_h;
  const CorrelateExtents& e = volumes ? plane : s.extents;
  const int count           = volumes ? p.last - p.first : 1;
  for (int k = 0; k < count; ++k)
    f(e, s.shifts.dy0 - p.dz * p.pitch, (p.first + k + p.dz) * p.pitch);
}

/// Cycles of a tile kernel: two multiply-adds or two loads in a cycle; a load
/// of left mostly straddles two cache lines.
inline double kernel_cost(TileKind kind, int rows, int width, double steps,
                          int lanes) {
  const double step =
      std::max({rows * width / 2., (2 * width + rows) / 2., 4.});
  const double around = kind == TileKind::slide
                            ? 2. * rows * width
                            : 3. * ceil_div(rows * width, lanes) * lanes;
  return tile_call_cycles + around + step * steps;
}

/// Makes one segment of two neighbours where computing a few zeros is cheaper
/// than a tile more.
inline void merge_segments(const CorrelateShape& s, TilePlan& plan,
                           std::size_t first) {
  const bool planes = s.folded.pitch > 0;
  const int rows    = planes ? std::min(s.folded.left_h, s.folded.right_h)
                             : std::min(s.extents.left_h, s.extents.right_h);
  const double h    = std::max(1., rows * mean_overlap);
  const auto cost   = [&](const TileSegment& t) {
    return kernel_cost(plan.kind, plan.rows, t.count, h * (t.x_end - t.x_begin),
                         plan.lanes);
  };
  auto& all = plan.segments;
  for (std::size_t k = first; k + 1 < all.size();) {
    const TileSegment &a = all[k], &b = all[k + 1];
    const int from = std::min(a.first, b.first);
    const int to   = std::max(a.first + a.count, b.first + b.count);
    const TileSegment both{from, to - from, a.x_begin, b.x_end};
    if (a.x_end == b.x_begin && cost(both) <= cost(a) + cost(b)) {
      all[k] = both;
      all.erase(all.begin() + std::ptrdiff_t(k) + 1);
      if (k > first) --k;
    } else {
      ++k;
    }
  }
}

/// Segments of the slide tile.
inline void slide_segments(const CorrelateShape& s, TilePlan& plan) {
  const int W = plan.lanes, vectors = ceil_div(s.columns(), W);
  const auto begin = [&](int v) {
    const int lanes = std::min(W, s.columns() - v * W);
    return std::max(0, -(s.shifts.dx0 + v * W + lanes - 1));
  };
  const auto end = [&](int v) {
    return std::min(s.extents.right_w,
                    s.extents.left_w - (s.shifts.dx0 + v * W));
  };
  std::vector<int> cuts;
  for (int first = 0; first < vectors; first += plan.width) {
    const int last          = std::min(first + plan.width, vectors);
    const std::size_t begun = plan.segments.size();
    cuts.clear();
    for (int v = first; v < last; ++v)
      if (begin(v) < end(v)) {
        cuts.push_back(begin(v));
        cuts.push_back(end(v));
      }
    std::sort(cuts.begin(), cuts.end());
    for (std::size_t k = 1; k < cuts.size(); ++k) {
      if (cuts[k - 1] == cuts[k]) continue;
      TileSegment t{-1, 0, cuts[k - 1], cuts[k]};
      for (int v = first; v < last; ++v)  // a run: both ends fall with v
        if (begin(v) <= t.x_begin && end(v) >= t.x_end) {
          if (t.first < 0) t.first = v;
          ++t.count;
        }
      if (t.count > 0) plan.segments.push_back(t);
    }
    merge_segments(s, plan, begun);
  }
}

/// Segments of the dot tile: whole registers of columns; shifts are shared out
/// evenly.
inline void dot_segments(const CorrelateShape& s, TilePlan& plan) {
  const int W = plan.lanes, tiles = ceil_div(s.columns(), plan.width);
  const auto cut = [&](int t) {
    return int(std::int64_t(t) * s.columns() / tiles);
  };
  for (int t = 0; t < tiles; ++t) {
    const int first = cut(t), count = cut(t + 1) - first;
    const int dx    = s.shifts.dx0 + first;
    const int begin = std::max(0, -(dx + count - 1));
    const int end   = std::min(s.extents.right_w, s.extents.left_w - dx);
    if (begin < end)
      plan.segments.push_back(
          {first, count, begin / W * W, ceil_div(end, W) * W});
  }
}

inline void finish_plan(const CorrelateShape& s, TilePlan& plan) {
  const bool slide = plan.kind == TileKind::slide;
  if (slide)
    slide_segments(s, plan);
  else
    dot_segments(s, plan);
  for (int row = 0; row < s.rows(); row += plan.rows) {
    const int rows =
        slide ? tile_rows(std::min(plan.rows, s.rows() - row)) : plan.rows;
    plan.cost += tile_block_cycles + rows * (s.columns() / 8.);
    for_each_plane(s, [&](const CorrelateExtents& e, int dy0, int) {
      for (const TilePhase& phase :
           tile_phases(e, dy0 + row, rows, plan.halves)) {
        const double h = phase.left_end - phase.left_begin;
        if (h <= 0) continue;
        for (const TileSegment& t : plan.segments)
          plan.cost += kernel_cost(
              plan.kind, phase.rows, t.count,
              h * (t.x_end - t.x_begin) / (slide ? 1 : plan.lanes), plan.lanes);
      }
    });
  }
}

/// The cheapest tile of one kind for sums of type T.
template <class T>
TilePlan plan_tiles(const CorrelateShape& s, TileKind kind) {
  static constexpr int slides[][2] = {{8, tile_vectors(8)},
                                      {8, tile_vectors(8) > 2 ? 2 : 1},
                                      {6, tile_vectors(6)},
                                      {4, tile_vectors(4)}};
  static constexpr int dots[][2]   = {{dot_rows, dot_columns},
                                      {dot_rows_few, dot_columns}};
  TilePlan best;
  const auto consider = [&](const int(&tile)[2], bool halves) {
    TilePlan plan;
    plan.halves = halves;
    plan.kind   = kind;
    plan.rows = kind == TileKind::slide ? std::min(tile[0], tile_rows(s.rows()))
                                        : tile[0];
    plan.width = tile[1];
    plan.lanes = native_pack_width<T>;
    finish_plan(s, plan);
    if (best.rows == 0 || plan.cost < best.cost) best = std::move(plan);
  };
  if (kind == TileKind::slide)
    for (const auto& tile : slides)
      for (const bool halves : {true, false}) consider(tile, halves);
  else
    for (const auto& tile : dots) consider(tile, false);
  return best;
}

}  // namespace Impl
}  // namespace Sporos

#endif
