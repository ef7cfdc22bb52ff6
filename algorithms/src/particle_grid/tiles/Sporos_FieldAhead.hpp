// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FIELDAHEAD_HPP
#define SPOROS_FIELDAHEAD_HPP

/// \file Sporos_FieldAhead.hpp
/// Hosts ask for the grid points around tiles before they work on them: for the
/// level-2 cache, row by row, so that the memory streams, and a few lines at a
/// time in between, so that nothing waits and no request gets lost.

#include <Sporos_Pack.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/bins/Sporos_ParticleBins.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The grid points begin .. end in each direction
struct GridBox {
  int begin[3] = {0, 0, 0}, end[3] = {0, 0, 0};

  /// What is left of the rows when those of the other box are taken away, if it
  /// has a part of each of them, from the beginning on.
  GridBox without(const GridBox& other) const {
    GridBox left = *this;
    bool all     = other.begin[0] <= begin[0];
    for (int k = 1; k < 3; ++k)
      all = all && other.begin[k] <= begin[k] && other.end[k] >= end[k];
    if (all) left.begin[0] = std::max(begin[0], other.end[0]);
    return left;
  }
};

/// The cache lines of a box of grid points of a field that is contiguous along
/// direction 0, row after row.
template <class T>
class FieldLines {
 public:
  static constexpr int values = 64 / int(sizeof(T));  ///< of a line

  FieldLines() = default;

  template <int Dim>
  FieldLines(const FieldAccess<T, Dim>& field, const GridBox& box)
      : m_step(field.stride[1]),
        m_columns((box.end[0] - box.begin[0]) / values + 1),
        m_rows(box.end[1] - box.begin[1]),
        m_planes(box.end[2] - box.begin[2]),
        m_rows_left(m_rows) {
    m_row = field.data;
    for (int k = 0; k < 3; ++k) m_row += box.begin[k] * field.stride[k];
    m_to_plane = field.stride[2] - m_rows * m_step;
    if (box.end[0] <= box.begin[0] || m_rows <= 0 || m_planes < 0) m_planes = 0;
  }

  /// Lines of the planes that are not done
  int size() const { return m_columns * m_rows * m_planes; }

  /// Asks for `count` lines more, or what is left.
  void ask(int count) {
    for_next(count, [](const T* line) { SPOROS_PREFETCH_LEVEL_2(line); });
  }
  void ask() {
    m_due = 0;
    ask(size());
  }
  /// f(first value) for the lines of whole rows until they are as many as the
  /// counts of all calls, or none is left
  template <class F>
  SPOROS_ALWAYS_INLINE void for_next(int count, const F& f) {
    for (m_due += count; m_due > 0 && m_planes > 0; m_due -= m_columns) {
      const T* const row = m_row;
      for (int i = 0; i < m_columns; ++i) f(row + i * values);
      next_row();
    }
  }

 private:
  void next_row() {
    m_row += m_step;
    if (--m_rows_left == 0) {
      m_rows_left = m_rows;
      m_row += m_to_plane;
      --m_planes;
    }
  }

  const T* m_row        = nullptr;  ///< the next one
  std::ptrdiff_t m_step = 0, m_to_plane = 0;
  int m_columns = 0, m_rows = 0, m_planes = 0;  ///< planes: left
  int m_rows_left = 0;
  int m_due       = 0;  ///< lines asked for by calls, less those of rows
};

/// The grid points around the tiles whose first cells go from low to high,
/// where they lie in the grid
template <class T, int Dim, class Real, int Support>
GridBox box_around(const FieldAccess<T, Dim>& field,
                   const TiledCells<Dim, Real, Support>& cells,
                   const StaggeringShift<Dim, Real, Support>& shift,
                   const int (&low)[Dim], const int (&high)[Dim]) {
  using Cells = TiledCells<Dim, Real, Support>;
  GridBox box{{0, 0, 0}, {1, 1, 1}};
  for (int k = 0; k < Dim; ++k) {
    const int size = Cells::Shape::extent(k) + shift.extra[k] + Support - 1;
    box.begin[k]   = std::max(0, first_touched(cells, shift, k, low[k]));
    box.end[k]     = std::min(field.points[k],
                              first_touched(cells, shift, k, high[k]) + size);
  }
  return box;
}

