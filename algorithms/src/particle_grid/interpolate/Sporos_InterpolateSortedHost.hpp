// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_INTERPOLATESORTEDHOST_HPP
#define SPOROS_INTERPOLATESORTEDHOST_HPP

/// \file Sporos_InterpolateSortedHost.hpp
/// interpolate, algorithm `sorted` on hosts.
/// What: a work item serves consecutive sorted points, each from the field
///   itself. Where the field lies beyond a core's own caches, the grid points
///   around the tiles that come next are asked for ahead.
/// Cost: s^Dim reads of the field per point.
/// Wins: `tiled` is faster on hosts; this one has no image and no weights of a
///   batch in memory.

#include <particle_grid/tiles/Sporos_FieldAhead.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/stencil/Sporos_StridedVector.hpp>

#include <algorithm>
#include <cstddef>

namespace Sporos {
namespace Impl {

/// Asks for a row of a stencil.
template <class T>
struct PrefetchRow {
  int first;
  KOKKOS_FORCEINLINE_FUNCTION void operator()(const T* line, T) const {
    SPOROS_PREFETCH(line + first);
  }
};

template <int Dim, class Real, class Delta, class T, class V>
class InterpolateSortedHost {
 public:
  static constexpr int Support = Delta::support;
  using Points                 = SortedPoints<Dim, Real, Support>;
  using Field                  = FieldAccess<const T, Dim>;

  InterpolateSortedHost(const Points& points, const Delta& delta,
                        const Field& field, const StridedVector<V>& values,
                        int n)
      : m_points(points),
        m_delta(delta),
        m_field(field),
        m_values(values),
        m_n(n),
        m_item(std::min(1024, std::max(block, n / 64))) {
    const bool far = field_bytes(field) > near_field;
    if (far && field.stride[0] == 1) choose_tiles();
    m_rows_ahead = far && m_log2_tiles < 0;
  }

  int items() const { return ceil_div(m_n, m_item); }

  void operator()(int i) const {
    const int begin = i * m_item, end = begin + std::min(m_item, m_n - begin);
    if (m_rows_ahead) return serve<true>(begin, end);
    if (m_log2_tiles < 0) return serve<false>(begin, end);
    lines_around_tiles_of(begin).ask();
    for (int first = begin, last; first < end; first = last) {
      last             = first + 1;
      const auto tiles = m_points.tile(first) >> m_log2_tiles;
      while (last < end && m_points.tile(last) >> m_log2_tiles == tiles) ++last;
      serve(first, last, last < end ? lines_around_tiles_of(last) : Lines());
    }
  }

 private:
  static constexpr int block = 16;  ///< weights of so many, then their sums
  using Stencil              = PointStencil<T, Dim, Support>;
  using Lines                = FieldLines<const T>;

  /// As many tiles as an item has points for; none if these are so few that
  /// they touch less than half of the lines.
  void choose_tiles() {
    constexpr int rows  = support_rows<Dim, Support>;
    const auto& cells   = m_points.cells;
    const double a_tile = double(m_n) / double(cells.tile_count());
    int log2            = cells.log2_tiles();
    if (a_tile * (1 << log2) > m_item) log2 = cells.log2_column;
    if (a_tile * (1 << log2) > m_item) log2 = 0;
    int low[Dim] = {}, high[Dim];
    cells.first_cell(std::uint64_t((1 << log2) - 1), high);
    const Lines lines(m_field,
                      box_around(m_field, cells, m_points.shift, low, high));
    if (a_tile * (1 << log2) * rows * 2 >= lines.size()) m_log2_tiles = log2;
  }

  /// Those around the tiles of sorted point i, if it has one
  Lines lines_around_tiles_of(int i) const {
    const auto& cells        = m_points.cells;
    const std::uint64_t tile = m_points.tile(i);
    const std::uint64_t rest = (std::uint64_t(1) << m_log2_tiles) - 1;
    if (tile >= cells.tile_count()) return Lines();
    int low[Dim], high[Dim];
    cells.first_cell(tile & ~rest, low);
    cells.first_cell(tile | rest, high);
    return Lines(m_field,
                 box_around(m_field, cells, m_points.shift, low, high));
  }

  /// The points [begin, end), asking for a share of the lines with each block
  void serve(int begin, int end, Lines lines) const {
    const int share = ceil_div(lines.size() * block, end - begin);
    for (int b = begin; b < end; b += block) {
      lines.ask(share);
      serve<false>(b, b + std::min(block, end - b));
    }
    lines.ask();
  }

  /// The points [begin, end), some at a time, which ask for their rows first if
  /// they are to
  template <bool Rows>
  void serve(int begin, int end) const {
    for (int b = begin; b < end; b += block) {
      const int count = std::min(block, end - b);
      Stencil s[block];
      bool inside[block];
      for (int i = 0; i < count; ++i) {
        inside[i] = m_points.template stencil<true>(m_delta, b + i, s[i]);
        if constexpr (Rows)
          if (inside[i]) prefetch(s[i]);
      }
      for (int i = 0; i < count; ++i)
        m_values(m_points.permutation[b + i]) =
            V(inside[i] ? dot_stencil<true>(m_field, s[i]) : T(0));
    }
  }

  void prefetch(const Stencil& s) const {
    PrefetchRow<T> row{s.first[0]};
    for_each_stencil_row(m_field, s, T(0), row);
  }

  Points m_points;
  Delta m_delta;
  Field m_field;
  StridedVector<V> m_values;
  int m_n, m_item;  ///< points, and those of a work item
  /// Tiles whose numbers differ in so many bits are asked for together;
  /// negative: none are.
  int m_log2_tiles = -1;
  bool m_rows_ahead;  ///< Do points ask for their rows, all before the first?
};

}  // namespace Impl
}  // namespace Sporos

#endif
