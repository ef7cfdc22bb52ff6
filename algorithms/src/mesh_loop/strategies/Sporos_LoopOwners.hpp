// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPOWNERS_HPP
#define SPOROS_LOOPOWNERS_HPP

/// \file Sporos_LoopOwners.hpp
/// LoopOptions::any_ranks on hosts, for loops that only read and increment
/// through maps. A block of targets runs all elements that reach one of them,
/// in their order, and keeps what goes to its own targets. Elements at the
/// borders of blocks run more than once. Costs 2 to 10 % of such elements where
/// numberings are local; `gather` would write and read all increments. Bits do
/// not depend on the blocks, whose number follows that of the threads.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_LoopSums.hpp>

#include <algorithm>
#include <string>
#include <type_traits>

namespace Sporos {
namespace Impl {

/// May an element run twice with such an argument?
template <class Arg>
struct MayRunTwice : std::bool_constant<!is_reduction_v<Arg>> {};
template <class D, class M, Access A, Reach R>
struct MayRunTwice<DatArg<D, M, A, R>>
    : std::bool_constant<A == Access::read ||
                         IncrementsThroughMap<DatArg<D, M, A, R>>::value> {};
template <class T, int N>
struct MayRunTwice<ExactSumArg<T, N>> : std::false_type {};

template <int W, class Body, class Elements, int... I>
SPOROS_ALWAYS_INLINE bool owns_all(const Body& body, const Elements& elements,
                                   std::integer_sequence<int, I...>) {
  return (int(owns_targets<W>(get<I>(body.args), elements)) & ...) != 0;
}
template <class Body, int... I>
void own_all(Body& body, int b, int blocks, std::integer_sequence<int, I...>) {
  (own_targets(get<I>(body.args), b, blocks), ...);
}

/// The n elements of a list, W at a time (see run_alike). The list has W - 1
/// further entries. meet: arguments increment one dat, whose contributions come
/// element by element and not pack by pack
template <class Body, int W>
SPOROS_FLATTEN SPOROS_NOINLINE void run_owned(const Body& shared_body,
                                              const int* list, int n,
                                              [[maybe_unused]] bool meet) {
  const Body body         = shared_body;
  const volatile int stop = n;
  [[maybe_unused]] const typename Body::Indices indices{};
  typename Body::template Chunk<W> chunk;
  body.template begin<W>(chunk);
  if constexpr (W == 0) {
    for (int k = 0; k < stop; ++k) body.element(list[k], chunk);
  } else {
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
        body.store_lanes(elements, std::min(lanes, W), r, indices);
    }
  }
}

/// The loop on a block of targets.
template <class Body>
struct RunOwned {
  Body body;
  const OwnerBlock* blocks;
  const int* list;
  int n;
  bool meet;

  void operator()(int b) const {
    Body mine = body;
    own_all(mine, b, n, typename Body::Indices{});
    run_owned<Body, BodyPackWidth<Body>::value>(mine, list + blocks[b].first,
                                                blocks[b].size, meet);
  }
};

template <class Exec, class Memory, class Body>
void run_owner_blocks(const std::string& label, const Exec& exec,
                      const PlanData<Memory>& plan, const Body& body) {
  using Policy = Kokkos::RangePolicy<Exec, Kokkos::Schedule<Kokkos::Dynamic>,
                                     Kokkos::IndexType<int>>;
  const int n  = int(plan.owner_blocks.size());
  for_each_index(label, Policy(exec, 0, n, Kokkos::ChunkSize(1)),
                 RunOwned<Body>{body, plan.owner_blocks.data(),
                                plan.owner_list.data(), n, plan.owners_meet});
}

}  // namespace Impl
}  // namespace Sporos

#endif
