// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPALIKE_HPP
#define SPOROS_LOOPALIKE_HPP

/// \file Sporos_LoopAlike.hpp
/// Loops on hosts in which all elements run through the same machine code.
/// Compilers contract products and sums to fused operations as they see fit: in
/// the code for packs, in that for single elements, or in both. An element that
/// ends a pack on one rank and not on another would then have other bits.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>

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

/// Elements begin, ..., end - 1, W at a time; W = 0: one by one. The last pack
/// has fewer, and computes the last element more than once. The end is volatile
/// and read anew for loads and stores, so that the compiler can neither
/// vectorise the loop nor make a second copy of it, or of the kernel, for full
/// packs.
template <class Body, int W>
SPOROS_FLATTEN SPOROS_NOINLINE void run_alike(
    const Body& shared_body, int begin, int end,
    typename Body::template Chunk<0>& scalars) {
  const Body body         = shared_body;
  const volatile int stop = end;
  [[maybe_unused]] const typename Body::Indices indices{};
  if constexpr (W == 0) {
    auto chunk = scalars;
    for (int k = begin; k < stop; ++k) body.element(k, chunk);
    scalars = chunk;
  } else {
    typename Body::template Chunk<W> chunk;
    body.template begin<W>(chunk);
    for (int left = end - begin; left > 0; left -= W) {  // end may be 2^31 - 1
      typename Body::template Registers<W> r;
      const int k = end - left, last = k + std::min(W, left) - 1;
      if (stop - k >= W)
        body.load_packs(ConsecutiveElements{k}, r, indices);
      else
        body.load_packs(FewElements{k, last}, r, indices);
      body.template call<W>(FewElements{k, last}, r, chunk, indices);
      body.settle(r, indices);
      if (stop - k >= W)
        body.store_packs(ConsecutiveElements{k}, r, indices);
      else
        body.store_lanes(ConsecutiveElements{k}, stop - k, r, indices);
    }
    body.template fold<W>(chunk, scalars);
  }
}

/// The loop on a block.
template <class Body>
struct RunAlike {
  Body body;
  const int *offset, *nelems;

  void operator()(int b) const {
    typename Body::template Chunk<0> chunk;
    body.template begin<0>(chunk);
    run_alike<Body, BodyPackWidth<Body>::value>(body, offset[b],
                                                offset[b] + nelems[b], chunk);
    if constexpr (Body::reduces) body.end(chunk, b);
  }
};

/// All blocks of a plan at once.
template <class Exec, class Memory, class Body>
void run_blocks_alike(const std::string& label, const Exec& exec,
                      const PlanData<Memory>& plan, const Body& body) {
  for_each_index(
      label,
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>(exec, 0, plan.nblocks),
      RunAlike<Body>{body, plan.offset.data(), plan.nelems.data()});
}

}  // namespace Impl
}  // namespace Sporos

#endif
