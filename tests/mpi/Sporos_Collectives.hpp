// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Counts how often a program waits for all ranks, by functions that stand in
/// front of MPI's own (harness/Sporos_Collectives.cpp).

#ifndef SPOROS_COLLECTIVES_HPP
#define SPOROS_COLLECTIVES_HPP

namespace Sporos {
namespace Test {

struct Collectives {
  int reductions = 0, others = 0;
  int all() const { return reductions + others; }
};
inline Collectives collectives;

/// Calls f and returns how many it called.
template <class F>
Collectives collectives_of(const F& f) {
  collectives = {};
  f();
  return collectives;
}

}  // namespace Test
}  // namespace Sporos

#endif
