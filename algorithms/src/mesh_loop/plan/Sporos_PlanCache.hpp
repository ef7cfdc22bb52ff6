// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANCACHE_HPP
#define SPOROS_PLANCACHE_HPP

/// \file Sporos_PlanCache.hpp
/// Plans of loops are kept with their set: one for each combination of range,
/// maps, accesses, options and device; those that are not used any more are
/// dropped.

#include <mesh_loop/plan/Sporos_LoopChecks.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_LoopSubset.hpp>
#include <mesh_loop/plan/Sporos_PlanBuild.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanDebug.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <typeinfo>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Which plan a loop asks for.
struct PlanRequest {
  const RangeInfo& range;
  const LoopOptions& options;
  const ArgInfos& args;
};

/// Elements of a range sorted by their global numbers, or those of a list by
/// their numbers; empty if they have this order.
[[gnu::cold]] inline std::vector<int> global_order(const RangeInfo& range) {
  const SetParts* const parts = range.set->parts.get();
  const auto number           = [&](int k) {
    const int e =
        range.list.owner == nullptr ? range.first + k : range.list.host[k];
    return parts != nullptr ? parts->global[std::size_t(e)] : std::int64_t(e);
  };
  const auto before = [&](int a, int b) { return number(a) < number(b); };
  std::vector<int> order(std::size_t(range.size()));
  std::iota(order.begin(), order.end(), 0);
  if (std::is_sorted(order.begin(), order.end(), before)) return {};
  std::sort(order.begin(), order.end(), before);
  return order;
}

/// What a plan is made for. exec: the instance of the loop
[[gnu::cold]] inline void begin_plan(PlanInfo& plan, const PlanRequest& request,
                                     const void* exec) {
  const RangeInfo& range = request.range;
  plan.set               = range.plans;
  plan.set_name          = range.plans->name;
  plan.list              = range.list;
  plan.begin             = range.begin;
  plan.first             = range.first;
  plan.n                 = range.size();
  plan.requested         = request.options;
  if (request.options.any_ranks ||
      (range.set->parts != nullptr && gathers(request.options)))
    plan.global_order = global_order(range);
  const auto n   = std::size_t(request.args.n);
  plan.keys      = std::vector<ArgKey>(n);
  plan.arg_names = std::vector<std::string>(n);
  plan.arg_map   = std::vector<int>(n, -1);
  int maps       = 0;
  for (std::size_t a = 0; a < n; ++a) {
    const ArgInfo& arg = request.args[int(a)];
    plan.keys[a]       = arg.key;
    plan.exact_sums    = plan.exact_sums && arg.exact;
    plan.arg_names[a]  = argument_name(int(a), arg);
    if (!arg.through_map) continue;
    for (std::size_t b = 0; b < a; ++b)
      if (plan.keys[b].map == arg.key.map) plan.arg_map[a] = plan.arg_map[b];
    if (plan.arg_map[a] < 0) plan.arg_map[a] = maps++;
  }
  plan.maps = std::vector<HostMap>(std::size_t(maps));
  for (std::size_t a = 0; a < n; ++a) {
    const ArgInfo& arg = request.args[int(a)];
    if (!arg.through_map) continue;
    HostMap& map = plan.maps[std::size_t(plan.arg_map[a])];
    if (map.target != nullptr) continue;
    map = host_map(
        arg.copy_rows == nullptr
            ? arg.entries(arg.view)
            : arg.copy_rows(exec, arg.view, range.list.device, range.size()),
        *arg.map, range.first, range.size());
  }
}

