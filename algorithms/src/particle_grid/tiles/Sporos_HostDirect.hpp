// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_HOSTDIRECT_HPP
#define SPOROS_HOSTDIRECT_HPP

/// \file Sporos_HostDirect.hpp
/// Tiles with few points on hosts: the points work on the field itself, without
/// an image of the tile, so that the cost follows the points.

#include <Sporos_RowPack.hpp>
#include <particle_grid/tiles/Sporos_HostTile.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// Tiles with fewer points than this are served without an image: loading, or
/// clearing and adding, the image costs more than the field's rows, of which a
/// point alone uses the lines. Where the values of a row lie
/// apart, an image costs more, most of all if each lies in a line of its own.
template <class Sizes, class Group>
int few_points(const Group& group) {
  constexpr int Dim    = Group::dim;
  constexpr int rows   = support_rows<Dim, Sizes::support>;
  constexpr bool reads = std::is_const_v<typename Group::T>;
  constexpr bool wide  = Sizes::support > max_team_support;
  constexpr double row_cost =
      Dim < 3 ? direct_row_flat
      : reads ? (wide ? direct_wide_read : direct_row_read)
              : (wide ? direct_wide_spread : direct_row_spread);
  constexpr double near_cost = reads ? direct_near_read : direct_near_spread;
  constexpr double far_cost  = reads ? direct_far_read : direct_far_spread;
  const std::ptrdiff_t step  = group.field[0].stride[0];
  const bool far       = step * std::ptrdiff_t(sizeof(typename Group::T)) > 64;
  constexpr int passes = Group::derives ? Dim : 1;  // of points without image
  if (!group.rows())
    return int(Sizes::size / (rows * passes * (far ? far_cost : near_cost)));
  double few = Sizes::size / (rows * passes * row_cost);
  if (Dim == 3 && !wide) {
    if (group.together() * Sizes::support > direct_row) few /= 2;
    constexpr bool narrow = !reads && Sizes::support <= direct_narrow;
    few = std::min(few, narrow ? direct_most_narrow : direct_most);
  }
  return int(few);
}

/// The rows of a point's grid points, as values that no store to the field can
/// change for all that compilers know, so that they stay in registers.
template <class T, int Rows, int Planes>
struct DirectRows {
  T* data;
  std::ptrdiff_t to_row, to_plane;

  template <int Dim>
  DirectRows(T* data_, const FieldAccess<T, Dim>& field)
      : data(data_), to_row(field.stride[1]), to_plane(field.stride[2]) {}

  /// f(row, j, k) for the rows from `offset` on
  template <class F>
  SPOROS_ALWAYS_INLINE void for_each(std::ptrdiff_t offset, const F& f) const {
    T* plane = data + offset;
    for_each_plane<Planes>([&](auto k) {
      T* row = plane;
      static_for<Rows>([&](auto j) {
        f(row, j, k);
        row += to_row;
      });
      plane += to_plane;
    });
  }
};

/// The points of a batch on fields: C components interleaved, or each by
/// itself. Those that are not contiguous along direction 0 are read and written
/// as at borders, a grid point at a time.
template <class Points, class Batch>
class DirectPoints {
 public:
  using Group                  = typename Points::Group;
  using T                      = typename Group::T;
  using Value                  = std::remove_const_t<T>;
  using Sizes                  = typename Batch::Sizes;
  static constexpr int Dim     = Group::dim;
  static constexpr int Support = Batch::Support;

  DirectPoints(const Points& points, const Batch& batch)
      : m_points(points), m_batch(batch) {}

  /// f(component, how many lie together) for the first of components that lie
  /// together; the number is an integral constant. The batch has `count` points
  /// of the tile.
  template <class F>
  void for_each_component(std::uint32_t tile, int count, const F& f) {
    for (int c = 0; c < m_points.group.count; c += m_points.together) {
      if (Group::moves(c)) place(c, tile, count);
      with_count<Group::most_images>(m_points.together,
                                     [&](auto n) { f(c, n); });
    }
  }

  /// field += weights of the points times scale[component][point], for C
  /// interleaved components the first of which is at data
  template <int C, class Scale>
  void add(T* data, int count, const Scale& scale) const {
    // in 2D the next point may soon load what this one stores
    using Row =
        RowPack<Value, Support * C, Dim == 3 && overlapping_packs(Support * C)>;
    const Rows at(data, m_field);
    for (int p = 0; p < count; ++p) {
      if (m_offset[p] == none) {
        add_at_border<C>(data, p, scale);
        continue;
      }
      const Value *const yp = y(p), *const zp = z(p);
      const Row wx = scaled<C, Row>(p, scale);
      Row xz       = wx;
      at.for_each(m_offset[p], [&](Value* line, auto j, auto k) {
        if constexpr (Dim > 2 && j == 0) xz = wx.times(zp[k]);
        Row row = Row::load(line);
        row.add_product(xz, Dim > 1 ? yp[j] : Value(1));
        row.store(line);
      });
    }
  }

  /// result(p, sums of weights times field, for each component) for each point
  template <int C, class Result>
  void dot(T* data, int count, const Result& result) const {
    using Row = ReadRowPack<Value, Support * C>;
    const Rows at(data, m_field);
    for (int p = 0; p < count; ++p) {
      Value sums[C] = {};
      if (m_offset[p] == none) {
        dot_at_border<C>(data, p, sums);
        result(p, sums);
        continue;
      }
      const Value *const yp = y(p), *const zp = z(p);
      const Value zeros[Support * C] = {};
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
      if constexpr (C == 1) {
        sums[0] = total.dot(Row::load(x(p)));
      } else {
        Value columns[Support * C];
        total.store(columns);
        for (int i = 0; i < Support; ++i)
          for (int c = 0; c < C; ++c) sums[c] += columns[i * C + c] * x(p)[i];
      }
      result(p, sums);
    }
  }

