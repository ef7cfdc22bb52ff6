// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation: float.

#include "Sporos_CorrelateCases.hpp"

namespace CorrelateFloat {

TEMPLATE_LIST_TEST_CASE("cross-correlation of float", "[correlate]",
                        Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, float, float>(
      Sporos::Test::Pairings<0, 1, 2>());
}

}  // namespace CorrelateFloat
