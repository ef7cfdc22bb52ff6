// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANREVERSE_HPP
#define SPOROS_PLANREVERSE_HPP

/// \file Sporos_PlanReverse.hpp
/// From each target to the increments that it gets, for the gather strategy.

#include <mesh_loop/plan/Sporos_PlanBlocks.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// The arguments whose contributions are gathered with those of argument a,
/// element by element: where lists run (see PlanInfo), those of one dat, which
/// follow the first one; else it alone.
inline std::vector<std::size_t> gathered_with(const PlanInfo& plan,
                                              std::size_t a) {
  if (!plan.has_lists()) return {a};
  std::vector<std::size_t> all;
  if (plan.keys[a].dat == int(a))
    for (std::size_t b = a; b < plan.keys.size(); ++b)
      if (plan.keys[b].increments() && plan.keys[b].dat == int(a))
        all.push_back(b);
  return all;
}

/// Targets of an element through an argument.
inline int slots_of(const PlanInfo& plan, std::size_t a) {
  return plan.keys[a].index < 0 ? plan.maps[std::size_t(plan.arg_map[a])].arity
                                : 1;
}

/// Counting sort of the targets of some arguments by their number. The slots of
/// an element are those of the first argument, then of the second, ...
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
  const auto offsets = host_array<int>("Sporos::LoopPlan::reverse_offsets",
                                       std::size_t(n_targets) + 1);
  int* const to      = offsets.data();
  std::fill(to, to + std::size_t(n_targets) + 1, 0);
  const auto targets_of = [&](int e, const auto& f) {
    int slot = e * slots;
    for (const auto& t : tables)
      for (int s = 0; s < t.arity; ++s, ++slot)
        if (const int target = t.data[e * t.item_stride + s * t.slot_stride];
            target >= 0)  // else it names nothing
          f(target, slot);
  };
  for (int e = 0; e < n; ++e)
    targets_of(e, [&](int target, int) { ++to[target + 1]; });
  const int longest = *std::max_element(to, to + n_targets + 1);
  for (int t = 0; t < n_targets; ++t) to[t + 1] += to[t];
  const auto entries = host_array<int>("Sporos::LoopPlan::reverse_entries",
                                       std::size_t(to[n_targets]));
  std::vector<int> next(to, to + n_targets);
  for (int k = 0; k < n; ++k)
    targets_of(
        plan.global_order.empty() ? k : plan.global_order[std::size_t(k)],
        [&](int target, int slot) { entries(next[target]++) = slot; });
  return {to_memory<Memory>(exec, "Sporos::LoopPlan::reverse_offsets", offsets),
          to_memory<Memory>(exec, "Sporos::LoopPlan::reverse_entries", entries),
          longest};
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
