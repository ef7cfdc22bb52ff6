// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPOWNERS_HPP
#define SPOROS_LOOPOWNERS_HPP

/// \file Sporos_LoopOwners.hpp
/// The strategy owners on devices: one launch, no colours, no atomics. A team
/// owns a block of targets and runs all elements that reach one of them. It
/// collects their increments in scratch, each at the place that the plan has
/// for it. Then its threads sum the increments of its targets in the order of
/// elements and write each target once. Elements that reach several blocks run
/// in each; the home of an element, the block of its first target, stores what
/// else it writes, and counts its parts of reductions. With any_ranks, teams
/// run lists of elements by the same kernel where increments are kept.

#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/arguments/Sporos_WideRows.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_LoopTeams.hpp>
#include <mesh_loop/strategies/Sporos_StagedArgs.hpp>
#include <mesh_loop/strategies/Sporos_TeamTree.hpp>

#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// A collected argument's part of the plan.
struct OwnerInfo {
  const int *targets, *offsets, *levels, *firsts;
  int leader;  ///< the first argument that increments the same dat
};

/// The rows of a block get the increments of their targets.
template <class Arg, class Member>
KOKKOS_FORCEINLINE_FUNCTION void sum_rows(const Member& team, const Arg& arg,
                                          const int* targets, int count,
                                          const int* firsts, int levels) {
  for_rows<typename Arg::value_type, Arg::components>(
      team, arg.rows, targets, count, [&](auto& row, int c, int l) {
        auto sum = row;
        for (int level = 0, first = 0; level < levels; ++level) {
          const int next = firsts[level + 1];
          if (l >= next - first) break;
          const auto increment = *reinterpret_cast<const decltype(sum)*>(
              arg.data + arg.at(first + l, c));
          SPOROS_UNROLL
          for (int j = 0; j < sum.lanes; ++j)
            contribute<Arg::access>(sum.v[j], increment.v[j]);
          first = next;
        }
        row = sum;
      });
}

/// Rows whose components lie apart get them, too: a thread sums all of a
/// target.
template <class Arg, class Member>
KOKKOS_FORCEINLINE_FUNCTION void sum_targets(const Member& team, const Arg& arg,
                                             const int* targets, int count,
                                             const int* firsts, int levels) {
  constexpr int N = Arg::components;
  for (int l = team.team_rank(); l < count; l += team.team_size()) {
    const int t = targets[l];
    typename Arg::value_type sum[N];
    load_row<N>(arg.rows, t, sum);
    for (int level = 0, first = 0; level < levels; ++level) {
      const int next = firsts[level + 1];
      if (l >= next - first) break;
      SPOROS_UNROLL
      for (int c = 0; c < N; ++c)
        contribute<Arg::access>(sum[c], arg.data[arg.at(first + l, c)]);
      first = next;
    }
    store_row<N>(arg.rows, t, sum);
  }
}

template <class Arg, class Member>
KOKKOS_FORCEINLINE_FUNCTION void sum_one([[maybe_unused]] const Member& team,
                                         [[maybe_unused]] const Arg& arg,
                                         [[maybe_unused]] const OwnerInfo& info,
                                         [[maybe_unused]] int number,
                                         [[maybe_unused]] int b) {
  if constexpr (is_collected_v<Arg>) {
    if (arg.keeps() || info.leader != number) return;
    const int begin          = info.offsets[b];
    const int count          = info.offsets[b + 1] - begin;
    const int first          = info.levels[b];
    const int levels         = info.levels[b + 1] - first - 1;
    const int* const targets = info.targets + begin;
    const int* const firsts  = info.firsts + first;
    if constexpr (Arg::contiguous)
      sum_rows(team, arg, targets, count, firsts, levels);
    else
      sum_targets(team, arg, targets, count, firsts, levels);
  }
}

template <class Body>
struct RunOwners;

