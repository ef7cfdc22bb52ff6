// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANOWNERS_HPP
#define SPOROS_PLANOWNERS_HPP

/// \file Sporos_PlanOwners.hpp
/// Blocks of targets, and the elements that reach each (see
/// Sporos_LoopAlike.hpp). Blocks for threads of hosts are made here, those for
/// teams of devices in Sporos_PlanOwnerTeams.hpp.

#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanGroups.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <map>
#include <vector>

namespace Sporos {
namespace Impl {

/// May loops with this plan run elements more than once? Not if an element
/// would see what it changed before. An element that reaches no target would
/// have no block.
inline bool may_have_owners(const PlanInfo& plan) {
  return plan.requested.strategy != LoopStrategy::gather &&
         std::none_of(
             plan.keys.begin(), plan.keys.end(), [](const ArgKey& key) {
               return key.sees_changes() || (key.partial && key.increments());
             });
}

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

/// Columns of maps through which a loop increments, and the targets of each
/// block: block b has `size * b / blocks`, ..., or those that name it in
/// `owner`.
struct OwnedColumns {
  TargetTable<int> table;
  int slots, size;
  int dat;              ///< the first argument that increments the same dat
  const SetState* set;  ///< of the targets
  std::int64_t first;   ///< of its targets, among those of all sets
  int bytes;            ///< of an increment
  const int* owner;     ///< block of each target of all sets, or null
  int target(int e, int s) const {
    return table.data[e * table.item_stride + s * table.slot_stride];
  }
  /// The block of a target: b with first_owned(b) <= t < first_owned(b + 1).
  int block(int t, int blocks) const {
    if (owner != nullptr) return owner[first + t];
    int b = int((std::int64_t(t) * blocks) / size);
    while (first_owned(size, b + 1, blocks) <= t) ++b;
    return b;
  }
};

/// f(column, target) for all increments of an element.
template <class F>
void for_each_target(const std::vector<OwnedColumns>& columns, int e,
                     const F& f) {
  for (const OwnedColumns& c : columns)
    for (int s = 0; s < c.slots; ++s) f(c, c.target(e, s));
}

/// Do most elements follow one that is near in memory? Not so in the global
/// order of a set that was reordered on its rank.
inline bool order_is_local(const std::vector<int>& order) {
  std::size_t jumps = 0;
  for (std::size_t k = 1; k < order.size(); ++k)
    jumps += std::abs(order[k] - order[k - 1]) > near_elements ? 1 : 0;
  return 2 * jumps <= order.size();
}

/// For each element in an order and each of its targets the last element before
/// it that increments the target; -1: none.
inline std::vector<int> find_previous(const std::vector<OwnedColumns>& columns,
                                      const std::vector<int>& order,
                                      std::size_t slots) {
  std::vector<int> previous(order.size() * slots, -1);
  std::map<int, std::vector<int>> last;  // of a dat: element of each target
  for (const OwnedColumns& c : columns)
    last[c.dat].resize(std::size_t(c.size), -1);
  for (const int e : order) {
    std::size_t at = std::size_t(e) * slots;
    for_each_target(columns, e, [&](const OwnedColumns& c, int t) {
      int& before = last[c.dat][std::size_t(t)];
      if (before != e) previous[at] = before;
      before = e;
      ++at;
    });
  }
  return previous;
}

/// The elements by their numbers, but each after those that come before it in
/// the order and increment one of its targets, so that each target gets its
/// increments in the same order.
inline std::vector<int> near_order(const std::vector<OwnedColumns>& columns,
                                   const std::vector<int>& order) {
  std::size_t slots = 0;
  for (const OwnedColumns& c : columns) slots += std::size_t(c.slots);
  const std::vector<int> previous = find_previous(columns, order, slots);
  std::vector<char> done(order.size(), 0);
  std::vector<int> near, waiting;
  near.reserve(order.size());
  for (int first = 0; first < int(order.size()); ++first) {
    waiting.push_back(first);
    while (!waiting.empty()) {
      const auto e     = std::size_t(waiting.back());
      const auto begin = previous.begin() + std::ptrdiff_t(e * slots);
      const auto end   = begin + std::ptrdiff_t(slots);
      const auto open  = std::find_if(
           begin, end, [&](int p) { return p >= 0 && !done[std::size_t(p)]; });
      if (!done[e] && open != end) {
        waiting.push_back(*open);
        continue;
      }
      if (!done[e]) near.push_back(int(e));
      done[e] = 1;
      waiting.pop_back();
    }
  }
  return near;
}

/// Entries behind each list: for packs of hosts.
inline int list_padding(const PlanInfo& plan) {
  return plan.threads > 0 ? owner_padding : 0;
}

/// The list of a plan from those of its blocks.
template <class Memory>
[[gnu::noinline]] void set_owner_list(PlanData<Memory>& plan,
                                      const Groups& lists) {
  const auto padding        = std::size_t(list_padding(plan));
  const std::size_t blocks  = lists.offsets.extent(0) - 1;
  const std::size_t entries = lists.values.extent(0) + blocks * padding;
  check(entries <= std::size_t(std::numeric_limits<int>::max()),
        "Sporos::par_loop", plan.set_name.c_str(),
        "fewer than 2^31 elements in lists of blocks of targets", entries);
  plan.owner_list.reserve(entries);
  for (std::size_t b = 0; b < blocks; ++b) {
    const int* const begin = lists.values.data() + lists.offsets(b);
    const int* const end   = lists.values.data() + lists.offsets(b + 1);
    plan.owner_blocks.push_back(
        {int(plan.owner_list.size()), int(end - begin)});
    plan.owner_list.insert(plan.owner_list.end(), begin, end);
    if (begin != end)
      plan.owner_list.insert(plan.owner_list.end(), padding, end[-1]);
  }
  if (plan.threads > 0) return;
  plan.owner_offsets = to_memory<Memory>(
      plan.instance, "Sporos::LoopPlan::owners", lists.offsets);
  plan.owner_elements = to_memory<Memory>(
      plan.instance, "Sporos::LoopPlan::owners", lists.values);
}

/// The columns through which a loop increments.
inline std::vector<OwnedColumns> owned_columns(const PlanInfo& plan) {
  std::vector<OwnedColumns> columns;
  std::int64_t targets = 0;
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    const ArgKey& key = plan.keys[a];
    if (!key.increments()) continue;
    const HostMap& map = plan.maps[std::size_t(plan.arg_map[a])];
    const auto same    = std::find_if(
           columns.begin(), columns.end(),
           [&](const OwnedColumns& c) { return c.set == map.target; });
    const std::int64_t first = same != columns.end() ? same->first : targets;
    if (same == columns.end()) targets += map.target_size;
    columns.push_back({map.table(key.index), key.index < 0 ? map.arity : 1,
                       map.target_size, key.dat, map.target, first,
                       key.components * key.value_bytes,
                       plan.owner_of.empty() ? nullptr : plan.owner_of.data()});
  }
  return columns;
}

/// The lists of blocks of targets. Makes none and returns false if elements
/// would run more than `most_runs` times over all.
template <class Memory>
[[gnu::noinline]] bool list_owners(PlanData<Memory>& plan,
                                   const std::vector<OwnedColumns>& columns,
                                   int blocks, std::int64_t most_runs) {
  const std::vector<int>& order = plan.global_order;
  const std::vector<int> near =
      order_is_local(order) ? order : near_order(columns, order);
  const Groups lists = group_values(
      "Sporos::LoopPlan::owners", plan.n, blocks, true,
      [&](int k, const auto& f) {
        const int e = near.empty() ? k : near[std::size_t(k)];
        for_each_target(columns, e, [&](const OwnedColumns& c, int t) {
          f(c.block(t, blocks), plan.first + e);
        });
      },
      std::min<std::int64_t>(most_runs, std::numeric_limits<int>::max()));
  if (lists.offsets.data() == nullptr) {
    plan.why = "too many elements would run more than once";
    return false;
  }
  for (std::size_t a = 0; a < plan.keys.size(); ++a)
    plan.owners_meet = plan.owners_meet || (plan.keys[a].increments() &&
                                            plan.keys[a].dat != int(a));
  set_owner_list(plan, lists);
  return true;
}

/// Blocks of consecutive targets, one for one thread. Makes none and returns
/// false if too many elements would run more than once.
template <class Memory>
[[gnu::noinline]] bool make_owner_blocks(PlanData<Memory>& plan) {
  const std::vector<OwnedColumns> columns = owned_columns(plan);
  int largest                             = 0;
  for (const OwnedColumns& c : columns) largest = std::max(largest, c.size);
  const int blocks =
      plan.threads == 1
          ? 1
          : std::max(1, std::min(owner_blocks_of_thread * plan.threads,
                                 largest / least_owner_block));
  return list_owners(plan, columns, blocks,
                     owner_runs_of_ten * std::int64_t(plan.n) / 10);
}

/// Blocks of elements, each of which runs once. Contributions are kept.
template <class Memory>
[[gnu::noinline]] void make_kept_blocks(PlanData<Memory>& plan) {
  const int size = std::max(plan.block_size, least_kept_block);
  set_owner_list(
      plan, group_values(
                "Sporos::LoopPlan::kept", plan.n, ceil_div(plan.n, size), false,
                [&](int k, const auto& f) { f(k / size, plan.first + k); }));
  plan.keeps = true;
}

}  // namespace Impl
}  // namespace Sporos

#endif
