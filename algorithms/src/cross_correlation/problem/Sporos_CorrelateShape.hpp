// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATESHAPE_HPP
#define SPOROS_CORRELATESHAPE_HPP

/// \file Sporos_CorrelateShape.hpp
/// A problem as kernels see it: extents, shifts, pointers and strides of the
/// matrices.

#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_CorrelateOptions.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Extents and shifts stay below: then sums of two are ints.
constexpr int max_correlate_extent = 1 << 29;

inline void check_matrix(const char* function, const char* argument, int h,
                         int w) {
  check(h > 0 && w > 0, function, argument, "at least one row and one column",
        text('(', h, ", ", w, ')'));
  check(h < max_correlate_extent && w < max_correlate_extent, function,
        argument, "extents below 2^29", text('(', h, ", ", w, ')'));
}

/// Dimensions of an operand: ranks of a View of one.
inline int dimensions_of(CorrelateOperand operand) {
  return operand == CorrelateOperand::signal ? 1 : 2;
}

/// Several of them, for messages
inline const char* plural_of(CorrelateOperand operand) {
  return operand == CorrelateOperand::signal ? "signals" : "matrices";
}

/// "(h, w)", as a View of one operand has it, for messages
inline std::string operand_text(CorrelateOperand operand, int h, int w) {
  std::ostringstream out;
  out << '(';
  if (dimensions_of(operand) > 1) out << h << ", ";
  out << w << ')';
  return out.str();
}
inline std::string shifts_text(CorrelateOperand operand, const ShiftWindow& s) {
  std::ostringstream out;
  if (dimensions_of(operand) > 1)
    out << '[' << s.dy0 << ", " << s.dy1 << ") x ";
  out << '[' << s.dx0 << ", " << s.dx1 << ')';
  return out.str();
}

/// The shifts of options.window; those of signals have one row.
inline ShiftWindow window_of(const char* name, const CorrelateOptions& o) {
  if (o.operand != CorrelateOperand::signal) return o.window;
  const ShiftWindow& w = o.window;
  check(w.dy0 == 0 && (w.dy1 == 0 || w.dy1 == 1), name, "window",
        "dy0 == 0 and dy1 == 0 or 1 with options.operand signal",
        text('[', w.dy0, ", ", w.dy1, ')'));
  return {0, 1, w.dx0, w.dx1};
}

/// correlate_shifts for `name`, which errors are reported of.
inline ShiftWindow shifts_of(const char* name, int left_h, int left_w,
                             int right_h, int right_w, CorrelateMode mode,
                             const ShiftWindow& window) {
  constexpr int most = max_correlate_extent;
  check_matrix(name, "left", left_h, left_w);
  check_matrix(name, "right", right_h, right_w);
  switch (mode) {
    case CorrelateMode::full: break;
    case CorrelateMode::same: {
      const int dy0 = -((right_h - 1) / 2), dx0 = -((right_w - 1) / 2);
      return {dy0, dy0 + left_h, dx0, dx0 + left_w};
    }
    case CorrelateMode::valid:
      if (left_h >= right_h && left_w >= right_w)
        return {0, left_h - right_h + 1, 0, left_w - right_w + 1};
      check(left_h <= right_h && left_w <= right_w, name, "mode",
            "one matrix that fits into the other for valid",
            text("left (", left_h, ", ", left_w, "), right (", right_h, ", ",
                 right_w, ')'));
      return {left_h - right_h, 1, left_w - right_w, 1};
    case CorrelateMode::window:
      check(window.dy0 <= window.dy1 && window.dx0 <= window.dx1, name,
            "window", "dy0 <= dy1 and dx0 <= dx1",
            text('[', window.dy0, ", ", window.dy1, ") x [", window.dx0, ", ",
                 window.dx1, ')'));
      check(window.dy0 >= -most && window.dy1 <= most && window.dx0 >= -most &&
                window.dx1 <= most,
            name, "window", "shifts from -2^29 to 2^29",
            text('[', window.dy0, ", ", window.dy1, ") x [", window.dx0, ", ",
                 window.dx1, ')'));
      return window;
  }
  return {1 - right_h, left_h, 1 - right_w, left_w};
}

}  // namespace Impl

