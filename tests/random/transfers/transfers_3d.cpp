// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_RandomTransfers.hpp"
#include "Sporos_ReferenceDelta.hpp"

namespace Sporos {
namespace Test {

std::vector<Family> transfers_3d() {
  return {RandomTransfers<double, 3, Peskin4>::family,
          RandomTransfers<float, 3, Hat2, float, false>::family,
          RandomTransfers<double, 3, BSpline<5>, double, false>::family,
          RandomTransfers<double, 3, ExponentialOfSemicircle<7>, double,
                          false>::family,
          RandomTransfers<double, 3, BSpline<10>, double, false>::family};
}

}  // namespace Test
}  // namespace Sporos
