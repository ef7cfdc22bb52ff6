// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPRUN_HPP
#define SPOROS_LOOPRUN_HPP

/// \file Sporos_LoopRun.hpp
/// Executes a loop by the strategy of its plan.

#include <Sporos_ProfilingRegion.hpp>
#include <mesh_loop/strategies/Sporos_LoopAlike.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_LoopDevice.hpp>
#include <mesh_loop/strategies/Sporos_LoopGather.hpp>
#include <mesh_loop/strategies/Sporos_LoopHost.hpp>
#include <mesh_loop/strategies/Sporos_LoopOwners.hpp>
#include <mesh_loop/strategies/Sporos_LoopReduce.hpp>
#include <mesh_loop/strategies/Sporos_LoopResults.hpp>
#include <mesh_loop/strategies/Sporos_LoopTeams.hpp>

#include <cstddef>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// A launch of a loop: everything that its strategies need.
template <class Exec, class Kernel, class... Args>
struct LoopLaunch {
  using Data                      = PlanData<typename Exec::memory_space>;
  static constexpr bool host      = is_host_space_v<Exec>;
  static constexpr bool conflicts = (IncrementsThroughMap<Args>::value || ...);
  static constexpr bool has_atomics = (CombinesAtomically<Args>::value && ...);

  /// May teams own targets? (See may_have_owners.)
  static constexpr bool can_own =
      !host && conflicts && !(IncrementsSome<Args>::value || ...);

  const std::string& label;
  const Exec& exec;
  LoopPlanState<Exec>& plan;
  const Kernel& kernel;
  bool packs;
  LoopMemory memory = {};

  template <Increments I>
  auto body(std::size_t chunks, const Args&... args) {
    const ProfilingRegion region("Sporos::par_loop::stage");
    memory = loop_memory<Exec, I>(exec, plan, chunks, args...);
    auto b = loop_body<I>(exec, memory, kernel, args...);
    if constexpr (I == Increments::kept || I == Increments::exact)
      if (I == Increments::kept || plan.data().keeps)
        keep_contributions(b, plan.data(), memory);
    return b;
  }

  /// Threads of a host. Increments that are kept or atomic need no order.
  template <Compiled What, Increments I>
  auto on_threads(const Args&... args) {
    constexpr bool ordered = conflicts && I == Increments::added;
    constexpr auto lists   = !ordered                ? HostLists::none
                             : What == Compiled::all ? HostLists::packs
                                                     : HostLists::scalars;
    const Data& data       = plan.data();
    const bool by_color =
        ordered && data.strategy == LoopStrategy::global_coloring;
    const int chunks =
        by_color ? color_chunks(data.color_offsets, color_chunk) : data.nblocks;
    const auto b = body<I>(chunks, args...);
    run_host<lists, I != Increments::atomic, ordered>(label, exec, data, b,
                                                      packs, !ordered);
    combine_chunks(label, exec, b, chunks);
    return b;
  }

  /// Devices, all elements at once: no two of them meet, or that does not
  /// matter.
  template <Increments I>
  auto at_once(const Args&... args) {
    const int chunks = ceil_div(plan.data().n, device_chunk);
    const auto b     = body<I>(chunks, args...);
    run_elements<false>(label, exec, b, nullptr, plan.data().first,
                        plan.data().n, 0);
    combine_chunks(label, exec, b, chunks);
    return b;
  }

  void serial(const Args&... args) {
    const auto b = body<Increments::added>(1, args...);
    run_serial_device(label, exec, b, plan.data().first,
                      plan.data().first + plan.data().n);
    combine_chunks(label, exec, b, 1);
  }

  template <Staging S, bool ByColor>
  void teams(const Args&... args) {
    const auto b = body<Increments::added>(plan.data().nblocks, args...);
    run_teams<S, ByColor>(label, exec, plan.data(), b);
    combine_chunks(label, exec, b, plan.data().nblocks);
  }

