// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPOPTIONS_HPP
#define SPOROS_LOOPOPTIONS_HPP

/// \file Sporos_LoopOptions.hpp
/// How a loop is run. Users include Sporos_ParLoop.hpp.

#include <Sporos_Environment.hpp>
#include <Sporos_Error.hpp>

#include <vector>

namespace Sporos {

/// How a loop treats elements that increment one target. All strategies except
/// `atomic` give the same bits on every run and with any number of threads.
enum class LoopStrategy {
  automatic,  ///< hierarchical; global_coloring if almost all blocks conflict,
              ///< unless few targets get many increments: then hierarchical on
              ///< hosts, and gather on devices. Devices take owners instead if
              ///< at most 1.3 times as many elements run, else gather also if
              ///< fewer than 512 blocks could run at once, as in small meshes,
              ///< unless options ask for blocks, staging or kernel_by_color,
              ///< the increments take more than 2 GiB, or there are more than
              ///< four targets for each increment
  serial,     ///< one thread, elements in order; reference of the tests
  global_coloring,  ///< a launch for each colour of elements
  hierarchical,  ///< coloured mini-partitions; a thread runs each (hosts), or
                 ///< a team with thread colours (devices)
  gather,        ///< stores increments; then each target sums its own. On
                 ///< distributed sets, in the order of global numbers
  owners,        ///< blocks of targets run all elements that reach them, and
                 ///< each target sums its own increments in the order of
                 ///< elements; those that reach several blocks run in each.
                 ///< Devices: a team runs a block, in one launch for all.
                 ///< Hosts: a thread, as with any_ranks, and sums are exact.
                 ///< gather where elements may not run twice (they see what
                 ///< they change, or increment through maps with missing
                 ///< entries), and on devices where increments of a target do
                 ///< not fit in scratch or have components that are counted at
                 ///< run time
  atomic         ///< atomic additions, for comparison; not repeatable
};

/// The data that mini-partitions of the hierarchical strategy keep in scratch
/// memory on devices. Hosts make such plans, too, which can be inspected, but a
/// thread runs the blocks of their colours in place, which is faster there.
enum class Staging {
  automatic,   ///< none
  none,        ///< none; increments go to memory colour by colour
  increments,  ///< increments
  all          ///< increments and all data read through maps
};

/// Options of a loop and its plan. 0 means automatic.
struct LoopOptions {
  /// The strategy.
  LoopStrategy strategy = LoopStrategy::automatic;
  /// Elements of a mini-partition; 0: 256 on devices; on hosts 2048 for
  /// `hierarchical` loops that increment through maps, for others a 64th of the
  /// elements, but from 256 to 4096.
  int block_size = 0;
  /// Mini-partitions of different sizes, such as Reordering::blocks: the first
  /// element of each in ascending order, then the end of the range. block_size
  /// must then be 0. Empty: use block_size.
  std::vector<int> blocks = {};
  /// The data that mini-partitions keep in scratch memory.
  Staging staging = Staging::automatic;
  /// Teams run the kernel colour by colour (fewer registers, less overlap),
  /// rather than only its increments.
  bool kernel_by_color = false;
  /// Sort the threads of a team by their colours.
  bool sort_by_color = true;
  /// Run kernels that accept packs on packs (hosts).
  bool packs = true;
  /// Check that writes through maps are disjoint, as promised, over all
  /// arguments with one dat. Costs a pass over the maps in every call. Always
  /// on with Sporos_ENABLE_CHECKS.
  bool check_disjoint = false;
  /// Bits do not depend on the number of threads and MPI ranks: floating-point
  /// sums are exact until they are rounded once, increments through maps are
  /// added in the order of (global) element numbers, and all elements are
  /// computed by the same machine code, on packs where the kernel takes them,
  /// whatever `packs` says. Kernels may be called more than once for an
  /// element. Increments are kept with `gather`, and with other strategies
  /// where blocks of targets cannot run or would cost more (see
  /// docs/repeatability.md): the same bits. Needs the strategy `automatic`,
  /// `gather` or `owners`. Sets that were distributed with
  /// DistributeOptions::any_ranks set it for all their loops.
  bool any_ranks = false;

  friend bool operator==(const LoopOptions& a, const LoopOptions& b) {
    return a.strategy == b.strategy && a.block_size == b.block_size &&
           a.blocks == b.blocks && a.staging == b.staging &&
           a.kernel_by_color == b.kernel_by_color &&
           a.sort_by_color == b.sort_by_color && a.any_ranks == b.any_ranks;
  }
};

namespace Impl {

template <>
struct EnumNames<LoopStrategy> {
  using E                           = LoopStrategy;
  static constexpr NamedValue all[] = {{"automatic", E::automatic},
                                       {"serial", E::serial},
                                       {"global_coloring", E::global_coloring},
                                       {"hierarchical", E::hierarchical},
                                       {"gather", E::gather},
                                       {"owners", E::owners},
                                       {"atomic", E::atomic}};
};
template <>
struct EnumNames<Staging> {
  using E                           = Staging;
  static constexpr NamedValue all[] = {{"automatic", E::automatic},
                                       {"none", E::none},
                                       {"increments", E::increments},
                                       {"all", E::all}};
};

}  // namespace Impl

/// The name of a strategy as in the enum.
constexpr const char* name(LoopStrategy s) { return Impl::name_of(s); }

/// The name of a staging as in the enum.
constexpr const char* name(Staging s) { return Impl::name_of(s); }

namespace Impl {

/// Are increments through maps gathered in the order of global numbers?
inline bool gathers(const LoopOptions& o) {
  return o.any_ranks || o.strategy == LoopStrategy::gather ||
         o.strategy == LoopStrategy::owners;
}

/// Throws for options that exclude the same bits at any number of ranks.
[[gnu::cold]] inline void check_any_ranks(const LoopOptions& o) {
  if (!o.any_ranks) return;
  check(o.strategy == LoopStrategy::automatic ||
            o.strategy == LoopStrategy::gather ||
            o.strategy == LoopStrategy::owners,
        "Sporos::par_loop", "options.strategy",
        "automatic, gather or owners together with any_ranks",
        name(o.strategy));
  check(o.staging == Staging::automatic || o.staging == Staging::none,
        "Sporos::par_loop", "options.staging",
        "automatic or none together with any_ranks", name(o.staging));
}

/// The strategy that the environment names, else `automatic`.
inline LoopStrategy strategy_of_environment() {
  return environment_choice("SPOROS_LOOP_STRATEGY", LoopStrategy::automatic);
}

}  // namespace Impl
}  // namespace Sporos

#endif
