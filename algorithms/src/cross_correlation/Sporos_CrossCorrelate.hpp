// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CROSSCORRELATE_HPP
#define SPOROS_CROSSCORRELATE_HPP

/// \file Sporos_CrossCorrelate.hpp
/// Cross-correlation of signals, matrices or volumes by definition or through
/// FFTs: one pair, one with many, many with many.
///
/// \code
///   Sporos::CorrelateOptions options;
///   options.pairing   = Sporos::Pairing::n_to_mn;
///   options.mode      = Sporos::CorrelateMode::window;
///   options.window    = {-8, 9, -8, 9};
///   options.normalize = Sporos::Normalize::local;
///   Sporos::CrossCorrelatePlan plan(exec, left, right, out, options);
///   Sporos::cross_correlate(exec, plan, left, right, out);
/// \endcode

#include <Sporos_ProfilingRegion.hpp>
#include <cross_correlation/basic/Sporos_CorrelateBasic.hpp>
#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <Sporos_CorrelateOptions.hpp>
#include <Sporos_CorrelatePlan.hpp>
#include <cross_correlation/choice/Sporos_CorrelateCompiled.hpp>
#include <cross_correlation/problem/Sporos_CorrelateShape.hpp>

namespace Sporos {
namespace Impl {

/// The problem of a call that fits its plan; throws otherwise.
template <class Exec, class T, class A, class Left, class Right, class Out>
CorrelateProblem<T, A> checked_problem(const char* name, const Exec& exec,
                                       const CorrelateState<Exec, T, A>& state,
                                       const Left& left, const Right& right,
                                       const Out& out) {
  check_types<Exec, Left, Right, Out>();
  static_assert(
      std::is_same<T, typename Left::non_const_value_type>::value &&
          std::is_same<A, typename Out::non_const_value_type>::value,
      "Sporos::cross_correlate: the plan was made for other value types");
  check_device(name, exec, state.device);
  const CorrelateOptions& o = state.options;
  check_ranks<Left, Right>(name, o, view_rank_v<Out>);
  const CorrelateExtents e        = correlate_extents(name, o, left, right);
  const CorrelateExtents& planned = state.shape.extents;
  check(e.n == planned.n && e.m == planned.m, name,
        "numbers of left and right matrices",
        text("n ", planned.n, ", m ", planned.m, " of the plan"),
        text("n ", e.n, ", m ", e.m));
  const auto check_side = [&](const char* side, bool same, int d, int h, int w,
                              const Extents& got) {
    if (!same)
      check(false, name, side,
            text(plural_of(o.operand), ' ', operand_text(o.operand, d, h, w),
                 " of the plan"),
            got);
  };
  check_side("left",
             e.left_d == planned.left_d && e.left_h == planned.left_h &&
                 e.left_w == planned.left_w,
             planned.left_d, planned.left_h, planned.left_w,
             Impl::extents(left));
  check_side("right",
             e.right_d == planned.right_d && e.right_h == planned.right_h &&
                 e.right_w == planned.right_w,
             planned.right_d, planned.right_h, planned.right_w,
             Impl::extents(right));
  check_out(name, o, state.shape, out);
  check_matrices(name, left, right, out);
  const auto problem =
      correlate_problem<T, A>(state.shape, o, left, right, out);
  if (!state.transposed) return problem;
  return {state.work, transposed(problem.left), transposed(problem.right),
          transposed(problem.out)};
}

}  // namespace Impl

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// Computes out(dy - dy0, dx - dx0) = sum over (y, x) of left(y + dy, x + dx) *
/// conj(right(y, x)) for each pair of matrices of plan.options().pairing and
/// each shift (dy, dx) of plan.shifts(). Elements outside of left count as 0.
/// In mode full (dy0, dx0) is (1 - h, 1 - w) with (h, w) the extents of a right
/// matrix. Volumes have a sum over z and shifts dz, too.
///
/// \param exec the execution-space instance in which it runs
/// \param plan a plan for these extents, types and options
/// \param left, right, out Views of the ranks and extents that Pairing shows,
///   rows before columns; for signals without rows, for volumes with planes
///   before rows (CorrelateOptions::operand); any layout and strides. Sums are
///   accumulated in the value type of out: float or double for float, double
///   for double, 32- or 64-bit integers (or floating-point numbers) for
///   integers, complex for complex. You must ensure that integer sums fit;
///   SPOROS_ENABLE_CHECKS finds those that do not.
/// \throws std::invalid_argument for ranks and extents that do not fit the
///   plan, Views without memory, and an out that shares memory with left or
///   right; with SPOROS_ENABLE_CHECKS for integer sums that overflow
/// Asynchronous in exec; allocates nothing after the first call with a plan.
/// Rounding errors: see CorrelateExactness. Complexity: see CorrelateAlgorithm;
/// an overlap of (a, b) elements takes a b multiply-adds. (Madera,
/// "Accelerating cross-correlation with GPUs".)
template <class Exec, class T, class A, class Left, class Right, class Out>
void cross_correlate(const Exec& exec,
                     const CrossCorrelatePlan<Exec, T, A>& plan,
                     const Left& left, const Right& right, const Out& out) {
  const char* const name = "Sporos::cross_correlate";
  const Impl::ProfilingRegion region(name);
  auto& state = plan.state(name);
  state.run(exec, state,
            Impl::checked_problem(name, exec, state, left, right, out),
            nullptr);
}

/// Correlates with masks: elements of weight 0 do not exist (they may be NaN),
/// others count by their weights in all sums, norms and overlaps. out is that
/// of Normalize::none or of a local measure, of which an overlap is the sum of
/// the products of the weights. (Padfield, "Masked object registration in the
/// Fourier domain".)
///
/// \code
///   Sporos::cross_correlate(exec, plan, image, valid, part, Sporos::NoMask(),
///                           out);
/// \endcode
///
/// \param exec, plan, left, right, out as without masks
/// \param left_mask, right_mask numbers >= 0 of any arithmetic type, of which
///   only 0 and 1 are used by most, in a View with the extents of the matrices;
///   or NoMask
/// \throws std::invalid_argument for what cross_correlate refuses without
///   masks, masks of other extents or without memory, an integer out, the
///   measures Normalize::mean_only and whole, and a plan without options
/// Costs six correlations (one for Normalize::none), and memory of the plan for
/// three copies of all matrices and six of the results.
template <class Exec, class T, class A, class Left, class LeftMask, class Right,
          class RightMask, class Out>
void cross_correlate(const Exec& exec,
                     const CrossCorrelatePlan<Exec, T, A>& plan,
                     const Left& left, const LeftMask& left_mask,
                     const Right& right, const RightMask& right_mask,
                     const Out& out) {
  static_assert(std::is_floating_point<Impl::real_of<A>>::value,
                "Sporos::cross_correlate: masks need an out of floating-point "
                "numbers");
  const char* const name = "Sporos::cross_correlate";
  const Impl::ProfilingRegion region(name);
  auto& state = plan.state(name);
  const auto problem =
      Impl::checked_problem(name, exec, state, left, right, out);
  Impl::check_mask<Exec>(name, "left_mask", left_mask, left);
  Impl::check_mask<Exec>(name, "right_mask", right_mask, right);
  Impl::check_masked_measure(name, state.options.normalize,
                             state.options.whiten);
  const CorrelateExtents& e    = state.shape.extents;
  const Impl::Leading of_right = Impl::leading_of_right(state.options.pairing);
  const int one                = Impl::dimensions_of(state.options.operand);
  Impl::CorrelateWeights<A> weights{
      Impl::weights_of<A>(exec, left_mask, Impl::Leading::i, one, e.n, 1,
                          e.left_d, e.left_h, e.left_w, state.masks.left),
      Impl::weights_of<A>(exec, right_mask, of_right, one,
                          of_right == Impl::Leading::j ? 1 : e.n, e.m,
                          e.right_d, e.right_h, e.right_w, state.masks.right)};
  if (state.transposed)
    weights = {Impl::transposed(weights.left), Impl::transposed(weights.right)};
  state.run(exec, state, problem, &weights);
}

/// Correlates with masks and a plan for this call only, and waits.
template <class Exec, class Left, class LeftMask, class Right, class RightMask,
          class Out>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value &&
                 Kokkos::is_view<Left>::value>
cross_correlate(const Exec& exec, const Left& left, const LeftMask& left_mask,
                const Right& right, const RightMask& right_mask, const Out& out,
                const CorrelateOptions& options) {
  const CrossCorrelatePlan<Exec, typename Left::non_const_value_type,
                           typename Out::non_const_value_type>
      plan(exec, left, right, out, options, true);
  cross_correlate(exec, plan, left, left_mask, right, right_mask, out);
  Impl::fence(exec, "Sporos::cross_correlate");
}

/// Correlates with a plan for this call only. Waits for the result if the
/// algorithm needs memory, otherwise asynchronous in exec.
/// \throws std::invalid_argument also for what CrossCorrelatePlan refuses,
/// whose
///   name stands in such messages
///   name stands in such messages
template <class Exec, class Left, class Right, class Out>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value &&
                 Kokkos::is_view<Left>::value && Kokkos::is_view<Right>::value>
cross_correlate(const Exec& exec, const Left& left, const Right& right,
                const Out& out, const CorrelateOptions& options) {
  const CrossCorrelatePlan<Exec, typename Left::non_const_value_type,
                           typename Out::non_const_value_type>
      plan(exec, left, right, out, options, true);
  cross_correlate(exec, plan, left, right, out);
  if (plan.bytes() > 0) Impl::fence(exec, "Sporos::cross_correlate");
}

/// Correlates with default options: see CrossCorrelatePlan on what is compiled.
template <class Exec, class Left, class Right, class Out>
std::enable_if_t<Kokkos::is_execution_space<Exec>::value &&
                 Kokkos::is_view<Left>::value>
cross_correlate(const Exec& exec, const Left& left, const Right& right,
                const Out& out) {
  const CrossCorrelatePlan<Exec, typename Left::non_const_value_type,
                           typename Out::non_const_value_type>
      plan(exec, left, right, out, true);
  cross_correlate(exec, plan, left, right, out);
  if (plan.bytes() > 0) Impl::fence(exec, "Sporos::cross_correlate");
}

/// Correlates with masks in the default instance of out's space, and waits.
template <class Left, class LeftMask, class Right, class RightMask, class Out>
std::enable_if_t<Kokkos::is_view<Left>::value> cross_correlate(
    const Left& left, const LeftMask& left_mask, const Right& right,
    const RightMask& right_mask, const Out& out,
    const CorrelateOptions& options) {
  cross_correlate(typename Out::execution_space(), left, left_mask, right,
                  right_mask, out, options);
}

/// Correlates with masks and a plan in the default instance of its space, and
/// waits.
template <class Exec, class T, class A, class Left, class LeftMask, class Right,
          class RightMask, class Out>
void cross_correlate(const CrossCorrelatePlan<Exec, T, A>& plan,
                     const Left& left, const LeftMask& left_mask,
                     const Right& right, const RightMask& right_mask,
                     const Out& out) {
  const Exec exec{};
  cross_correlate(exec, plan, left, left_mask, right, right_mask, out);
  Impl::fence(exec, "Sporos::cross_correlate");
}

/// Correlates in the default instance of out's space. Waits for the result.
template <class Left, class Right, class Out>
std::enable_if_t<Kokkos::is_view<Left>::value> cross_correlate(
    const Left& left, const Right& right, const Out& out,
    const CorrelateOptions& options) {
  const typename Out::execution_space exec{};
  cross_correlate(exec, left, right, out, options);
  Impl::fence(exec, "Sporos::cross_correlate");
}

/// Correlates with default options in the default instance of out's space.
/// Waits for the result.
template <class Left, class Right, class Out>
std::enable_if_t<Kokkos::is_view<Left>::value> cross_correlate(
    const Left& left, const Right& right, const Out& out) {
  const typename Out::execution_space exec{};
  cross_correlate(exec, left, right, out);
  Impl::fence(exec, "Sporos::cross_correlate");
}

/// Correlates with a plan in the default instance of its space. Waits for the
/// result.
template <class Exec, class T, class A, class Left, class Right, class Out>
void cross_correlate(const CrossCorrelatePlan<Exec, T, A>& plan,
                     const Left& left, const Right& right, const Out& out) {
  const Exec exec{};
  cross_correlate(exec, plan, left, right, out);
  Impl::fence(exec, "Sporos::cross_correlate");
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Sporos

#endif
