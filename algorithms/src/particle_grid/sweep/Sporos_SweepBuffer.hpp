// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SWEEPBUFFER_HPP
#define SPOROS_SWEEPBUFFER_HPP

/// \file Sporos_SweepBuffer.hpp
/// The buffer of the buffered sweeps: several columns of grid values, one for
/// each shift that a sweep takes at once.

#include <Sporos_SegmentedReduce.hpp>
#include <particle_grid/stencil/Sporos_FieldAccess.hpp>
#include <particle_grid/stencil/Sporos_PointStencil.hpp>
#include <particle_grid/sweep/Sporos_SweepOrder.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

/// The shifts of one sweep: a box with B0 x B1 x B2 shifts.
template <int B0, int B1, int B2>
struct ShiftBox {
  static constexpr int columns = B0 * B1 * B2;
  static constexpr int extent0 = B0, extent1 = B1, extent2 = B2;
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int extent(int k) {
    return k == 0 ? B0 : k == 1 ? B1 : B2;
  }
};

/// The boxes that the shifts of a support are cut into, in the order in which
/// sweeps take them.
template <class Box, int Dim, int Support>
struct SupportBoxes {
  KOKKOS_FUNCTION static constexpr int along(int k) {
    return k < Dim ? Support / Box::extent(k) : 1;
  }
  static constexpr int count = along(0) * along(1) * along(2);

  /// f(a, b, c) for box number n, whose first shift is (a, b, c)
  template <class F>
  static auto at(int n, const F& f) {
    return f(n % along(0) * Box::extent0,
             n / along(0) % along(1) * Box::extent1,
             n / (along(0) * along(1)) * Box::extent2);
  }
};

/// Extents of the box with the most shifts, at most `columns`, that divides
/// the support; long in direction 0, so that few weights make many products.
struct BoxExtents {
  int extent[3] = {1, 1, 1};
  KOKKOS_FUNCTION constexpr int columns() const {
    return extent[0] * extent[1] * extent[2];
  }
};
constexpr BoxExtents largest_box(int dim, int support, int columns) {
  BoxExtents best;
  for (int a = support; a > 0; --a)
    for (int b = dim > 1 ? support : 1; b > 0; --b)
      for (int c = dim > 2 ? support : 1; c > 0; --c)
        if (support % a == 0 && support % b == 0 && support % c == 0 &&
            a * b * c <= columns && a * b * c > best.columns())
          best = BoxExtents{{a, b, c}};
  return best;
}

/// Calls run(ShiftBox) with the largest of the boxes that are compiled.
template <int Dim, int Support, int Limit = most_sweep_columns, class Run>
void with_box(int columns, const Run& run) {
  constexpr BoxExtents box = largest_box(Dim, Support, Limit);
  if constexpr (box.columns() > 1) {
    constexpr int next = Limit > sweep_columns ? sweep_columns : 1;
    if (columns < box.columns())
      return with_box<Dim, Support, next>(columns, run);
  }
  run(ShiftBox<box.extent[0], box.extent[1], box.extent[2]>{});
}

/// Columns as values in memory; whose they are is the caller's business.
template <class T>
struct SweepBuffer {
  T* data                      = nullptr;  ///< null: the plan's own
  std::ptrdiff_t point_stride  = 0;
  std::ptrdiff_t column_stride = 1;

  SweepBuffer() = default;
  /// Interleaved: the columns of a grid point next to each other.
  SweepBuffer(T* data_, int columns) : data(data_), point_stride(columns) {}
  /// shape (grid points, columns)
  template <class View>
  explicit SweepBuffer(const View& view)
      : data(real_data<T>(view)),
        point_stride(std::ptrdiff_t(view.stride(0)) * real_parts_v<View>),
        column_stride(std::ptrdiff_t(view.stride(1)) * real_parts_v<View>) {}
};

/// A box of shifts: sums go to the columns of the buffer. All columns of a cell
/// stand side by side at the grid point of the box's first shift: column k at
/// grid point p is meant for the grid point p + (shift of k in the box). Next
/// to walls p wraps, too; what is meant for points outside is left out.
template <class Real, class MemorySpace, class T, int Dim, class Box>
struct SweepToBuffer {
  SweepPoints<Real, MemorySpace> points;
  FieldAccess<T, Dim> field;
  SweepBuffer<T> buffer;
  int shift[3];

  KOKKOS_FORCEINLINE_FUNCTION void operator()(
      int q, const SmallArray<T, Box::columns>& sum) const {
    int p[3]       = {0, 0, 0};
    bool whole     = true;
    T* const entry = entry_of(q, p, whole);
    if (entry == nullptr) return;
    if (whole)
      add(entry, sum);
    else
      add_inside(entry, sum, p);
  }

