// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANSTAGING_HPP
#define SPOROS_PLANSTAGING_HPP

/// \file Sporos_PlanStaging.hpp
/// What the blocks of a plan keep in scratch: the sorted unique targets of each
/// (dat, map) and local numbers for the entries of the maps.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/plan/Sporos_BlockNumbering.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanBlocks.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_ScratchWords.hpp>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

namespace Sporos {
namespace Impl {

using HostLocals = Kokkos::View<std::uint16_t*, Kokkos::HostSpace>;

/// Bytes of scratch of one (dat, map) with `size` targets.
inline std::size_t staged_bytes(std::size_t size, const ArgKey& key) {
  return (size * key.components * key.value_bytes + 7) / 8 * 8 +
         placing_bytes(key.value_alignment);
}

template <class Memory>
bool is_staged(const PlanData<Memory>& plan, const ArgKey& key) {
  return key.map != nullptr && !key.partial && !key.dynamic &&
         (plan.staging == Staging::all
              ? key.stageable()
              : plan.staging == Staging::increments && key.increments());
}

/// The columns of its map that a (dat, map) uses, a bit each.
template <class Memory>
std::uint32_t staged_columns(const PlanData<Memory>& plan, int pair) {
  std::uint32_t columns = 0;
  for (std::size_t a = 0; a < plan.keys.size(); ++a)
    if (plan.keys[a].pair == pair && is_staged(plan, plan.keys[a])) {
      const int arity = plan.maps[plan.arg_map[a]].arity;
      const int index = plan.keys[a].index;
      columns |= index >= 0
                     ? std::uint32_t(1) << index
                     : ~std::uint32_t(0) >> (most_staged_columns - arity);
    }
  return columns;
}

/// Numbers the targets of each block; they go to a place with room for all
/// entries first.
struct NumberBlocks {
  BlockNumbering numbering;
  HostInts unique, sizes;
  HostLocals loc_map;
  const int* begins;
  int n;

  void operator()(int b) const {
    const int begin = begins[b];
    const int count = begins[b + 1] - begin;
    const int slots = numbering.slots;
    BlockLocals locals;
    numbering.number(begin, count, locals);
    sizes(b) = int(locals.unique.size());
    std::copy(locals.unique.begin(), locals.unique.end(),
              unique.data() + std::size_t(begin) * slots);
    for (int s = 0; s < slots; ++s)
      for (int e = 0; e < count; ++e)
        loc_map(std::size_t(s) * n + begin + e) =
            std::uint16_t(locals.local[std::size_t(e) * slots + s]);
  }
};

/// Copies the distinct targets of each block to their place behind those of the
/// blocks before.
struct PackTargets {
  HostInts unique, sizes, offsets, packed;
  const int* begins;
  int slots;

  void operator()(int b) const {
    const int* const from = unique.data() + std::size_t(begins[b]) * slots;
    std::copy(from, from + sizes(b), packed.data() + offsets(b));
  }
};

/// A group's data from the columns of its map.
template <class Memory>
void number_group(const PlanData<Memory>& plan, StagingGroup<Memory>& group) {
  const PlanExec host{};
  const HostMap& map = plan.maps[group.map];
  BlockNumbering numbering;
  for (int c = 0; c < map.arity; ++c)
    if ((group.columns >> c) & 1) numbering.tables.push_back(map.table(c));
  numbering.slots   = int(numbering.tables.size());
  group.n_columns   = numbering.slots;
  const auto all    = std::size_t(plan.n) * numbering.slots;
  const auto unique = host_array<int>("Sporos::LoopPlan::unique", all);
  const auto sizes =
      host_array<int>("Sporos::LoopPlan::ind_sizes", plan.nblocks);
  const auto offs = host_array<int>("Sporos::LoopPlan::ind_offs", plan.nblocks);
  const auto locals = make_view<HostLocals>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing,
                         std::string("Sporos::LoopPlan::loc_map")),
      all);
  for_each_index("Sporos::LoopPlan::number_blocks",
                 PlanRange(host, 0, plan.nblocks),
                 NumberBlocks{numbering, unique, sizes, locals,
                              plan.begins.data(), plan.n});
  fence(host, "Sporos::LoopPlan::number_blocks");
  std::int64_t total = 0;
  for (int b = 0; b < plan.nblocks; ++b) {
    offs(b) = int(total);
    total += sizes(b);
  }
  check(total <= std::numeric_limits<int>::max(), "Sporos::par_loop",
        plan.maps[group.map].name.c_str(),
        "fewer than 2^31 staged targets of all blocks together", total);
  group.nindirect   = int(total);
  const auto packed = host_array<int>("Sporos::LoopPlan::ind_map", total);
  for_each_index("Sporos::LoopPlan::pack_targets",
                 PlanRange(host, 0, plan.nblocks),
                 PackTargets{unique, sizes, offs, packed, plan.begins.data(),
                             numbering.slots});
  fence(host, "Sporos::LoopPlan::pack_targets");
  group.ind_map =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::ind_map", packed);
  group.ind_sizes =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::ind_sizes", sizes);
  group.ind_offs =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::ind_offs", offs);
  group.loc_map =
      to_memory<Memory>(plan.instance, "Sporos::LoopPlan::loc_map", locals);
}

/// Bytes of scratch, block by block.
template <class Memory>
std::vector<std::size_t> scratch_of_blocks(const PlanData<Memory>& plan) {
  std::vector<std::size_t> bytes(plan.nblocks, 0);
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    if (plan.arg_group[a] < 0 || plan.keys[a].pair != int(a)) continue;
    const auto sizes = on_host(plan.groups[plan.arg_group[a]].ind_sizes);
    for (int b = 0; b < plan.nblocks; ++b)
      bytes[b] += staged_bytes(sizes(b), plan.keys[a]);
  }
  return bytes;
}

/// Fills in groups, arg_group and the bytes of scratch.
template <class Memory>
void stage_blocks(PlanData<Memory>& plan) {
  plan.groups.clear();
  plan.arg_group.assign(plan.keys.size(), -1);
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    if (!is_staged(plan, plan.keys[a])) continue;
    const std::uint32_t columns = staged_columns(plan, plan.keys[a].pair);
    const int map               = plan.arg_map[a];
    const auto known            = std::find_if(
                   plan.groups.begin(), plan.groups.end(),
                   [&](const auto& g) { return g.map == map && g.columns == columns; });
    plan.arg_group[a] = int(known - plan.groups.begin());
    if (known != plan.groups.end()) continue;
    StagingGroup<Memory> group;
    group.map     = map;
    group.columns = columns;
    number_group(plan, group);
    plan.groups.push_back(group);
  }
  const auto bytes  = scratch_of_blocks(plan);
  const auto blkmap = on_host(plan.blkmap);
  plan.nshared      = 0;
  plan.nshared_color.clear();
  int k = 0;
  for (const int count : plan.ncolblk) {
    std::size_t most = 0;
    for (int end = k + count; k < end; ++k)
      most = std::max(most, bytes[blkmap(k)]);
    plan.nshared_color.push_back(most);
    plan.nshared = std::max(plan.nshared, most);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
