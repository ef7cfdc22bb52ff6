// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPCONSTANTS_HPP
#define SPOROS_LOOPCONSTANTS_HPP

/// \file Sporos_LoopConstants.hpp
/// The thresholds and sizes of mesh loops: unit, where each comes from, and
/// what measures it again.
///
/// "chosen": no measurement is recorded that decides between it and half or
/// twice as much. "room": what fits into a word, a team or scratch. Sizes of
/// blocks and chunks also decide the order of sums, that is their bits.
///
/// To measure a number again, change it, build bench_mesh a second time and run
/// both programs in turn. FILTER stands for
///
///     perf/bench/bench_mesh --benchmark_filter=...

#include <Sporos_KokkosCompat.hpp>

#include <cstddef>
#include <cstdint>

namespace Sporos {
namespace Impl {

// ---------------------------------------------------------------------------
// Blocks

/// Elements of a block of a host whose increments are coloured. Chosen: the
/// data of a block stay in cache. FILTER 'res_calc/hierarchical/'
constexpr int host_block_size = 2048;
/// Elements of a block of a host without conflicts: one of so many parts of the
/// elements, as kernels may be expensive, but not fewer or more than the next
/// two. Chosen. FILTER '(save_soln|adt_calc|update)/automatic/'
constexpr int direct_blocks      = 64;
constexpr int direct_block_step  = 64;    ///< sizes are multiples of it
constexpr int least_direct_block = 256;   ///< see direct_blocks
constexpr int most_direct_block  = 4096;  ///< see direct_blocks
/// Elements of a block for a team of a device. Chosen. FILTER
/// 'res_calc/hierarchical/'
constexpr int team_block_size = 256;
/// Room: threads of a team.
constexpr int most_team_block = 1024;
/// Elements: smaller blocks are not tried where staged data do not fit; threads
/// of a team are multiples of it. Room: a warp.
constexpr int least_team_block = warp_threads;
/// Bytes of scratch for the reductions of a team. Room: every device has more.
constexpr std::size_t most_reduction_scratch = 32 * 1024;
/// Elements of a chunk with a partial result: of a list of hosts, and of
/// devices where no blocks run. Chosen.
constexpr int color_chunk  = 1024;
constexpr int device_chunk = 256;  ///< see color_chunk
/// Threads of the team that combines partial results. Chosen.
constexpr int combining_threads = 256;

// ---------------------------------------------------------------------------
// Strategies that `automatic` takes

/// Blocks: with no more of them it does not matter how many run at once.
/// Chosen.
constexpr int some_blocks = 8;
/// Blocks that run at once on average, at least; else elements are coloured.
/// Chosen. FILTER 'res_calc/(hierarchical|global_coloring)/.*/shuffled'
constexpr int least_blocks_at_once = 4;
/// Blocks that run at once on devices that may store increments instead; with
/// fewer, `gather` is faster: 4 for each of the 132 multiprocessors of an H100,
/// measured there. FILTER 'res_calc/(hierarchical|gather)/'
constexpr int least_teams_at_once = 512;
/// Bytes of increments that devices store. Chosen.
constexpr std::int64_t most_stored = std::int64_t(1) << 31;
/// Targets for each increment: with more, devices store none, since `gather`
/// visits all targets. Chosen.
constexpr int most_targets_of_increment = 4;
/// Colours of elements on devices: each is a launch. Chosen. FILTER
/// 'res_calc/(global_coloring|gather)/'
constexpr int most_launches = 64;

// ---------------------------------------------------------------------------
// Hosts

/// Values of a row: packs do not transpose wider ones, which would take longer
/// than the kernel gains. Chosen.
constexpr int widest_pack_row = 16;
/// any_ranks: blocks of targets for each thread. Chosen: enough that threads
/// end together, few borders.
/// perf/apps/airfoil --any-ranks
constexpr int owner_blocks_of_thread = 8;
constexpr int least_owner_block      = 512;   ///< targets; chosen
constexpr int least_kept_block       = 1024;  ///< elements; chosen
/// any_ranks: increments are kept where over all so many elements would run in
/// blocks of targets, 15 for 10: to keep them costs about as much.
/// perf/apps/airfoil --any-ranks --shuffle 1
constexpr std::int64_t owner_runs_of_ten = 15;
/// any_ranks: numbers of elements that are near one another in memory differ by
/// no more. Chosen.
constexpr int near_elements = 64;
/// Entries behind a list for any_ranks. Room: one less than the lanes of any
/// pack at least.
constexpr int owner_padding = 64;

// ---------------------------------------------------------------------------
// Devices

/// Entries of a piece that devices sum before `gather` adds the pieces of a
/// target, if one has more than so many pieces. Chosen.
constexpr int gather_piece = 64;
constexpr int long_list    = 4;  ///< pieces, see gather_piece

/// Bytes of increments that a team keeps of a block of targets. Chosen: several
/// teams have room in a multiprocessor. FILTER 'res_calc/owners/'
constexpr std::int64_t owner_scratch = 32 * 1024;
/// Elements of a block of targets for a team. Chosen. FILTER 'res_calc/owners/'
constexpr int owner_elements = 768;
/// Threads of such a team, at most. Chosen. FILTER 'res_calc/owners/'
constexpr int owner_threads = 256;
/// `automatic` of devices takes owners where so many elements run in blocks of
/// targets, 13 for 10. Chosen. FILTER 'res_calc/(owners|hierarchical)/'
constexpr std::int64_t team_runs_of_ten = 13;
/// Targets of an element: with more of them, `automatic` grows no blocks, which
/// takes a time that goes with their square. Chosen.
constexpr int most_owner_slots = 8;

// ---------------------------------------------------------------------------
// Plans

/// Columns of a map that StagingGroup::columns has bits for.
constexpr int most_staged_columns = 32;
/// Words of 64 bits for each entry of a block: its targets are numbered by bits
/// if they span no more, else by sorting. Chosen.
constexpr int most_words_of_entry = 4;
/// Where a set, or a subset, has that many plans, those that none of its last
/// idle_loops loops used are dropped: programs have some dozens of loops, or
/// some hundred ranges in turn, but may try options or ranges for ever. Chosen.
constexpr std::size_t many_plans   = 64;
constexpr std::uint64_t idle_loops = 1024;  ///< see many_plans

// ---------------------------------------------------------------------------
// Matrices

/// Couplings of a row whose columns are inserted one by one into those that are
/// there; longer lists are sorted. Chosen: rows of meshes have up to some
/// hundred, most of them several times.
constexpr int most_inserted_columns = 512;
/// Couplings of a row that one thread sorts; all threads sort longer lists, one
/// after another. Chosen.
constexpr int most_sorted_by_thread = 65536;

}  // namespace Impl
}  // namespace Sporos

#endif
