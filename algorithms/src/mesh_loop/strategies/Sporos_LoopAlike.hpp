// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPALIKE_HPP
#define SPOROS_LOOPALIKE_HPP

/// \file Sporos_LoopAlike.hpp
/// LoopOptions::any_ranks on hosts: all elements run through the same machine
/// code. Compilers contract products and sums to fused operations as they see
/// fit: in the code for packs, in that for single elements, or in both. An
/// element that ends a pack on one rank and not on another would then have
/// other bits.
///
/// Loops with increments through maps run lists of elements. A block of targets
/// runs all elements that reach one of them, in their order, and keeps what
/// goes to its own targets. Elements at the borders of blocks run more than
/// once; the home of an element, the block of its first target, stores what
/// else it writes, and its parts of sums. Costs 2 to 10 % of such elements
/// where numberings are local. Where they are not, where the strategy is
/// gather, or where elements see what they change, each element runs once, and
/// increments are kept and gathered as by the gather strategy. Bits depend
/// neither on the blocks, whose number follows that of the threads, nor on
/// whether increments are kept.

#include <mesh_loop/arguments/Sporos_OwnedArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/strategies/Sporos_LoopBind.hpp>
#include <mesh_loop/strategies/Sporos_LoopHost.hpp>

#include <algorithm>
#include <string>

namespace Sporos {
namespace Impl {

/// The elements first, first + 1, ..., last, and the last one again.
struct FewElements {
  static constexpr bool consecutive = false;
  int first, last;
  SPOROS_ALWAYS_INLINE int operator()(int lane) const {
    return first + std::min(lane, last - first);  // first + lane may overflow
  }
};

/// Elements begin, ..., end - 1, of a list or themselves, W at a time; W = 0:
/// one by one. The last pack has fewer, and computes the last element more than
/// once: a list has W - 1 further entries. The end is volatile and read anew
/// for loads and stores, so that the compiler can neither vectorise the loop
/// nor make a second copy of it, or of the kernel, for full packs. meet:
/// arguments increment one dat, whose contributions come element by element and
/// not pack by pack
template <class Body, int W, bool Listed>
SPOROS_FLATTEN SPOROS_NOINLINE void run_alike(
    const Body& shared_body, const int* list, int begin, int end,
    [[maybe_unused]] bool meet, typename Body::template Chunk<0>& scalars) {
  const Body body         = shared_body;
  const volatile int stop = end;
  typename Body::template Chunk<W> chunk;
  if constexpr (W == 0) {
    chunk = scalars;
    for (int k = begin; k < stop; ++k) {
      const int e = Listed ? list[k] : k;
      typename Body::template Registers<0> r;
      body.load(e, r);
      body.template call<0>(OneElement{e}, r, chunk);
      if constexpr (Listed) body.settle(r);
      body.store_owned(e, 0, r);
    }
    scalars = chunk;
  } else {
    body.template begin<W>(chunk);
    for (int left = end - begin; left > 0; left -= W) {  // end may be 2^31 - 1
      typename Body::template Registers<W> r;
      const int k = end - left, last = k + std::min(W, left) - 1;
      const auto run = [&](const auto& full,
                           const auto& some) SPOROS_INLINE_LAMBDA {
        if (Listed || stop - k >= W)
          body.load_packs(full, r);
        else
          body.load_packs(some, r);
        body.template call<W>(some, r, chunk);
        body.settle(r);
        const int lanes = stop - k;
        if (lanes >= W && !(Listed && meet) &&
            body.template owns_targets<W>(full))
          body.store_packs(full, r);
        else
          for (int lane = 0; lane < std::min(lanes, W); ++lane)
            body.store_owned(full(lane), lane, r);
      };
      if constexpr (Listed)
        run(ListedElements{list + k}, ListedElements{list + k});
      else
        run(ConsecutiveElements{k}, FewElements{k, last});
    }
    body.template fold<W>(chunk, scalars);
  }
}

/// The loop on a block of elements, or on a list for a block of targets.
template <class Body, bool Listed>
struct RunAlike {
  Body body;
  const int *offset, *nelems;
  const OwnerBlock* blocks;
  const int* list;
  int n;  ///< blocks of targets; 0: none, increments are kept
  bool meet;

  void operator()(int b) const {
    const OwnerBlock block =
        Listed ? blocks[b] : OwnerBlock{offset[b], nelems[b]};
    Body mine = body;
    if (n > 0) mine.each([&](auto& arg, int) { own_targets(arg, b, n); });
    typename Body::template Chunk<0> chunk;
    mine.template begin<0>(chunk);
    run_alike<Body, BodyPackWidth<Body>::value, Listed>(
        mine, list, block.first, block.first + block.size, meet, chunk);
    if constexpr (Body::reduces) mine.end(chunk, b);
  }
};

/// All blocks of a plan, or all its lists, at once.
template <bool Listed, class Exec, class Memory, class Body>
void run_blocks_alike(const std::string& label, const Exec& exec,
                      const PlanData<Memory>& plan, const Body& body) {
  const int n = Listed ? int(plan.owner_blocks.size()) : plan.nblocks;
  launch_on_host<Listed>(
      label, exec,
      RunAlike<Body, Listed>{body, plan.offset.data(), plan.nelems.data(),
                             plan.owner_blocks.data(), plan.owner_list.data(),
                             Listed && !plan.keeps ? n : 0, plan.owners_meet},
      0, n);
}

}  // namespace Impl
}  // namespace Sporos

#endif
