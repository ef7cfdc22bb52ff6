// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations of float.

#include "Sporos_RandomCorrelation.hpp"

namespace Sporos {
namespace Test {

std::string correlate_float(RandomCase& random) {
  return check_correlation<float, float, true>(random);
}

}  // namespace Test
}  // namespace Sporos
