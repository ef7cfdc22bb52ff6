// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_FINDPEAKS_HPP
#define SPOROS_FINDPEAKS_HPP

/// \file Sporos_FindPeaks.hpp
/// The highest peaks of results of cross_correlate, between elements.
///
/// \code
///   Kokkos::View<Sporos::Peak**> peaks("peaks", n, 2);  // two for each pair
///   Sporos::PeakOptions options;
///   options.least_distance = 4;
///   Sporos::find_peaks(exec, plan, out, peaks, options);
/// \endcode

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_PeakOptions.hpp>
#include <cross_correlation/peaks/Sporos_PeakSearch.hpp>

#include <cstdint>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <>
struct EnumNames<SubPixel> {
  using E                           = SubPixel;
  static constexpr NamedValue all[] = {{"none", E::none},
                                       {"gaussian", E::gaussian},
                                       {"parabola", E::parabola},
                                       {"centroid", E::centroid},
                                       {"least_squares", E::least_squares}};
};

inline void check_peak_options(const char* function, const PeakOptions& o) {
  check_enum(function, "options.sub_pixel", o.sub_pixel);
  check(o.least_distance >= 1, function, "options.least_distance",
        "at least 1 element", o.least_distance);
  check(o.border >= 0 && o.border < max_correlate_extent, function,
        "options.border", "rows and columns from 0 to 2^29 - 1", o.border);
  const auto is_shift = [](int d) {
    return d >= -max_correlate_extent && d <= max_correlate_extent;
  };
  check(is_shift(o.dy0) && is_shift(o.dx0), function, "options.dy0 and dx0",
        "shifts from -2^29 to 2^29", text('(', o.dy0, ", ", o.dx0, ')'));
  check(is_shift(o.dz0), function, "options.dz0", "a shift from -2^29 to 2^29",
        o.dz0);
}

/// Dimensions of an operand: of the results of a pair. Peaks have one less.
template <class Results, class Peaks>
inline constexpr int dimensions_of_results =
    view_rank_v<Results> - view_rank_v<Peaks> + 1;

/// Peaks (.., k) as matrices of one row
template <class View>
MatrixBatch<Peak> peak_batch(const View& peaks) {
  constexpr int rank = view_rank_v<View>;
  MatrixBatch<Peak> p;
  p.data = peaks.data();
  p.x    = std::ptrdiff_t(peaks.stride(rank - 1));
  if constexpr (rank > 1) p.i = std::ptrdiff_t(peaks.stride(0));
  if constexpr (rank > 2) p.j = std::ptrdiff_t(peaks.stride(1));
  return p;
}

}  // namespace Impl

/// Finds the highest peaks of each pair. A peak is an element that is larger
/// than those of its eight neighbours (of signals two, of volumes 26) that are
/// before it in row-major order, and not smaller than the others: of a plateau
/// the first element, of equal results the first one. NaN is no peak, and
/// smaller than all numbers. The highest peak comes first, the first one in
/// row-major order of equal ones; a peak nearer to a higher one than
/// options.least_distance is left out.
///
/// \param exec the execution-space instance in which it runs
/// \param results a View (H, W), (n, H, W) or (n, m, H, W) of integers, float
///   or double, any layout and strides; of signals without H, of volumes with
///   (D, H, W)
/// \param peaks a View of Peak, (k), (n, k) or (n, m, k), any layout and
///   strides: its rank tells signals, matrices and volumes apart. Peaks beyond
///   those that exist are marked, see Peak.
/// \param options distance, border, place between elements, first shift
/// \throws std::invalid_argument for extents of peaks that do not fit results,
///   for options out of range, for Views without memory or that overlap
/// Asynchronous in exec; allocates nothing. Takes k + 1 passes over the
/// results; the same bits on every run.
template <class Exec, class Results, class Peaks>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value &&
                 Kokkos::is_view<Results>::value>
