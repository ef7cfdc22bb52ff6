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

namespace Sporos {
namespace Impl {

/// Blocks of consecutive elements, all of them or those of a list.
template <int W, class Body>
struct RunBlocks {
  Body body;
  const int* blocks;  ///< null: block k is number k
  const int *offset, *nelems;

  void operator()(int k) const {
    const int b = blocks == nullptr ? k : blocks[k];
    run_chunk<W, false>(body, nullptr, offset[b], offset[b] + nelems[b], b);
  }
};

/// All blocks one after another.
template <class Body>
struct RunSerial {
  Body body;
  const int *offset, *nelems;
  int nblocks;

  void operator()(int) const {
    for (int b = 0; b < nblocks; ++b)
      run_chunk<0, false>(body, nullptr, offset[b], offset[b] + nelems[b], b);
  }
};

/// Chunks of a list of elements.
template <int W, class Body>
struct RunLists {
  Body body;
  const int* list;
  int begin, end, chunk_size, first_chunk;

  void operator()(int k) const {
    const int from = begin + k * chunk_size;
    run_chunk<W, true>(body, list, from,
                       from + std::min(chunk_size, end - from),
                       first_chunk + k);
  }
};

template <class Exec, class Schedule = Kokkos::Schedule<Kokkos::Static>>
using HostRange = Kokkos::RangePolicy<Exec, Schedule, Kokkos::IndexType<int>>;

/// No two elements meet: all blocks at once.
template <int W, class Exec, class Memory, class Body>
void run_direct_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body) {
  Kokkos::parallel_for(label, HostRange<Exec>(exec, 0, plan.nblocks),
                       RunBlocks<W, Body>{body, nullptr, plan.offset.data(),
                                          plan.nelems.data()});
}

template <class Exec, class Memory, class Body>
void run_serial_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body) {
  Kokkos::parallel_for(label, HostRange<Exec>(exec, 0, 1),
                       RunSerial<Body>{body, plan.offset.data(),
                                       plan.nelems.data(), plan.nblocks});
}

/// Colour by colour, blocks by whichever thread is free.
template <int W, class Exec, class Memory, class Body>
void run_blocks_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body) {
  using Dynamic           = Kokkos::Schedule<Kokkos::Dynamic>;
  const int* const blkmap = plan.blkmap.data();
  int begin               = 0;
  for (const int count : plan.ncolblk) {
    Kokkos::parallel_for(label,
                         HostRange<Exec, Dynamic>(exec, begin, begin + count,
                                                  Kokkos::ChunkSize(1)),
                         RunBlocks<W, Body>{body, blkmap, plan.offset.data(),
                                            plan.nelems.data()});
    begin += count;
  }
}

/// Elements of a chunk of the lists of global colouring.
constexpr int color_chunk = 1024;

/// Chunks of all colours.
inline int color_chunks(const std::vector<int>& offsets) {
  int chunks = 0;
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c)
    chunks += ceil_div(offsets[c + 1] - offsets[c], color_chunk);
  return chunks;
}

/// Global colouring. What: the elements of a colour share no target and run at
/// once. Costs: a launch per colour, no reuse between neighbours. Wins: when
/// numberings are so scattered that blocks of elements all meet each other.
template <int W, class Exec, class Memory, class Body>
void run_colors_host(const std::string& label, const Exec& exec,
                     const PlanData<Memory>& plan, const Body& body) {
  int chunk = 0;
  for (std::size_t c = 0; c + 1 < plan.color_offsets.size(); ++c) {
    const int begin = plan.color_offsets[c], end = plan.color_offsets[c + 1];
    const int chunks = ceil_div(end - begin, color_chunk);
    Kokkos::parallel_for(label, HostRange<Exec>(exec, 0, chunks),
                         RunLists<W, Body>{body, plan.color_order.data(), begin,
                                           end, color_chunk, chunk});
    chunk += chunks;
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
