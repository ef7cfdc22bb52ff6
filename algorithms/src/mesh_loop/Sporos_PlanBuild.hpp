// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANBUILD_HPP
#define SPOROS_PLANBUILD_HPP

/// \file Sporos_PlanBuild.hpp
/// The inspector: chooses a strategy and makes what it needs.

#include <Sporos_Error.hpp>
#include <mesh_loop/Sporos_PlanBlocks.hpp>
#include <mesh_loop/Sporos_PlanData.hpp>
#include <mesh_loop/Sporos_PlanReverse.hpp>
#include <mesh_loop/Sporos_PlanStaging.hpp>

#include <algorithm>
#include <string>

namespace Sporos {
namespace Impl {

/// Elements of a block for one thread of a host, and for a team.
constexpr int host_block_size   = 2048;
constexpr int direct_block_size = 4096;
constexpr int team_block_size   = 256;
/// Scratch that a team gets without being asked for more.
template <class Exec>
constexpr std::size_t scratch_limit =
    is_host_space_v<Exec> ? 32 * 1024 : 48 * 1024;

template <class Memory>
void check_plan_options(const PlanData<Memory>& plan) {
  const LoopOptions& o = plan.requested;
  check(o.block_size >= 0, "Sporos::par_loop", "options.block_size",
        "a number of elements, or 0", o.block_size);
}

template <class Exec, class Memory>
void build_hierarchical(const Exec&, PlanData<Memory>& plan) {
  const PlanExec<Exec> host{};
  const bool teams = !is_host_space_v<Exec> || plan.staging != Staging::none;
  const int wanted = plan.requested.block_size;
  plan.block_size  = wanted > 0 ? wanted
                     : teams    ? team_block_size
                                : host_block_size;
  if (teams) {
    // team sizes and 16-bit local numbers bound it
    check(is_host_space_v<Exec> || plan.block_size <= 1024, "Sporos::par_loop",
          "options.block_size", "at most 1024 elements where teams run a block",
          plan.block_size);
  }
  make_blocks(plan);
  color_blocks(plan);
  if (!teams) return;
  color_threads<Exec>(host, plan);
  stage_blocks<Exec>(host, plan);
  if (plan.nshared <= scratch_limit<Exec>) return;
  check(plan.requested.staging == Staging::automatic, "Sporos::par_loop",
        "options",
        text("a block_size whose staged data fit into ", scratch_limit<Exec>,
             " bytes of scratch"),
        "block_size ", plan.block_size, " with up to ", plan.nshared,
        " bytes in a block");
  plan.staging = Staging::none;
  plan.why += "; not staged: " + std::to_string(plan.nshared) +
              " bytes of scratch would be needed";
  stage_blocks<Exec>(host, plan);
}

/// Could fewer than four blocks run at once on average?
template <class Memory>
bool is_scattered(const PlanData<Memory>& plan) {
  return plan.nblocks > 8 && plan.nblocks < 4 * plan.nblkcol;
}

template <class Exec, class Memory>
void build_automatic(const Exec& exec, PlanData<Memory>& plan) {
  plan.strategy = LoopStrategy::hierarchical;
  if (plan.requested.staging == Staging::automatic)
    plan.staging = is_host_space_v<Exec> ? Staging::none : Staging::increments;
  plan.why =
      is_host_space_v<Exec>
          ? "hierarchical: a thread runs a block in order, its data stay "
            "in cache"
          : "hierarchical: teams add up increments in scratch";
  build_hierarchical(exec, plan);
  if (!is_scattered(plan)) return;
  plan.strategy = LoopStrategy::global_coloring;
  plan.why      = "global_coloring: " + std::to_string(plan.nblocks) +
             " blocks would need " + std::to_string(plan.nblkcol) +
             " colours; a renumbering would help";
  color_elements(plan);
}

/// Fills in the plan of a loop whose keys and maps are set.
template <class Exec, class Memory>
void build_plan(const Exec& exec, PlanData<Memory>& plan) {
  check_plan_options(plan);
  const LoopOptions& o = plan.requested;
  plan.conflicts       = std::any_of(plan.keys.begin(), plan.keys.end(),
                                     [](const ArgKey& k) { return k.increments(); });
  plan.strategy        = o.strategy;
  plan.staging =
      o.staging == Staging::automatic
          ? (is_host_space_v<Exec> ? Staging::none : Staging::increments)
          : o.staging;
  plan.why        = "asked for";
  plan.block_size = o.block_size > 0        ? o.block_size
                    : is_host_space_v<Exec> ? direct_block_size
                                            : team_block_size;
  if (!plan.conflicts && (o.strategy == LoopStrategy::automatic ||
                          o.staging == Staging::automatic)) {
    if (o.strategy == LoopStrategy::automatic) {
      plan.strategy = LoopStrategy::hierarchical;
      plan.why      = "no increments through maps: all blocks at once";
    }
    plan.staging = Staging::none;
    return make_blocks(plan);
  }
  switch (o.strategy) {
    case LoopStrategy::automatic: return build_automatic(exec, plan);
    case LoopStrategy::hierarchical: return build_hierarchical(exec, plan);
    case LoopStrategy::global_coloring:
      make_blocks(plan);
      return color_elements(plan);
    case LoopStrategy::gather:
      make_blocks(plan);
      return make_reverse_maps(plan);
    case LoopStrategy::serial:
    case LoopStrategy::atomic: return make_blocks(plan);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
