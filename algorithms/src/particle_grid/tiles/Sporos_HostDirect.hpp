// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTDIRECT_HPP
#define SPOROS_HOSTDIRECT_HPP

/// \file Sporos_HostDirect.hpp
/// Tiles with few points: the points work on the field itself, without an image
/// of the tile, so that the cost follows the points. Those of consecutive tiles
/// are one list; what they touch is asked for ahead.

#include <Sporos_RowPack.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// How many of the lines that the points of a plane of cells touch share a set
/// of the level-1 cache, at most. Its sets repeat every 4096 bytes.
template <class Sizes, class T, int Dim>
int lines_of_a_set(const FieldAccess<T, Dim>& field) {
  constexpr int line = 64 / int(sizeof(T)), sets = 4096 / 64;
  constexpr int planes = Dim > 2 ? Sizes::support : 1;
  constexpr int rows   = Dim > 2 ? Sizes::rows(1) - 1 : Sizes::support;
  int lines[sets]      = {};
  for (int k = 0; k < planes; ++k)
    for (int j = 0; j < rows; ++j) {
      const std::ptrdiff_t row = k * field.stride[2] + j * field.stride[1];
      for (int i = 0; i < ceil_div(Sizes::pitch, line); ++i)
        ++lines[(row / line + i) % sets];
    }
  return *std::max_element(lines, lines + sets);
}

/// With less points than this a tile costs less without an image: a point then
/// costs more, for each row so many hundredths of the time in which a value of
/// the image is cleared and added, or loaded. Measured on a Zen 4. Where too
/// many lines share a set of the cache, lines are gone when the next point
/// needs them, which costs twice if they were changed.
template <class Sizes, class T, int Dim>
int few_points(const FieldAccess<T, Dim>& field) {
  constexpr bool reads = std::is_const_v<T>, wide = Sizes::support > 4;
  constexpr int rows = support_rows<Dim, Sizes::support>;
  constexpr int more = Dim == 3   ? (reads ? 300 : 160) + (wide ? 100 : 0)
                       : wide     ? (reads ? 500 : 120)
                       : Dim == 1 ? (reads ? 80 : 160)
                                  : 80;
  constexpr int few  = Sizes::size * 100 / (rows * more);
  if (field.stride[0] != 1) return 0;
  constexpr int enough = reads ? 32 : 12;
  const int lines      = std::max(enough, lines_of_a_set<Sizes>(field));
  return few * (enough * enough) / (lines * lines);
}

/// The rows of a point's grid points, as values that no store to the field can
/// change for all that compilers know, so that they stay in registers.
template <class T, int Rows, int Planes>
struct DirectRows {
  T* data;
  std::ptrdiff_t to_row, to_plane;

  template <int Dim>
  explicit DirectRows(const FieldAccess<T, Dim>& field)
      : data(field.data), to_row(field.stride[1]), to_plane(field.stride[2]) {}

  /// f(row, j, k) for the rows from `offset` on
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(std::ptrdiff_t offset, const F& f) const {
    T* plane = data + offset;
    static_for<Planes>([&](auto k) {
      T* row = plane;
      static_for<Rows>([&](auto j) {
        f(row, j, k);
        row += to_row;
      });
      plane += to_plane;
    });
  }
};

/// Sizes of a batch of such points: weights along direction 0 have no zeros
/// around them, which leaves room for more points.
template <class T, int Dim, int Support>
struct DirectShape : HostTileShape<T, Dim, Support> {
  static constexpr int step     = 1;
  static constexpr bool zeros   = false;
  static constexpr int padding  = 0;
  static constexpr int x_stride = next_power_of_two(Support);
  static constexpr int batch    = 256;
};
template <class T, class Real, int Dim, class Delta>
using DirectBatch =
    PointBatch<T, Real, Dim, Delta, DirectShape<T, Dim, Delta::support>>;

/// The points of a batch on a field of values T, const or not, that is
/// contiguous along direction 0. What they touch was asked for (see
/// FieldAhead), or they ask for it themselves, some points early.
template <class T, int Dim, class Batch, class Ahead>
class DirectPoints {
 public:
  using Value                  = std::remove_const_t<T>;
  using Sizes                  = typename Batch::Sizes;
  static constexpr int Support = Batch::Support;

  DirectPoints(const FieldAccess<T, Dim>& field, const Batch& batch,
               Ahead& ahead)
      : m_field(field), m_batch(batch), m_ahead(ahead) {}

