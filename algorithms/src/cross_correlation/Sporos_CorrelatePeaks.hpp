// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEPEAKS_HPP
#define SPOROS_CORRELATEPEAKS_HPP

/// \file Sporos_CorrelatePeaks.hpp
/// Windows of images in, peaks of their correlations out.
///
/// \code
///   const auto left  = Sporos::regular_windows(after, 32, 32, 16, 16);
///   const auto right = Sporos::regular_windows(before, 32, 32, 16, 16);
///   Kokkos::View<Sporos::Peak**> peaks("peaks", left.size(), 1);
///   Sporos::correlate_peaks(exec, left, right, peaks, options);
/// \endcode

#include <Sporos_FindPeaks.hpp>
#include <Sporos_ImageWindows.hpp>
#include <cross_correlation/windows/Sporos_GatherWindows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>

namespace Sporos {
namespace Impl {

/// Windows as they are; matrices (n, h, w) as one window of each of n images.
template <class Image>
const WindowsOf<Image>& windows_from(const char*, const char*,
                                     const WindowsOf<Image>& windows) {
  return windows;
}
template <class View>
std::enable_if_t<Kokkos::is_view<View>::value, WindowsOf<View>> windows_from(
    const char* function, const char* argument, const View& view) {
  static_assert(view_rank_v<View> == 3,
                "Sporos::correlate_peaks: Views must have rank 3");
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

}  // namespace Impl

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// The plan of correlations of which only the peaks are kept: pair n is left
/// window n with right window n. Pairs go in batches through memory of a few
/// MiB (4 on hosts, 64 on devices; more if one pair needs more): windows are
/// copied there, correlated, and searched for peaks. A window is copied once
/// for each pair, which takes a small part of the time of its correlation.
///
/// A shallow handle, like CrossCorrelatePlan.
/// \tparam T float or double: pixels are converted to it, sums are of it
template <class ExecSpace, class T = float>
class CorrelatePeaksPlan {
  static_assert(std::is_floating_point<T>::value && sizeof(T) <= 8,
                "Sporos::CorrelatePeaksPlan: T must be float or double");

 public:
  using execution_space = ExecSpace;  ///< where correlations run

  /// An empty handle, to be assigned to. Every other use throws.
  CorrelatePeaksPlan() = default;

  /// \param exec the instance in which correlations run
  /// \param extents n pairs, m == 1, extents of left and right windows
  /// \param options of the correlations; pairing one_to_one
  /// \param peak_options of the peaks; the first shift is that of options
  /// \param once see CrossCorrelatePlan
  /// \throws std::invalid_argument for what CrossCorrelatePlan refuses, for
  ///   another pairing, and for peak_options out of range
  /// Waits for exec.
  CorrelatePeaksPlan(const ExecSpace& exec, const CorrelateExtents& extents,
                     const CorrelateOptions& options,
                     const PeakOptions& peak_options = {}, bool once = false)
      : m_state(std::make_shared<State>()) {
    const char* const name = "Sporos::CorrelatePeaksPlan";
    Impl::check_enum(name, "options.pairing", options.pairing);
    Impl::check_enum(name, "options.mode", options.mode);
    Impl::check(options.pairing == Pairing::one_to_one, name, "options.pairing",
                "one_to_one", Impl::name_of(options.pairing));
    Impl::check(extents.n >= 0, name, "extents.n", "at least 0 pairs",
                extents.n);
    Impl::check_peak_options(name, peak_options);
    State& s        = *m_state;
    s.extents       = extents;
    s.peaks         = peak_options;
    const auto area = [](double h, double w) { return h * w; };
    const ShiftWindow shifts =
        extents.n == 0 ? ShiftWindow{}
                       : Impl::shifts_of(name, extents.left_h, extents.left_w,
                                         extents.right_h, extents.right_w,
                                         options.mode, options.window);
    const double bytes = sizeof(T) * (area(extents.left_h, extents.left_w) +
                                      area(extents.right_h, extents.right_w) +
                                      area(shifts.rows(), shifts.columns()));
    const double room  = Impl::is_host_space_v<ExecSpace>
                             ? Impl::peak_batch_bytes
                             : Impl::peak_batch_bytes_of_devices;
    const int most =
        int(std::max(1., std::min(room / std::max(bytes, 1.), 1. * extents.n)));
    // batches of about the same size: the last one repeats pairs of the one
    // before it
    s.batch =
        Impl::ceil_div(extents.n, std::max(1, Impl::ceil_div(extents.n, most)));
    CorrelateExtents e = extents;
    e.n                = s.batch;
    s.correlate = CrossCorrelatePlan<ExecSpace, T>(exec, e, options, once);
    s.left  = Impl::new_view<Matrices>(exec, "Sporos::correlate_peaks::left",
                                      s.batch, e.left_h, e.left_w);
    s.right = Impl::new_view<Matrices>(exec, "Sporos::correlate_peaks::right",
                                       s.batch, e.right_h, e.right_w);
    s.out   = Impl::new_view<Matrices>(exec, "Sporos::correlate_peaks::out",
                                     s.batch, shifts.rows(), shifts.columns());
    s.peaks.dy0 = shifts.dy0;
    s.peaks.dx0 = shifts.dx0;
    Impl::fence(exec, name);
  }

