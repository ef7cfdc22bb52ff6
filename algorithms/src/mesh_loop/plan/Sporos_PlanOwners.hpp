// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANOWNERS_HPP
#define SPOROS_PLANOWNERS_HPP

/// \file Sporos_PlanOwners.hpp
/// Blocks of targets, and the elements that reach each (see
/// Sporos_LoopOwners.hpp).

#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Blocks for each thread: enough that threads end together, few borders.
constexpr int owner_blocks_of_thread = 8;
constexpr int least_owner_block      = 512;  ///< targets
/// At least one less than the lanes of any pack.
constexpr int owner_padding = 64;

/// May loops with this plan run elements more than once?
inline bool may_have_owners(const PlanInfo& plan) {
  if (!plan.requested.any_ranks || plan.threads == 0 || !plan.conflicts)
    return false;
  return std::all_of(plan.keys.begin(), plan.keys.end(), [](const ArgKey& key) {
    return !key.reduces && (key.access == Access::read || key.increments());
  });
}

/// Columns of maps through which a loop increments, and the targets of each
/// block: block b has `size * b / blocks`, ...
struct OwnedColumns {
  TargetTable<int> table;
  int slots, size;
  /// The block of a target: b with first_owned(b) <= t < first_owned(b + 1).
  int block(int t, int blocks) const {
    int b = int((std::int64_t(t) * blocks) / size);
    while (first_owned(size, b + 1, blocks) <= t) ++b;
    return b;
  }
};

[[gnu::noinline]] inline void make_owner_blocks(PlanInfo& plan) {
  std::vector<OwnedColumns> columns;
  int largest = 0;
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    const ArgKey& key = plan.keys[a];
    if (!key.increments()) continue;
    plan.owners_meet   = plan.owners_meet || key.dat != int(a);
    const HostMap& map = plan.maps[std::size_t(plan.arg_map[a])];
    columns.push_back(
        {map.table(key.index), key.index < 0 ? map.arity : 1, map.target_size});
    largest = std::max(largest, map.target_size);
  }
  const int blocks = std::max(1, std::min(owner_blocks_of_thread * plan.threads,
                                          largest / least_owner_block));
  std::vector<std::vector<int>> elements{std::size_t(blocks)};
  for (int k = 0; k < plan.n; ++k) {
    const int e =
        plan.global_order.empty() ? k : plan.global_order[std::size_t(k)];
    for (const OwnedColumns& c : columns)
      for (int s = 0; s < c.slots; ++s) {
        const int t =
            c.table.data[e * c.table.item_stride + s * c.table.slot_stride];
        auto& mine = elements[std::size_t(c.block(t, blocks))];
        if (mine.empty() || mine.back() != plan.first + e)
          mine.push_back(plan.first + e);
      }
  }
  std::size_t entries = 0;
  for (const auto& mine : elements) entries += mine.size() + owner_padding;
  check(entries <= std::size_t(std::numeric_limits<int>::max()),
        "Sporos::par_loop", plan.set_name.c_str(),
        "fewer than 2^31 elements in blocks of targets", entries);
  plan.owner_list.reserve(entries);
  for (const auto& mine : elements) {
    plan.owner_blocks.push_back(
        {int(plan.owner_list.size()), int(mine.size())});
    plan.owner_list.insert(plan.owner_list.end(), mine.begin(), mine.end());
    if (!mine.empty())
      plan.owner_list.insert(plan.owner_list.end(), owner_padding, mine.back());
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