  /// Places the points [begin, begin + count) of the batch, which lie in the
  /// tile *range and those after it, and asks for what the first of them touch.
  /// Returns the tile of the point after them.
  template <class Cells, class Shift>
  const PointRange* place(const Cells& cells, const Shift& shift,
                          const PointRange* range, int begin, int count) {
    for (int p = 0; p < count;) {
      int cell[Dim];
      cells.first_cell(range->tile, cell);
      const int end = std::min(count, range->end - begin);
      for (int k = 0; k < Dim; ++k) {
        const int first = first_touched(cells, shift, k, cell[k]);
        for (int i = p; i < end; ++i)
          m_first[k][i] = first + m_batch.cell[k][i];
      }
      p = end;
      if (begin + p == range->end) ++range;
    }
    find_offsets(count);
    if (!m_ahead.in_cache()) {
      const Rows at(m_field);
      for (int p = 0; p < std::min(early, count); ++p) prefetch(p, at);
    }
    return range;
  }

  /// field += weights of the points
  void add(int count) const {
    for_each(count, [&](int p, const Rows& at) {
      if (m_offset[p] == none) return add_at_border(p);
      const Value *const yp = y(p), *const zp = z(p);
      const Row wx = Row::load(x(p));
      Row xz       = wx;
      at.for_each(m_offset[p], [&](Value* line, auto j, auto k) {
        if constexpr (Dim > 2 && j == 0) xz = wx.times(zp[k]);
        Row row = Row::load(line);
        row.add_product(xz, Dim > 1 ? yp[j] : Value(1));
        row.store(line);
      });
    });
  }

  /// result(p, sum of weights times field) for each point p
  template <class Result>
  void dot(int count, const Result& result) const {
    for_each(count, [&](int p, const Rows& at) {
      if (m_offset[p] == none) return result(p, dot_at_border(p));
      const Value *const yp = y(p), *const zp = z(p);
      const Value zeros[Support] = {};
      Row total = Row::load(zeros), plane = total;
      at.for_each(m_offset[p], [&](const Value* line, auto j, auto k) {
        const Row row = Row::load(line);
        if constexpr (j == 0)
          plane = row.times(Dim > 1 ? yp[j] : Value(1));
        else
          plane.add_product(row, yp[j]);
        if constexpr (j == rows - 1)
          total.add_product(plane, Dim > 2 ? zp[k] : Value(1));
      });
      result(p, total.dot(Row::load(x(p))));
    });
  }

 private:
  static constexpr int early           = 4;  ///< so many points
  static constexpr int rows            = Dim < 2 ? 1 : Support;
  static constexpr int planes          = Dim < 3 ? 1 : Support;
  static constexpr std::ptrdiff_t none = -1;  // offsets are never negative
  using Row                            = RowPack<Value, Support>;
  using Rows                           = DirectRows<T, rows, planes>;

  const Value* x(int p) const {
    return m_batch.x + p * Sizes::x_stride + Sizes::padding;
  }
  // without these directions there is nothing behind y and z
  const Value* y(int p) const {
    return m_batch.y + (Dim > 1 ? p * Sizes::yz_stride : 0);
  }
  const Value* z(int p) const {
    return m_batch.z + (Dim > 2 ? p * Sizes::yz_stride : 0);
  }

  /// f(p, rows) for each point, with what later ones touch asked for
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(int count, const F& f) const {
    const Rows at(m_field);
    const int asking = m_ahead.in_cache() ? 0 : count - early;
    for (int p = 0; p < count; ++p) {
      if (p % Ahead::share_points == 0) m_ahead(Ahead::share_points);
      if (p < asking) prefetch(p + early, at);
      f(p, at);
    }
  }

  /// Asks for the rows of point p.
  SPOROS_ALWAYS_INLINE void prefetch(int p, const Rows& at) const {
    if (m_offset[p] == none) return prefetch_at_border(p);
    at.for_each(m_offset[p], [](T* row, auto, auto) {
      SPOROS_PREFETCH(row);
      SPOROS_PREFETCH(row + (Support - 1));
    });
  }

  /// Where the grid points of each point begin, if all lie in the grid and none
  /// of them beyond an end of a periodic direction
  void find_offsets(int count) {
    std::ptrdiff_t stride[Dim];
    int last[Dim];
    for (int k = 0; k < Dim; ++k) {
      stride[k] = m_field.stride[k];
      last[k]   = m_field.points[k] - Support;
    }
    for (int p = 0; p < count; ++p) {
      std::ptrdiff_t offset = 0;
      bool inside           = true;
      for (int k = 0; k < Dim; ++k) {
        const int first = m_first[k][p];
        inside &= (first >= 0) & (first <= last[k]);
        offset += first * stride[k];
      }
      m_offset[p] = inside ? offset : none;
    }
  }

