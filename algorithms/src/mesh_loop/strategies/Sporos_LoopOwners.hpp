// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPOWNERS_HPP
#define SPOROS_LOOPOWNERS_HPP

/// \file Sporos_LoopOwners.hpp
/// LoopOptions::any_ranks on hosts, for loops with increments through maps. A
/// block of targets runs all elements that reach one of them, in their order,
/// and keeps what goes to its own targets. Elements at the borders of blocks
/// run more than once; the home of an element, the block of its first target,
/// stores what else it writes, and its parts of sums. Costs 2 to 10 % of such
/// elements where numberings are local. Where they are not, where the strategy
/// is gather, or where elements see what they change, each element runs once,
/// and increments are kept and gathered as by the gather strategy. Bits depend
/// neither on the blocks, whose number follows that of the threads, nor on
/// whether increments are kept: both run through the same machine code.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanReverse.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>

#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <int W, class Body, class Elements, int... I>
SPOROS_ALWAYS_INLINE bool owns_all(const Body& body, const Elements& elements,
                                   std::integer_sequence<int, I...>) {
  return (int(owns_targets<W>(get<I>(body.args), elements)) & ...) != 0;
}
template <class Body, int... I>
void own_all(Body& body, int b, int blocks, std::integer_sequence<int, I...>) {
  (own_targets(get<I>(body.args), b, blocks), ...);
}

/// What element e, in a lane of registers r, leaves in this block.
template <class Body, class Registers, int... I>
SPOROS_ALWAYS_INLINE void store_owned(const Body& body, int e,
                                      [[maybe_unused]] int lane,
                                      const Registers& r,
                                      std::integer_sequence<int, I...>) {
  int home = -1;
  ((home = is_home(home, get<I>(body.args), e)), ...);
  const auto store = [&](const auto& arg,
                         const auto& registers) SPOROS_INLINE_LAMBDA {
    using Arg = std::decay_t<decltype(arg)>;
    if constexpr (is_bound_dat_v<Arg>)
      if (is_owned_v<Arg> || home != 0) {
        if constexpr (std::is_same_v<Registers,
                                     typename Body::template Registers<0>>)
          arg.store(e, registers.v);
        else
          Body::store_lane(arg, e, lane, registers);
      }
  };
  (store(get<I>(body.args), get<I>(r)), ...);
}

/// The n elements of a list, W at a time (see run_alike). The list has W - 1
/// further entries. meet: arguments increment one dat, whose contributions come
/// element by element and not pack by pack
template <class Body, int W>
SPOROS_FLATTEN SPOROS_NOINLINE void run_owned(
    const Body& shared_body, const int* list, int n, [[maybe_unused]] bool meet,
    typename Body::template Chunk<0>& scalars) {
  const Body body         = shared_body;
  const volatile int stop = n;
  [[maybe_unused]] const typename Body::Indices indices{};
  if constexpr (W == 0) {
    auto chunk = scalars;
    for (int k = 0; k < stop; ++k) {
      const int e = list[k];
      typename Body::template Registers<0> r;
      body.load(e, r, indices);
      body.template call<0>(OneElement{e}, r, chunk, indices);
      body.settle(r, indices);
      store_owned(body, e, 0, r, indices);
    }
    scalars = chunk;
  } else {
    typename Body::template Chunk<W> chunk;
    body.template begin<W>(chunk);
    for (int k = 0; k < stop; k += W) {
      const ListedElements elements{list + k};
      typename Body::template Registers<W> r;
      body.load_packs(elements, r, indices);
      body.template call<W>(elements, r, chunk, indices);
      body.settle(r, indices);
      const int lanes = stop - k;
      if (lanes >= W && !meet && owns_all<W>(body, elements, indices))
        body.store_packs(elements, r, indices);
      else
        for (int lane = 0; lane < std::min(lanes, W); ++lane)
          store_owned(body, elements(lane), lane, r, indices);
    }
    body.template fold<W>(chunk, scalars);
  }
}

/// The loop on a block.
template <class Body>
struct RunOwned {
  Body body;
  const OwnerBlock* blocks;
  const int* list;
  int n;
  bool meet, keeps;

  void operator()(int b) const {
    Body mine = body;
    if (!keeps) own_all(mine, b, n, typename Body::Indices{});
    typename Body::template Chunk<0> chunk;
    mine.template begin<0>(chunk);
    run_owned<Body, BodyPackWidth<Body>::value>(mine, list + blocks[b].first,
                                                blocks[b].size, meet, chunk);
    if constexpr (Body::reduces) mine.end(chunk, b);
  }
};

/// Where the contributions of one argument are kept: at `slot` of `slots` in
/// rows that begin at `rows`; null: new ones.
template <class Arg>
void* keep_contributions(Arg&, void* rows, int, int, LoopMemory&) {
  return rows;
}
template <class T, int N, int Arity, class Rows, class Target, Access A>
void* keep_contributions(BoundOwned<T, N, Arity, Rows, Target, A>& arg,
                         void* rows, int slot, int slots, LoopMemory& memory) {
  T* const begin =
      rows != nullptr
          ? static_cast<T*>(rows)
          : memory.temporaries.take<T>(std::size_t(memory.n) * slots * N);
  arg.kept_rows = begin + Offset(slot) * N;
  arg.pitch     = Offset(slots) * N;
  arg.first     = memory.first;
  return begin;
}
template <class Body, class Memory, int... I>
void keep_contributions(Body& body, const PlanData<Memory>& plan,
                        LoopMemory& memory, std::integer_sequence<int, I...>) {
  void* rows[sizeof...(I)] = {};
  const auto keep          = [&](int a, auto& arg) {
    if (!plan.keys[std::size_t(a)].increments()) return;
    const auto leader = std::size_t(plan.keys[std::size_t(a)].dat);
    int slot = 0, slots = 0;
    for (const std::size_t b : gathered_with(plan, leader)) {
      if (int(b) == a) slot = slots;
      slots += slots_of(plan, b);
    }
    rows[leader] = keep_contributions(arg, rows[leader], slot, slots, memory);
  };
  (keep(I, get<I>(body.args)), ...);
}

template <class Exec, class Memory, class Body>
void run_owner_blocks(const std::string& label, const Exec& exec,
                      const PlanData<Memory>& plan, const Body& body) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<int>>;
  const int n  = int(plan.owner_blocks.size());
  for_each_index(
      label, Policy(exec, 0, n, Kokkos::ChunkSize(1)),
      RunOwned<Body>{body, plan.owner_blocks.data(), plan.owner_list.data(), n,
                     plan.owners_meet, plan.keeps});
}

}  // namespace Impl
}  // namespace Sporos

#endif
