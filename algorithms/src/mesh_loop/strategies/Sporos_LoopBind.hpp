// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPBIND_HPP
#define SPOROS_LOOPBIND_HPP

/// \file Sporos_LoopBind.hpp
/// From the arguments of a loop to what its kernels see; memory for partial
/// results and temporaries from the plan's workspaces.

#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>
#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanBuild.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_LoopSums.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// What happens to increments: through maps they are kept or added, directly
/// they are added; atomically in both cases, since both may reach one dat.
/// owned: a team collects those to its targets. exact: contributions to sums
/// are kept (LoopOptions::any_ranks), and increments, too, if PlanInfo::keeps;
/// else a block adds, or a team collects, those to its own targets
enum class Increments { added, atomic, kept, exact, owned };

/// Memory that bound arguments point to, handed out piece by piece. Each begins
/// where values of any alignment may, as allocations do.
class Arena {
 public:
  Arena() = default;
  explicit Arena(std::uint64_t* memory) : m_next(memory) {}
  /// Words of a piece of n values.
  template <class T>
  static std::size_t words(std::size_t n) {
    static_assert(alignof(T) <= alignment,
                  "Sporos::par_loop: values are aligned to 64 bytes at most");
    return ceil_div(n * sizeof(T), alignment) * alignment /
           sizeof(std::uint64_t);
  }
  template <class T>
  T* take(std::size_t n) {
    T* const here = reinterpret_cast<T*>(m_next);
    m_next += words<T>(n);
    return here;
  }

 private:
  static constexpr std::size_t alignment = 64;
  std::uint64_t* m_next                  = nullptr;
};

/// Where the parts of a loop lie.
struct LoopMemory {
  Arena partials;     ///< results of chunks
  Arena temporaries;  ///< what is kept
  std::size_t chunks = 0;
  int first = 0, n = 0;  ///< elements of the loop
};

// words of workspace that an argument needs
template <class Arg>
std::size_t partial_words(const Arg&, [[maybe_unused]] std::size_t chunks) {
  if constexpr (is_reduction_v<Arg>)
    return Arena::words<partial_type<typename Arg::value_type, Arg::reduction>>(
        chunks * Arg::components);
  else
    return 0;
}

template <class Arg>
std::size_t temporary_words(const Arg&, std::size_t, std::size_t) {
  return 0;
}
template <class T, int N>
std::size_t temporary_words(const ExactSumArg<T, N>&, std::size_t elements,
                            std::size_t) {
  return Arena::words<T>(elements * N);
}
/// kept: elements whose increments through maps are kept
template <class D, class M, Access A, Reach R>
std::size_t temporary_words(const DatArg<D, M, A, R>& arg, std::size_t,
                            std::size_t kept) {
  using Arg = DatArg<D, M, A, R>;
  return IncrementsThroughMap<Arg>::value
             ? Arena::words<typename D::value_type>(
                   kept * Arg::arity * std::size_t(arg.dat.component_count()))
             : 0;
}

template <Increments I, bool OnHost, class D, class M, Access A, Reach R>
auto bind(const DatArg<D, M, A, R>& arg, [[maybe_unused]] LoopMemory& memory) {
  using Arg                  = DatArg<D, M, A, R>;
  using T                    = typename D::value_type;
  constexpr int N            = Arg::components;
  using Rows                 = decltype(dat_rows(arg.dat));
  constexpr bool through_map = IncrementsThroughMap<Arg>::value;
  constexpr bool exact       = I == Increments::exact;
  if constexpr (through_map && (I == Increments::kept ||
                                (exact && !OnHost && Rows::dynamic))) {
    BoundTemporary<T, N, Arg::arity, A, Rows::dynamic> bound;
    bound.n = arg.dat.component_count();
    return bound;  // for memory see keep_contributions
  } else if constexpr (through_map && !Rows::dynamic &&
                       (I == Increments::owned || (exact && !OnHost))) {
    return BoundCollected<T, N, Arg::arity, Rows, A, exact>{{},
                                                            dat_rows(arg.dat)};
  } else if constexpr (through_map && exact) {
    using Target = decltype(map_target(arg.map, arg.index));
    return BoundOwned<T, N, Arg::arity, Rows, Target, A>{
        {dat_rows(arg.dat), map_target(arg.map, arg.index)},
        {},
        arg.dat.set().size(),
        0,
        arg.dat.set().size()};
  } else {
    using Target = decltype(map_target(arg.map, arg.index));
    return BoundDat < T, N, Arg::arity, Rows, Target, A,
           I == Increments::atomic &&
               accumulates_v<A> >
                   {dat_rows(arg.dat), map_target(arg.map, arg.index)};
  }
}

