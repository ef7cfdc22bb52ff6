// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPREDUCE_HPP
#define SPOROS_LOOPREDUCE_HPP

/// \file Sporos_LoopReduce.hpp
/// Reductions: partial results of chunks of a fixed number of elements are
/// combined in an order that depends on their number alone.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_TeamTree.hpp>

#include <cstddef>
#include <string>

namespace Sporos {
namespace Impl {

/// All reductions of a loop by one team: each thread those of every
/// team_size-th chunk, then a tree. On hosts one thread takes chunk after
/// chunk.
template <class Body>
struct CombinePartials;
template <int... I, class Kernel, class... Args>
struct CombinePartials<
    NumberedBody<std::integer_sequence<int, I...>, Kernel, Args...>> {
  Bundle<Args...> args;
  int chunks;
  std::size_t words;  ///< of scratch

  template <class Member>
  KOKKOS_FUNCTION void operator()(const Member& team) const {
    TeamWords* const memory = team_words(team, words);
    (one(team, memory, get<I>(args)), ...);
  }
  template <class Member, class Arg>
  KOKKOS_FORCEINLINE_FUNCTION void one(const Member& team,
                                       [[maybe_unused]] TeamWords* memory,
                                       const Arg& arg) const {
    if constexpr (Arg::kind == BoundKind::reduction) {
      using T               = typename Arg::value_type;
      constexpr Reduction R = Arg::reduction;
      constexpr int N       = Arg::components;
      for (int c = 0; c < N; ++c) {
        T total = reduction_identity<R, T>();
        for (Offset k = team.team_rank(); k < chunks; k += team.team_size())
          total = combine<R>(total, arg.partials[k * N + c]);
        total = team_combine<R>(team, total, place_for<T>(memory));
        if (team.team_rank() == 0) arg.finish(c, total);
      }
    }
  }
};

/// One thread as a team, which needs no scratch.
struct LoneThread {
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int team_rank() { return 0; }
  KOKKOS_FORCEINLINE_FUNCTION static constexpr int team_size() { return 1; }
  KOKKOS_FORCEINLINE_FUNCTION static void team_barrier() {}
};

KOKKOS_INLINE_FUNCTION TeamWords* team_words(const LoneThread&, std::size_t) {
  return nullptr;
}

template <class Exec, class Body>
void combine_chunks([[maybe_unused]] const std::string& label,
                    [[maybe_unused]] const Exec& exec, const Body& body,
                    int chunks) {
  if constexpr (Body::reduces && is_host_space_v<Exec>) {
    CombinePartials<Body>{body.args, chunks, 0}(LoneThread{});
  } else if constexpr (Body::reduces) {
    using Reductions            = TeamReductions<Body>;
    constexpr int threads       = Reductions::threads(combining_threads);
    constexpr std::size_t words = Reductions::words(threads);
    Kokkos::parallel_for(
        label + "::reduce",
        LightTeams<Exec>(exec, 1, threads)
            .set_scratch_size(0, Kokkos::PerTeam(words * sizeof(TeamWords))),
        CombinePartials<Body>{body.args, chunks, words});
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
