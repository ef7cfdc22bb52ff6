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
#include <cross_correlation/windows/Sporos_AddResults.hpp>
#include <cross_correlation/windows/Sporos_PlannedWindows.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

namespace Sporos {
inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// The plan of correlations of which only the peaks are kept: pair n is left
/// window n with right window n. Pairs go in batches through memory of a few
/// MiB (4 on hosts, 64 on devices; more if one pair needs more): windows are
/// copied there, correlated, and searched for peaks. A window is copied once
/// for each pair, which takes a small part of the time of its correlation.
/// With PeakOptions::ensemble a pair is that of all images of a series, and the
/// sums of the results of a batch stay in memory, too.
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
    Impl::check(options.operand == CorrelateOperand::matrix, name,
                "options.operand", "matrix: windows of images are matrices",
                Impl::name_of(options.operand));
    Impl::check(extents.n >= 0, name, "extents.n", "at least 0 pairs",
                extents.n);
    Impl::check_peak_options(name, peak_options);
    State& s                 = *m_state;
    s.extents                = extents;
    s.peaks                  = peak_options;
    const auto area          = [](double h, double w) { return h * w; };
    const ShiftWindow shifts = Impl::is_nothing(extents)
                                   ? ShiftWindow{}
                                   : Impl::shifts_of(name, extents, options);
    const double bytes =
        sizeof(T) * (area(extents.left_h, extents.left_w) +
                     area(extents.right_h, extents.right_w) +
                     (peak_options.ensemble ? 2 : 1) *
                         area(shifts.rows(), shifts.columns()));
    const double room = Impl::is_host_space_v<ExecSpace>
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
    if (peak_options.ensemble)
      s.sums =
          Impl::new_view<Matrices>(exec, "Sporos::correlate_peaks::sums",
                                   s.batch, shifts.rows(), shifts.columns());
    s.peaks.dy0 = shifts.dy0;
    s.peaks.dx0 = shifts.dx0;
    Impl::fence(exec, name);
  }

  /// Pairs, and extents of their windows.
  const CorrelateExtents& extents() const { return state().extents; }
  /// The shifts that are searched.
  const ShiftWindow& shifts() const { return state().correlate.shifts(); }
  /// The options of the correlations with the choice of this plan, as
  /// CrossCorrelatePlan::chosen_options has them.
  CorrelateOptions chosen_options() const {
    return state().correlate.chosen_options();
  }
  /// Pairs that are correlated at once.
  int batch() const { return state().batch; }
  /// Bytes of memory of the plan.
  std::size_t bytes() const {
    const State& s = state();
    return s.correlate.bytes() + sizeof(T) * (s.left.size() + s.right.size() +
                                              s.out.size() + s.sums.size());
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
    Matrices sums;  ///< of a batch of an ensemble, else none
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
///   or double, any layout and strides, of different types if need be. With
///   PeakOptions::ensemble they may also be n windows of each of some images,
///   whose results are added in their order
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
  const auto& s      = plan.state(name);
  const int k        = Impl::extent(name, "peaks", peaks, 1);
  const bool sum     = s.peaks.ensemble;
  const auto windows = Impl::planned_windows<Exec>(
      name, s, Impl::windows_from(name, "left", left_),
      Impl::windows_from(name, "right", right_), sum, "peaks", peaks);
  windows.for_each_batch([&](int first, int) {
    const auto& out = sum ? s.sums : s.out;
    const int h = int(out.extent(1)), w = int(out.extent(2));
    windows.correlate(exec, 0, first, out);
    for (std::int64_t image = 1; image < windows.images; ++image) {
      windows.correlate(exec, image, first, s.out);
      Impl::add_results(exec, s.out.data(),
                        Impl::matrix_batch<T>(s.sums, Impl::Leading::i), 0,
                        s.batch, h, w);
    }
    auto to = Impl::peak_batch(peaks);
    to.data += first * std::ptrdiff_t(peaks.stride(0));
    Impl::search_peaks(
        exec,
        Impl::PeakSearch<T>{Impl::matrix_batch<const T>(out, Impl::Leading::i),
                            to, 1, h, w, k, s.peaks},
        s.batch);
  });
}

