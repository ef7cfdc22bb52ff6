// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATEPLAN_HPP
#define SPOROS_CORRELATEPLAN_HPP

/// \file Sporos_CorrelatePlan.hpp
/// The plan of cross-correlation. Users include Sporos_CrossCorrelate.hpp.

#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <cross_correlation/plan/Sporos_CorrelateChoice.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFft.hpp>
#include <cross_correlation/tile/Sporos_CorrelateHost.hpp>
#include <cross_correlation/problem/Sporos_CorrelateMoments.hpp>

#include <memory>
#include <sstream>
#include <string>

namespace Sporos {
namespace Impl {

/// Stands for a workspace that a back end does not need.
struct NoWorkspace {
  static constexpr std::size_t bytes() { return 0; }
};

/// The contents of a plan, shared by its copies.
template <class Exec, class T, class A>
struct CorrelateState {
  using Memory               = typename Exec::memory_space;
  static constexpr bool host = is_synchronous_space_v<Exec>;
  CorrelateShape shape;
  CorrelateOptions options;  ///< as given
  CorrelateChoice choice;    ///< algorithm and its parameters
  CenteredWorkspace<Exec, A> centered;
  RowLaunches launches;
  Kokkos::View<int*, Memory> prefix;
  WorkspaceView<A, Memory> slots{"Sporos::cross_correlate::slots"};
  std::conditional_t<host, TileWorkspace<Exec, A>, NoWorkspace> tiles;
  std::unique_ptr<CorrelateFft<Exec, T, A>> fft;

  std::size_t bytes() const {
    return centered.bytes() + slots.bytes() + tiles.bytes() +
           (fft ? fft->bytes() : 0) + prefix.extent(0) * sizeof(int);
  }

  /// Makes the tasks of shuffle and lane_group_per_shift. Slots of a launch
  /// take at most bytes_at_once.
  void make_tasks(const Exec& exec, std::size_t bytes_at_once = slot_bytes) {
    if (!choice.uses_tasks()) return;
    const bool shuffle   = choice.algorithm == CorrelateAlgorithm::shuffle;
    const ShuffleGroup g = shuffle_groups[shuffle ? choice.group : 0];
    launches             = make_row_launches(
                    shape, pair_units(shape.extents, g.left_matrices, g.right_matrices),
                    g.right_rows, choice.distribution, choice.task_rows,
        shuffle ? shuffle_vectors<Exec, A>(shape)
                            : per_shift_vectors<Exec>(shape),
                    sizeof(A), bytes_at_once);
    if (choice.distribution != WorkDistribution::triangle) return;
    const RowTasks& last = launches.blocks.back();
    prefix               = Kokkos::View<int*, Memory>(
        Kokkos::view_alloc(exec, Kokkos::WithoutInitializing,
                                         "Sporos::cross_correlate::prefix"),
        std::size_t(last.first_block + last.blocks));
    const auto host_prefix = Kokkos::create_mirror_view(prefix);
    for (RowTasks& t : launches.blocks) {
      for (int b = t.first_block, sum = 0; b < t.first_block + t.blocks;
           sum += t.tasks(b), ++b)
        host_prefix(b) = sum;
      t.prefix = prefix.data() + t.first_block;
    }
    Kokkos::deep_copy(exec, prefix, host_prefix);
    fence(exec, "Sporos::cross_correlate::prefix");
  }
  RowSlots<A> require_slots(const Exec& exec) {
    RowSlots<A> s;
    s.columns = shape.columns();
    if (launches.slot_rows > 0)
      s.data = slots
                   .require(exec, std::size_t(launches.slot_rows) *
                                      std::size_t(s.columns))
                   .data();
    return s;
  }
};

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

template <class Exec, class T, class A>
std::shared_ptr<CorrelateState<Exec, T, A>> make_correlate_state(
    const Exec& exec, const CorrelateExtents& e,
    const CorrelateOptions& options, bool once) {
  const char* const name = "Sporos::CrossCorrelatePlan";
  check_enums(name, options);
  check(e.n >= 0 && e.m >= 0, name, "extents", "numbers of matrices >= 0",
        text("n ", e.n, ", m ", e.m));
  check(!(options.subtract_mean || options.normalize) ||
            std::is_floating_point<real_of<A>>::value,
        name, "options", "a floating-point out for subtract_mean and normalize",
        "an integer");
  auto state     = std::make_shared<CorrelateState<Exec, T, A>>();
  state->options = options;
  state->shape   = {
        e, e.n == 0 || e.m == 0
               ? ShiftWindow{}
               : correlate_shifts(e.left_h, e.left_w, e.right_h, e.right_w,
                                  options.mode, options.window)};
  check(double(e.n) * e.m * state->shape.rows() * state->shape.columns() < 4e18,
        name, "extents", "fewer than 2^62 results",
        text("n ", e.n, ", m ", e.m, ", ", state->shape.rows(), " x ",
             state->shape.columns(), " shifts"));
  state->choice = choose_correlate<Exec, A>(exec, state->shape, options);
  state->make_tasks(exec);
  if (state->choice.algorithm == CorrelateAlgorithm::fft)
    state->fft =
        make_correlate_fft<T, A>(exec, state->shape, options.pairing, !once);
  return state;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

}  // namespace Impl

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
  /// \throws std::invalid_argument for extents and options that do not fit
  CrossCorrelatePlan(const ExecSpace& exec, const CorrelateExtents& extents,
                     const CorrelateOptions& options = {}, bool once = false)
      : m_state(Impl::make_correlate_state<ExecSpace, T, A>(exec, extents,
                                                            options, once)) {}

