// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FIELDAHEAD_HPP
#define SPOROS_FIELDAHEAD_HPP

/// \file Sporos_FieldAhead.hpp
/// Hosts ask for the grid points around tiles before they work on them: for the
/// level-2 cache, row by row, so that the memory streams, and a few lines at a
/// time in between, so that nothing waits and no request gets lost.

#include <Sporos_Pack.hpp>
#include <particle_grid/Sporos_FieldAccess.hpp>
#include <particle_grid/Sporos_ParticleBins.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The cache lines of a box of grid points of a field that is contiguous along
/// direction 0, row after row.
template <class T>
class FieldLines {
 public:
  static constexpr int values = 64 / int(sizeof(T));  ///< of a line

  FieldLines() = default;

  /// The grid points begin .. end in each direction
  template <int Dim>
  FieldLines(const FieldAccess<T, Dim>& field, const int (&begin)[3],
             const int (&end)[3])
      : m_step(field.stride[1]),
        m_columns((end[0] - begin[0]) / values + 1),
        m_rows(end[1] - begin[1]),
        m_planes(end[2] - begin[2]),
        m_columns_left(m_columns),
        m_rows_left(m_rows) {
    m_row = field.data;
    for (int k = 0; k < 3; ++k) m_row += begin[k] * field.stride[k];
    m_line     = m_row;
    m_to_plane = field.stride[2] - m_rows * m_step;
    if (end[0] <= begin[0] || m_rows <= 0 || m_planes < 0) m_planes = 0;
  }

  /// Lines of the planes that are not done
  int size() const { return m_columns * m_rows * m_planes; }

  /// Asks for the next `count` lines, or what is left.
  void ask(int count) {
    for_next(count, [](const T* line) { SPOROS_PREFETCH_LEVEL_2(line); });
  }
  /// f(first value) for the next `count` lines, or what is left
  template <class F>
  SPOROS_ALWAYS_INLINE void for_next(int count, const F& f) {
    while (count > 0 && m_planes > 0) {
      const int here = std::min(count, m_columns_left);
      for (int i = 0; i < here; ++i) f(m_line + i * values);
      count -= here;
      m_columns_left -= here;
      m_line += here * values;
      if (m_columns_left == 0) next_row();
    }
  }
  void ask() { ask(std::numeric_limits<int>::max()); }

 private:
  void next_row() {
    m_columns_left = m_columns;
    m_row += m_step;
    if (--m_rows_left == 0) {
      m_rows_left = m_rows;
      m_row += m_to_plane;
      --m_planes;
    }
    m_line = m_row;
  }

  const T *m_row = nullptr, *m_line = nullptr;
  std::ptrdiff_t m_step = 0, m_to_plane = 0;
  int m_columns = 0, m_rows = 0, m_planes = 0;  ///< planes: left
  int m_columns_left = 0, m_rows_left = 0;
};

/// Those around the tiles whose first cells go from low to high, where they lie
/// in the grid
template <class T, int Dim, class Real, int Support>
FieldLines<T> lines_around(const FieldAccess<T, Dim>& field,
                           const TiledCells<Dim, Real, Support>& cells,
                           const StaggeringShift<Dim, Real, Support>& shift,
                           const int (&low)[Dim], const int (&high)[Dim]) {
  using Cells  = TiledCells<Dim, Real, Support>;
  int begin[3] = {0, 0, 0}, end[3] = {1, 1, 1};
  for (int k = 0; k < Dim; ++k) {
    const int size = Cells::Shape::extent(k) + shift.extra[k] + Support - 1;
    begin[k]       = std::max(0, first_touched(cells, shift, k, low[k]));
    end[k]         = std::min(field.points[k],
                              first_touched(cells, shift, k, high[k]) + size);
  }
  return FieldLines<T>(field, begin, end);
}

/// Asks for the grid points around the tiles of a column, part after part: for
/// those of the next part while the points of one are worked on.
template <class T, int Dim, class Real, int Support>
class FieldAhead {
 public:
  using Cells = TiledCells<Dim, Real, Support>;
  using Shift = StaggeringShift<Dim, Real, Support>;

  /// For the tiles [first, last), which lie in one column
  FieldAhead(const FieldAccess<T, Dim>& field, const Cells& cells,
             const Shift& shift, const PointRange* first,
             const PointRange* last)
      : m_field(field), m_cells(cells), m_shift(shift), m_last(last) {
    find_part(first, lines_of_first);
  }

  /// Asks for what is left of the part that comes next and turns to the one
  /// after it. Returns the end of the former, whose tiles can be worked on.
  const PointRange* next_part() {
    m_lines.ask();
    const PointRange *const begin = m_begin, *const end = m_end;
    m_asked = m_asks;
    find_part(end, lines_of_part);
    const int points = (end - 1)->end - begin->begin;
    m_share          = ceil_div(m_lines.size() * share_points, points);
    return end;
  }

  /// Are the grid points around the part that is worked on in cache? Not if it
  /// has few points, and not all if they come from memory: too many requests at
  /// once get lost.
  bool in_cache() const {
    return m_asked && grid_points(m_field) * sizeof(T) <= level_3;
  }

  /// Asks for the share of so many points of the part in the next one.
  static constexpr int share_points = 4;
  void operator()(int points) {
    m_lines.ask(m_share * ceil_div(points, share_points));
  }

 private:
  // a quarter of a small level-2 cache; nothing hides the wait for the first
  static constexpr int lines_of_part = 4096, lines_of_first = 1024;
  // what usually stays in a level-3 cache of 32 MB
  static constexpr std::size_t level_3 = 20u << 20;

  /// The tiles from begin on whose lines are no more than `most`
  void find_part(const PointRange* begin, int most) {
    m_lines = {};
    m_asks  = false;
    m_begin = begin;
    m_end   = m_last;
    if (begin == m_last || m_field.stride[0] != 1) return;
    int low[Dim], high[Dim];
    m_cells.first_cell(begin->tile, low);
    std::copy_n(low, Dim, high);
    m_lines = lines_around(m_field, m_cells, m_shift, low, high);
    for (m_end = begin + 1; m_end < m_last; ++m_end) {
      int cell[Dim];
      m_cells.first_cell(m_end->tile, cell);
      for (int k = 0; k < Dim; ++k) {
        low[k]  = std::min(low[k], cell[k]);
        high[k] = std::max(high[k], cell[k]);
      }
      const FieldLines<T> more =
          lines_around(m_field, m_cells, m_shift, low, high);
      if (more.size() > most) break;
      m_lines = more;
    }
    // points ask for their rows themselves, which is less if they are few
    constexpr int rows = support_rows<Dim, Support>;
    m_asks = (m_end - 1)->end - begin->begin >= m_lines.size() / rows;
    if (!m_asks) m_lines = {};
  }

  const FieldAccess<T, Dim>& m_field;
  const Cells& m_cells;
  const Shift& m_shift;
  const PointRange *m_begin, *m_end, *m_last;  ///< of the part that comes next
  FieldLines<T> m_lines;                       ///< its lines that are left
  int m_share = 0;                       ///< lines for share_points points
  bool m_asks = false, m_asked = false;  ///< for the next part, for this one
};

}  // namespace Impl
}  // namespace Sporos

#endif