template <Increments, bool OnHost, class M>
auto bind(const ElementIndexArg<M>& arg, LoopMemory&) {
  return BoundIndex<decltype(map_target(arg.map, 0))>{map_target(arg.map, 0)};
}
template <Increments, bool OnHost, class T, int N, class M>
auto bind(const GlobalReadArg<T, N, M>& arg, LoopMemory&) {
  return BoundConstant<T, N, const T*>{arg.global.view().data()};
}
template <Increments, bool OnHost, class T, int N>
auto bind(const ValueArg<T, N>& arg, LoopMemory&) {
  BoundConstant<T, N, T[N]> bound;
  for (int c = 0; c < N; ++c) bound.values[c] = arg.value[c];
  return bound;
}
template <Increments, bool OnHost, class T, int N>
BoundKeptSum<T, N> bind(const ExactSumArg<T, N>&, LoopMemory& memory) {
  BoundKeptSum<T, N> bound;
  bound.kept_rows  = memory.temporaries.take<T>(std::size_t(memory.n) * N);
  bound.kept_pitch = N;
  bound.first      = memory.first;
  return bound;
}
template <Increments I, bool OnHost, class T, int N, Reduction R>
auto bind(const ReduceArg<T, N, R>& arg, LoopMemory& memory) {
  using Partial           = partial_type<T, R>;
  Partial* const partials = memory.partials.take<Partial>(memory.chunks * N);
  if constexpr (R == Reduction::last)
    return BoundWrite<T, N>{partials, arg.target, arg.element, arg.order};
  else
    return BoundReduce<T, N, R>{partials, arg.target, arg.accumulate,
                                I == Increments::exact};
}

/// The first of `words` words of a workspace.
template <class Exec, class Workspace>
[[gnu::noinline]] std::uint64_t* workspace_words(const Exec& exec,
                                                 Workspace& workspace,
                                                 std::size_t words) {
  return workspace.require_data(exec, words);
}

/// Workspaces as large as a loop with `chunks` chunks needs.
template <class Exec, Increments I, class... Args>
LoopMemory loop_memory(const Exec& exec, LoopPlanState<Exec>& plan,
                       std::size_t chunks, const Args&... args) {
  LoopMemory memory;
  memory.chunks = chunks;
  memory.first  = plan.data().first;
  memory.n      = plan.data().n;
  if (const std::size_t words = (partial_words(args, chunks) + ... + 0))
    memory.partials = Arena(workspace_words(exec, plan.partials, words));
  if constexpr (I == Increments::kept || I == Increments::exact) {
    const std::size_t n    = plan.data().n;
    const std::size_t kept = I == Increments::kept || plan.data().keeps ? n : 0;
    if (const std::size_t words = (temporary_words(args, n, kept) + ... + 0))
      memory.temporaries =
          Arena(workspace_words(exec, plan.temporaries, words));
  }
  return memory;
}

/// Kernel and bound arguments; arguments are bound from left to right.
template <Increments I, class Exec, class Kernel, class... Args>
auto loop_body(const Exec&, [[maybe_unused]] LoopMemory& memory,
               const Kernel& kernel, const Args&... args) {
  constexpr bool on_host = is_host_space_v<Exec>;
  using Body = LoopBody<Kernel, decltype(bind<I, on_host>(args, memory))...>;
  Body body{kernel, {}};
  body.each([&](auto& bound, int,
                const auto& arg) { bound = bind<I, on_host>(arg, memory); },
            args...);
  return body;
}

/// Finds memory for increments that are kept: an array for those that are
/// gathered together.
template <class Body, class Memory>
void keep_contributions(Body& body, const PlanData<Memory>& plan,
                        LoopMemory& memory) {
  std::vector<void*> rows(plan.keys.size());
  body.each([&](auto& arg, int a) {
    using Arg = std::decay_t<decltype(arg)>;
    using T   = typename Arg::value_type;
    if constexpr (std::is_base_of_v<KeptRows<T>, Arg>) {
      const ArgKey& key = plan.keys[std::size_t(a)];
      if (!key.increments()) return;
      const auto leader = std::size_t(plan.has_lists() ? key.dat : a);
      const int n       = arg.count();
      int slot = 0, slots = 0;
      for (const std::size_t b : gathered_with(plan, leader)) {
        if (int(b) == a) slot = slots;
        slots += slots_of(plan, b);
      }
      if (rows[leader] == nullptr)
        rows[leader] =
            memory.temporaries.take<T>(std::size_t(memory.n) * slots * n);
      arg.kept_rows  = static_cast<T*>(rows[leader]) + Offset(slot) * n;
      arg.kept_pitch = Offset(slots) * n;
      arg.first      = memory.first;
    }
  });
}

}  // namespace Impl
}  // namespace Sporos

#endif