/// Adds the results of each pair to its sums, for series of images that come
/// one after another: correlation averaging. find_peaks with the plan then
/// finds the peaks of the sums.
///
/// \code
///   Kokkos::deep_copy(exec, sums, 0);
///   for (...)  // images
///     Sporos::accumulate(exec, plan, left, right, sums);
///   Sporos::find_peaks(exec, plan, sums, peaks);
/// \endcode
///
/// \param exec, plan, left, right as for correlate_peaks; WindowsOf may also
///   have the windows of the plan in each of some images, which are added in
///   their order
/// \param sums a View (n, rows, columns) of float or double, no narrower than
///   T, for the shifts of the plan; any layout and strides
/// \throws std::invalid_argument for numbers and extents that are not those of
///   the plan, and for sums without memory or in that of left or right
/// Asynchronous in exec; allocates nothing after the first call with a plan.
/// The same bits on every run, as for correlate_peaks.
template <class Exec, class T, class Left, class Right, class Sums>
void accumulate(const Exec& exec, const CorrelatePeaksPlan<Exec, T>& plan,
                const Left& left, const Right& right, const Sums& sums) {
  const char* const name = "Sporos::accumulate";
  const Impl::ProfilingRegion region(name);
  Impl::write_results(name, exec, plan.state(name), left, right, "sums", sums,
                      true);
}

/// All results of windows of images, where peaks are not enough: those of each
/// left window with the right window of the same number, a batch of windows at
/// a time.
/// \param exec, plan, left, right as for correlate_peaks
/// \param out a View (n, rows, columns) of float or double, no narrower than
///   T, for the shifts of the plan; any layout and strides
/// \throws std::invalid_argument as accumulate does
/// Asynchronous in exec; allocates nothing after the first call with a plan.
template <class Exec, class T, class Left, class Right, class Out>
void cross_correlate(const Exec& exec, const CorrelatePeaksPlan<Exec, T>& plan,
                     const Left& left, const Right& right, const Out& out) {
  const char* const name = "Sporos::cross_correlate";
  const Impl::ProfilingRegion region(name);
  Impl::write_results(name, exec, plan.state(name), left, right, "out", out,
                      false);
}

/// Finds the peaks of sums that accumulate made, with the shifts and
/// peak_options of the plan.
/// \throws std::invalid_argument as find_peaks with a CrossCorrelatePlan does
template <class Exec, class T, class Sums, class Peaks>
void find_peaks(const Exec& exec, const CorrelatePeaksPlan<Exec, T>& plan,
                const Sums& sums, const Peaks& peaks) {
  const auto& s       = plan.state("Sporos::find_peaks");
  PeakOptions options = s.peaks;
  options.ensemble    = false;
  find_peaks(exec, s.correlate, sums, peaks, options);
}

/// Finds peaks with a plan for this call only, in float, or in double if pixels
/// are double or integers of more than 16 bits. With PeakOptions::ensemble
/// pairs are the windows of an image (a View has one of each matrix). Waits for
/// them.
/// \throws std::invalid_argument also for what CorrelatePeaksPlan refuses
template <class Exec, class Left, class Right, class Peaks>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value> correlate_peaks(
    const Exec& exec, const Left& left, const Right& right, const Peaks& peaks,
    const CorrelateOptions& options, const PeakOptions& peak_options = {}) {
  const char* const name = "Sporos::correlate_peaks";
  const auto l           = Impl::windows_from(name, "left", left);
  const auto r           = Impl::windows_from(name, "right", right);
  const auto n           = peak_options.ensemble ? l.count : l.size();
  Impl::check(n < Impl::max_correlate_extent, name, "left",
              "fewer than 2^29 windows", n);
  const CorrelatePeaksPlan<Exec, Impl::correlated_type<Left, Right>> plan(
      exec, {int(n), 1, l.height, l.width, r.height, r.width}, options,
      peak_options, true);
  correlate_peaks(exec, plan, l, r, peaks);
  Impl::fence(exec, name);
}

/// Correlates windows of images, or windows and matrices (n, h, w), with a plan
/// for this call only, in float, or in double if pixels are double or integers
/// of more than 16 bits. Waits for the results.
/// \throws std::invalid_argument also for what CorrelatePeaksPlan refuses
template <class Exec, class Left, class Right, class Out>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value &&
                 (Impl::is_windows_v<Left> || Impl::is_windows_v<Right>)>
cross_correlate(const Exec& exec, const Left& left, const Right& right,
                const Out& out, const CorrelateOptions& options) {
  const char* const name = "Sporos::cross_correlate";
  const auto l           = Impl::windows_from(name, "left", left);
  const auto r           = Impl::windows_from(name, "right", right);
  const auto n           = l.size();
  Impl::check(n < Impl::max_correlate_extent, name, "left",
              "fewer than 2^29 windows", n);
  const CorrelatePeaksPlan<Exec, Impl::correlated_type<Left, Right>> plan(
      exec, {int(n), 1, l.height, l.width, r.height, r.width}, options, {},
      true);
  cross_correlate(exec, plan, l, r, out);
  Impl::fence(exec, name);
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Sporos

#endif
