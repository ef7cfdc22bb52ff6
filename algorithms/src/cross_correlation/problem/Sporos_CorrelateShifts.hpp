// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATESHIFTS_HPP
#define SPOROS_CORRELATESHIFTS_HPP

/// \file Sporos_CorrelateShifts.hpp
/// The shifts of a mode, of signals, matrices or volumes, and how messages name
/// them. Users include Sporos_CrossCorrelate.hpp.

#include <Sporos_Error.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <Sporos_CorrelateOptions.hpp>

#include <sstream>
#include <string>

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

/// Dimensions of an operand: the rank of a View of one.
inline int dimensions_of(CorrelateOperand operand) { return int(operand) + 1; }

/// Several of them, for messages
inline const char* plural_of(CorrelateOperand operand) {
  constexpr const char* plurals[] = {"signals", "matrices", "volumes"};
  return plurals[int(operand)];
}

/// "(h, w)", as a View of one operand has it, for messages
inline std::string operand_text(CorrelateOperand operand, int d, int h, int w) {
  std::ostringstream out;
  out << '(';
  if (dimensions_of(operand) > 2) out << d << ", ";
  if (dimensions_of(operand) > 1) out << h << ", ";
  out << w << ')';
  return out.str();
}
inline std::string shifts_text(CorrelateOperand operand, const ShiftWindow& s) {
  std::ostringstream out;
  const auto range = [&](int first, int end) -> std::ostream& {
    return out << '[' << first << ", " << end << ')';
  };
  if (dimensions_of(operand) > 2) range(s.dz0, s.dz1) << " x ";
  if (dimensions_of(operand) > 1) range(s.dy0, s.dy1) << " x ";
  range(s.dx0, s.dx1);
  return out.str();
}

/// The shifts of options.window; those of signals have one row, and all but
/// those of volumes one plane.
inline ShiftWindow window_of(const char* name, const CorrelateOptions& o) {
  constexpr int most = max_correlate_extent;
  ShiftWindow w      = o.window;
  const std::string z =
      '[' + std::to_string(w.dz0) + ", " + std::to_string(w.dz1) + ')';
  check(w.dz0 <= w.dz1 && w.dz0 >= -most && w.dz1 <= most, name, "window",
        "dz0 <= dz1, and shifts from -2^29 to 2^29", z);
  check(o.operand == CorrelateOperand::volume || (w.dz0 == 0 && w.dz1 == 1),
        name, "window",
        "dz0 == 0 and dz1 == 1 unless options.operand is volume", z);
  if (o.operand != CorrelateOperand::signal) return w;
  check(w.dy0 == 0 && (w.dy1 == 0 || w.dy1 == 1), name, "window",
        "dy0 == 0 and dy1 == 0 or 1 with options.operand signal",
        text('[', w.dy0, ", ", w.dy1, ')'));
  w.dy1 = 1;
  return w;
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
  const bool volume  = o.operand == CorrelateOperand::volume;
  const auto heights = text("left_h ", e.left_h, ", right_h ", e.right_h);
  const auto depths  = text("left_d ", e.left_d, ", right_d ", e.right_d);
  check(o.operand != CorrelateOperand::signal ||
            (e.left_h == 1 && e.right_h == 1),
        name, "extents",
        "left_h == 1 and right_h == 1 with options.operand signal", heights);
  check(volume || (e.left_d == 1 && e.right_d == 1), name, "extents",
        "left_d == 1 and right_d == 1 unless options.operand is volume",
        depths);
  check(e.left_d > 0 && e.left_d < max_correlate_extent && e.right_d > 0 &&
            e.right_d < max_correlate_extent,
        name, "extents", "from one plane to fewer than 2^29", depths);
  ShiftWindow window;
  if (o.mode == CorrelateMode::window) window = window_of(name, o);
  ShiftWindow s =
      shifts_of(name, e.left_h, e.left_w, e.right_h, e.right_w, o.mode, window);
  if (!volume || o.mode == CorrelateMode::window) return s;
  const int more = e.left_d - e.right_d;
  s.dz0          = 1 - e.right_d;
  s.dz1          = e.left_d;
  if (o.mode == CorrelateMode::same) {
    s.dz0 = -((e.right_d - 1) / 2);
    s.dz1 = s.dz0 + e.left_d;
  } else if (o.mode == CorrelateMode::valid) {
    const bool fits = more >= 0
                          ? e.left_h >= e.right_h && e.left_w >= e.right_w
                          : e.left_h <= e.right_h && e.left_w <= e.right_w;
    check(fits || more == 0, name, "mode",
          "one volume that fits into the other for valid",
          text("left ", operand_text(o.operand, e.left_d, e.left_h, e.left_w),
               ", right ",
               operand_text(o.operand, e.right_d, e.right_h, e.right_w)));
    s.dz0 = Math::min(0, more);
    s.dz1 = Math::max(0, more) + 1;
  }
  return s;
}

}  // namespace Impl

/// The shifts of left and right ones of any operand: those of a plan.
/// \throws std::invalid_argument as the other form, and for extents or a window
///   that do not fit options.operand
inline ShiftWindow correlate_shifts(const CorrelateExtents& extents,
                                    const CorrelateOptions& options) {
  return Impl::shifts_of("Sporos::correlate_shifts", extents, options);
}

}  // namespace Sporos

#endif
