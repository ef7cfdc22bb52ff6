// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPRUN_HPP
#define SPOROS_LOOPRUN_HPP

/// \file Sporos_LoopRun.hpp
/// Executes a loop by the strategy of its plan.

#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_LoopDevice.hpp>
#include <mesh_loop/strategies/Sporos_LoopGather.hpp>
#include <mesh_loop/strategies/Sporos_LoopHost.hpp>
#include <mesh_loop/strategies/Sporos_LoopReduce.hpp>
#include <mesh_loop/strategies/Sporos_LoopTeams.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Chunks of `size` elements of all colours.
inline int color_chunks(const std::vector<int>& offsets, int size) {
  int chunks = 0;
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c)
    chunks += ceil_div(offsets[c + 1] - offsets[c], size);
  return chunks;
}

/// A launch of a loop: everything that its strategies need.
template <class Exec, class Kernel, class... Args>
struct LoopLaunch {
  using Data                      = PlanData<typename Exec::memory_space>;
  static constexpr bool host      = is_host_space_v<Exec>;
  static constexpr bool conflicts = (IncrementsThroughMap<Args>::value || ...);
  static constexpr bool has_atomics = (CombinesAtomically<Args>::value && ...);

  const std::string& label;
  const Exec& exec;
  LoopPlanState<Exec>& plan;
  const Kernel& kernel;
  bool packs;
  LoopMemory memory = {};

  template <Increments I>
  auto body(std::size_t chunks, const Args&... args) {
    memory =
        loop_memory<Exec, I == Increments::kept>(exec, plan, chunks, args...);
    return loop_body<I>(exec, memory, kernel, args...);
  }

  /// All elements at once: no two of them meet, or that does not matter. Hosts
  /// cut them into the blocks of the plan, devices into chunks of their own.
  template <Increments I>
  auto at_once(const Args&... args) {
    const int chunks =
        host ? plan.data().nblocks : ceil_div(plan.data().n, device_chunk);
    const auto b = body<I>(chunks, args...);
    if constexpr (host)
      run_direct_host<I != Increments::atomic>(label, exec, plan.data(), b,
                                               false, packs);
    else
      run_elements<false>(label, exec, b, nullptr, plan.data().first,
                          plan.data().n, 0);
    combine_chunks(label, exec, b, chunks);
    return b;
  }

  void direct(const Args&... args) { at_once<Increments::added>(args...); }

  void serial(const Args&... args) {
    const int chunks = host ? plan.data().nblocks : 1;
    const auto b     = body<Increments::added>(chunks, args...);
    if constexpr (host && conflicts)
      run_blocks_host(label, exec, plan.data(), b, true, false);
    else if constexpr (host)
      run_direct_host<true>(label, exec, plan.data(), b, true, false);
    else
      run_serial_device(label, exec, b, plan.data().first,
                        plan.data().first + plan.data().n);
    combine_chunks(label, exec, b, chunks);
  }

  void blocks(const Args&... args) {
    const auto b = body<Increments::added>(plan.data().nblocks, args...);
    if constexpr (host)
      run_blocks_host(label, exec, plan.data(), b, false, packs);
    combine_chunks(label, exec, b, plan.data().nblocks);
  }

  template <Staging S, bool ByColor>
  void teams(const Args&... args) {
    const auto b = body<Increments::added>(plan.data().nblocks, args...);
    run_teams<S, ByColor>(label, exec, plan.data(), b);
    combine_chunks(label, exec, b, plan.data().nblocks);
  }

  template <bool Packs>
  void colors(const Args&... args) {
    const auto& offsets = plan.data().color_offsets;
    constexpr int size  = host ? color_chunk : device_chunk;
    const int chunks    = color_chunks(offsets, size);
    const auto b        = body<Increments::added>(chunks, args...);
    if constexpr (host) {
      run_colors_host<Packs>(label, exec, plan.data(), b, packs);
    } else {
      int chunk = 0;
      for (std::size_t c = 0; c + 1 < offsets.size(); ++c) {
        const int count = offsets[c + 1] - offsets[c];
        run_elements<true>(label, exec, b, plan.data().color_order.data(),
                           offsets[c], count, chunk);
        chunk += ceil_div(count, size);
      }
    }
    combine_chunks(label, exec, b, chunks);
  }

