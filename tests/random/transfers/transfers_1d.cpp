// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_RandomTransfers.hpp"
#include "Sporos_ReferenceDelta.hpp"

namespace Sporos {
namespace Test {

/// Nearest grid point, with jumps.
struct Nearest : UserNearest {
  static constexpr bool jumps = true;
};

std::vector<Family> transfers_1d() {
  return {RandomTransfers<double, 1, Bao6>::family,
          RandomTransfers<float, 1, Nearest, double, false>::family,
          RandomTransfers<double, 1, ExponentialOfSemicircle<12>, double,
                          false>::family};
}

}  // namespace Test
}  // namespace Sporos
