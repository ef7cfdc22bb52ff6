// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ENGINECONSTANTS_HPP
#define SPOROS_ENGINECONSTANTS_HPP

/// \file Sporos_EngineConstants.hpp
/// The numbers of the engine that were measured or chosen: how it cuts its work
/// for a back end. In the sort only speed depends on them; "bits" marks those
/// on which the order of a sum depends.
///
/// Measured again by two builds of the benchmark in turn, which sorts in the
/// rows update and sums in the rows sweep (devices: tests/cuda.sh counts):
///
///   bench_particle_grid --benchmark_filter='(update|sweep).*uniform'

#include <Sporos_KokkosCompat.hpp>

#include <limits>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class Exec, bool = is_host_space_v<Exec>>
struct EngineTuning {  // hosts: one thread per team, wide digits
  static constexpr int sort_team_size = 1;   ///< threads
  static constexpr int sort_key_bytes = 64;  ///< of devices alone
  /// Bits of a digit. Room: the counts of its 2048 values (8 KiB) stay in a
  /// level-1 cache.
  static constexpr int sort_digit_bits = 11;
  /// Keys of a chunk: from the first, four times the counts, to the last where
  /// there are chunks_wanted. Chosen: threads share the chunks.
  static constexpr int sort_chunk         = 8192;
  static constexpr int sort_largest_chunk = 1 << 17;
  static constexpr int sort_chunks_wanted = 128;

  static constexpr int reduce_team_size = 1;  ///< threads
  /// Elements of a chunk of a sum, heads of a chunk of the levels above. Bits.
  /// Chosen.
  static constexpr int reduce_items      = 1024;
  static constexpr int reduce_head_items = 64;
  /// Chunks that one loop of their owners adds up: all.
  static constexpr int reduce_owner_limit = std::numeric_limits<int>::max();

  /// Threads that merge the slots of ExactSum.
  static constexpr int exact_sum_team_size = 1;
};

struct CudaTuning {  // many threads, narrow digits
  /// Threads of a team. Counted, then measured on an H100.
  static constexpr int sort_team_size = 256;
  /// Room: counts of 256 values in scratch.
  static constexpr int sort_digit_bits = 8;
  /// Bytes of keys of a thread.
  static constexpr int sort_key_bytes = 64;

  /// Threads of a team. Counted, then measured on an H100.
  static constexpr int reduce_team_size = 128;
  /// Elements of a thread, heads of a thread of the levels above. Bits. Chosen.
  static constexpr int reduce_items      = 8;
  static constexpr int reduce_head_items = 16;
  /// Chunks that one loop of their owners adds up: more are a level more. Bits.
  /// Chosen (2026-11-26): 64 additions one after another.
  static constexpr int reduce_owner_limit = 64;
  /// Threads of a team that finds segments of keys of more than 8 bytes. Room:
  /// the keys of a chunk fit into scratch.
  static constexpr int reduce_few_threads = warp_threads;

  /// ExactSum: least rows of a thread, and most slots that threads share.
  /// Chosen: atomics on a slot are spread, and few slots are merged.
  static constexpr int exact_sum_rows      = 32;
  static constexpr int exact_sum_slots     = 32;
  static constexpr int exact_sum_team_size = 64;
};

/// AMD's GPUs. Compiled and never measured.
struct HipTuning : CudaTuning {
  /// Room: 64 KiB of scratch for all teams of a compute unit hold two or three
  /// of 256 threads (41 KiB each with the bytes for CUDA).
  static constexpr int sort_key_bytes = 32;
};

template <class Exec>
struct EngineTuning<Exec, false>
    : std::conditional_t<has_hip, HipTuning, CudaTuning> {
  using Tuning = std::conditional_t<has_hip, HipTuning, CudaTuning>;
  static_assert(Tuning::sort_team_size % warp_threads == 0 &&
                    Tuning::reduce_team_size % warp_threads == 0 &&
                    Tuning::reduce_few_threads % warp_threads == 0 &&
                    Tuning::exact_sum_team_size % warp_threads == 0,
                "Sporos: teams of whole warps");
};

}  // namespace Impl
}  // namespace Sporos

#endif
