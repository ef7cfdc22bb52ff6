// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations of 16-bit integers, summed in 32 bits.

#include "Sporos_RandomCorrelation.hpp"

namespace Sporos {
namespace Test {

std::string correlate_uint16(RandomCase& random) {
  return check_correlation<std::uint16_t, std::int32_t, false, true>(random);
}

}  // namespace Test
}  // namespace Sporos
