// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEPLAN_HPP
#define SPOROS_CORRELATEPLAN_HPP

/// \file Sporos_CorrelatePlan.hpp
/// The plan of cross-correlation. Users include Sporos_CrossCorrelate.hpp.

#include <cross_correlation/choice/Sporos_CorrelateState.hpp>

#include <memory>
#include <sstream>
#include <string>

namespace Sporos {

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// The plan of correlations of the same extents, types and options: the
/// algorithm and its workspaces, which only grow.
///
/// \code
///   const Sporos::CrossCorrelatePlan plan(exec, left, right, out, options);
///   Sporos::cross_correlate(exec, plan, left, right, out);  // again and again
/// \endcode
///
/// A shallow handle: copies share everything. Calls use the workspaces of the
/// plan: two calls at the same time need two plans. Destroy plans before
/// Kokkos::finalize.
///
/// \tparam T value type of left and right
/// \tparam A value type of out and of the sums
template <class ExecSpace, class T, class A = T>
class CrossCorrelatePlan {
 public:
  using execution_space = ExecSpace;  ///< where correlations run
  using input_type      = T;          ///< of left and right
  using output_type     = A;          ///< of out; sums are accumulated in it
  /// for the implementation
  using State = Impl::CorrelateState<ExecSpace, T, A>;

  /// An empty handle, to be assigned to. Every other use throws.
  CrossCorrelatePlan() = default;

  /// \param exec the instance in which correlations run
  /// \param extents numbers and extents of the matrices
  /// \param options pairing, mode, algorithm and so on
  /// \param once plan FFTs without measuring, for a single use
  /// \throws std::invalid_argument for extents and options that do not fit,
  ///   2^29 rows or columns or more (of Views also matrices), 2^62 results or
  ///   more, and an FFT whose library is not linked
  /// Waits for exec. On hosts `fft` measures plans of FFTW unless `once`: 0.2 s
  /// for 128 x 128, up to 10 s for 3000 x 3000. CorrelateSelection::by_trial
  /// says what a trial takes; meanwhile there is the memory of a plan for each
  /// algorithm that is tried.
  CrossCorrelatePlan(const ExecSpace& exec, const CorrelateExtents& extents,
                     const CorrelateOptions& options, bool once = false)
      : m_state(Impl::make_correlate_state<ExecSpace, T, A>(exec, extents,
                                                            options, once)) {}

  /// With default options. On hosts only `basic` and what `automatic` takes are
  /// compiled, which takes half the time of the constructor with options;
  /// SPOROS_CORRELATE can name nothing else.
  CrossCorrelatePlan(const ExecSpace& exec, const CorrelateExtents& extents)
      : m_state(Impl::make_correlate_state<ExecSpace, T, A,
                                           Impl::Compiled::automatic>(
            exec, extents, CorrelateOptions(), false)) {}

  /// A plan for matrices like these; out may have any extents.
  template <class Left, class Right, class Out>
  CrossCorrelatePlan(const ExecSpace& exec, const Left& left,
                     const Right& right, const Out&,
                     const CorrelateOptions& options, bool once = false)
      : CrossCorrelatePlan(exec, extents_of<Out>(left, right, options), options,
                           once) {
    Impl::check_types<ExecSpace, Left, Right, Out>();
  }

  /// A plan with default options for matrices like these; out may have any
  /// extents. See the constructor from extents on what is compiled.
  template <class Left, class Right, class Out>
  CrossCorrelatePlan(const ExecSpace& exec, const Left& left,
                     const Right& right, const Out&, bool once = false)
      : m_state(Impl::make_correlate_state<ExecSpace, T, A,
                                           Impl::Compiled::automatic>(
            exec, extents_of<Out>(left, right, CorrelateOptions()),
            CorrelateOptions(), once)) {
    Impl::check_types<ExecSpace, Left, Right, Out>();
  }

  /// Numbers and extents of the matrices.
  const CorrelateExtents& extents() const { return state().shape.extents; }
  /// The options, as given.
  const CorrelateOptions& options() const { return state().options; }

  /// The options with the choice of this plan in place of
  /// CorrelateAlgorithm::automatic. Plans that are made with them, in another
  /// run or on another rank, too, take the same algorithm. If it is not `fft`,
  /// results have the same bits. On ranks, send CorrelateOptions::selected of
  /// one of them to all.
  CorrelateOptions chosen_options() const {
    const State& s     = state();
    CorrelateOptions o = s.options;
    if (o.algorithm != CorrelateAlgorithm::automatic || s.shape.empty())
      return o;
    o.selection = CorrelateSelection::by_model;
    o.selected  = s.choice.algorithm;
    // an environment variable has chosen, whose `fft` does so for all pairs
    if (o.selected == CorrelateAlgorithm::fft && !s.choice.may_be_wide)
      o.exactness = CorrelateExactness::relative_to_norms;
    return o;
  }

  /// The shifts that are computed. The last extents of out are rows() and
  /// columns() of it; for signals columns() alone, for volumes planes() first.
  const ShiftWindow& shifts() const { return state().shape.shifts; }

  /// The chosen algorithm, never automatic.
  CorrelateAlgorithm algorithm() const { return state().choice.algorithm; }

  /// Bytes of memory of the plan.
  std::size_t bytes() const { return state().bytes(); }

  /// Text: pairs, shifts, algorithm and reason, memory.
  std::string describe() const {
    const CorrelateExtents& e = extents();
    const ShiftWindow& s      = shifts();
    const CorrelateOptions& o = options();
    std::ostringstream out;
    out << "Sporos::CrossCorrelatePlan: " << Impl::name_of(o.pairing) << ", "
        << e.n << " x " << e.m << " pairs of " << Impl::plural_of(o.operand)
        << ' ' << Impl::operand_text(o.operand, e.left_d, e.left_h, e.left_w)
        << " and "
        << Impl::operand_text(o.operand, e.right_d, e.right_h, e.right_w)
        << "\n  shifts: " << Impl::shifts_text(o.operand, s) << ", normalize "
        << Impl::name_of(o.normalize)
        << "\n  algorithm: " << state().choice.text()
        << (state().transposed ? ", rows and columns exchanged" : "")
        << "\n  memory: " << bytes() << " bytes\n";
    return out.str();
  }

  /// For the implementation.
  State& state(const char* function = "Sporos::CrossCorrelatePlan") const {
    Impl::check_handle(m_state != nullptr, function, "plan");
    return *m_state;
  }

 private:
  template <class Out, class Left, class Right>
  static CorrelateExtents extents_of(const Left& left, const Right& right,
                                     const CorrelateOptions& options) {
    const char* const name = "Sporos::CrossCorrelatePlan";
    Impl::check_enums(name, options);
    Impl::check_ranks<Left, Right>(name, options, Impl::view_rank_v<Out>);
    return Impl::correlate_extents(name, options, left, right);
  }

  std::shared_ptr<State> m_state;
};

/// Deduces the types of the plan from those of the views.
template <class ExecSpace, class Left, class Right, class Out, class... More>
CrossCorrelatePlan(const ExecSpace&, const Left&, const Right&, const Out&,
                   const More&...)
    -> CrossCorrelatePlan<ExecSpace, typename Left::non_const_value_type,
                          typename Out::non_const_value_type>;

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Sporos

#endif
