// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANBUILD_HPP
#define SPOROS_PLANBUILD_HPP

/// \file Sporos_PlanBuild.hpp
/// The inspector: chooses a strategy and makes what it needs.

#include <Sporos_Compiled.hpp>
#include <Sporos_Error.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanBlocks.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanOwnerTeams.hpp>
#include <mesh_loop/plan/Sporos_PlanOwners.hpp>
#include <mesh_loop/plan/Sporos_PlanReverse.hpp>
#include <mesh_loop/plan/Sporos_PlanStaging.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

namespace Sporos {
namespace Impl {

/// Elements of a block for one thread in a loop of n elements without
/// conflicts.
inline int direct_block_size(int n) {
  const int steps = ceil_div(n, direct_blocks * direct_block_step);
  return std::clamp(steps * direct_block_step, least_direct_block,
                    most_direct_block);
}

/// Bytes of scratch that a team may ask for; Kokkos' own are beside them.
template <class Exec>
std::size_t scratch_limit(const Exec& exec) {
  const Kokkos::TeamPolicy<Exec> policy(exec, 1, 1);
  return std::size_t(policy.scratch_size_max(0));
}

[[gnu::cold]] inline void check_plan_options(const PlanInfo& plan) {
  const LoopOptions& o = plan.requested;
  check(o.block_size >= 0, "Sporos::par_loop", "options.block_size",
        "a number of elements, or 0", o.block_size);
  check_enum("Sporos::par_loop", "options.strategy", o.strategy);
  check_enum("Sporos::par_loop", "options.staging", o.staging);
  check_any_ranks(o);
  if (o.blocks.empty()) return;
  check(o.block_size == 0, "Sporos::par_loop", "options.block_size",
        "0 together with options.blocks", o.block_size);
  const int last = plan.first + plan.n;
  check(o.blocks.front() == plan.first && o.blocks.back() == last,
        "Sporos::par_loop", "options.blocks",
        text("numbers from ", plan.first, " to ", last, ", the range"),
        text(o.blocks.front(), " to ", o.blocks.back()));
  for (std::size_t b = 1; b < o.blocks.size(); ++b)
    check(o.blocks[b - 1] < o.blocks[b], "Sporos::par_loop", "options.blocks",
          "ascending numbers",
          text(o.blocks[b - 1], " before ", o.blocks[b], " at entry ", b));
}

/// Elements of a block that options ask for, 0: none.
[[gnu::cold]] inline int wanted_block_size(const LoopOptions& o) {
  int most = 0;
  for (std::size_t b = 1; b < o.blocks.size(); ++b)
    most = std::max(most, o.blocks[b] - o.blocks[b - 1]);
  return most > 0 ? most : o.block_size;
}

/// Blocks and their colours, for plan.block_size. at_once: see color_blocks
template <class Memory>
[[gnu::cold]] void build_colored_blocks(PlanData<Memory>& plan, int at_once) {
  make_blocks(plan);
  color_blocks(plan, plan.nblocks > some_blocks ? at_once : 0);
}

/// Blocks, their colours and what teams need, for plan.block_size.
template <class Memory>
[[gnu::cold]] void build_team_blocks(PlanData<Memory>& plan, int at_once) {
  build_colored_blocks(plan, at_once);
  if (plan.nblkcol == 0) return;
  color_threads(plan);
  stage_blocks(plan);
}

/// A group has a bit for each index of its map.
template <class Memory>
[[gnu::cold]] void check_staged_maps(const PlanData<Memory>& plan) {
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    if (!is_staged(plan, plan.keys[a])) continue;
    const HostMap& map = plan.maps[plan.arg_map[a]];
    const auto arity   = std::size_t(map.arity);
    check(arity <= std::size_t(most_staged_columns), "Sporos::par_loop",
          "options.staging",
          text("none for a map of more than ", most_staged_columns, " indices"),
          name(plan.staging), " for ", map.name, ", which has ", arity);
  }
}

/// Mini-partitions that teams run.
template <bool OnHost, class Memory>
[[gnu::cold]] void build_teams(PlanData<Memory>& plan, int at_once) {
  const int wanted = wanted_block_size(plan.requested);
  plan.block_size  = wanted > 0 ? wanted : team_block_size;
  check(OnHost || plan.block_size <= most_team_block, "Sporos::par_loop",
        "options.block_size",
        text("at most ", most_team_block, " elements where teams run a block"),
        plan.block_size);
  build_team_blocks(plan, at_once);
  const std::size_t limit = plan.scratch_limit;
  if (plan.nshared <= limit) return;
  const std::size_t bytes = plan.nshared;
  while (wanted == 0 && plan.nshared > limit &&
         plan.block_size > least_team_block) {
    plan.block_size /= 2;
    build_team_blocks(plan, at_once);
  }
  if (plan.nshared <= limit) {
    plan.why += "; blocks of " + std::to_string(team_block_size) +
                " elements would need " + std::to_string(bytes) +
                " bytes of scratch";
    return;
  }
  throw_invalid("Sporos::par_loop", "options",
                text("a block_size whose staged data fit into ", limit,
                     " bytes of scratch"),
                "block_size ", plan.block_size, " with up to ", plan.nshared,
                " bytes in a block");
}

/// at_once: see color_blocks
template <Compiled What, bool OnHost, class Memory>
[[gnu::cold]] void build_hierarchical(PlanData<Memory>& plan, int at_once) {
  if constexpr (!OnHost || What == Compiled::all) {
    check_staged_maps(plan);
    if (!OnHost || plan.staging != Staging::none)
      return build_teams<OnHost>(plan, at_once);
  }
  const int wanted = wanted_block_size(plan.requested);
  plan.block_size  = wanted > 0 ? wanted : host_block_size;
  build_colored_blocks(plan, at_once);
}

/// Do options ask for mini-partitions?
[[gnu::cold]] inline bool wants_blocks(const LoopOptions& o) {
  return wanted_block_size(o) > 0 || o.staging != Staging::automatic ||
         o.kernel_by_color;
}

/// May a device store increments where few blocks can run at once? Not if they
/// take too much memory, if there are far more targets than increments (gather
/// visits all targets), or if options ask for blocks.
inline bool stores_increments(const PlanInfo& plan,
                              const ConflictTables& conflicts) {
  if (wants_blocks(plan.requested)) return false;
  std::int64_t row = 0;  // bytes of an element's increments
  for (std::size_t a = 0; a < plan.keys.size(); ++a) {
    const ArgKey& key = plan.keys[a];
    if (!key.increments()) continue;
    const int indices = key.index < 0 ? plan.maps[plan.arg_map[a]].arity : 1;
    row += std::int64_t(indices) * key.components * key.value_bytes;
  }
  const std::int64_t all = std::int64_t(plan.n) * conflicts.slots();
  return all <= std::numeric_limits<int>::max() &&
         row * plan.n <= most_stored &&
         conflicts.n_targets / most_targets_of_increment <= all;
}

/// Blocks of targets for teams, where they grow quickly and few elements run in
/// several. Else, as for matrices, makes none and returns false.
template <class Memory>
[[gnu::cold]] bool takes_owners(PlanData<Memory>& plan,
                                std::int64_t runs_of_ten) {
  int slots = 0;
  for (const OwnedColumns& c : owned_columns(plan)) slots += c.slots;
  if (slots <= most_owner_slots)
    return make_owner_teams(plan, runs_of_ten * std::int64_t(plan.n) / 10);
  plan.why = "an element increments more than " +
             std::to_string(most_owner_slots) + " targets";
  return false;
}

/// Blocks of targets for a loop that asks for owners or any_ranks. Makes none,
/// leaves the reason in plan.why, and returns false if there cannot be any.
template <bool OnHost, class Memory>
[[gnu::cold]] bool make_owners(PlanData<Memory>& plan) {
  if (!may_have_owners(plan)) {
    plan.why =
        "elements see what they change, or increment through missing entries";
    return false;
  }
  if constexpr (OnHost)
    return make_owner_blocks(plan);
  else if (plan.requested.strategy == LoopStrategy::automatic &&
           plan.requested.any_ranks)
    return takes_owners(plan, owner_runs_of_ten);
  else
    return make_owner_teams(plan, std::numeric_limits<std::int64_t>::max());
}

/// Blocks of targets, if the plan's strategy is owners; else increments are
/// gathered: those of lists of elements, if other plans for the loop may have
/// blocks of targets, which give the same bits.
template <Compiled What, bool OnHost, class Memory>
[[gnu::cold]] void build_owners(PlanData<Memory>& plan) {
  make_blocks(plan);
  if (!plan.conflicts || plan.n == 0) return;
  if constexpr (!OnHost || What != Compiled::automatic) {
    const LoopOptions& o = plan.requested;
    const bool lists =
        o.any_ranks ||
        (OnHost && o.strategy == LoopStrategy::owners && plan.exact_sums);
    if (plan.strategy == LoopStrategy::owners) {
      if (OnHost && !lists)
        plan.why =
            "hosts need LoopOptions and sums of float, double or integers";
      else if (make_owners<OnHost>(plan))
        return;
      plan.strategy = LoopStrategy::gather;
      plan.why      = (o.any_ranks ? "gather: any_ranks was asked for, and "
                                   : "gather: owners were asked for, but ") +
                 plan.why;
    }
    if (lists) make_kept_blocks(plan);
    make_reverse_maps(plan);
  }
}

template <Compiled What, bool OnHost, class Memory>
[[gnu::cold]] void build_automatic(PlanData<Memory>& plan) {
  if constexpr (!OnHost)
    if (!wants_blocks(plan.requested) && may_have_owners(plan) &&
        takes_owners(plan, team_runs_of_ten)) {
      plan.strategy = LoopStrategy::owners;
      plan.why      = "owners: few elements reach several blocks of targets";
      return make_blocks(plan);
    }
  plan.strategy = LoopStrategy::hierarchical;
  plan.why =
      OnHost ? "hierarchical: a thread runs a block in order, its data stay "
               "in cache"
             : "hierarchical: a team runs a block, colour by colour";
  bool stores = false;
  if constexpr (!OnHost) stores = stores_increments(plan, ConflictTables(plan));
  const int at_once = stores ? least_teams_at_once : least_blocks_at_once;
  build_hierarchical<What, OnHost>(plan, at_once);
  if (plan.nblocks <= some_blocks || plan.nblkcol > 0) return;
  const std::string blocks = "of " + std::to_string(plan.nblocks) +
                             " blocks fewer than " + std::to_string(at_once) +
                             " could run at once";
  if constexpr (!OnHost)
    if (stores) {
      plan.strategy = LoopStrategy::gather;
      plan.why      = "gather: " + blocks;
      return make_reverse_maps(plan);
    }
  // a launch for each of many colours would take longer than one thread
  const ConflictTables conflicts(plan);
  const int least     = most_increments(conflicts, plan.n);  // colours
  const bool has_ints = std::int64_t(plan.n) * conflicts.slots() <=
                        std::numeric_limits<int>::max();
  if (OnHost ? least > plan.n / host_block_size
             : least > most_launches && has_ints) {
    const std::string elements =
        blocks + ", elements would need " + std::to_string(least) +
        " colours or more: few targets get many increments";
    if constexpr (OnHost) {
      plan.why = "hierarchical: " + elements;
      if (wanted_block_size(plan.requested) > 0 ||
          plan.staging != Staging::none)
        return build_hierarchical<What, OnHost>(plan, 0);
      plan.block_size = plan.n;
      build_colored_blocks(plan, 0);
    } else {
      plan.strategy = LoopStrategy::gather;
      plan.why      = "gather: " + elements;
      make_reverse_maps(plan);
    }
    return;
  }
  plan.strategy = LoopStrategy::global_coloring;
  plan.why      = "global_coloring: " + blocks + "; a renumbering would help";
  color_elements(plan);
}

/// What the options and the environment say.
[[gnu::cold]] inline void read_options(PlanInfo& plan, bool host) {
  const LoopOptions& o = plan.requested;
  for (const ArgKey& key : plan.keys)
    plan.conflicts = plan.conflicts || key.increments();
  plan.strategy = o.strategy;
  plan.why      = "asked for";
  if (o.any_ranks) {
    if (o.strategy != LoopStrategy::gather)
      plan.strategy = LoopStrategy::owners;
    plan.why =
        "the same bits at any number of ranks (any_ranks) were asked for";
  } else if (o.strategy == LoopStrategy::automatic) {
    plan.strategy = strategy_of_environment();
    plan.why      = "by SPOROS_LOOP_STRATEGY in the environment";
  }
  plan.staging = o.staging == Staging::automatic ? Staging::none : o.staging;
  const int wanted = wanted_block_size(o);
  plan.block_size  = wanted > 0 ? wanted
                     : host     ? direct_block_size(plan.n)
                                : team_block_size;
}

/// Throws for a strategy of the environment that loops without options lack.
template <bool OnHost>
void check_is_automatic(LoopStrategy strategy) {
  check(
      ((strategy != LoopStrategy::gather && strategy != LoopStrategy::owners) ||
       !OnHost) &&
          strategy != LoopStrategy::atomic,
      "Sporos::par_loop", "SPOROS_LOOP_STRATEGY",
      OnHost ? "automatic, serial, hierarchical or global_coloring (loops "
               "without LoopOptions compile no other)"
             : "automatic, serial, hierarchical, global_coloring, gather or "
               "owners (loops without LoopOptions compile no other)",
      name(strategy));
}

/// Fills in the plan of a loop whose keys and maps are set.
template <Compiled What, bool OnHost, class Memory>
[[gnu::cold]] void build_plan(PlanData<Memory>& plan) {
  constexpr bool all = What != Compiled::automatic;
  if constexpr (all) check_plan_options(plan);
  read_options(plan, OnHost);
  if constexpr (!all) check_is_automatic<OnHost>(plan.strategy);
  const LoopOptions& o = plan.requested;
  const bool automatic = plan.strategy == LoopStrategy::automatic;
  if (!plan.conflicts && (automatic || o.staging == Staging::automatic)) {
    if (automatic) {
      plan.strategy = LoopStrategy::hierarchical;
      plan.why      = "no increments through maps: all blocks at once";
    }
    plan.staging = Staging::none;
    return make_blocks(plan);
  }
  switch (plan.strategy) {
    case LoopStrategy::automatic: return build_automatic<What, OnHost>(plan);
    case LoopStrategy::hierarchical:
      return build_hierarchical<What, OnHost>(plan, 0);
    case LoopStrategy::owners:
    case LoopStrategy::gather: return build_owners<What, OnHost>(plan);
    case LoopStrategy::global_coloring:
      make_blocks(plan);
      return color_elements(plan);
    case LoopStrategy::serial:
    case LoopStrategy::atomic: return make_blocks(plan);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
