// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TEAMTREE_HPP
#define SPOROS_TEAMTREE_HPP

/// \file Sporos_TeamTree.hpp
/// Reductions over the threads of a team by a fixed tree.

#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_ScratchWords.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>

#include <algorithm>
#include <cstddef>

namespace Sporos {
namespace Impl {

template <class Member>
using TeamScratch =
    Kokkos::View<TeamWords*,
                 typename Member::execution_space::scratch_memory_space,
                 Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

/// What the reductions of a loop ask of a team: one after another, they use the
/// same scratch.
template <class Body>
struct TeamReductions;
template <class Numbers, class Kernel, class... Args>
struct TeamReductions<NumberedBody<Numbers, Kernel, Args...>> {
  static constexpr std::size_t bytes(int threads) {
    return std::max<std::size_t>({0, bytes_of<Args>(threads)...});
  }
  static constexpr std::size_t words(int threads) {
    return (bytes(threads) + sizeof(TeamWords) - 1) / sizeof(TeamWords);
  }
  /// As many as asked for, or as many as large values allow.
  static constexpr int threads(int wanted) {
    while (wanted > 1 && bytes(wanted) > most_reduction_scratch) wanted /= 2;
    return wanted;
  }

 private:
  template <class Arg>
  static constexpr std::size_t bytes_of([[maybe_unused]] int threads) {
    using T = typename Arg::value_type;
    if constexpr (Arg::kind == BoundKind::reduction)
      return threads == 1 ? 0 : threads * sizeof(T) + placing_bytes(alignof(T));
    else
      return 0;
  }
};

/// The combined value of all threads, at rank 0. `memory` has room for a value
/// of each thread; all threads call.
template <Reduction R, class Member, class T>
KOKKOS_FUNCTION T team_combine(const Member& team, T value, T* memory) {
  const int rank = team.team_rank(), size = team.team_size();
  if (size == 1) return value;
  memory[rank] = value;
  int step     = 1;
  while (2 * step < size) step *= 2;
  for (; step > 0; step /= 2) {
    team.team_barrier();
    if (rank < step && rank + step < size)
      memory[rank] = combine<R>(memory[rank], memory[rank + step]);
  }
  team.team_barrier();
  const T total = memory[0];
  team.team_barrier();
  return total;
}

template <class Member, class Arg>
KOKKOS_FORCEINLINE_FUNCTION void end_team_chunk(
    const Member& team, const Arg& arg, const ChunkRegisters<Arg, 0>& chunk,
    int number, [[maybe_unused]] TeamWords* memory) {
  if constexpr (Arg::kind == BoundKind::reduction) {
    using T = typename Arg::value_type;
    for (int c = 0; c < Arg::components; ++c) {
      const T total =
          team_combine<Arg::reduction>(team, chunk.v[c], place_for<T>(memory));
      if (team.team_rank() == 0)
        arg.partials[Offset(number) * Arg::components + c] = total;
    }
  }
}

/// The results of a chunk that a team ran.
template <class Member, int... I, class Kernel, class... Args, class Chunk>
KOKKOS_FORCEINLINE_FUNCTION void end_team_chunk(
    const Member& team,
    const NumberedBody<std::integer_sequence<int, I...>, Kernel, Args...>& body,
    const Chunk& chunk, int number, TeamWords* memory) {
  (end_team_chunk<Member, Args>(team, get<I>(body.args), get<I>(chunk), number,
                                memory),
   ...);
}

template <class Member>
KOKKOS_FORCEINLINE_FUNCTION TeamWords* team_words(const Member& team,
                                                  std::size_t words) {
  return TeamScratch<Member>(team.team_scratch(0), words).data();
}

}  // namespace Impl
}  // namespace Sporos

#endif
