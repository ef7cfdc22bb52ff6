// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANREVERSE_HPP
#define SPOROS_PLANREVERSE_HPP

/// \file Sporos_PlanReverse.hpp
/// From each target to the increments that it gets, for the gather strategy.

#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanGroups.hpp>
#include <mesh_loop/plan/Sporos_PlanOwners.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// The increments of each target through some arguments. The slots of an
/// element are those of the first argument, then of the second, ...
template <class Memory, class Exec>
[[gnu::noinline]] ReverseMap<Memory> reverse_map(
    const Exec& exec, const PlanInfo& plan,
    const std::vector<std::size_t>& arguments) {
  const auto map_of = [&](std::size_t a) -> const HostMap& {
    return plan.maps[std::size_t(plan.arg_map[a])];
  };
  const int n = plan.n, n_targets = map_of(arguments.front()).target_size;
  std::vector<TargetTable<int>> tables;
  for (const std::size_t a : arguments)
    tables.push_back(map_of(a).table(plan.keys[a].index));
  int slots = 0;
  for (const auto& table : tables) slots += table.arity;
  check(std::int64_t(n) * slots <= std::numeric_limits<int>::max(),
        "Sporos::par_loop", map_of(arguments.front()).name.c_str(),
        "fewer than 2^31 entries for the gather strategy (without "
        "any_ranks, options.strategy can name another one)",
        std::int64_t(n) * slots);
  constexpr const char* label   = "Sporos::LoopPlan::reverse";
  const std::vector<int>& order = plan.global_order;
  const auto visit              = [&](int k, const auto& f) {
    const int e = order.empty() ? k : order[std::size_t(k)];
    int slot    = e * slots;
    for (const auto& t : tables)
      for (int s = 0; s < t.arity; ++s, ++slot)
        if (const int target = t.data[e * t.item_stride + s * t.slot_stride];
            target >= 0)  // else it names nothing
          f(target, slot);
  };
  const Groups groups = group_values(label, n, n_targets, false, visit);
  int longest         = 0;
  for (int t = 0; t < n_targets; ++t)
    longest = std::max(longest, groups.offsets(t + 1) - groups.offsets(t));
  return {to_memory<Memory>(exec, label, groups.offsets),
          to_memory<Memory>(exec, label, groups.values), longest};
}

template <class Memory>
void make_reverse_maps(PlanData<Memory>& plan) {
  plan.reverse.assign(plan.keys.size(), {});
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    const ArgKey& key = plan.keys[a];
    if (!key.increments()) continue;
    const auto together = gathered_with(plan, a);
    if (together.empty()) continue;
    for (std::size_t b = 0; b < a; ++b)  // share those that are the same
      if (!plan.has_lists() && plan.keys[b].increments() &&
          plan.keys[b].map == key.map && plan.keys[b].index == key.index)
        plan.reverse[a] = plan.reverse[b];
    if (plan.reverse[a].offsets.data() == nullptr)
      plan.reverse[a] = reverse_map<Memory>(plan.instance, plan, together);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