  /// A plan for matrices like these; out may have any extents.
  template <class Left, class Right, class Out>
  CrossCorrelatePlan(const ExecSpace& exec, const Left& left,
                     const Right& right, const Out&,
                     const CorrelateOptions& options = {}, bool once = false)
      : CrossCorrelatePlan(exec, extents_of<Out>(left, right, options), options,
                           once) {
    Impl::check_types<ExecSpace, Left, Right, Out>();
  }

  /// Numbers and extents of the matrices.
  const CorrelateExtents& extents() const { return state().shape.extents; }
  /// The options, as given.
  const CorrelateOptions& options() const { return state().options; }

  /// The shifts that are computed. The last extents of out are rows() and
  /// columns() of it.
  const ShiftWindow& shifts() const { return state().shape.shifts; }

  /// The chosen algorithm, never automatic.
  CorrelateAlgorithm algorithm() const { return state().choice.algorithm; }

  /// Bytes of memory of the plan.
  std::size_t bytes() const { return state().bytes(); }

  /// Text: pairs, shifts, algorithm and reason, memory.
  std::string describe() const {
    const CorrelateExtents& e = extents();
    const ShiftWindow& s      = shifts();
    std::ostringstream out;
    out << "Sporos::CrossCorrelatePlan: " << Impl::name_of(options().pairing)
        << ", " << e.n << " x " << e.m << " pairs of (" << e.left_h << ", "
        << e.left_w << ") and (" << e.right_h << ", " << e.right_w
        << ")\n  shifts: [" << s.dy0 << ", " << s.dy1 << ") x [" << s.dx0
        << ", " << s.dx1 << ")"
        << (options().normalize       ? ", zero-mean normalised"
            : options().subtract_mean ? ", means subtracted"
                                      : "")
        << "\n  algorithm: " << state().choice.text()
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
    Impl::check_ranks<Left, Right>(name, options.pairing,
                                   Impl::view_rank_v<Out>);
    return Impl::correlate_extents(name, options.pairing, left, right);
  }

  std::shared_ptr<State> m_state;
};

/// Deduces the types of the plan from those of the views.
template <class ExecSpace, class Left, class Right, class Out>
CrossCorrelatePlan(const ExecSpace&, const Left&, const Right&, const Out&)
    -> CrossCorrelatePlan<ExecSpace, typename Left::non_const_value_type,
                          typename Out::value_type>;
/// Deduces the types of the plan from those of the views.
template <class ExecSpace, class Left, class Right, class Out>
CrossCorrelatePlan(const ExecSpace&, const Left&, const Right&, const Out&,
                   const CorrelateOptions&)
    -> CrossCorrelatePlan<ExecSpace, typename Left::non_const_value_type,
                          typename Out::value_type>;

/// Deduces the types of the plan from those of the views.
template <class ExecSpace, class Left, class Right, class Out>
CrossCorrelatePlan(const ExecSpace&, const Left&, const Right&, const Out&,
                   const CorrelateOptions&, bool)
    -> CrossCorrelatePlan<ExecSpace, typename Left::non_const_value_type,
                          typename Out::value_type>;

}  // namespace SPOROS_IMPL_FFT_LIBRARIES
}  // namespace Sporos

#endif