/// Makes or remakes a plan.
template <Compiled What, class Exec>
[[gnu::cold]] void fill_plan(const Exec& exec, LoopPlanState<Exec>& plan,
                             const PlanRequest& request) {
  constexpr bool host = is_host_space_v<Exec>;
  auto data = std::make_unique<PlanData<typename Exec::memory_space>>();
  if constexpr (std::is_same_v<Exec, decltype(data->instance)>)
    data->instance = exec;
  begin_plan(*data, request, &exec);
  if constexpr (!host || What == Compiled::all)
    data->scratch_limit = scratch_limit(exec);
  if constexpr (host) data->threads = std::max(1, int(exec.concurrency()));
  {
    const Inspection inspection(data->maps);
    check_entries(data->maps);
    build_plan<What, host>(*data);
    check_new_plan(*data);
  }
  data->instance = {};  // a plan keeps no instance
  // kernels of other instances may still read the plan that is replaced
  if (plan.info != nullptr) fence_all("Sporos::par_loop::replace_plan");
  plan.set(std::move(data));
}

inline bool same_range(const PlanInfo& plan, const RangeInfo& range) {
  return plan.set == range.plans && plan.first == range.first &&
         plan.n == range.size() && plan.list.device == range.list.device;
}

inline bool same_loop(const PlanInfo& plan, const RangeInfo& range,
                      const ArgInfos& args) {
  if (!same_range(plan, range) || int(plan.keys.size()) != args.n) return false;
  for (int i = 0; i < args.n; ++i)
    if (!plan.keys[std::size_t(i)].same_but_version(args[i].key)) return false;
  return true;
}

inline bool same_versions(const PlanInfo& plan, const ArgInfos& args) {
  for (int i = 0; i < args.n; ++i)
    if (plan.keys[std::size_t(i)].version != args[i].key.version) return false;
  return true;
}

inline bool has_dead_maps(const PlanInfo& plan) {
  for (const HostMap& map : plan.maps)
    if (map.state.expired()) return true;
  return false;
}

/// Drops the plans of a space whose maps are gone and, where there are many,
/// all that were not used for long. Kernels may still read them: waits.
[[gnu::cold]] inline void drop_plans(SetState& set, const std::type_info& exec,
                                     std::uint64_t now) {
  auto& plans     = set.plans;
  const bool many = plans.size() >= many_plans;
  const auto drop = [&](const CachedPlan& cached) {
    const auto& plan = static_cast<const AnyLoopPlan&>(cached);
    return (plan.exec == exec && has_dead_maps(*plan.info)) ||
           (many && now - plan.last_use > idle_loops);
  };
  bool waited = false;
  for (std::size_t k = 0; k < plans.size();) {
    if (!drop(*plans[k])) {
      ++k;
      continue;
    }
    if (!waited) fence_all("Sporos::par_loop::drop_plans");
    waited = true;
    plans[k].swap(plans.back());
    plans.pop_back();
  }
}

/// The plan of such a loop that its set keeps, or null.
inline std::shared_ptr<CachedPlan> cached_plan(const std::type_info& exec,
                                               int device,
                                               const PlanRequest& request,
                                               std::uint64_t now) {
  for (const auto& cached : request.range.plans->plans) {
    const auto& plan = static_cast<const AnyLoopPlan&>(*cached);
    if (plan.exec == exec && plan.device == device &&
        same_loop(*plan.info, request.range, request.args) &&
        plan.info->requested == request.options) {
      cached->last_use = now;
      return cached;
    }
  }
  return nullptr;
}

/// The plan of such a loop: found with the set, or made now; remade if a map
/// changed. When one is made, those of no use any more are dropped.
template <Compiled What, class Exec>
std::shared_ptr<LoopPlanState<Exec>> find_plan(const Exec& exec,
                                               const PlanRequest& request) {
  using State    = LoopPlanState<Exec>;
  SetState& set  = *request.range.plans;
  const auto now = ++set.clock;
  auto plan      = std::static_pointer_cast<State>(
      cached_plan(typeid(Exec), device_of(exec), request, now));
  if (plan == nullptr) {
    drop_plans(set, typeid(Exec), now);
    plan = std::make_shared<State>(exec);
    fill_plan<What>(exec, *plan, request);
    plan->last_use = now;
    set.plans.push_back(plan);
  } else if (!same_versions(plan->data(), request.args)) {
    fill_plan<What>(exec, *plan, request);
  }
  return plan;
}

}  // namespace Impl
}  // namespace Sporos

#endif
