// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations of 32-bit integers, summed in double.

#include "Sporos_RandomCorrelation.hpp"

namespace Sporos {
namespace Test {

std::string correlate_int32(RandomCase& random) {
  return check_correlation<std::int32_t, double>(random);
}

}  // namespace Test
}  // namespace Sporos