  void colors(const Args&... args) {
    const auto& offsets = plan.data().color_offsets;
    const int chunks    = color_chunks(offsets, device_chunk);
    const auto b        = body<Increments::added>(chunks, args...);
    int chunk           = 0;
    for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
      const int count = offsets[c + 1] - offsets[c];
      run_elements<true>(label, exec, b, plan.data().color_order.data(),
                         offsets[c], count, chunk);
      chunk += ceil_div(count, device_chunk);
    }
    combine_chunks(label, exec, b, chunks);
  }

  /// Increments that are kept or atomic.
  template <Increments I>
  auto unordered(const Args&... args) {
    if constexpr (host)
      return on_threads<Compiled::all, I>(args...);
    else
      return at_once<I>(args...);
  }

  /// Increments that are kept, then combined target by target.
  void gather(const Args&... args) {
    auto b = unordered<Increments::kept>(args...);
    gather_arguments(label, exec, b, plan.data(), args...);
  }

  /// Blocks of targets, or lists of elements whose increments are kept; blocks
  /// of elements without conflicts.
  template <Increments I>
  auto owners(const Args&... args) {
    if constexpr (host || conflicts) {
      const Data& d    = plan.data();
      const int chunks = conflicts ? int(d.owner_blocks.size()) : d.nblocks;
      const auto b     = body<I>(std::size_t(chunks), args...);
      if constexpr (host)
        run_blocks_alike<conflicts>(label, exec, d, b);
      else
        run_owners(label, exec, d, b);
      combine_chunks(label, exec, b, chunks);
      return b;
    } else {
      return at_once<I>(args...);
    }
  }

  /// Runs the loop with bits that do not depend on threads and ranks
  /// (any_ranks).
  void exact(const Args&... args) {
    auto b = owners<Increments::exact>(args...);
    gather_arguments(label, exec, b, plan.data(), args...);
    b.each(
        [&](const auto& bound, int, const auto& arg) {
          add_kept_sum(label, exec, plan, arg, bound);
        },
        args...);
  }

  /// Teams with the staging and the variant of the plan.
  template <bool ByColor>
  void any_teams(const Args&... args) {
    switch (plan.data().staging) {
      case Staging::all: return teams<Staging::all, ByColor>(args...);
      case Staging::increments:
        return teams<Staging::increments, ByColor>(args...);
      default: return teams<Staging::none, ByColor>(args...);
    }
  }
  void any_teams(const Args&... args) {
    if (plan.data().requested.kernel_by_color)
      any_teams<true>(args...);
    else
      any_teams<false>(args...);
  }

  void owners_if_any([[maybe_unused]] const Args&... args) {
    if constexpr (can_own) owners<Increments::owned>(args...);
  }

  /// What loops without options may need.
  template <Compiled What>
  void automatic(const Args&... args) {
    [[maybe_unused]] const LoopStrategy s = plan.data().strategy;
    if constexpr (host)
      on_threads<What, Increments::added>(args...);
    else if (s == LoopStrategy::serial)
      serial(args...);
    else if constexpr (!conflicts)
      at_once<Increments::added>(args...);
    else if (s == LoopStrategy::global_coloring)
      colors(args...);
    else if (s == LoopStrategy::gather)
      gather(args...);
    else if (s == LoopStrategy::owners)
      owners_if_any(args...);
    else if constexpr (What == Compiled::all)
      any_teams(args...);
    else
      teams<Staging::none, false>(args...);
  }

  template <Compiled What>
  void run(const Args&... args) {
    [[maybe_unused]] const LoopStrategy s = plan.data().strategy;
    if constexpr (What == Compiled::any_ranks) {
      return exact(args...);
    } else if constexpr (What == Compiled::automatic) {
      check_is_automatic<host>(s);
    } else {
      if constexpr (conflicts) {
        if (s == LoopStrategy::gather) return gather(args...);
        if (s == LoopStrategy::atomic) {
          check(has_atomics, "Sporos::par_loop", "options.strategy",
                "automatic, or another one, for increments of a type that "
                "Kokkos cannot add atomically",
                name(s));
          if constexpr (has_atomics) unordered<Increments::atomic>(args...);
          return;
        }
      }
      if constexpr (!host)
        if (s == LoopStrategy::hierarchical && plan.data().nblkcol > 0)
          return any_teams(args...);
    }
    if constexpr (What != Compiled::any_ranks) automatic<What>(args...);
  }
};

template <Compiled What, class Exec, class Kernel, class... Args>
void run_loop(const std::string& label, const Exec& exec,
              LoopPlanState<Exec>& plan, bool packs, const Kernel& kernel,
              const Args&... args) {
  constexpr bool exact    = What == Compiled::any_ranks;
  const std::size_t words = (result_words<Exec, exact, Args>() + ... + 0);
  [[maybe_unused]] Arena arena(
      words == 0 ? nullptr : workspace_words(exec, plan.results, words));
  const auto run = [&](const auto&... in) {
    LoopLaunch<Exec, Kernel, std::decay_t<decltype(in)>...> launch{
        label, exec, plan, kernel, packs};
    launch.template run<What>(in...);
    (finish_result<exact>(label, exec, args, in), ...);
  };
  run(in_memory<exact>(label, exec, arena, args, plan.data().n)...);
}

}  // namespace Impl
}  // namespace Sporos

#endif
