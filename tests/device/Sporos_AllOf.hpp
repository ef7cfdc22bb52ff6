// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Lists of all enumerators of the options, so that tests can run each of them.
/// A new enumerator makes the compiler warn in is_listed (-Wswitch); whoever
/// adds it there and not to the list, or not to what a test runs, sees that
/// test fail.

#ifndef SPOROS_ALLOF_HPP
#define SPOROS_ALLOF_HPP

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <set>

namespace Sporos {
namespace Test {

constexpr bool is_listed(SpreadAlgorithm a) {
  using A = SpreadAlgorithm;
  switch (a) {
    case A::automatic:
    case A::serial:
    case A::sweep:
    case A::sweep_buffered:
    case A::sweep_buffered_on_the_fly:
    case A::tiled:
    case A::replicated:
    case A::atomic: return true;
  }
  return false;
}

constexpr bool is_listed(InterpolateAlgorithm a) {
  using A = InterpolateAlgorithm;
  switch (a) {
    case A::automatic:
    case A::serial:
    case A::sorted:
    case A::tiled:
    case A::unsorted: return true;
  }
  return false;
}

constexpr bool is_listed(LoopStrategy s) {
  using S = LoopStrategy;
  switch (s) {
    case S::automatic:
    case S::serial:
    case S::global_coloring:
    case S::hierarchical:
    case S::gather:
    case S::owners:
    case S::atomic: return true;
  }
  return false;
}

constexpr bool is_listed(Staging s) {
  using S = Staging;
  switch (s) {
    case S::automatic:
    case S::none:
    case S::increments:
    case S::all: return true;
  }
  return false;
}

constexpr bool is_listed(CorrelateAlgorithm a) {
  using A = CorrelateAlgorithm;
  switch (a) {
    case A::automatic:
    case A::basic:
    case A::tile:
    case A::shuffle:
    case A::lane_group_per_shift:
    case A::team_per_shift:
    case A::fft: return true;
  }
  return false;
}

constexpr bool is_listed(WorkDistribution d) {
  using D = WorkDistribution;
  switch (d) {
    case D::automatic:
    case D::none:
    case D::rectangle:
    case D::triangle: return true;
  }
  return false;
}

constexpr bool is_listed(Pairing p) {
  using P = Pairing;
  switch (p) {
    case P::one_to_one:
    case P::one_to_many:
    case P::n_to_mn:
    case P::n_to_m: return true;
  }
  return false;
}

/// All enumerators of Enum, which count from 0 on.
template <class Enum>
std::set<Enum> all_of() {
  std::set<Enum> all;
  for (int k = 0; is_listed(static_cast<Enum>(k)); ++k)
    all.insert(static_cast<Enum>(k));
  return all;
}

}  // namespace Test
}  // namespace Sporos

#endif
