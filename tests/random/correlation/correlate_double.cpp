// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations of double.

#include "Sporos_RandomCorrelation.hpp"

namespace Sporos {
namespace Test {

std::string correlate_double(RandomCase& random) {
  return check_correlation<double, double, false, true>(random);
}

}  // namespace Test
}  // namespace Sporos