template <int... I, class Kernel, class... Args>
struct RunOwners<
    NumberedBody<std::integer_sequence<int, I...>, Kernel, Args...>> {
  using Body = LoopBody<Kernel, Args...>;

  Body body;
  const int *offsets, *elements;
  std::size_t words;  ///< of scratch
  OwnerInfo info[sizeof...(Args) + 1];

  template <class Member>
  SPOROS_FLATTEN KOKKOS_FUNCTION void operator()(const Member& team) const {
    const int b             = team.league_rank();
    TeamWords* const memory = team_words(team, words);
    Body mine               = body;
    char* next              = reinterpret_cast<char*>(memory);
    (place_one<Args>(get<I>(mine.args), info[I], I, b, next), ...);
    (share_one<Args>(mine, get<I>(mine.args), info[I], I), ...);
    typename Body::template Chunk<0> chunk;
    mine.template begin<0>(chunk);
    const int end = offsets[b + 1];
    for (int k = offsets[b] + team.team_rank(); k < end; k += team.team_size())
      entry(mine, k, chunk);
    team.team_barrier();
    (sum_one(team, get<I>(mine.args), info[I], I, b), ...);
    if constexpr (Body::reduces) {
      team.team_barrier();
      end_team_chunk(team, mine, chunk, b, memory);
    }
  }

  /// Entry k of the list.
  template <class Chunk>
  KOKKOS_FORCEINLINE_FUNCTION void entry(const Body& mine, int k,
                                         Chunk& chunk) const {
    const int e = elements[k];
    int home    = -1;
    ((home = is_home(home, get<I>(mine.args), k)), ...);
    typename Body::template Registers<0> r;
    (load_if<Args>(get<I>(mine.args), e, home != 0, get<I>(r)), ...);
    if constexpr (Body::reduces) {
      const Chunk before = chunk;
      mine.template call<0>(OneElement{e}, r, chunk);
      if (home == 0) chunk = before;
    } else {
      mine.template call<0>(OneElement{e}, r, chunk);
    }
    (store_if<Args>(get<I>(mine.args), e, k, home != 0, get<I>(r)), ...);
  }
  /// What only the home writes, others do not read: it may change meanwhile.
  template <class Arg, class R>
  KOKKOS_FORCEINLINE_FUNCTION static void load_if(
      [[maybe_unused]] const Arg& arg, [[maybe_unused]] int e,
      [[maybe_unused]] bool home, [[maybe_unused]] R& r) {
    if constexpr (is_bound_dat_v<Arg>) {
      if constexpr (Arg::access == Access::write) {
        SPOROS_UNROLL
        for (int c = 0; c < Arg::registers; ++c) r.v[c] = {};
        if (!home) return;
      }
      arg.load(e, r.v);
    }
  }
  template <class Arg, class R>
  KOKKOS_FORCEINLINE_FUNCTION static void store_if(
      [[maybe_unused]] const Arg& arg, [[maybe_unused]] int e,
      [[maybe_unused]] int k, [[maybe_unused]] bool home,
      [[maybe_unused]] const R& r) {
    if constexpr (is_collected_v<Arg>) {
      arg.store(k, e, r.v);
    } else if constexpr (is_bound_dat_v<Arg>) {
      if constexpr (Arg::access != Access::read)
        if (home) arg.store(e, r.v);
    }
  }

  /// The scratch of the first argument with a dat begins at `next`.
  template <class Arg>
  KOKKOS_FORCEINLINE_FUNCTION static void place_one(
      [[maybe_unused]] Arg& arg, [[maybe_unused]] const OwnerInfo& info,
      [[maybe_unused]] int number, [[maybe_unused]] int b,
      [[maybe_unused]] char*& next) {
    if constexpr (is_collected_v<Arg>) {
      if (arg.keeps()) return;
      using T  = typename Arg::value_type;
      arg.size = info.firsts[info.levels[b + 1] - 1];
      if (info.leader != number) return;
      constexpr auto mask =
          std::uintptr_t(alignof(T) > 16 ? alignof(T) : 16) - 1;
      const auto address = reinterpret_cast<std::uintptr_t>(next);
      arg.data =
          reinterpret_cast<T*>(next + ((address + mask) & ~mask) - address);
      next = reinterpret_cast<char*>(arg.data + arg.size * Arg::components);
    }
  }
  /// Others with its dat share it.
  template <class Arg>
  KOKKOS_FORCEINLINE_FUNCTION static void share_one(
      [[maybe_unused]] const Body& mine, [[maybe_unused]] Arg& arg,
      [[maybe_unused]] const OwnerInfo& info, [[maybe_unused]] int number) {
    if constexpr (is_collected_v<Arg>) {
      if (info.leader == number) return;
      ((I == info.leader ? share(get<I>(mine.args), arg) : void()), ...);
    }
  }
  template <class From, class Arg>
  KOKKOS_FORCEINLINE_FUNCTION static void share(
      [[maybe_unused]] const From& from, [[maybe_unused]] Arg& arg) {
    if constexpr (is_collected_v<From>)
      if constexpr (std::is_same_v<typename From::value_type,
                                   typename Arg::value_type>)
        arg.data = from.data;
  }
};

/// Tells a collected argument its places.
template <class Arg, class Memory>
void set_places([[maybe_unused]] Arg& arg,
                [[maybe_unused]] const PlanData<Memory>& plan,
                [[maybe_unused]] int a) {
  if constexpr (is_collected_v<Arg>) {
    const auto& group = plan.owner_groups[std::size_t(plan.arg_owner[a])];
    arg.pitch         = Offset(plan.owner_list.size());
    arg.places = group.places.data() + plan.arg_owner_slot[a] * arg.pitch;
  }
}

/// All blocks of targets of a plan at once.
template <class Exec, class Memory, class Body>
void run_owners(const std::string& label, const Exec& exec,
                const PlanData<Memory>& plan, Body body) {
  int longest = 1;
  for (const OwnerBlock& block : plan.owner_blocks)
    longest = std::max(longest, block.size);
  const int each = ceil_div(longest, ceil_div(longest, owner_threads));
  const int most = TeamReductions<Body>::threads(ceil_div(each, warp_threads) *
                                                 warp_threads);
  if (!plan.keeps)
    body.each([&](auto& arg, int a) { set_places(arg, plan, a); });
  RunOwners<Body> kernel{
      body,
      plan.owner_offsets.data(),
      plan.owner_elements.data(),
      team_scratch_words<Staging::all, Body>(plan.nshared, most),
      {}};
  for (std::size_t a = 0; a < plan.arg_owner.size(); ++a) {
    if (plan.arg_owner[a] < 0) continue;
    const auto& group = plan.owner_groups[std::size_t(plan.arg_owner[a])];
    kernel.info[a]    = {group.targets.data(), group.offsets.data(),
                         group.levels.data(), group.firsts.data(),
                         plan.keys[a].dat};
  }
  const int size = loop_team_size<Staging::all, Body>(exec, plan, kernel, most);
  Kokkos::parallel_for(
      label,
      LightTeams<Exec>(exec, int(plan.owner_blocks.size()), size)
          .set_scratch_size(
              0, Kokkos::PerTeam(int(kernel.words * sizeof(TeamWords)))),
      kernel);
}

}  // namespace Impl
}  // namespace Sporos

#endif
