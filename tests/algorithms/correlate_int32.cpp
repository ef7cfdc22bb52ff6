// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation: 32-bit integers.

#include "Sporos_CorrelateCases.hpp"

namespace CorrelateInt32 {

TEMPLATE_LIST_TEST_CASE("cross-correlation of 32-bit integers", "[correlate]",
                        Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, int, long long>(
      Sporos::Test::Pairings<5, 2>());
}

}  // namespace CorrelateInt32
