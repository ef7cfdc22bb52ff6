// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPTEAMS_HPP
#define SPOROS_LOOPTEAMS_HPP

/// \file Sporos_LoopTeams.hpp
/// Mini-partitions run by teams of devices. A team adds the increments of its
/// block to memory colour by colour. With staging it copies data that the block
/// reaches through maps to scratch, adds increments there, and adds the sums to
/// memory at the end: slower on an H100.

#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_StagedArgs.hpp>
#include <mesh_loop/strategies/Sporos_TeamTree.hpp>

#include <algorithm>
#include <string>

namespace Sporos {
namespace Impl {

/// Arrays of a plan that teams read.
struct TeamPlan {
  const int *blkmap, *offset, *nelems, *nthrcol, *thrcol, *order;
  int first, n;
  std::size_t words;  ///< of scratch
};

template <Staging S, bool ByColor, class Body>
struct RunTeams;

template <Staging S, bool ByColor, int... I, class Kernel, class... Args>
struct RunTeams<
    S, ByColor,
    NumberedBody<std::integer_sequence<int, I...>, Kernel, Args...>> {
  using Body   = LoopBody<Kernel, Args...>;
  using Staged = LoopBody<Kernel, staged_type<S, Args>...>;

  Body body;
  TeamPlan plan;
  StagedInfo info[sizeof...(Args) + 1];

  template <class Member>
  SPOROS_FLATTEN KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int b             = plan.blkmap[team.league_rank()];
    TeamWords* const memory = team_words(team, plan.words);
    const Staged staged{body.kernel, place(b, memory)};
    typename Staged::template Chunk<0> chunk;
    staged.template begin<0>(chunk);
    if constexpr (S != Staging::none) {
      (stage_in_one<S, Args>(team, get<I>(body.args), get<I>(staged.args),
                             info[I], info[I].pair == I, b),
       ...);
      team.team_barrier();
    }
    elements(team, b, staged, chunk);
    if constexpr (S != Staging::none) {
      team.team_barrier();
      (stage_out_one<S, Args>(team, get<I>(body.args), get<I>(staged.args),
                              info[I], info[I].pair == I, b),
       ...);
    }
    if constexpr (Body::reduces) end_team_chunk(team, staged, chunk, b, memory);
  }

  template <class Member, class Chunk>
  KOKKOS_FORCEINLINE_FUNCTION void elements(const Member& team, int b,
                                            const Staged& staged,
                                            Chunk& chunk) const {
    const int count                   = plan.nelems[b];
    [[maybe_unused]] const int colors = plan.nthrcol[b];
    const int* const order = plan.order + (plan.offset[b] - plan.first);
    for (int base = 0; base < count; base += team.team_size()) {
      const int i       = base + team.team_rank();
      const bool active = i < count;
      const int e       = order[active ? i : 0];
      [[maybe_unused]] const int color =
          active ? plan.thrcol[e - plan.first] : -1;
      if constexpr (ByColor) {
        for (int c = 0; c < colors; ++c) {
          if (c == color) staged.element(e, chunk);
          team.team_barrier();
        }
      } else {
        typename Staged::template Registers<0> r;
        if (active) {
          staged.load(e, r);
          staged.template call<0>(OneElement{e}, r, chunk);
          // what no other element reaches can go at once
          store(staged, e, r, false);
        }
        for (int c = 0; c < colors; ++c) {
          if (c == color) store(staged, e, r, true);
          team.team_barrier();
        }
      }
    }
  }

  /// What is incremented through maps or meets such increments, or all else.
  template <class R>
  KOKKOS_FORCEINLINE_FUNCTION void store(const Staged& staged, int e,
                                         const R& r, bool increments) const {
    (store_if<Args>(get<I>(staged.args), info[I], e, get<I>(r), increments),
     ...);
  }
  template <class Arg, class StagedArg, class R>
  KOKKOS_FORCEINLINE_FUNCTION static void store_if(const StagedArg& arg,
                                                   const StagedInfo& info,
                                                   int e, const R& r,
                                                   bool increments) {
    if constexpr (is_bound_dat_v<Arg>) {
      // others are stored once, so that no registers wait for the colours
      bool with_increments = false;
      if constexpr (accumulates_v<Arg::access>)
        with_increments = !Arg::direct || info.meets;
      if (increments == with_increments) arg.store(e, r.v);
    }
  }

