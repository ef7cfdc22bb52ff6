// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANCACHE_HPP
#define SPOROS_PLANCACHE_HPP

/// \file Sporos_PlanCache.hpp
/// Plans of loops are kept with their set: one for each combination of range,
/// maps, accesses and options; those that are not used any more are dropped.

#include <mesh_loop/plan/Sporos_LoopChecks.hpp>
#include <mesh_loop/plan/Sporos_PlanBuild.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanDebug.hpp>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Where a set, or a subset, has that many plans, those that none of its last
/// idle_loops loops used are dropped: programs have some dozens of loops, or
/// some hundred ranges in turn, but may try options or ranges for ever.
constexpr std::size_t many_plans   = 64;
constexpr std::uint64_t idle_loops = 1024;

template <class Exec, class Range, class Memory, class Arg>
void add_map(const Exec&, const Range&, const Arg&, PlanData<Memory>& plan,
             std::vector<const MapState*>&) {
  plan.arg_map.push_back(-1);
}
template <class Exec, class Range, class Memory, class D, int Arity, class M,
          Access A, Reach R>
void add_map(const Exec& exec, const Range& range,
             const DatArg<D, Map<Arity, M>, A, R>& arg, PlanData<Memory>& plan,
             std::vector<const MapState*>& known) {
  const MapState* const state = arg.map.state().get();
  const auto found            = std::find(known.begin(), known.end(), state);
  plan.arg_map.push_back(int(found - known.begin()));
  if (found != known.end()) return;
  known.push_back(state);
  plan.alive.push_back(arg.map.state());
  plan.maps.push_back(rows_of(exec, range, arg.map.view(), *state, plan));
}

/// Makes or remakes a plan.
template <class Exec, class Range, class Keys, class... Args>
void fill_plan(const Exec& exec, LoopPlanState<Exec>& plan, const Range& range,
               const LoopOptions& options, const Keys& keys,
               const Args&... args) {
  using Data = PlanData<typename Exec::memory_space>;
  Data data;
  data.set_name      = name_of(range);
  data.list          = list_of(range);
  data.first         = is_subset_v<Range> ? 0 : range.begin();
  data.n             = range.size();
  data.requested     = options;
  data.scratch_limit = scratch_limit(exec);
  data.keys.assign(keys.begin(), keys.end());
  std::vector<const MapState*> known;
  int number = 0;
  (data.arg_names.push_back(argument_name(number++, args)), ...);
  (add_map(exec, range, args, data, known), ...);
  {
    const Inspection inspection(data.maps);
    build_plan<is_host_space_v<Exec>>(data);
    check_new_plan(data);
  }
  // kernels of other instances may still read the plan that is replaced
  if (!plan.data.keys.empty()) fence_all("Sporos::par_loop::replace_plan");
  plan.data = std::move(data);
}

template <class Memory, class Range>
bool same_range(const PlanData<Memory>& plan, const Range& range) {
  return plan.first == (is_subset_v<Range> ? 0 : range.begin()) &&
         plan.n == range.size() && plan.list.device == list_of(range).device;
}

template <class Memory, class Range, class Keys>
bool same_loop(const PlanData<Memory>& plan, const Range& range,
               const Keys& keys) {
  if (!same_range(plan, range) || plan.keys.size() != keys.size()) return false;
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (!plan.keys[i].same_but_version(keys[i])) return false;
  return true;
}

template <class Memory, class Keys>
bool same_versions(const PlanData<Memory>& plan, const Keys& keys) {
  for (std::size_t i = 0; i < keys.size(); ++i)
    if (plan.keys[i].version != keys[i].version) return false;
  return true;
}

template <class Memory>
bool has_dead_maps(const PlanData<Memory>& plan) {
  return std::any_of(plan.alive.begin(), plan.alive.end(),
                     [](const auto& map) { return map.expired(); });
}

/// Drops the plans of Exec whose maps are gone and, where there are many, all
/// that were not used for long. Kernels may still read them: waits.
template <class Exec>
void drop_plans(SetState& set, std::uint64_t now) {
  auto& plans     = set.plans;
  const bool many = plans.size() >= many_plans;
  const auto drop = [&](const auto& cached) {
    const auto* plan = dynamic_cast<LoopPlanState<Exec>*>(cached.get());
    return (plan && has_dead_maps(plan->data)) ||
           (many && now - cached->last_use > idle_loops);
  };
  if (std::none_of(plans.begin(), plans.end(), drop)) return;
  fence_all("Sporos::par_loop::drop_plans");
  plans.erase(std::remove_if(plans.begin(), plans.end(), drop), plans.end());
}

/// The plan of such a loop: found with the set, or made now; remade if a map
/// changed. When one is made, those of no use any more are dropped.
template <class Exec, class Range, class Keys, class... Args>
std::shared_ptr<LoopPlanState<Exec>> find_plan(const Exec& exec,
                                               const Range& range,
                                               const LoopOptions& options,
                                               const Keys& keys,
                                               const Args&... args) {
  SetState& set  = plans_of(range);
  const auto now = ++set.clock;
  for (const auto& cached : set.plans) {
    auto* const plan = dynamic_cast<LoopPlanState<Exec>*>(cached.get());
    if (plan && same_loop(plan->data, range, keys) &&
        plan->data.requested == options) {
      if (!same_versions(plan->data, keys))
        fill_plan(exec, *plan, range, options, keys, args...);
      plan->last_use = now;
      return std::static_pointer_cast<LoopPlanState<Exec>>(cached);
    }
  }
  drop_plans<Exec>(set, now);
  auto plan = std::make_shared<LoopPlanState<Exec>>();
  fill_plan(exec, *plan, range, options, keys, args...);
  plan->last_use = now;
  set.plans.push_back(plan);
  return plan;
}

}  // namespace Impl
}  // namespace Sporos

#endif
