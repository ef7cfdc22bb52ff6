// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_CORRELATESTATE_HPP
#define SPOROS_CORRELATESTATE_HPP

/// \file Sporos_CorrelateState.hpp
/// The contents of a plan of cross-correlation, and from a plan to its
/// algorithm.

#include <Sporos_Compiled.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <cross_correlation/problem/Sporos_CorrelateChecks.hpp>
#include <cross_correlation/choice/Sporos_CorrelateTrial.hpp>
#include <cross_correlation/basic/Sporos_CorrelateBasic.hpp>
#include <cross_correlation/problem/Sporos_CorrelateBounds.hpp>
#include <cross_correlation/fft/Sporos_CorrelateFft.hpp>
#include <cross_correlation/problem/Sporos_CorrelateFold.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTileDevice.hpp>
#include <cross_correlation/tile/Sporos_CorrelateTileHost.hpp>
#include <cross_correlation/problem/Sporos_CorrelateLocal.hpp>
#include <cross_correlation/problem/Sporos_CorrelateMasks.hpp>
#include <cross_correlation/problem/Sporos_CorrelateMoments.hpp>
#include <cross_correlation/problem/Sporos_CorrelateOverflow.hpp>

#include <limits>
#include <memory>
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
  static constexpr bool host = is_host_space_v<Exec>;
  /// weights: of a call with masks, or null
  void (*run)(const Exec&, CorrelateState&, const CorrelateProblem<T, A>&,
              const CorrelateWeights<A>*) = nullptr;
  int device                              = 0;  ///< that has the memory
  CorrelateShape shape;                         ///< as the caller sees it
  CorrelateShape work;  ///< as the algorithm does; of volumes a plane of shifts
  CorrelateFold fold;   ///< of volumes
  bool transposed = false;   ///< `work` has x and y exchanged
  CorrelateOptions options;  ///< as given
  CorrelateChoice choice;    ///< algorithm and its parameters
  /// what sums by the definition: the same, unless pairs of a wide range are
  CorrelateChoice definition;
  CenteredWorkspace<Exec, A> centered;
  RowLaunches launches;
  Kokkos::View<int*, Memory> prefix;
  WorkspaceView<A, Memory> slots{"Sporos::cross_correlate::slots"};
  std::conditional_t<host, TileWorkspace<Exec, A>, NoWorkspace> tiles;
  std::unique_ptr<CorrelateFft<Exec, T, A>> fft;
  // local measures: FFTs are made in double
  using Wide = wide_sum<A>;
  LocalWorkspace<Exec, A> local;
  LocalWorkspace<Exec, Wide> wide_local;
  std::unique_ptr<CorrelateFft<Exec, Wide, Wide>> wide_fft;
  MaskWorkspace<Exec, A> masks;
  FoldWorkspace<Exec, T> folded;
  FoldWorkspace<Exec, A> folded_copies;

  bool volumes() const { return options.operand == CorrelateOperand::volume; }
  template <class In>
  FoldWorkspace<Exec, In>& folded_of() {
    if constexpr (std::is_same<In, T>::value)
      return folded;
    else
      return folded_copies;
  }
  std::size_t bytes() const {
    return centered.bytes() + slots.bytes() + tiles.bytes() +
           (fft ? fft->bytes() : 0) + (wide_fft ? wide_fft->bytes() : 0) +
           local.bytes() + wide_local.bytes() + masks.bytes() + folded.bytes() +
           folded_copies.bytes() + prefix.extent(0) * sizeof(int);
  }

  /// Makes the tasks of shuffle, lane_group_per_shift and, on devices, tile.
  /// Slots of a launch take at most bytes_at_once.
  void make_tasks(const Exec& exec, std::size_t bytes_at_once = slot_bytes) {
    const CorrelateChoice& c = definition;
    if (!c.uses_tasks()) return;
    const bool shuffle   = c.algorithm == CorrelateAlgorithm::shuffle;
    const bool tile      = c.device_tiles.used();
    const ShuffleGroup g = shuffle_groups[shuffle ? c.group : 0];
    launches             = make_row_launches(
                    work, pair_units(work.extents, g.left_matrices, g.right_matrices),
        tile ? c.device_tiles.block_rows() : g.right_rows, c.distribution,
                    c.task_rows,
        tile      ? c.device_tiles.vectors(work)
                    : shuffle ? shuffle_vectors<Exec, A>(work)
                              : per_shift_vectors<Exec>(work),
                    sizeof(A), bytes_at_once);
    if (c.distribution != WorkDistribution::triangle) return;
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
    s.columns = work.columns();
    if (launches.slot_rows > 0)
      s.data = slots.require_data(
          exec, std::size_t(launches.slot_rows) * std::size_t(s.columns));
    return s;
  }
};