  KOKKOS_FORCEINLINE_FUNCTION Bundle<staged_type<S, Args>...> place(
      int b, TeamWords* memory) const {
    Bundle<staged_type<S, Args>...> args;
    (place_one<S, Args>(
         get<I>(body.args), get<I>(args), info[I], b, memory,
         shared_scratch(args, I, std::make_integer_sequence<int, I>{}),
         plan.first, plan.n),
     ...);
    return args;
  }
  /// The scratch of the earlier argument with the dat of argument `number`.
  /// `args` is not const, as g++ warns that later arguments are not yet set.
  template <class StagedArgs, int... J>
  KOKKOS_FORCEINLINE_FUNCTION void* shared_scratch(
      [[maybe_unused]] StagedArgs& args, [[maybe_unused]] int number,
      std::integer_sequence<int, J...>) const {
    void* shared = nullptr;
    ((info[number].pair == J ? void(shared = scratch_of(get<J>(args)))
                             : void()),
     ...);
    return shared;
  }
};

/// Words of scratch of a team of so many threads that stages so many bytes.
template <Staging S, class Body>
std::size_t team_scratch_words(std::size_t staged_bytes, int threads) {
  const std::size_t staged =
      S == Staging::none ? 0 : staged_bytes / sizeof(TeamWords);
  return std::max<std::size_t>(
      {staged, TeamReductions<Body>::words(threads), 1});
}

/// The kernel for the blocks of a colour, which begin at `begin` in blkmap, and
/// teams of at most `threads`.
template <Staging S, bool ByColor, class Memory, class Body>
RunTeams<S, ByColor, Body> team_kernel(const PlanData<Memory>& plan,
                                       const Body& body, std::size_t color,
                                       int begin, int threads) {
  const std::size_t bytes = S == Staging::none ? 0 : plan.nshared_color[color];
  RunTeams<S, ByColor, Body> kernel{
      body,
      {plan.blkmap.data() + begin, plan.offset.data(), plan.nelems.data(),
       plan.nthrcol.data(), plan.thrcol.data(), plan.order.data(), plan.first,
       plan.n, team_scratch_words<S, Body>(bytes, threads)},
      {}};
  for (std::size_t a = 0; a < plan.keys.size(); ++a)
    kernel.info[a] = staged_info(plan, int(a));
  return kernel;
}

/// Threads of the teams of all colours, at most `most`. Throws if not one fits
/// beside the scratch of the largest block: Kokkos would not run its colour.
template <Staging S, class Body, class Exec, class Memory, class Kernel>
int loop_team_size(const Exec& exec, const PlanData<Memory>& plan,
                   const Kernel& kernel, int most) {
  const std::size_t bytes =
      team_scratch_words<S, Body>(plan.nshared, most) * sizeof(TeamWords);
  LightTeams<Exec> trial(exec, 1, 1);
  trial.set_scratch_size(0, Kokkos::PerTeam(bytes));
  const int fit = trial.team_size_max(kernel, Kokkos::ParallelForTag());
  check(fit > 0, "Sporos::par_loop", "options",
        "a block_size whose staged data leave room for a team", bytes,
        " bytes of scratch in blocks of ", plan.block_size);
  return std::min(most, fit);
}

template <Staging S, bool ByColor, class Exec, class Memory, class Body>
void run_teams(const std::string& label, const Exec& exec,
               const PlanData<Memory>& plan, const Body& body) {
  const int most = TeamReductions<Body>::threads(
      ceil_div(plan.block_size, least_team_block) * least_team_block);
  int begin = 0, size = 0;
  for (std::size_t c = 0; c < plan.ncolblk.size(); ++c) {
    const auto kernel = team_kernel<S, ByColor>(plan, body, c, begin, most);
    if (c == 0) size = loop_team_size<S, Body>(exec, plan, kernel, most);
    Kokkos::parallel_for(
        label,
        LightTeams<Exec>(exec, plan.ncolblk[c], size)
            .set_scratch_size(
                0, Kokkos::PerTeam(int(kernel.plan.words * sizeof(TeamWords)))),
        kernel);
    begin += plan.ncolblk[c];
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