/// The shifts that a mode computes: out(.., i, j) belongs to the shift
/// (dy0 + i, dx0 + j), and out has extents (rows(), columns()).
/// \throws std::invalid_argument for extents below 1 or of 2^29 and more, for
///   valid when neither matrix fits into the other, for a window with a
///   negative extent or with shifts beyond 2^29
inline ShiftWindow correlate_shifts(int left_h, int left_w, int right_h,
                                    int right_w, CorrelateMode mode,
                                    const ShiftWindow& window = {}) {
  return Impl::shifts_of("Sporos::correlate_shifts", left_h, left_w, right_h,
                         right_w, mode, window);
}

namespace Impl {

/// The shifts of operands of these extents.
inline ShiftWindow shifts_of(const char* name, const CorrelateExtents& e,
                             const CorrelateOptions& o) {
  const bool signal = o.operand == CorrelateOperand::signal;
  check(!signal || (e.left_h == 1 && e.right_h == 1), name, "extents",
        "left_h == 1 and right_h == 1 with options.operand signal",
        text("left_h ", e.left_h, ", right_h ", e.right_h));
  return shifts_of(
      name, e.left_h, e.left_w, e.right_h, e.right_w, o.mode,
      o.mode == CorrelateMode::window ? window_of(name, o) : ShiftWindow{});
}

}  // namespace Impl

/// The shifts of left and right ones of any operand: those of a plan.
/// \throws std::invalid_argument as the other form, and for extents or a window
///   that do not fit options.operand
inline ShiftWindow correlate_shifts(const CorrelateExtents& extents,
                                    const CorrelateOptions& options) {
  return Impl::shifts_of("Sporos::correlate_shifts", extents, options);
}

namespace Impl {

template <class T>
struct is_complex : std::false_type {};
template <class T>
struct is_complex<Kokkos::complex<T>> : std::true_type {};
template <class T>
inline constexpr bool is_complex_v = is_complex<T>::value;

/// The real type of a real or complex type.
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Kokkos::complex<T>> {
  using type = T;
};
template <class T>
using real_of = typename RealOf<T>::type;

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

/// Matrices (i, j) with element (y, x) at any strides.
template <class T>
struct MatrixBatch {
  T* data          = nullptr;
  std::ptrdiff_t i = 0;  ///< strides, in elements
  std::ptrdiff_t j = 0;
  std::ptrdiff_t y = 0;
  std::ptrdiff_t x = 0;

  KOKKOS_INLINE_FUNCTION T* matrix(int i_, int j_) const {
    return data + i_ * i + j_ * j;
  }
  KOKKOS_INLINE_FUNCTION T& operator()(int i_, int j_, int y_, int x_) const {
    return data[i_ * i + j_ * j + y_ * y + x_ * x];
  }
};

/// The last dimensions of a view are those of one operand, (y, x) or (x); what
/// stands before is (i, j). A pairing decides what a single leading dimension
/// is.
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
  if constexpr (rank > 2)
    if (rank == one + 2) {
      m.i = std::ptrdiff_t(view.stride(0));
      m.j = std::ptrdiff_t(view.stride(1));
    }
  return m;
}

/// Extents and shifts.
struct CorrelateShape {
  CorrelateExtents extents;
  ShiftWindow shifts;

  KOKKOS_INLINE_FUNCTION int rows() const { return shifts.dy1 - shifts.dy0; }
  KOKKOS_INLINE_FUNCTION int columns() const { return shifts.dx1 - shifts.dx0; }
  KOKKOS_INLINE_FUNCTION std::int64_t pairs() const {
    return std::int64_t(extents.n) * extents.m;
  }
  KOKKOS_INLINE_FUNCTION std::int64_t results() const {
    return pairs() * rows() * columns();
  }
  bool empty() const { return results() == 0; }

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