inline namespace SPOROS_IMPL_FFT_LIBRARIES {

/// Runs an algorithm that sums by the definition, of matrices.
template <Compiled What, class Exec, class T, class A, class In>
void correlate_matrices(const Exec& exec, CorrelateState<Exec, T, A>& state,
                        const CorrelateProblem<In, A>& p) {
  const CorrelateChoice& choice = state.definition;
  if constexpr (is_host_space_v<Exec>) {
    if (choice.uses_tiles())
      return correlate_tiles(exec, p, choice.tiles, state.tiles);
  } else if (choice.device_tiles.used()) {
    return correlate_device_tiles(exec, p, choice.device_tiles, state.launches,
                                  state.require_slots(exec));
  }
  if constexpr (What == Compiled::all) {
    if (choice.algorithm == CorrelateAlgorithm::shuffle)
      return correlate_shuffle(exec, p, choice.group, state.launches,
                               state.require_slots(exec));
    if (choice.algorithm == CorrelateAlgorithm::lane_group_per_shift)
      return correlate_lane_group_per_shift(
          exec, p, state.launches, state.require_slots(exec), choice.staged);
    if (choice.algorithm == CorrelateAlgorithm::team_per_shift)
      return correlate_team_per_shift(exec, p);
  }
  correlate_basic(exec, p);
}

/// Runs an algorithm that sums by the definition.
template <Compiled What, class Exec, class T, class A, class In>
void correlate_by_definition(const Exec& exec,
                             CorrelateState<Exec, T, A>& state,
                             const CorrelateProblem<In, A>& p) {
  const ProfilingRegion region("Sporos::cross_correlate::sum");
  if (!state.volumes() ||
      state.definition.algorithm == CorrelateAlgorithm::basic)
    return correlate_matrices<What>(exec, state, p);
  if constexpr (is_host_space_v<Exec>)
    if (p.only.are_none(p.shape.extents)) return;
  correlate_planes(exec, p, state.fold, state.template folded_of<In>(),
                   [&](const CorrelateProblem<In, A>& plane) {
                     for (RowTasks& t : state.launches.blocks)
                       t.dy0 = plane.shape.shifts.dy0;
                     correlate_matrices<What>(exec, state, plane);
                   });
}

/// Runs the algorithm of the plan. On devices, which pairs are of a wide range
/// is known to kernels alone: those of the definition skip all others.
template <Compiled What, class Exec, class T, class A, class In>
void correlate_dispatch(const Exec& exec, CorrelateState<Exec, T, A>& state,
                        const CorrelateProblem<In, A>& p) {
  if (state.choice.algorithm != CorrelateAlgorithm::fft)
    return correlate_by_definition<What>(exec, state, p);
  {
    const ProfilingRegion region("Sporos::cross_correlate::fft");
    run_fft(exec, *state.fft, p);
  }
  if (!state.choice.may_be_wide) return;
  CorrelateProblem<In, A> wide = p;
  wide.only                    = state.fft->wide_pairs();
  correlate_by_definition<What>(exec, state, wide);
}

/// Local measures, and sums of matrices with masks.
template <Compiled What, class Exec, class T, class A>
void correlate_overlaps(const Exec& exec, CorrelateState<Exec, T, A>& state,
                        const CorrelateProblem<T, A>& p,
                        const CorrelateWeights<A>* weights) {
  using Wide                = wide_sum<A>;
  const CorrelateOptions& o = state.options;
  const bool by_fft         = state.choice.algorithm == CorrelateAlgorithm::fft;
  const LocalOptions<A> local{o.normalize, o.least_deviation, o.least_overlap,
                              weights, by_fft};
  if (state.wide_fft)
    return correlate_local(exec, p, local, state.wide_local,
                           [&](const CorrelateProblem<Wide, Wide>& q) {
                             state.wide_fft->run(exec, q);
                           });
  correlate_local(exec, p, local, state.local,
                  [&](const CorrelateProblem<A, A>& q) {
                    correlate_dispatch<What>(exec, state, q);
                  });
}

template <Compiled What, class Exec, class T, class A>
void correlate(const Exec& exec, CorrelateState<Exec, T, A>& state,
               const CorrelateProblem<T, A>& p,
               [[maybe_unused]] const CorrelateWeights<A>* weights) {
  if (p.shape.empty()) return;
  if constexpr (checks_enabled && std::is_integral<A>::value)
    check_integer_sums(exec, p);
  if constexpr (What == Compiled::all &&
                std::is_floating_point<real_of<A>>::value) {
    const CorrelateOptions& o = state.options;
    if (weights != nullptr || is_local(o.normalize))
      return correlate_overlaps<What>(exec, state, p, weights);
    if (o.normalize != Normalize::none) {
      const bool whole = o.normalize == Normalize::whole;
      correlate_dispatch<What>(
          exec, state,
          centered_problem(exec, p, whole, o.least_deviation, state.centered));
      for (int oz = 0; whole && oz < p.shape.planes(); ++oz)
        bound_coefficients(exec, p.shape, p.out.plane(oz));
      return;
    }
  }
  check(weights == nullptr, "Sporos::cross_correlate", "plan",
        "one with options, for masks", "one without");
  correlate_dispatch<What>(exec, state, p);
}

/// No pairs, of matrices without elements (Views that are not allocated).
inline bool is_nothing(const CorrelateExtents& e) {
  return (e.n == 0 || e.m == 0) &&
         (e.left_d == 0 || e.left_h == 0 || e.left_w == 0 || e.right_d == 0 ||
          e.right_h == 0 || e.right_w == 0);
}

/// Does the algorithm take rows for columns? On hosts lanes run along rows,
/// which are padded to whole registers: `automatic` lays them along what is
/// longer in narrow matrices.
template <class Exec, class T>
bool is_transposed(const CorrelateShape& shape,
                   const CorrelateOptions& options) {
  const CorrelateExtents& e = shape.extents;
  const int width           = Math::max(e.left_w, e.right_w);
  return is_host_space_v<Exec> &&
         options.algorithm == CorrelateAlgorithm::automatic &&
         options.operand == CorrelateOperand::matrix &&
         width < 64 / int(sizeof(T)) && width < Math::min(e.left_h, e.right_h);
}

/// What: without options, hosts compile `basic` and what `automatic` takes,
/// devices all. Lanes: a program links Sporos::compiled
/// only if both have the same packs.
template <class Exec, class T, class A, Compiled What = Compiled::all,
          int Lanes = native_pack_width<float>>
std::shared_ptr<CorrelateState<Exec, T, A>> make_correlate_state(
    const Exec& exec, const CorrelateExtents& e,
    const CorrelateOptions& options, bool once) {
  const char* const name = "Sporos::CrossCorrelatePlan";
  check_enums(name, options);
  check(e.n >= 0 && e.m >= 0, name, "extents", "numbers of matrices >= 0",
        text("n ", e.n, ", m ", e.m));
  constexpr bool real = std::is_floating_point<real_of<A>>::value;
  check_measure(name, options, real);
  check_selection(name, options, real);
  auto state                = std::make_shared<CorrelateState<Exec, T, A>>();
  state->device             = device_of(exec);
  state->options            = options;
  state->shape              = {e,
                  is_nothing(e) ? ShiftWindow{} : shifts_of(name, e, options),
                               options.whiten};
  const ShiftWindow& shifts = state->shape.shifts;
  check(double(e.n) * e.m * shifts.planes() * shifts.rows() * shifts.columns() <
            4e18,
        name, "extents", "fewer than 2^62 results",
        text("n ", e.n, ", m ", e.m, ", ",
             state->volumes() ? std::to_string(shifts.planes()) + " x " : "",
             shifts.rows(), " x ", shifts.columns(), " shifts"));
  check(e.n == 1 || options.pairing != Pairing::one_to_many, name, "extents",
        "n == 1 for pairing one_to_many", text("n ", e.n));
  check(e.m == 1 || options.pairing != Pairing::one_to_one, name, "extents",
        "m == 1 for pairing one_to_one", text("m ", e.m));
  state->transposed = is_transposed<Exec, T>(state->shape, options);
  state->work = state->transposed ? transposed(state->shape) : state->shape;
  CorrelateWork work{state->work, state->work, 1};
  if (state->volumes() && !state->shape.empty()) {
    CorrelateFold& fold = state->fold;
    fold                = CorrelateFold(name, state->shape);
    work.planes         = fold.planes();
    work.matrices = state->work = fold.middle();
  }
  constexpr Compiled what = is_host_space_v<Exec> ? What : Compiled::all;
  CorrelateOptions chosen = options;
  AutomaticCorrelate tried{CorrelateAlgorithm::automatic, ""};
  if constexpr (what == Compiled::all)
    if (wants_trial(state->shape, options))
      tried = tried_correlate<T, A>(
          exec, work, state->shape, options, once,
          [&](const CorrelateExtents& some, const CorrelateOptions& o) {
            return make_correlate_state<Exec, T, A, What, Lanes>(exec, some, o,
                                                                 once);
          });
  const bool is_tried = tried.algorithm != CorrelateAlgorithm::automatic;
  if (is_tried) chosen.selected = tried.algorithm;
  state->choice     = choose_correlate<Exec, A>(exec, work, chosen);
  state->definition = state->choice;
  if (is_tried) state->choice.reason = tried.reason;
  if (state->choice.may_be_wide) {
    chosen.exactness = CorrelateExactness::by_definition;
    chosen.selected =
        automatic_correlate<Exec, A>(work, options.pairing, false).algorithm;
    state->definition = choose_correlate<Exec, A>(exec, work, chosen);
  }
  state->run                = &correlate<what, Exec, T, A>;
  using Algorithm           = CorrelateAlgorithm;
  const Algorithm algorithm = state->choice.algorithm;
  check(what == Compiled::all || (algorithm != Algorithm::shuffle &&
                                  algorithm != Algorithm::team_per_shift),
        name, "SPOROS_CORRELATE",
        "automatic, basic, tile, lane_group_per_shift or fft, for a call or "
        "plan without options (for which nothing else is compiled)",
        name_of(algorithm));
  if constexpr (what == Compiled::all) state->make_tasks(exec);
  if (state->choice.algorithm != CorrelateAlgorithm::fft) return state;
  if constexpr (what == Compiled::all && real) {
    using Wide = wide_sum<A>;
    if (is_local(options.normalize)) {
      state->wide_fft = make_correlate_fft<Wide, Wide>(exec, work.all,
                                                       options.pairing, !once);
      return state;
    }
  }
  state->fft = make_correlate_fft<T, A>(exec, work.all, options.pairing, !once);
  return state;
}

}  // namespace SPOROS_IMPL_FFT_LIBRARIES

}  // namespace Impl
}  // namespace Sporos

#endif
