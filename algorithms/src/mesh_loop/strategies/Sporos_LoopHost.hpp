// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPHOST_HPP
#define SPOROS_LOOPHOST_HPP

/// \file Sporos_LoopHost.hpp
/// Loops on hosts. What: a mini-partition is run by one thread, its elements in
/// order, W at a time if the kernel takes packs; block colours alone keep
/// threads apart. Costs: a launch per block colour. Wins: nearly always.

#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// Blocks of consecutive elements, all of them or those of a list.
template <bool Packs, class Body>
struct RunBlocks {
  Body body;
  const int* blocks;  ///< null: block k is number k
  const int *offset, *nelems;
  int together;  ///< blocks that an iteration runs one after another
  bool packs;

  void operator()(int k) const {
    for (int i = k; i < k + together; ++i) {
      const int b = blocks == nullptr ? i : blocks[i];
      run_chunk<false, Packs>(body, nullptr, offset[b], offset[b] + nelems[b],
                              b, packs);
    }
  }
};

/// Chunks of a list of elements.
template <bool Packs, class Body>
struct RunLists {
  Body body;
  const int* list;
  int begin, end, chunk_size, first_chunk;
  bool packs;

  void operator()(int k) const {
    const int from = begin + k * chunk_size;
    run_chunk<true, Packs>(body, list, from,
                           from + std::min(chunk_size, end - from),
                           first_chunk + k, packs);
  }
};

template <class Exec, class Schedule = Kokkos::Schedule<Kokkos::Static>>
using HostRange = Kokkos::RangePolicy<Exec, Schedule, Kokkos::IndexType<int>>;

/// Colour by colour, blocks by whichever thread is free; in_order: all blocks
/// by one thread, without packs.
template <class Exec, class Memory, class Body>
void run_blocks_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body,
                     bool in_order, bool packs) {
  using Dynamic = Kokkos::Schedule<Kokkos::Dynamic>;
  RunBlocks<true, Body> kernel{
      body, nullptr, plan.offset.data(), plan.nelems.data(), 1, packs};
  std::vector<int> counts = plan.ncolblk;
  if (in_order) {
    kernel.together = plan.nblocks;
    kernel.packs    = false;
    counts.assign(1, 1);
  } else {
    kernel.blocks = plan.blkmap.data();
  }
  int begin = 0;
  for (const int count : counts) {
    Kokkos::parallel_for(label,
                         HostRange<Exec, Dynamic>(exec, begin, begin + count,
                                                  Kokkos::ChunkSize(1)),
                         kernel);
    begin += count;
  }
}

/// No two elements meet: all blocks at once. in_order: as above
template <bool Packs, class Exec, class Memory, class Body>
void run_direct_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body,
                     bool in_order, bool packs) {
  Kokkos::parallel_for(
      label, HostRange<Exec>(exec, 0, in_order ? 1 : plan.nblocks),
      RunBlocks<Packs, Body>{body, nullptr, plan.offset.data(),
                             plan.nelems.data(), in_order ? plan.nblocks : 1,
                             packs && !in_order});
}

/// Elements of a chunk of the lists of global colouring.
constexpr int color_chunk = 1024;

/// Global colouring. What: the elements of a colour share no target and run at
/// once. Costs: a launch per colour, no reuse between neighbours. Wins: when
/// numberings are so scattered that blocks of elements all meet each other.
template <bool Packs, class Exec, class Memory, class Body>
void run_colors_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body,
                     bool packs) {
  int chunk = 0;
  for (std::size_t c = 0; c + 1 < plan.color_offsets.size(); ++c) {
    const int begin = plan.color_offsets[c], end = plan.color_offsets[c + 1];
    const int chunks = ceil_div(end - begin, color_chunk);
    Kokkos::parallel_for(
        label, HostRange<Exec>(exec, 0, chunks),
        RunLists<Packs, Body>{body, plan.color_order.data(), begin, end,
                              color_chunk, chunk, packs});
    chunk += chunks;
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
