// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations of float, also of volumes.

#include "Sporos_RandomCorrelation.hpp"
#include "Sporos_RandomVolumes.hpp"

namespace Sporos {
namespace Test {

std::string correlate_float(RandomCase& random) {
  return check_correlation<float, float, true>(random);
}

std::string correlate_volumes(RandomCase& random) {
  return check_volumes<true>(random);
}

}  // namespace Test
}  // namespace Sporos