/// Fields up to so many bytes stay close enough to a core that asking costs
/// more than waiting.
constexpr std::size_t near_field = 4u << 20;

/// Asks for the grid points around the tiles of a column, part after part: for
/// those of the next part while the points of one are worked on.
template <class T, int Dim, class Real, int Support>
class FieldAhead {
 public:
  using Cells = TiledCells<Dim, Real, Support>;
  using Shift = StaggeringShift<Dim, Real, Support>;

  /// For tiles of one column
  FieldAhead(const FieldAccess<T, Dim>& field, const Cells& cells,
             const Shift& shift, const TileList& tiles)
      : m_field(field), m_cells(cells), m_shift(shift), m_left(tiles) {
    find_part(lines_of_first);
  }

  /// Asks for what is left of the part that comes next and turns to the one
  /// after it. Returns the end of the former, whose tiles can be worked on.
  const PointRange* next_part() {
    m_lines.ask();
    const TileList part = m_part;
    m_asked             = m_asks;
    find_part(lines_of_part);
    m_share = ceil_div(m_lines.size() * share_points, part.points());
    return part.end;
  }

  /// Are the grid points around the part that is worked on in cache? Not if it
  /// has few points, and not all if they come from memory: too many requests at
  /// once get lost.
  bool in_cache() const {
    const std::size_t bytes = field_bytes(m_field);
    return bytes <= near_field || (m_asked && bytes <= level_3);
  }

  /// Asks for the share of so many points of the part in the next one.
  static constexpr int share_points = 2;
  void operator()(int points) {
    m_lines.ask(m_share * ceil_div(points, share_points));
  }

 private:
  // a quarter of a small level-2 cache; nothing hides the wait for the first
  static constexpr int lines_of_part = 4096, lines_of_first = 1300;
  // what usually stays in a level-3 cache of 32 MB
  static constexpr std::size_t level_3 = 20u << 20;

  /// Takes tiles from those left, as many as have no more than `most` lines.
  void find_part(int most) {
    m_lines = {};
    m_asks  = false;
    m_part  = m_left;
    if (!m_left.empty() && m_field.stride[0] == 1 &&
        field_bytes(m_field) > near_field)
      find_lines(most);
    m_left.begin = m_part.end;
  }

  void find_lines(int most) {
    const GridBox before   = m_box;
    const PointRange*& end = m_part.end;
    int low[Dim], high[Dim];
    m_cells.first_cell(m_left.begin->tile, low);
    std::copy_n(low, Dim, high);
    const auto find = [&](GridBox& box) {
      box = box_around(m_field, m_cells, m_shift, low, high);
      return FieldLines<T>(m_field, box.without(before));
    };
    m_lines = find(m_box);
    for (end = m_left.begin + 1; end < m_left.end; ++end) {
      int cell[Dim];
      m_cells.first_cell(end->tile, cell);
      for (int k = 0; k < Dim; ++k) {
        low[k]  = std::min(low[k], cell[k]);
        high[k] = std::max(high[k], cell[k]);
      }
      GridBox box;
      const FieldLines<T> more = find(box);
      if (more.size() > most) break;
      m_lines = more;
      m_box   = box;
    }
    // points ask for their rows themselves, which is less if they are few
    constexpr int rows = support_rows<Dim, Support>;
    m_asks             = m_part.points() >= m_lines.size() / rows;
    if (m_asks) return;
    m_lines = {};
    m_box   = {};
  }

  const FieldAccess<T, Dim>& m_field;
  const Cells& m_cells;
  const Shift& m_shift;
  TileList m_left, m_part;  ///< part: the one that comes next; left: after it
  GridBox m_box;            ///< grid points around the part
  FieldLines<T> m_lines;    ///< lines of the box that are left
  int m_share = 0;          ///< lines for share_points points
  bool m_asks = false, m_asked = false;  ///< for the next part, for this one
};

}  // namespace Impl
}  // namespace Sporos

#endif
