// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPPLAN_HPP
#define SPOROS_LOOPPLAN_HPP

/// \file Sporos_LoopPlan.hpp
/// Plans of loops: blocks, colours, local numbers. par_loop makes and keeps
/// plans itself. Make your own to inspect it, or to run a loop in several
/// instances.
///
/// \code
///   Sporos::LoopOptions options;
///   options.strategy = Sporos::LoopStrategy::hierarchical;
///   Sporos::LoopPlan plan(exec, edges, options, read(x, edge_nodes),
///                         inc(res, edge_cells));
///   std::cout << plan.describe();
///   Sporos::par_loop("res_calc", exec, edges, plan, ResCalc{}, ...);
/// \endcode

#include <Sporos_ProfilingRegion.hpp>
#include <mesh_loop/arguments/Sporos_Lowering.hpp>
#include <mesh_loop/plan/Sporos_LoopChecks.hpp>
#include <mesh_loop/plan/Sporos_LoopSubset.hpp>
#include <mesh_loop/plan/Sporos_PlanCache.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanDescribe.hpp>
#include <mesh_loop/plan/Sporos_PlanValidate.hpp>

#include <array>
#include <memory>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Throws for a default-constructed subset.
template <class Exec>
void check_range(const SetRange&) {}
template <class Exec, class M>
void check_range(const Subset<M>& subset) {
  static_assert(reaches_v<Exec, M>,
                "Sporos::par_loop: the execution space cannot access the "
                "memory of a subset");
  check_handle(subset.state() != nullptr, "Sporos::par_loop", "subset");
}

/// Refuses plans of distributed sets, whose loops have one for each part.
[[gnu::cold]] inline void check_has_one_plan(const RangeInfo& range) {
  check(range.set->parts == nullptr, "Sporos::LoopPlan",
        range.set->name.c_str(), "a set that is not distributed over ranks",
        "one that is");
}

/// Throws unless a plan that was handed to a loop is one for such loops.
[[gnu::cold]] inline void check_plan_fits(const PlanInfo& plan,
                                          const RangeInfo& range,
                                          const ArgInfos& args) {
  if (same_loop(plan, range, args)) return;
  check(same_range(plan, range), "Sporos::par_loop", "plan",
        text("one for the elements [", range.begin, ", ", range.end, ") of ",
             range.plans->name),
        text("one for [", plan.begin, ", ", plan.begin + plan.n, ") of ",
             plan.set_name,
             plan.set != range.plans && plan.set_name == range.plans->name
                 ? ", another one with that name"
                 : ""));
  check(int(plan.keys.size()) == args.n, "Sporos::par_loop", "plan",
        text("one for ", args.n, " arguments"), plan.keys.size());
  for (int i = 0; i < args.n; ++i) {
    const ArgKey &planned = plan.keys[std::size_t(i)], &key = args[i].key;
    if (planned.same_but_version(key)) continue;
    const int map = plan.arg_map[std::size_t(i)];
    const std::string expected =
        key_in_words(key, key.map != nullptr ? key.map->name : "");
    const std::string got =
        key_in_words(planned, map >= 0 ? plan.maps[std::size_t(map)].name : "");
    check(false, "Sporos::par_loop", "plan",
          text("one whose argument ", i, " is ", expected),
          expected != got ? got : "another map with that name, or other dats");
  }
}

/// Checks the arguments of a loop. Returns its plan: that of a handle, or one
/// that the set keeps if there is no handle.
template <Compiled What, class Exec>
std::shared_ptr<LoopPlanState<Exec>> plan_of_loop(
    const Exec& exec, const RangeInfo& range, const LoopOptions& options,
    [[maybe_unused]] const std::shared_ptr<LoopPlanState<Exec>>* handle,
    const ArgInfos& args) {
  const ProfilingRegion region("Sporos::par_loop::plan");
  check_arguments(*range.set, args);
  relate_arguments(args);
  if (What == Compiled::any_ranks) check_sums(args);
  if constexpr (What != Compiled::automatic || checks_enabled)
    if ((options.check_disjoint || checks_enabled) &&
        range.set->parts == nullptr)  // else see PartsLoop
      check_promises(range, args);
  std::shared_ptr<LoopPlanState<Exec>> plan;
  if constexpr (What != Compiled::automatic)
    if (handle != nullptr) {
      plan = *handle;
      check_device("Sporos::par_loop", exec, plan->device);
      check_plan_fits(plan->data(), range, args);
      if (!same_versions(plan->data(), args))
        fill_plan<What>(exec, *plan, {range, plan->data().requested, args});
    }
  if (plan == nullptr) plan = find_plan<What>(exec, {range, options, args});
  check_old_plan(plan->data(), range, args);
  return plan;
}

/// The arguments of a loop without their types.
template <class Exec, class Range, class... Args>
std::array<ArgInfo, sizeof...(Args)> infos_of(const Args&... args) {
  return {{range_arg_info<Exec, is_subset_v<Range>>(args)...}};
}

/// Known: one that the set may have already
template <bool Known, class Exec, class Range, class... Args>
std::shared_ptr<LoopPlanState<Exec>> checked_plan(const Exec& exec,
                                                  const Range& range,
                                                  const LoopOptions& options,
                                                  const Args&... args) {
  check_range<Exec>(range);
  auto infos = infos_of<Exec, Range>(args...);
  const ArgInfos all{infos.data(), int(sizeof...(Args))};
  const RangeInfo where = range_info(range);
  check_has_one_plan(where);
  check_arguments(*where.set, all);
  relate_arguments(all);
  if (options.any_ranks) check_sums(all);
  if constexpr (Known) {
    return find_plan<Compiled::all>(exec, {where, options, all});
  } else {
    auto plan = std::make_shared<LoopPlanState<Exec>>(exec);
    fill_plan<Compiled::all>(exec, *plan, {where, options, all});
    return plan;
  }
}

