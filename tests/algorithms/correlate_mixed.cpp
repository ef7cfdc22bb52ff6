// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation: float, summed in double.

#include "Sporos_CorrelateCases.hpp"

namespace CorrelateMixed {

TEMPLATE_LIST_TEST_CASE("cross-correlation of float, summed in double",
                        "[correlate]", Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, float, double>();
}

}  // namespace CorrelateMixed