 private:
  /// Where the columns of segment q stand, if any is meant for the grid; p: the
  /// grid point of the box's first shift; whole: all columns count.
  KOKKOS_FORCEINLINE_FUNCTION T* entry_of(int q, int (&p)[3],
                                          bool& whole) const {
    std::ptrdiff_t i = 0;
    for (int k = Dim - 1; k >= 0; --k) {
      const int n = field.points[k];
      p[k]        = points.first[k * points.first_pitch + q] + shift[k];
      if (field.wraps[k]) {
        if (p[k] < 0) return nullptr;  // a point without a cell
      } else {
        if (p[k] <= -Box::extent(k) || p[k] >= n) return nullptr;
        whole = whole && p[k] >= 0 && p[k] + Box::extent(k) <= n;
      }
      i = i * n + ring_index(p[k], n);
    }
    return buffer.data + i * buffer.point_stride;
  }
  KOKKOS_FORCEINLINE_FUNCTION void add(
      T* entry, const SmallArray<T, Box::columns>& sum) const {
    SPOROS_UNROLL
    for (int k = 0; k < Box::columns; ++k)
      entry[k * buffer.column_stride] += sum[k];
  }
  KOKKOS_FUNCTION void add_inside(T* entry,
                                  const SmallArray<T, Box::columns>& sum,
                                  const int (&p)[3]) const {
    SPOROS_UNROLL
    for (int k = 0; k < Box::columns; ++k) {
      bool inside = true;
      int rest    = k;
      for (int d = 0; d < Dim; ++d) {
        const int j = p[d] + rest % Box::extent(d);
        rest /= Box::extent(d);
        if (!field.wraps[d] && (j < 0 || j >= field.points[d])) inside = false;
      }
      if (inside) entry[k * buffer.column_stride] += sum[k];
    }
  }
};

/// Zeroes, or sums up, the columns at up to `block` grid points of a row.
template <class Exec, class T, int Dim, class Box>
struct BufferRows {
  struct Zero {};
  struct Sum {};
  static constexpr int block = is_host_space_v<Exec> ? buffer_row : 1;

  FieldAccess<T, Dim> field;
  SweepBuffer<T> buffer;

  KOKKOS_FUNCTION std::int64_t blocks() const {
    return ceil_div(field.points[0], block);
  }
  KOKKOS_FUNCTION std::int64_t items() const {
    return blocks() * field.points[1] * field.points[2];
  }
  KOKKOS_FUNCTION int end(int begin) const {
    return Math::min(begin + block, field.points[0]);
  }

  KOKKOS_FUNCTION void operator()(Zero, std::int64_t item) const {
    const std::int64_t row = item / blocks();
    const int begin        = int(item - row * blocks()) * block;
    const int count        = end(begin) - begin;
    T* const line =
        buffer.data + (row * field.points[0] + begin) * buffer.point_stride;
    if (buffer.column_stride == 1 && buffer.point_stride == Box::columns) {
      for (int i = 0; i < count * Box::columns; ++i) line[i] = T(0);
    } else {
      for (int k = 0; k < Box::columns; ++k)
        for (int i = 0; i < count; ++i)
          line[i * buffer.point_stride + k * buffer.column_stride] = T(0);
    }
  }

  KOKKOS_FUNCTION void operator()(Sum, std::int64_t item) const {
    const std::int64_t row = item / blocks();
    const int begin        = int(item - row * blocks()) * block;
    const int z = int(row / field.points[1]), y = int(row % field.points[1]);
    T* const target = field.data + z * field.stride[2] + y * field.stride[1];
    const T* line[Box::extent1 * Box::extent2];
    for (int c = 0; c < Box::extent2; ++c)
      for (int b = 0; b < Box::extent1; ++b)
        line[c * Box::extent1 + b] =
            buffer.data +
            (c * Box::extent1 + b) * Box::extent0 * buffer.column_stride +
            (std::ptrdiff_t(before(2, z, c)) * field.points[1] +
             before(1, y, b)) *
                field.points[0] * buffer.point_stride;
    int x           = begin;
    const int whole = Math::max(begin, Box::extent0 - 1);
    for (; x < Math::min(whole, end(begin)); ++x)
      target[x * field.stride[0]] += sum_at<true>(line, x);
    for (; x < end(begin); ++x)
      target[x * field.stride[0]] += sum_at<false>(line, x);
  }

 private:
  KOKKOS_FORCEINLINE_FUNCTION int before(int k, int i, int shift) const {
    return ring_index(i - shift, field.points[k]);
  }
  template <bool Wraps>
  KOKKOS_FORCEINLINE_FUNCTION T
  sum_at(const T* const (&line)[Box::extent1 * Box::extent2], int x) const {
    T sum = 0;
    SPOROS_UNROLL
    for (int r = 0; r < Box::extent1 * Box::extent2; ++r) SPOROS_UNROLL
    for (int a = 0; a < Box::extent0; ++a)
      sum += line[r][std::ptrdiff_t(Wraps ? before(0, x, a) : x - a) *
                         buffer.point_stride +
                     a * buffer.column_stride];
    return sum;
  }
};

}  // namespace Impl
}  // namespace Sporos

#endif