  // The others are few: out of line, so that they cost the loops nothing.

  /// The rows of a point at a border: one window of Support grid points along
  /// direction 0 or, where they reach beyond an end, those at both ends.
  /// Weights of grid points that are in the other one are zero.
  struct BorderRows {
    T* data[2];
    const Value* x[2];  ///< weights
    int windows = 0;
    std::ptrdiff_t in_y[rows], in_z[planes];
    Value weights[3 * Support];

    SPOROS_ALWAYS_INLINE BorderRows(const DirectPoints& points, int p) {
      for (int j = 0; j < rows; ++j)
        in_y[j] = Dim > 1 ? points.offset(1, p, j) : 0;
      for (int k = 0; k < planes; ++k)
        in_z[k] = Dim > 2 ? points.offset(2, p, k) : 0;
      const FieldAccess<T, Dim>& field = points.m_field;
      const int first                  = points.m_first[0][p];
      const int last                   = field.points[0] - Support;
      if (first >= 0 && first <= last) {
        add_window(field.data + first, points.x(p));
        return;
      }
      std::fill_n(weights, 3 * Support, Value(0));
      std::copy_n(points.x(p), Support, weights + Support);
      // so many grid points, from number 0 on, are in the window there
      const int here = std::min(
          Support, std::max(0, first < 0 ? first + Support : first - last));
      const bool wraps = field.ghosts[0] == 0;
      if (wraps || first < 0)
        add_window(field.data, weights + 2 * Support - here);
      if (wraps || first > 0)
        add_window(field.data + last, weights + Support - here);
    }
    void add_window(T* begin, const Value* wx) {
      data[windows] = begin;
      x[windows++]  = wx;
    }

    /// f(row, j, k) for the rows that lie in the grid
    template <class F>
    SPOROS_ALWAYS_INLINE void for_each(int window, const F& f) const {
      static_for<planes>([&](auto k) {
        if (in_z[k] == none) return;
        T* const plane = data[window] + in_z[k];
        static_for<rows>([&](auto j) {
          if (in_y[j] != none) f(plane + in_y[j], j, k);
        });
      });
    }
  };

  [[gnu::noinline]] void prefetch_at_border(int p) const {
    const BorderRows at(*this, p);
    for (int w = 0; w < at.windows; ++w)
      at.for_each(w, [](T* row, auto, auto) {
        SPOROS_PREFETCH(row);
        SPOROS_PREFETCH(row + (Support - 1));
      });
  }

  [[gnu::noinline]] void add_at_border(int p) const {
    const BorderRows at(*this, p);
    const Value *const yp = y(p), *const zp = z(p);
    for (int w = 0; w < at.windows; ++w) {
      const Row wx = Row::load(at.x[w]);
      at.for_each(w, [&](Value* line, auto j, auto k) {
        Row row = Row::load(line);
        row.add_product(wx, yz(yp, zp, j, k));
        row.store(line);
      });
    }
  }

  [[gnu::noinline]] Value dot_at_border(int p) const {
    const BorderRows at(*this, p);
    const Value *const yp = y(p), *const zp = z(p);
    const Value zeros[Support] = {};
    Value result               = 0;
    for (int w = 0; w < at.windows; ++w) {
      Row total = Row::load(zeros);
      at.for_each(w, [&](const Value* line, auto j, auto k) {
        total.add_product(Row::load(line), yz(yp, zp, j, k));
      });
      result += total.dot(Row::load(at.x[w]));
    }
    return result;
  }

  static SPOROS_ALWAYS_INLINE Value yz(const Value* yp, const Value* zp, int j,
                                       int k) {
    return (Dim > 1 ? yp[j] : Value(1)) * (Dim > 2 ? zp[k] : Value(1));
  }

  /// Of grid point i of point p in direction k, which lies less than a period
  /// outside
  std::ptrdiff_t offset(int k, int p, int i) const {
    const int g = m_first[k][p] + i, n = m_field.points[k];
    const int inside = g < 0 ? g + n : g >= n ? g - n : g;
    return inside != g && m_field.ghosts[k] != 0 ? none
                                                 : inside * m_field.stride[k];
  }

  FieldAccess<T, Dim> m_field;
  const Batch& m_batch;
  Ahead& m_ahead;
  int m_first[Dim][Sizes::batch];
  std::ptrdiff_t m_offset[Sizes::batch];
};

}  // namespace Impl
}  // namespace Sporos

#endif