  /// Pairs, and extents of their windows.
  const CorrelateExtents& extents() const { return state().extents; }
  /// The shifts that are searched.
  const ShiftWindow& shifts() const { return state().correlate.shifts(); }
  /// Pairs that are correlated at once.
  int batch() const { return state().batch; }
  /// Bytes of memory of the plan.
  std::size_t bytes() const {
    const State& s = state();
    return s.correlate.bytes() +
           sizeof(T) * (s.left.size() + s.right.size() + s.out.size());
  }
  /// Text: batches, and the plan of one.
  std::string describe() const {
    return "Sporos::CorrelatePeaksPlan: " + std::to_string(extents().n) +
           " pairs in batches of " + std::to_string(batch()) + ", " +
           std::to_string(bytes()) + " bytes\n" + state().correlate.describe();
  }

  /// For the implementation.
  using Matrices =
      Kokkos::View<T***, Kokkos::LayoutRight, typename ExecSpace::memory_space>;
  /// For the implementation.
  struct State {
    CorrelateExtents extents;                    ///< of all pairs
    PeakOptions peaks;                           ///< what is searched
    int batch = 0;                               ///< pairs at a time
    CrossCorrelatePlan<ExecSpace, T> correlate;  ///< of a batch
    Matrices left;                               ///< of a batch
    Matrices right;                              ///< of a batch
    Matrices out;                                ///< of a batch
  };
  /// For the implementation.
  const State& state(
      const char* function = "Sporos::CorrelatePeaksPlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

 private:
  std::shared_ptr<State> m_state;
};

/// Finds the peaks of the correlation of each left window with the right window
/// of the same number, as cross_correlate and find_peaks do it.
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for these numbers and extents
/// \param left_, right_ WindowsOf images, or Views (n, h, w): of integers,
/// float
///   or double, any layout and strides, of different types if need be
/// \param peaks a View (n, k) of Peak, any layout and strides
/// \throws std::invalid_argument for numbers and extents that are not those of
///   the plan, and for peaks without memory or in that of left or right
/// Asynchronous in exec; allocates nothing after the first call with a plan.
/// The same bits on every run, whatever algorithm of CrossCorrelatePlan gives
/// these.
template <class Exec, class T, class Left, class Right, class Peaks>
void correlate_peaks(const Exec& exec, const CorrelatePeaksPlan<Exec, T>& plan,
                     const Left& left_, const Right& right_,
                     const Peaks& peaks) {
  const char* const name = "Sporos::correlate_peaks";
  const Impl::ProfilingRegion region(name);
  static_assert(std::is_same<typename Peaks::value_type, Peak>::value &&
                    Impl::view_rank_v<Peaks> == 2,
                "Sporos::correlate_peaks: peaks must be a View (n, k) of "
                "Sporos::Peak");
  const auto& s             = plan.state(name);
  const CorrelateExtents& e = s.extents;
  const auto left           = Impl::windows_from(name, "left", left_);
  const auto right          = Impl::windows_from(name, "right", right_);
  static_assert(Impl::is_accessible_v<Exec, decltype(left.image)> &&
                    Impl::is_accessible_v<Exec, decltype(right.image)> &&
                    Impl::is_accessible_v<Exec, Peaks>,
                "Sporos::correlate_peaks: left, right and peaks must be "
                "accessible to the execution space");
  const auto fits = [&](const char* argument, const auto& windows, int h,
                        int w) {
    Impl::check(
        windows.size() == e.n && windows.height == h && windows.width == w,
        name, argument,
        Impl::text(e.n, " windows of (", h, ", ", w, ") of the plan"),
        Impl::text(windows.size(), " of (", windows.height, ", ", windows.width,
                   ')'));
    Impl::check_apart(name, "peaks", peaks, argument, windows.image);
  };
  fits("left", left, e.left_h, e.left_w);
  fits("right", right, e.right_h, e.right_w);
  const int k = Impl::extent(name, "peaks", peaks, 1);
  Impl::check(peaks.extent(0) == std::size_t(e.n), name, "peaks",
              Impl::text("extent(0) == ", e.n, ", the number of pairs"),
              Impl::extents(peaks));
  Impl::check_written(name, "peaks", peaks);
  for (std::int64_t at = 0; at < e.n; at += s.batch) {
    const std::int64_t first = std::min(at, std::int64_t(e.n) - s.batch);
    Impl::gather_windows(exec, left, first, s.batch, s.left.data());
    Impl::gather_windows(exec, right, first, s.batch, s.right.data());
    cross_correlate(exec, s.correlate, s.left, s.right, s.out);
    auto to = Impl::peak_batch(peaks);
    to.data += first * std::ptrdiff_t(peaks.stride(0));
    Impl::search_peaks(
        exec,
        Impl::PeakSearch<T>{
            Impl::matrix_batch<const T>(s.out, Impl::Leading::i), to, 1,
            int(s.out.extent(1)), int(s.out.extent(2)), k, s.peaks},
        s.batch);
  }
}

/// Finds peaks with a plan for this call only, in float, or in double if pixels
/// are double or integers of more than 16 bits. Waits for them.
/// \throws std::invalid_argument also for what CorrelatePeaksPlan refuses
template <class Exec, class Left, class Right, class Peaks>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value> correlate_peaks(
    const Exec& exec, const Left& left, const Right& right, const Peaks& peaks,
    const CorrelateOptions& options, const PeakOptions& peak_options = {}) {
  const char* const name = "Sporos::correlate_peaks";
  const auto l           = Impl::windows_from(name, "left", left);
  const auto r           = Impl::windows_from(name, "right", right);
  Impl::check(l.size() < Impl::max_correlate_extent, name, "left",
              "fewer than 2^29 windows", l.size());
  const CorrelatePeaksPlan<Exec, Impl::correlated_type<Left, Right>> plan(
      exec, {int(l.size()), 1, l.height, l.width, r.height, r.width}, options,
      peak_options, true);
  correlate_peaks(exec, plan, l, r, peaks);
  Impl::fence(exec, name);
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Sporos

#endif
