// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATESHAPE_HPP
#define SPOROS_CORRELATESHAPE_HPP

/// \file Sporos_CorrelateShape.hpp
/// A problem as kernels see it: extents, shifts, pointers and strides of the
/// matrices.

#include <Sporos_RealOf.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShifts.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// sum + left * conj(right)
template <class A>
KOKKOS_INLINE_FUNCTION A add_conjugate_product(const A& left, const A& right,
                                               const A& sum) {
  if constexpr (is_complex_v<A>)
    return A(
        sum.real() + left.real() * right.real() + left.imag() * right.imag(),
        sum.imag() + left.imag() * right.real() - left.real() * right.imag());
  else
    return A(left * right + sum);
}

/// Matrices (i, j) with element (y, x) at any strides; or volumes, of which the
/// first plane is meant.
template <class T>
struct MatrixBatch {
  T* data          = nullptr;
  std::ptrdiff_t i = 0;  ///< strides, in elements
  std::ptrdiff_t j = 0;
  std::ptrdiff_t y = 0;
  std::ptrdiff_t x = 0;
  std::ptrdiff_t z = 0;  ///< of volumes

  /// Planes number z_
  KOKKOS_INLINE_FUNCTION MatrixBatch plane(int z_) const {
    MatrixBatch p = *this;
    p.data += z_ * z;
    return p;
  }
  KOKKOS_INLINE_FUNCTION T* matrix(int i_, int j_) const {
    return data + i_ * i + j_ * j;
  }
  KOKKOS_INLINE_FUNCTION T& operator()(int i_, int j_, int y_, int x_) const {
    return data[i_ * i + j_ * j + y_ * y + x_ * x];
  }
};

/// From the beginning of a volume to row y of all its rows, of which planes
/// have plane_rows; matrices have one plane.
template <class T>
KOKKOS_INLINE_FUNCTION std::ptrdiff_t row_of_volume(const MatrixBatch<T>& m,
                                                    int y, int plane_rows) {
  return y < plane_rows ? y * m.y : y / plane_rows * m.z + y % plane_rows * m.y;
}

/// The last dimensions of a view are those of one operand, (x), (y, x) or
/// (z, y, x); what stands before is (i, j). A pairing decides what a single
/// leading dimension is.
enum class Leading { i, j, both };

/// \param one dimensions of an operand
template <class T, class View>
MatrixBatch<T> matrix_batch(const View& view, Leading leading, int one = 2) {
  constexpr int rank = view_rank_v<View>;
  MatrixBatch<T> m;
  m.data = view.data();
  m.x    = std::ptrdiff_t(view.stride(rank - 1));
  if constexpr (rank > 1) {
    if (one > 1) m.y = std::ptrdiff_t(view.stride(rank - 2));
    if (rank == one + 1)
      (leading == Leading::j ? m.j : m.i) = std::ptrdiff_t(view.stride(0));
  }
  if constexpr (rank > 2) {
    if (one > 2) m.z = std::ptrdiff_t(view.stride(rank - 3));
    if (rank == one + 2) {
      m.i = std::ptrdiff_t(view.stride(0));
      m.j = std::ptrdiff_t(view.stride(1));
    }
  }
  return m;
}

/// Matrices that are volumes, plane below plane (Sporos_CorrelateFold.hpp), of
/// a plane dz of shifts. pitch 0: they are not.
struct FoldedPlanes {
  int pitch  = 0;               ///< rows from plane to plane
  int left_h = 0, right_h = 0;  ///< rows of a plane
  int dz    = 0;
  int first = 0, last = 0;  ///< planes of right that meet left

  /// Rows of left in a plane that meet right at the shift dy of the matrices
  KOKKOS_INLINE_FUNCTION int rows_at(int dy) const {
    dy -= dz * pitch;
    return Math::min(left_h, dy + right_h) - Math::max(0, dy);
  }
  /// The row of left where those end that meet right as next_row says
  KOKKOS_INLINE_FUNCTION int end_row(int y, int dy0, int rows) const {
    const int end = dy0 - dz * pitch + rows - 1 + right_h;
    return y >= max_correlate_extent
               ? y
               : y / pitch * pitch + Math::min(left_h, end);
  }
  /// The next row of left, from y on, that meets right at one of the shifts
  /// dy0, ..., dy0 + rows - 1 of the matrices
  KOKKOS_INLINE_FUNCTION int next_row(int y, int dy0, int rows) const {
    const int dy  = dy0 - dz * pitch;
    const int low = Math::max(0, dy);
    const int end = Math::min(left_h, dy + rows - 1 + right_h);
    if (low >= end) return max_correlate_extent;
    const int plane = y / pitch, row = y - plane * pitch;
    if (row < low) return y + low - row;
    return row < end ? y : (plane + 1) * pitch + low;
  }
};

/// Extents and shifts.
struct CorrelateShape {
  CorrelateExtents extents;
  ShiftWindow shifts;
  bool whiten = false;  ///< spectra are divided by their magnitudes
  FoldedPlanes folded{};

