// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANNEDWINDOWS_HPP
#define SPOROS_PLANNEDWINDOWS_HPP

/// \file Sporos_PlannedWindows.hpp
/// Left and right of correlate_peaks, accumulate and cross_correlate, checked,
/// and in batches.

#include <Sporos_ImageWindows.hpp>
#include <Sporos_ViewChecks.hpp>
#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <cross_correlation/windows/Sporos_AddResults.hpp>
#include <cross_correlation/windows/Sporos_GatherWindows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

template <class T>
inline constexpr bool is_windows_v = false;
template <class Image>
inline constexpr bool is_windows_v<WindowsOf<Image>> = true;

/// Windows as they are; matrices (n, h, w) as one window of each of n images.
template <class Image>
const WindowsOf<Image>& windows_from(const char*, const char*,
                                     const WindowsOf<Image>& windows) {
  return windows;
}
template <class View>
std::enable_if_t<Kokkos::is_view<View>::value, WindowsOf<View>> windows_from(
    const char* function, const char* argument, const View& view) {
  static_assert(
      view_rank_v<View> == 3,
      "Sporos::correlate_peaks, accumulate and cross_correlate: Views "
      "that go with windows must have rank 3");
  const int h = extent(function, argument, view, 1);
  const int w = extent(function, argument, view, 2);
  return regular_windows(view, h, w, 1, 1);
}
template <class Windows>
using windows_of = std::decay_t<decltype(windows_from(
    "", "", std::declval<const Windows&>()))>;

/// The type in which pixels of both are correlated: double if one needs it
template <class P>
inline constexpr bool needs_double_v = std::is_same<P, double>::value ||
                                       (std::is_integral<P>::value &&
                                        sizeof(P) > 2);
template <class Left, class Right>
using correlated_type = std::conditional_t<
    needs_double_v<typename windows_of<Left>::value_type> ||
        needs_double_v<typename windows_of<Right>::value_type>,
    double, float>;

/// Windows that are those of a plan: n of them, or n of each of some images.
template <class State, class Left, class Right>
struct PlannedWindows {
  const State& s;
  Left left;
  Right right;
  std::int64_t images;

  /// Calls f(first, at): s.batch pairs from number `first` on, of which those
  /// before `at` were done.
  template <class F>
  void for_each_batch(const F& f) const {
    for (int at = 0; at < s.extents.n; at += s.batch)
      f(std::min(at, s.extents.n - s.batch), at);
  }
  /// Correlates the pairs of a batch of an image.
  template <class Exec, class Out>
  void correlate(const Exec& exec, std::int64_t image, int first,
                 const Out& out) const {
    const std::int64_t window = image * s.extents.n + first;
    gather_windows(exec, left, window, s.batch, s.left.data());
    gather_windows(exec, right, window, s.batch, s.right.data());
    cross_correlate(exec, s.correlate, s.left, s.right, out);
  }
};

/// Throws for windows that are not those of the plan. Returns the number of
/// images, which must be 1 unless they are a series.
template <class Windows>
std::int64_t check_windows(const char* function, const char* argument,
                           const Windows& windows, int n, int h, int w,
                           bool series) {
  const std::int64_t all = windows.size();
  check(windows.height == h && windows.width == w &&
            (all == n || (series && windows.count == n && all > 0)),
        function, argument,
        text(n, " windows of (", h, ", ", w, ") of the plan",
             series ? ", in all or in each image" : ""),
        text(all, " of (", windows.height, ", ", windows.width, ')'));
  return n == 0 ? 1 : all / n;
}

/// written: peaks or sums, whose name is `to`
template <class Exec, class State, class Left, class Right, class View>
PlannedWindows<State, Left, Right> planned_windows(
    const char* function, const State& s, const Left& left, const Right& right,
    bool series, const char* to, const View& written) {
  static_assert(is_accessible_v<Exec, decltype(left.image)> &&
                    is_accessible_v<Exec, decltype(right.image)> &&
                    is_accessible_v<Exec, View>,
                "Sporos::correlate_peaks, accumulate and cross_correlate: "
                "arguments must be accessible to the execution space");
  const CorrelateExtents& e = s.extents;
  const std::int64_t images =
      check_windows(function, "left", left, e.n, e.left_h, e.left_w, series);
  check(check_windows(function, "right", right, e.n, e.right_h, e.right_w,
                      series) == images,
        function, "right", text("windows of ", images, " images, as left has"),
        right.images());
  check(written.extent(0) == std::size_t(e.n), function, to,
        text("extent(0) == ", e.n, ", the number of pairs"), extents(written));
  check_written(function, to, written);
  check_apart(function, to, written, "left", left.image);
  check_apart(function, to, written, "right", right.image);
  return {s, left, right, images};
}

/// Writes results of windows to sums, or adds them if windows may be those of a
/// series of images.
template <class Exec, class State, class Left, class Right, class Sums>
void write_results(const char* function, const Exec& exec, const State& s,
                   const Left& left, const Right& right, const char* argument,
                   const Sums& sums, bool series) {
  using S = typename Sums::value_type;
  using T = typename decltype(s.out)::value_type;
  static_assert((std::is_same<S, T>::value || std::is_same<S, double>::value) &&
                    view_rank_v<Sums> == 3,
                "Sporos::accumulate and cross_correlate: results of windows "
                "must be a View (n, rows, columns) of T or double");
  const int h = int(s.out.extent(1)), w = int(s.out.extent(2));
  check(sums.extent(1) == std::size_t(h) && sums.extent(2) == std::size_t(w),
        function, argument, text('(', h, ", ", w, ") shifts, as the plan has"),
        extents(sums));
  const auto windows = planned_windows<Exec>(
      function, s, windows_from(function, "left", left),
      windows_from(function, "right", right), series, argument, sums);
  windows.for_each_batch([&](int first, int at) {
    auto to = matrix_batch<S>(sums, Leading::i);
    to.data += at * to.i;
    for (std::int64_t image = 0; image < windows.images; ++image) {
      windows.correlate(exec, image, first, s.out);
      add_results(exec, s.out.data(), to, at - first, s.batch, h, w, series);
    }
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
