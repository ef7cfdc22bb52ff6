// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPHOST_HPP
#define SPOROS_LOOPHOST_HPP

/// \file Sporos_LoopHost.hpp
/// Loops on hosts. A thread runs the elements of a mini-partition in their
/// order, several at a time if the kernel takes packs. Blocks of one colour
/// share no incremented target and run at once: a launch for each colour.

#include <Sporos_ForEachIndex.hpp>
#include <mesh_loop/plan/Sporos_LoopConstants.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/strategies/Sporos_ElementLoop.hpp>

#include <algorithm>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// Are lists of elements run, too, and on packs?
enum class HostLists { none, scalars, packs };

/// The chunks of a launch: blocks of consecutive elements, or parts of a list.
struct HostChunks {
  const int *offset, *nelems;   ///< of all blocks
  const int* blocks = nullptr;  ///< null: block k is number k
  int together      = 1;  ///< blocks that an iteration runs one after another
  bool packs        = false;
  const int* list   = nullptr;  ///< null: blocks
  int begin         = 0;        ///< entries begin, ..., end - 1
  int end           = 0;
  int first_chunk   = 0;
};

/// The loop on a chunk, and on those after it that belong together.
template <HostLists Lists, bool Packs, class Body>
struct RunChunks {
  Body body;
  HostChunks chunks;

  void operator()(int k) const {
    const HostChunks& c = chunks;
    if constexpr (Lists != HostLists::none)
      if (c.list != nullptr) {
        const int from = c.begin + k * color_chunk;
        run_chunk<true, Lists == HostLists::packs>(
            body, c.list, from, from + std::min(color_chunk, c.end - from),
            c.first_chunk + k, c.packs);
        return;
      }
    for (int i = k; i < k + c.together; ++i) {
      const int b = c.blocks == nullptr ? i : c.blocks[i];
      run_chunk<false, Packs>(body, nullptr, c.offset[b],
                              c.offset[b] + c.nelems[b], b, c.packs);
    }
  }
};

/// Calls kernel(begin), ..., kernel(end - 1). Dynamic: by whichever thread is
/// free
template <bool Dynamic, class Exec, class Kernel>
SPOROS_NOINLINE void launch_on_host(const std::string& label, const Exec& exec,
                                    const Kernel& kernel, int begin, int end) {
  using Schedule = std::conditional_t<Dynamic, Kokkos::Dynamic, Kokkos::Static>;
  for_each_index(label,
                 Kokkos::RangePolicy<Exec, Kokkos::Schedule<Schedule>,
                                     Kokkos::IndexType<int>>(
                     exec, begin, end, Kokkos::ChunkSize(1)),
                 kernel);
}

/// Chunks of `size` elements of all colours.
inline int color_chunks(const std::vector<int>& offsets, int size) {
  int chunks = 0;
  for (std::size_t c = 0; c + 1 < offsets.size(); ++c)
    chunks += ceil_div(offsets[c + 1] - offsets[c], size);
  return chunks;
}

/// Runs a loop as its plan says: all blocks by one thread, without packs
/// (serial); the elements of a colour at once, which share no target (global
/// colouring: without reuse between neighbours, for numberings so scattered
/// that blocks of elements all meet each other); all blocks at once, if no two
/// of them meet or that does not matter (at_once); or the blocks of a colour at
/// once.
template <HostLists Lists, bool Packs, bool Dynamic, class Exec, class Memory,
          class Body>
void run_host(const std::string& label, const Exec& exec,
              const PlanData<Memory>& plan, const Body& body, bool packs,
              bool at_once) {
  HostChunks chunks{plan.offset.data(), plan.nelems.data()};
  chunks.packs      = packs;
  const auto launch = [&](int begin, int end) {
    launch_on_host<Dynamic>(
        label, exec, RunChunks<Lists, Packs, Body>{body, chunks}, begin, end);
  };
  if (plan.strategy == LoopStrategy::serial) {
    chunks.together = plan.nblocks;
    chunks.packs    = false;
    launch(0, 1);
  } else if (Lists != HostLists::none &&
             plan.strategy == LoopStrategy::global_coloring) {
    chunks.list = plan.color_order.data();
    for (std::size_t c = 0; c + 1 < plan.color_offsets.size(); ++c) {
      chunks.begin = plan.color_offsets[c];
      chunks.end   = plan.color_offsets[c + 1];
      const int n  = ceil_div(chunks.end - chunks.begin, color_chunk);
      launch(0, n);
      chunks.first_chunk += n;
    }
  } else if (at_once || plan.nblkcol == 0) {
    launch(0, plan.nblocks);
  } else {
    chunks.blocks = plan.blkmap.data();
    int begin     = 0;
    for (const int count : plan.ncolblk) {
      launch(begin, begin + count);
      begin += count;
    }
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