find_peaks(const Exec& exec, const Results& results, const Peaks& peaks,
           const PeakOptions& options = {}) {
  const char* const name = "Sporos::find_peaks";
  using A                = typename Results::non_const_value_type;
  constexpr int rank     = Impl::view_rank_v<Results>;
  constexpr int one      = Impl::dimensions_of_results<Results, Peaks>;
  static_assert(std::is_arithmetic<A>::value,
                "Sporos::find_peaks: results must be integers, float or "
                "double");
  static_assert(std::is_same<typename Peaks::value_type, Peak>::value,
                "Sporos::find_peaks: peaks must be a View of Sporos::Peak");
  static_assert(one >= 1 && one <= 3 && rank >= one && rank <= one + 2,
                "Sporos::find_peaks: results must have rank 2, 3 or 4, and "
                "peaks one less; of signals both rank 1, 2 or 3; of volumes "
                "results rank 3, 4 or 5, and peaks two less");
  static_assert(
      Impl::is_accessible_v<Exec, Results> &&
          Impl::is_accessible_v<Exec, Peaks>,
      "Sporos::find_peaks: results and peaks must be accessible to the "
      "execution space");
  const Impl::ProfilingRegion region(name);
  Impl::check_peak_options(name, options);
  Impl::check(!options.ensemble, name, "options.ensemble",
              "false: correlate_peaks has it", "true");
  int n[5] = {1, 1, 1, 1, 1};  // pairs (n, m), planes, rows and columns
  for (int d = 0; d < rank - one; ++d)
    n[d] = Impl::extent(name, "results", results, d);
  for (int d = 0; d < one; ++d)
    n[5 - one + d] = Impl::extent(name, "results", results, rank - one + d);
  const int k = Impl::extent(name, "peaks", peaks, rank - one);
  for (int d = 0; d < rank - one; ++d)
    Impl::check(peaks.extent(d) == results.extent(d), name, "peaks",
                Impl::text("extent(", d, ") == ", results.extent(d),
                           ", as results has"),
                Impl::extents(peaks));
  Impl::check_memory(name, "results", results);
  Impl::check_written(name, "peaks", peaks);
  Impl::check_apart(name, "peaks", peaks, "results", results);
  Impl::PeakSearch<A, (one > 2)> search{
      Impl::matrix_batch<const A>(results, Impl::Leading::i, one),
      Impl::peak_batch(peaks),
      n[1],
      n[3],
      n[4],
      k,
      options};
  search.d = n[2];
  if (one == 1) search.border_rows = 0;
  Impl::search_peaks(exec, search, std::int64_t(n[0]) * n[1]);
}

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// Finds the peaks of results of a plan: options.dz0, dy0 and dx0 are those of
/// plan.shifts().
/// \throws std::invalid_argument also for an empty plan, and for results of
///   other operands or with other numbers of shifts than the plan's
template <class Exec, class T, class A, class Results, class Peaks>
void find_peaks(const Exec& exec, const CrossCorrelatePlan<Exec, T, A>& plan,
                const Results& results, const Peaks& peaks,
                PeakOptions options = {}) {
  const char* const name = "Sporos::find_peaks";
  constexpr int rank     = Impl::view_rank_v<Results>;
  constexpr int one      = Impl::dimensions_of_results<Results, Peaks>;
  const auto& state      = plan.state(name);
  const ShiftWindow& s   = state.shape.shifts;
  const auto operand     = state.options.operand;
  Impl::check(one == Impl::dimensions_of(operand), name,
              "ranks of results and peaks",
              Impl::text("results of ", Impl::plural_of(operand),
                         ", as the plan has: ranks that differ by ",
                         Impl::dimensions_of(operand) - 1),
              Impl::text(rank, " and ", Impl::view_rank_v<Peaks>));
  bool same = results.extent(rank - 1) == std::size_t(s.columns());
  if constexpr (one > 2)
    same = same && results.extent(rank - 3) == std::size_t(s.planes());
  if constexpr (one > 1)
    same = same && results.extent(rank - 2) == std::size_t(s.rows());
  Impl::check(
      same, name, "results",
      Impl::text(Impl::operand_text(operand, s.planes(), s.rows(), s.columns()),
                 " shifts, as the plan has"),
      Impl::extents(results));
  options.dz0 = s.dz0;
  options.dy0 = s.dy0;
  options.dx0 = s.dx0;
  find_peaks(exec, results, peaks, options);
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

/// Finds peaks in the default instance of the space of results. Waits for them.
template <class Results, class Peaks>
std::enable_if_t<Kokkos::is_view<Results>::value> find_peaks(
    const Results& results, const Peaks& peaks,
    const PeakOptions& options = {}) {
  const typename Results::execution_space exec{};
  find_peaks(exec, results, peaks, options);
  Impl::fence(exec, "Sporos::find_peaks");
}

}  // namespace Sporos

#endif