  KOKKOS_INLINE_FUNCTION int rows() const { return shifts.dy1 - shifts.dy0; }
  KOKKOS_INLINE_FUNCTION int columns() const { return shifts.dx1 - shifts.dx0; }
  KOKKOS_INLINE_FUNCTION int planes() const { return shifts.dz1 - shifts.dz0; }
  KOKKOS_INLINE_FUNCTION std::int64_t pairs() const {
    return std::int64_t(extents.n) * extents.m;
  }
  /// All of matrices and signals; of volumes those of a plane of shifts.
  KOKKOS_INLINE_FUNCTION std::int64_t results() const {
    return pairs() * rows() * columns();
  }
  std::int64_t all_results() const { return results() * planes(); }
  bool empty() const { return all_results() == 0; }

  /// Result out(i, j, oy, ox) is that of pair (i, j) at shift (dy, dx).
  struct Result {
    int i, j, oy, ox, dy, dx;
  };
  /// The results in row-major order: number index of results().
  KOKKOS_INLINE_FUNCTION Result result(std::int64_t index) const {
    Result r;
    r.ox = int(index % columns());
    index /= columns();
    r.oy = int(index % rows());
    index /= rows();
    r.j  = int(index % extents.m);
    r.i  = int(index / extents.m);
    r.dy = shifts.dy0 + r.oy;
    r.dx = shifts.dx0 + r.ox;
    return r;
  }

  /// Planes z of right that meet left at shift dz: [first_plane, last_plane).
  KOKKOS_INLINE_FUNCTION int first_plane(int dz) const {
    return dz < 0 ? -dz : 0;
  }
  KOKKOS_INLINE_FUNCTION int last_plane(int dz) const {
    return Math::min(extents.right_d, extents.left_d - dz);
  }
  KOKKOS_INLINE_FUNCTION bool overlaps_in_z(int dz) const {
    return first_plane(dz) < last_plane(dz);
  }
  /// Rows y of right that meet left at shift dy: [first_row, last_row).
  KOKKOS_INLINE_FUNCTION int first_row(int dy) const {
    return dy < 0 ? -dy : 0;
  }
  KOKKOS_INLINE_FUNCTION int last_row(int dy) const {
    return Math::min(extents.right_h, extents.left_h - dy);
  }
  KOKKOS_INLINE_FUNCTION int first_column(int dx) const {
    return dx < 0 ? -dx : 0;
  }
  KOKKOS_INLINE_FUNCTION int last_column(int dx) const {
    return Math::min(extents.right_w, extents.left_w - dx);
  }
  KOKKOS_INLINE_FUNCTION bool overlaps_in_y(int dy) const {
    return first_row(dy) < last_row(dy);
  }
  KOKKOS_INLINE_FUNCTION bool overlaps_in_x(int dx) const {
    return first_column(dx) < last_column(dx);
  }
};

/// x and y change places.
inline CorrelateShape transposed(const CorrelateShape& s) {
  const CorrelateExtents& e = s.extents;
  const ShiftWindow& w      = s.shifts;
  CorrelateShape t;
  t.extents         = e;
  t.extents.left_h  = e.left_w;
  t.extents.left_w  = e.left_h;
  t.extents.right_h = e.right_w;
  t.extents.right_w = e.right_h;
  t.shifts          = {w.dx0, w.dx1, w.dy0, w.dy1};
  t.whiten          = s.whiten;
  return t;
}
template <class T>
MatrixBatch<T> transposed(MatrixBatch<T> m) {
  std::swap(m.y, m.x);
  return m;
}

/// What `fft` knows of a matrix.
struct MatrixRange {
  int exponent = 0;      ///< elements are below 2^exponent
  bool wide    = false;  ///< a transform loses some of them
};

/// Pairs with a wide matrix, which are summed by the definition after `fft` did
/// all.
struct WidePairs {
  const MatrixRange* left  = nullptr;  ///< null: all pairs are meant
  const MatrixRange* right = nullptr;
  std::int64_t right_i = 0, right_j = 0;  ///< strides

  /// For hosts
  bool are_none(const CorrelateExtents& e) const {
    if (left == nullptr) return false;
    const auto wide           = [](const MatrixRange& r) { return r.wide; };
    const std::int64_t rights = right_i == 0 ? e.m : e.n * right_i;
    return !std::any_of(left, left + e.n, wide) &&
           !std::any_of(right, right + rights, wide);
  }
  KOKKOS_INLINE_FUNCTION bool skips(int i, int j) const {
    return left != nullptr && !left[i].wide &&
           !right[i * right_i + j * right_j].wide;
  }
};

/// Everything a kernel needs: T is the type of the inputs, A that of sums.
template <class T, class A>
struct CorrelateProblem {
  CorrelateShape shape;
  MatrixBatch<const T> left;   ///< (i)
  MatrixBatch<const T> right;  ///< (i, j)
  MatrixBatch<A> out;          ///< (i, j)
  WidePairs only{};
};

}  // namespace Impl
}  // namespace Sporos

#endif
