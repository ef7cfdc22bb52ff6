// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPOPTIONS_HPP
#define SPOROS_LOOPOPTIONS_HPP

/// \file Sporos_LoopOptions.hpp
/// How a loop is run. Users include Sporos_ParLoop.hpp.

#include <Sporos_Environment.hpp>

#include <vector>

namespace Sporos {

/// How a loop resolves that several elements increment one target. All but
/// `atomic` give the same bits on every run and at any number of threads.
enum class LoopStrategy {
  automatic,  ///< hierarchical, unless its blocks could hardly run at once
  serial,     ///< one thread, elements in order: the reference
  global_coloring,  ///< a launch for each colour of elements
  hierarchical,     ///< mini-partitions, coloured; inside a thread each (hosts)
                    ///< or a team with thread colours (devices)
  gather,  ///< increments to a temporary, then each target sums its own
  atomic   ///< atomic additions, for comparison: not repeatable
};

/// What mini-partitions of the hierarchical strategy keep in scratch memory.
enum class Staging {
  automatic,   ///< none on hosts, increments on devices
  none,        ///< nothing: registers go to memory colour by colour
  increments,  ///< what is incremented
  all          ///< what is incremented and all that is read through maps
};

/// Options of a loop and its plan. Zeros stand for automatic.
struct LoopOptions {
  /// How conflicts are resolved.
  LoopStrategy strategy = LoopStrategy::automatic;
  /// Elements of a mini-partition; 0: 2048 on hosts, 256 where teams run it.
  int block_size = 0;
  /// Mini-partitions of different sizes instead, such as those of
  /// Reordering::blocks: the first element of each in ascending order, then the
  /// end of the range; block_size is 0 then. Empty: block_size.
  std::vector<int> blocks = {};
  /// What mini-partitions keep in scratch memory.
  Staging staging = Staging::automatic;
  /// Teams run the kernel colour by colour (fewer registers, less overlap)
  /// instead of the kernel at once and its increments colour by colour.
  bool kernel_by_color = false;
  /// Threads of a team are sorted by their colours.
  bool sort_by_color = true;
  /// Kernels that accept packs are run on them (hosts).
  bool packs = true;
  /// Check that writes through maps are disjoint, as promised (all arguments
  /// with one dat together; costs a pass
  /// over the maps in every call; always done with Sporos_ENABLE_CHECKS).
  bool check_disjoint = false;

  friend bool operator==(const LoopOptions& a, const LoopOptions& b) {
    return a.strategy == b.strategy && a.block_size == b.block_size &&
           a.blocks == b.blocks && a.staging == b.staging &&
           a.kernel_by_color == b.kernel_by_color &&
           a.sort_by_color == b.sort_by_color;
  }
};

/// The name of a strategy as in the enum.
constexpr const char* name(LoopStrategy s) {
  switch (s) {
    case LoopStrategy::automatic: return "automatic";
    case LoopStrategy::serial: return "serial";
    case LoopStrategy::global_coloring: return "global_coloring";
    case LoopStrategy::hierarchical: return "hierarchical";
    case LoopStrategy::gather: return "gather";
    case LoopStrategy::atomic: return "atomic";
  }
  return "?";
}

namespace Impl {

/// What the environment has instead of `automatic`.
inline LoopStrategy strategy_of_environment() {
  using S                                   = LoopStrategy;
  static constexpr NamedChoice<S> choices[] = {
      {name(S::automatic), S::automatic},
      {name(S::serial), S::serial},
      {name(S::global_coloring), S::global_coloring},
      {name(S::hierarchical), S::hierarchical},
      {name(S::gather), S::gather},
      {name(S::atomic), S::atomic}};
  return environment_choice("SPOROS_LOOP_STRATEGY", choices, S::automatic);
}

}  // namespace Impl

/// The name of a staging as in the enum.
inline const char* name(Staging s) {
  switch (s) {
    case Staging::automatic: return "automatic";
    case Staging::none: return "none";
    case Staging::increments: return "increments";
    case Staging::all: return "all";
  }
  return "?";
}

}  // namespace Sporos

#endif
