// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation: 16-bit integers.

#include "Sporos_CorrelateCases.hpp"

namespace CorrelateInt16 {

TEMPLATE_LIST_TEST_CASE("cross-correlation of 16-bit integers", "[correlate]",
                        Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, short, int>(
      Sporos::Test::Pairings<1, 3>());
}

}  // namespace CorrelateInt16