 private:
  static constexpr int rows            = Dim < 2 ? 1 : Support;
  static constexpr int planes          = Dim < 3 ? 1 : Support;
  static constexpr std::ptrdiff_t none = -1;  // offsets are never negative
  using Rows                           = DirectRows<T, rows, planes>;

  const Value* x(int p) const {
    return m_x + p * Sizes::x_stride + Sizes::padding;
  }
  /// Finds the grid points that component c of the points has.
  void place(int c, std::uint32_t tile, int count) {
    const auto shift = m_points.shifts.template component<Group>(c);
    int cell[Dim];
    m_points.cells.first_cell(tile, cell);
    for (int k = 0; k < Dim; ++k) {
      m_first[k] = first_touched(m_points.cells, shift, k, cell[k]);
      m_cell[k]  = m_batch.cell[Group::set(c, k)][k];
    }
    m_field = m_points.group.field[c];
    m_x     = m_batch.x[Group::set(c, 0)];
    m_y     = m_batch.y[Group::set(c, Dim > 1 ? 1 : 0)];
    m_z     = m_batch.z[Group::set(c, Dim > 2 ? 2 : 0)];
    find_offsets(count);
  }

  // without these directions there is nothing behind y and z
  const Value* y(int p) const {
    return m_y + (Dim > 1 ? p * Sizes::yz_stride : 0);
  }
  const Value* z(int p) const {
    return m_z + (Dim > 2 ? p * Sizes::yz_stride : 0);
  }

  /// Weights along direction 0 times strengths, components side by side
  template <int C, class Row, class Scale>
  SPOROS_ALWAYS_INLINE Row scaled(int p, const Scale& scale) const {
    if constexpr (C == 1) {
      return Row::load(x(p)).times(scale[0][p]);
    } else {
      Value weights[Support * C];
      for (int i = 0; i < Support; ++i)
        for (int c = 0; c < C; ++c) weights[i * C + c] = x(p)[i] * scale[c][p];
      return Row::load(weights);
    }
  }

  /// Where the grid points of each point begin, if they lie in rows, all in the
  /// grid and none of them beyond an end of a periodic direction
  void find_offsets(int count) {
    std::ptrdiff_t stride[Dim];
    int last[Dim];
    for (int k = 0; k < Dim; ++k) {
      stride[k] = m_field.stride[k];
      last[k]   = m_field.points[k] - Support;
    }
    for (int p = 0; p < count; ++p) {
      std::ptrdiff_t offset = 0;
      bool inside           = stride[0] == m_points.together;
      for (int k = 0; k < Dim; ++k) {
        const int first = m_first[k] + m_cell[k][p];
        inside &= (first >= 0) & (first <= last[k]);
        offset += first * stride[k];
      }
      m_offset[p] = inside ? offset : none;
    }
  }

  /// f(components at a grid point, i, product of the weights of the other
  /// directions) for the grid points of a point, one by one, as at a border; i:
  /// their number along direction 0
  template <class F>
  void for_each_at_border(T* data, int p, const F& f) const {
    std::ptrdiff_t in_x[Support];
    for (int i = 0; i < Support; ++i) in_x[i] = offset(0, p, i);
    for (int k = 0; k < planes; ++k) {
      const std::ptrdiff_t in_z = Dim > 2 ? offset(2, p, k) : 0;
      for (int j = 0; j < rows; ++j) {
        const std::ptrdiff_t in_y = Dim > 1 ? offset(1, p, j) : 0;
        if (in_z == none || in_y == none) continue;
        const Value w =
            (Dim > 1 ? y(p)[j] : Value(1)) * (Dim > 2 ? z(p)[k] : Value(1));
        T* const row = data + in_y + in_z;
        for (int i = 0; i < Support; ++i)
          if (in_x[i] != none) f(row + in_x[i], i, w);
      }
    }
  }

  // Out of line, so that they cost the loops nothing.
  template <int C, class Scale>
  [[gnu::noinline]] void add_at_border(T* data, int p,
                                       const Scale& scale) const {
    for_each_at_border(data, p, [&](T* value, int i, Value w) {
      for (int c = 0; c < C; ++c) value[c] += x(p)[i] * scale[c][p] * w;
    });
  }
  template <int C>
  [[gnu::noinline]] void dot_at_border(T* data, int p, Value* sums) const {
    Value columns[Support * C] = {};  // sums that do not wait for one another
    for_each_at_border(data, p, [&](const T* value, int i, Value w) {
      for (int c = 0; c < C; ++c) columns[i * C + c] += value[c] * w;
    });
    for (int i = 0; i < Support; ++i)
      for (int c = 0; c < C; ++c) sums[c] += columns[i * C + c] * x(p)[i];
  }

  /// Distance of grid point i of point p in direction k, in values, or none
  std::ptrdiff_t offset(int k, int p, int i) const {
    const int inside = m_field.index(k, m_first[k] + m_cell[k][p] + i);
    return inside < 0 ? none : inside * m_field.stride[k];
  }

  const Points& m_points;
  const Batch& m_batch;
  FieldAccess<T, Dim> m_field;
  const Value *m_x = nullptr, *m_y = nullptr, *m_z = nullptr;
  int m_first[Dim];        ///< grid points of the first cell of the tile
  const int* m_cell[Dim];  ///< cells in the tile of the points
  std::ptrdiff_t m_offset[Sizes::batch];
};

}  // namespace Impl
}  // namespace Sporos

#endif
