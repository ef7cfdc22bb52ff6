// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANCACHE_HPP
#define SPOROS_PLANCACHE_HPP

/// \file Sporos_PlanCache.hpp
/// Plans of loops are kept with their set: one for each combination of range,
/// maps, accesses and options, the latest most_cached_plans ones.

#include <mesh_loop/Sporos_LoopChecks.hpp>
#include <mesh_loop/Sporos_PlanBuild.hpp>
#include <mesh_loop/Sporos_PlanData.hpp>
#include <mesh_loop/Sporos_PlanDebug.hpp>

#include <algorithm>
#include <memory>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Of the loops over a set, or over a subset, those that ran last keep their
/// plans: programs have some dozens of loops, but may try options or ranges.
constexpr std::size_t most_cached_plans = 64;

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

/// The plan of such a loop: found with the set, or made now; remade if a map
/// changed. Plans whose maps are gone are dropped when one is made, and the one
/// not used for longest where there are too many.
template <class Exec, class Range, class Keys, class... Args>
std::shared_ptr<LoopPlanState<Exec>> find_plan(const Exec& exec,
                                               const Range& range,
                                               const LoopOptions& options,
                                               const Keys& keys,
                                               const Args&... args) {
  SetState& set  = plans_of(range);
  auto& plans    = set.plans;
  const auto now = ++set.clock;
  for (const auto& cached : plans) {
    auto plan = std::dynamic_pointer_cast<LoopPlanState<Exec>>(cached);
    if (plan && plan->data.requested == options &&
        same_loop(plan->data, range, keys)) {
      if (!same_versions(plan->data, keys))
        fill_plan(exec, *plan, range, options, keys, args...);
      plan->last_use = now;
      return plan;
    }
  }
  plans.erase(
      std::remove_if(plans.begin(), plans.end(),
                     [](const auto& cached) {
                       const auto* plan =
                           dynamic_cast<LoopPlanState<Exec>*>(cached.get());
                       return plan && has_dead_maps(plan->data);
                     }),
      plans.end());
  auto plan = std::make_shared<LoopPlanState<Exec>>();
  fill_plan(exec, *plan, range, options, keys, args...);
  if (plans.size() >= most_cached_plans) {
    if constexpr (!is_synchronous_space_v<Exec>) Kokkos::fence();
    plans.erase(std::min_element(plans.begin(), plans.end(),
                                 [](const auto& a, const auto& b) {
                                   return a->last_use < b->last_use;
                                 }));
  }
  plan->last_use = now;
  plans.push_back(plan);
  return plan;
}

}  // namespace Impl
}  // namespace Sporos

#endif