/// Replaces arguments that stand for others, which may wait for exec.
template <bool Known, class Exec, class Range, class... Args>
std::shared_ptr<LoopPlanState<Exec>> lowered_plan(const Exec& exec,
                                                  const Range& range,
                                                  const LoopOptions& options,
                                                  const Args&... args) {
  return checked_plan<Known>(exec, range, options,
                             Lowering<Args>::argument(exec, args)...);
}

}  // namespace Impl

/// The plan of loops over a set with given arguments; a shallow handle. Its
/// data have the meaning of PyOP2's plan (pyop2/plan.pyx): mini-partitions are
/// consecutive elements. Colours separate increments through maps, and direct
/// increments of a dat that is also incremented through a map.
template <class Exec>
class LoopPlan {
 public:
  using execution_space = Exec;  ///< where loops run
  /// where maps and data are
  using memory_space = typename Exec::memory_space;
  /// all arrays of the plan
  using data_type = Impl::PlanData<memory_space>;

  /// An empty handle, to be assigned to. Every other use throws.
  LoopPlan() = default;

  /// Inspects the maps and waits for the result. O(map entries), and for
  /// each further 32 colours the entries of the elements that have none yet.
  /// \throws std::invalid_argument like par_loop
  template <class... Args>
  LoopPlan(const Exec& exec, const SetRange& set, const LoopOptions& options,
           const Args&... args)
      : m_state(Impl::lowered_plan<false>(exec, set, options, args...)) {}

  /// Inspects the maps for loops over a subset and waits for the result. The
  /// arrays of the plan and options.blocks number its elements by their
  /// positions in the list, or in its range.
  template <class M, class... Args>
  LoopPlan(const Exec& exec, const Subset<M>& subset,
           const LoopOptions& options, const Args&... args)
      : m_state(Impl::lowered_plan<false>(exec, subset, options, args...)) {}

  /// For the implementation.
  explicit LoopPlan(std::shared_ptr<Impl::LoopPlanState<Exec>> state)
      : m_state(std::move(state)) {}
  /// For the implementation.
  const std::shared_ptr<Impl::LoopPlanState<Exec>>& state() const {
    return m_state;
  }

  /// All arrays (see Sporos_PlanData.hpp): offset, nelems, ncolblk, blkmap,
  /// nthrcol, thrcol, order, groups with ind_map, ind_sizes, ind_offs, loc_map,
  /// nshared, ... Only tests may write to them. Valid until a loop remakes the
  /// plan because a map was modified.
  data_type& data() const {
    Impl::check_handle(m_state != nullptr, "Sporos::LoopPlan", "plan");
    return m_state->data();
  }

  /// The options, as given.
  const LoopOptions& options() const { return data().requested; }
  /// The chosen strategy.
  LoopStrategy strategy() const { return data().strategy; }
  /// The data that blocks keep in scratch memory.
  Staging staging() const { return data().staging; }
  /// Number of mini-partitions.
  int nblocks() const { return data().nblocks; }
  /// Largest number of elements in a mini-partition.
  int block_size() const { return data().block_size; }
  /// Number of block colours.
  int nblkcol() const { return data().nblkcol; }
  /// Number of colours of elements, for global_coloring.
  int ncolors() const {
    const auto n = data().color_offsets.size();
    return n > 0 ? int(n) - 1 : 0;
  }
  /// Largest number of bytes of scratch that a block needs.
  std::size_t nshared() const { return data().nshared; }

  /// Reuse factor and cache lines of the targets of blocks, for each dat and
  /// map. O(map entries).
  std::vector<BlockReuse> reuse() const { return Impl::block_reuse(data()); }

  /// The plan as text: strategy and reason, blocks, colours, reuse factor,
  /// cache lines per block, bytes of scratch. O(map entries).
  std::string describe() const { return Impl::describe_plan(data()); }

 private:
  std::shared_ptr<Impl::LoopPlanState<Exec>> m_state;
};

/// Proves from the data and maps of a plan that no two elements, threads or
/// blocks that run at the same time increment one target, and that every
/// element and entry is covered once. Returns the errors as text, empty if
/// there are none. O(map entries), on the host.
template <class Exec>
std::string validate(const LoopPlan<Exec>& plan) {
  return Impl::validate_plan(plan.data());
}

/// Waits for exec, in which entries of maps changed, and proves that a plan has
/// no races. Returns the errors as text, empty if there are none.
template <class Exec>
std::string validate(const Exec& exec, const LoopPlan<Exec>& plan) {
  Impl::fence(exec, "Sporos::validate");
  return validate(plan);
}

/// The plan that par_loop uses for such a loop: found with the set, or made
/// now.
template <class Exec, class... Args>
LoopPlan<Exec> plan_of(const Exec& exec, const SetRange& set,
                       const LoopOptions& options, const Args&... args) {
  return LoopPlan<Exec>(Impl::lowered_plan<true>(exec, set, options, args...));
}
/// The plan that par_loop uses for such a loop over a subset.
template <class Exec, class M, class... Args>
LoopPlan<Exec> plan_of(const Exec& exec, const Subset<M>& subset,
                       const LoopOptions& options, const Args&... args) {
  return LoopPlan<Exec>(
      Impl::lowered_plan<true>(exec, subset, options, args...));
}

}  // namespace Sporos

#endif
