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

/// Counting sort of the entries of `columns` columns of a map by their target.
/// order: the elements in the order in which targets add them; empty: as they
/// are
template <class Memory, class Exec>
[[gnu::noinline]] ReverseMap<Memory> reverse_map(
    const Exec& exec, const HostMap& map, int index,
    const std::vector<int>& order) {
  const int n = map.n, slots = index >= 0 ? 1 : map.arity;
  check(std::int64_t(n) * slots <= std::numeric_limits<int>::max(),
        "Sporos::par_loop", map.name.c_str(),
        "fewer than 2^31 entries for the gather strategy",
        std::int64_t(n) * slots);
  const auto offsets = host_array<int>("Sporos::LoopPlan::reverse_offsets",
                                       std::size_t(map.target_size) + 1);
  const auto entries = host_array<int>("Sporos::LoopPlan::reverse_entries",
                                       std::size_t(n) * slots);
  const TargetTable<int> table = map.table(index);
  const std::ptrdiff_t s0 = table.item_stride, s1 = table.slot_stride;
  const int* const data = table.data;
  int* const to         = offsets.data();
  std::fill(to, to + std::size_t(map.target_size) + 1, 0);
  for (int e = 0; e < n; ++e)
    for (int s = 0; s < slots; ++s) ++to[data[e * s0 + s * s1] + 1];
  const int longest = *std::max_element(to, to + map.target_size + 1);
  for (int t = 0; t < map.target_size; ++t) to[t + 1] += to[t];
  std::vector<int> next(to, to + map.target_size);
  for (int k = 0; k < n; ++k) {
    const int e = order.empty() ? k : order[std::size_t(k)];
    for (int s = 0; s < slots; ++s)
      entries(next[data[e * s0 + s * s1]]++) = e * slots + s;
  }
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
    for (std::size_t b = 0; b < a; ++b)  // share those that are the same
      if (plan.keys[b].increments() && plan.keys[b].map == key.map &&
          plan.keys[b].index == key.index)
        plan.reverse[a] = plan.reverse[b];
    if (plan.reverse[a].offsets.data() == nullptr)
      plan.reverse[a] =
          reverse_map<Memory>(plan.instance, plan.maps[plan.arg_map[a]],
                              key.index, plan.global_order);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
