// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTDIRECT_HPP
#define SPOROS_HOSTDIRECT_HPP

/// \file Sporos_HostDirect.hpp
/// Tiles with few points: the points work on the field itself, without an image
/// of the tile, so that the cost follows the points. Those of consecutive tiles
/// are one list; what a point will touch is asked for some points ahead.

#include <Sporos_RowPack.hpp>
#include <particle_grid/Sporos_HostTile.hpp>

#include <algorithm>
#include <cstddef>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// The points of a batch on a field of values T, const or not, that is
/// contiguous along direction 0.
template <class T, int Dim, class Batch>
class DirectPoints {
 public:
  using Value                  = std::remove_const_t<T>;
  using Sizes                  = typename Batch::Sizes;
  static constexpr int Support = Batch::Support;

  DirectPoints(const FieldAccess<T, Dim>& field, const Batch& batch)
      : m_field(field), m_batch(batch) {}

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
        const int first =
            cell[k] - cells.ghosts[k] - shift.low[k] - Cells::before;
        for (int i = p; i < end; ++i)
          m_first[k][i] = first + m_batch.cell[k][i];
      }
      p = end;
      if (begin + p == range->end) ++range;
    }
    for (int p = 0; p < std::min(ahead, count); ++p) prefetch(p);
    return range;
  }

  /// f(p) for the points of the batch, with what others touch asked for early
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(int count, const F& f) const {
    for (int p = 0; p < count; ++p) {
      if (p + ahead < count) prefetch(p + ahead);
      f(p);
    }
  }

  /// field += weights of point p
  void add(int p) const {
    T* const at = inside(p);
    if (at == nullptr)
      return for_each_value(p, [](Value& value, Value w) { value += w; });
    const Row wx = Row::load(x(p));
    Row xz       = wx;
    for_each_row(at, [&](Value* line, auto j, auto k) {
      if constexpr (Dim > 2 && j == 0) xz = wx.times(z(p)[k]);
      Row row = Row::load(line);
      row.add_product(xz, Dim > 1 ? y(p)[j] : Value(1));
      row.store(line);
    });
  }

  /// sum of weights times field at point p
  Value dot(int p) const {
    T* const at = inside(p);
    if (at == nullptr) {
      Value sum = 0;
      for_each_value(p, [&](Value value, Value w) { sum += value * w; });
      return sum;
    }
    const Value zeros[Support] = {};
    Row total = Row::load(zeros), plane = total;
    for_each_row(at, [&](const Value* line, auto j, auto k) {
      const Row row = Row::load(line);
      if constexpr (j == 0)
        plane = row.times(Dim > 1 ? y(p)[j] : Value(1));
      else
        plane.add_product(row, y(p)[j]);
      if constexpr (j == rows - 1)
        total.add_product(plane, Dim > 2 ? z(p)[k] : Value(1));
    });
    return total.dot(Row::load(x(p)));
  }

 private:
  static constexpr int ahead  = 8;  ///< so many points early
  using Row                   = RowPack<Value, Support>;
  static constexpr int rows   = Dim < 2 ? 1 : Support;
  static constexpr int planes = Dim < 3 ? 1 : Support;

  const Value* x(int p) const {
    return m_batch.x + p * Sizes::x_stride + Sizes::padding;
  }
  const Value* y(int p) const { return m_batch.y + p * Sizes::yz_stride; }
  const Value* z(int p) const { return m_batch.z + p * Sizes::yz_stride; }

  /// Asks for the rows of point p.
  void prefetch(int p) const {
    T* const at = inside(p);
    if (at == nullptr) return;
    for_each_row(at, [](T* row, auto, auto) {
      SPOROS_PREFETCH(row);
      SPOROS_PREFETCH(row + (Support - 1));
    });
  }

  /// The first of the grid points of point p if all lie in the grid and none of
  /// them beyond an end of a periodic direction, else null.
  SPOROS_ALWAYS_INLINE T* inside(int p) const {
    std::ptrdiff_t offset = 0;
    for (int k = 0; k < Dim; ++k) {
      const int first = m_first[k][p];
      if (first < 0 || first > m_field.points[k] - Support) return nullptr;
      offset += first * m_field.stride[k];
    }
    return m_field.data + offset;
  }

  /// f(row, j, k) for the rows from `at` on
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each_row(T* at, const F& f) const {
    static_for<planes>([&](auto k) {
      static_for<rows>([&](auto j) {
        f(at + (k * m_field.stride[2] + j * m_field.stride[1]), j, k);
      });
    });
  }

  /// f(value, weight) for each grid point of point p, wherever it lies
  template <class F>
  void for_each_value(int p, const F& f) const {
    std::ptrdiff_t offset[3][Support] = {};
    for (int d = 0; d < Dim; ++d)
      for (int i = 0; i < Support; ++i) {
        const int g  = m_field.index(d, m_first[d][p] + i);
        offset[d][i] = g < 0 ? none : g * m_field.stride[d];
      }
    for (int k = 0; k < planes; ++k)
      for (int j = 0; j < rows; ++j) {
        if (offset[2][k] == none || offset[1][j] == none) continue;
        const Value yz =
            (Dim > 1 ? y(p)[j] : Value(1)) * (Dim > 2 ? z(p)[k] : Value(1));
        T* const row = m_field.data + (offset[2][k] + offset[1][j]);
        for (int i = 0; i < Support; ++i)
          if (offset[0][i] != none) f(row[offset[0][i]], yz * x(p)[i]);
      }
  }
  static constexpr std::ptrdiff_t none = -1;  // offsets are never negative

  FieldAccess<T, Dim> m_field;
  const Batch& m_batch;
  int m_first[Dim][Sizes::batch];
};

}  // namespace Impl
}  // namespace Sporos

#endif
