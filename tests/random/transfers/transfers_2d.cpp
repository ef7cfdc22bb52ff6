// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_RandomTransfers.hpp"
#include "Sporos_ReferenceDelta.hpp"

namespace Sporos {
namespace Test {

/// Users' functions, whose weights do not sum to 1.
struct Wide8 : UserWide8 {
  static constexpr bool sums_to_one = false;
};
struct Hat : UserHat {
  static constexpr bool sums_to_one = false;
};

std::vector<Family> transfers_2d() {
  return {RandomTransfers<double, 2, Roma3>::family,
          RandomTransfers<float, 2, Cosine4, float, false>::family,
          RandomTransfers<double, 2, Wide8, float, false>::family,
          RandomTransfers<double, 2, Hat, double, false>::family,
          RandomTransfers<double, 2, ExponentialOfSemicircle<16>, double,
                          false>::family};
}

}  // namespace Test
}  // namespace Sporos
