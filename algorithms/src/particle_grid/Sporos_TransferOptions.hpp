// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_TRANSFEROPTIONS_HPP
#define SPOROS_TRANSFEROPTIONS_HPP

/// \file Sporos_TransferOptions.hpp
/// Options of spread and interpolate.

#include <Sporos_Environment.hpp>
#include <Sporos_Grid.hpp>

#include <optional>

namespace Sporos {

/// How spread resolves that points share grid points. All but `atomic` give the
/// same bits on every run and at any number of threads.
enum class SpreadAlgorithm {
  automatic,       ///< tiled; sweep_buffered for support above 7
  serial,          ///< one thread: the reference
  sweep,           ///< one segmented reduction for each of the s^d shifts
  sweep_buffered,  ///< several shifts at a time into a buffer of columns
  sweep_buffered_on_the_fly,  ///< the same with a buffer for this call only,
                              ///< which waits for the result
  tiled,  ///< tiles of cells summed in cache or scratch, colour by colour
  atomic  ///< atomic additions, for comparison: not repeatable
};

/// Options of spread.
struct SpreadOptions {
  /// How shared grid points are dealt with.
  SpreadAlgorithm algorithm = SpreadAlgorithm::automatic;
  /// Staggering of the field; none: the one of the plan.
  std::optional<Staggering> staggering = std::nullopt;
  /// Columns of the buffer of the buffered sweeps, an upper bound; 0: the
  /// largest divisor of s^d that is at most 10. More columns: fewer sweeps,
  /// more memory.
  int columns = 0;
};

/// How interpolate visits the points. All give repeatable results.
enum class InterpolateAlgorithm {
  automatic,  ///< tiled on hosts if the support is at most 7, else sorted
  serial,     ///< one thread: the reference
  sorted,     ///< a work item per point, in the plan's order
  tiled       ///< tiles of the field are read once into cache or scratch
};

/// Options of interpolate.
struct InterpolateOptions {
  /// How points are visited.
  InterpolateAlgorithm algorithm = InterpolateAlgorithm::automatic;
  /// Staggering of the field; none: the one of the plan.
  std::optional<Staggering> staggering = std::nullopt;
};

namespace Impl {

/// What calls without options have instead: `automatic` and no other algorithm,
/// so that no other is compiled.
struct AutomaticOptions {
  std::optional<Staggering> staggering = std::nullopt;
};

/// What the environment has instead of `automatic`.
inline SpreadAlgorithm spread_of_environment() {
  using A                                   = SpreadAlgorithm;
  static constexpr NamedChoice<A> choices[] = {
      {"automatic", A::automatic},
      {"serial", A::serial},
      {"sweep", A::sweep},
      {"sweep_buffered", A::sweep_buffered},
      {"sweep_buffered_on_the_fly", A::sweep_buffered_on_the_fly},
      {"tiled", A::tiled},
      {"atomic", A::atomic}};
  return environment_choice("SPOROS_SPREAD", choices, A::automatic);
}
inline InterpolateAlgorithm interpolate_of_environment() {
  using A                                   = InterpolateAlgorithm;
  static constexpr NamedChoice<A> choices[] = {{"automatic", A::automatic},
                                               {"serial", A::serial},
                                               {"sorted", A::sorted},
                                               {"tiled", A::tiled}};
  return environment_choice("SPOROS_INTERPOLATE", choices, A::automatic);
}

}  // namespace Impl
}  // namespace Sporos

#endif