  void gather(const Args&... args) {
    const auto b = at_once<Increments::kept>(args...);
    gather_arguments(label, exec, b, plan.data(),
                     std::make_integer_sequence<int, int(sizeof...(Args))>{},
                     args...);
  }

  void atomic(const Args&... args) { at_once<Increments::atomic>(args...); }

  /// Teams with the staging and the variant of the plan.
  void any_teams(const Args&... args) {
    const Staging s = plan.data().staging;
    if (!host && plan.data().requested.kernel_by_color) {
      if constexpr (!host) {
        if (s == Staging::all) return teams<Staging::all, true>(args...);
        if (s == Staging::none) return teams<Staging::none, true>(args...);
        return teams<Staging::increments, true>(args...);
      }
    } else {
      if (s == Staging::all) return teams<Staging::all, false>(args...);
      if constexpr (!host)
        if (s == Staging::none) return teams<Staging::none, false>(args...);
      return teams<Staging::increments, false>(args...);
    }
  }

  template <Strategies Compiled>
  void run(const Args&... args) {
    if constexpr (Compiled == Strategies::automatic) {
      check_is_automatic(plan.data().strategy);
      if (plan.data().strategy == LoopStrategy::serial) return serial(args...);
      if constexpr (!conflicts)
        return direct(args...);
      else if (plan.data().strategy == LoopStrategy::global_coloring)
        return colors<false>(args...);
      else if constexpr (host)
        return blocks(args...);
      else if (plan.data().staging == Staging::none)
        return teams<Staging::none, false>(args...);
      else
        return teams<Staging::increments, false>(args...);
    } else {
      switch (plan.data().strategy) {
        case LoopStrategy::serial: return serial(args...);
        case LoopStrategy::automatic:
        case LoopStrategy::hierarchical:
          if (plan.data().nblkcol == 0) return direct(args...);
          if (host && plan.data().staging == Staging::none)
            return blocks(args...);
          return any_teams(args...);
        case LoopStrategy::global_coloring:
          if (!conflicts) return direct(args...);
          return colors<true>(args...);
        case LoopStrategy::gather:
          if constexpr (conflicts) return gather(args...);
          return direct(args...);
        case LoopStrategy::atomic:
          check(!conflicts || has_atomics, "Sporos::par_loop",
                "options.strategy",
                "another one for increments of a type that Kokkos cannot add "
                "atomically",
                name(plan.data().strategy));
          if constexpr (conflicts && has_atomics) return atomic(args...);
          return direct(args...);
      }
    }
  }
};

// Reductions into numbers of the host, from a device.
template <class Exec, class Arg>
void fetch_result(const Exec&, const Arg&, Arena&) {}
template <class Exec, class T, int N, Reduction R>
void fetch_result(const Exec& exec, const HostReduceArg<T, N, R>& arg,
                  Arena& results) {
  using Device = Kokkos::View<T*, typename Exec::memory_space,
                              Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  using Host   = Kokkos::View<T*, Kokkos::HostSpace,
                            Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
  T value[N];
  Kokkos::deep_copy(exec, Host(value, N), Device(results.take<T>(N), N));
  fence(exec, "Sporos::par_loop::result");
  for (int c = 0; c < N; ++c)
    arg.target[c] = combine<R>(arg.target[c], value[c]);
}

template <class Arg>
struct IsHostReduce : std::false_type {};
template <class T, int N, Reduction R>
struct IsHostReduce<HostReduceArg<T, N, R>> : std::true_type {};

template <Strategies Compiled, class Exec, class Kernel, class... Args>
void run_loop(const std::string& label, const Exec& exec,
              LoopPlanState<Exec>& plan, bool packs, const Kernel& kernel,
              const Args&... args) {
  LoopLaunch<Exec, Kernel, Args...> launch{label, exec, plan, kernel, packs};
  launch.template run<Compiled>(args...);
  if constexpr ((IsHostReduce<Args>::value || ...)) {
    if constexpr (is_host_space_v<Exec>) {
      if (!is_synchronous_space_v<Exec>)
        fence(exec, "Sporos::par_loop::result");
    } else {
      Arena results(plan.results.require(exec, 0).data());
      (fetch_result(exec, args, results), ...);
    }
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
