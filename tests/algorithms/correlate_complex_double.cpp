// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation: complex numbers in double.

#include "Sporos_CorrelateCases.hpp"

namespace CorrelateComplexDouble {

TEMPLATE_LIST_TEST_CASE("cross-correlation of complex numbers in double",
                        "[correlate]", Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, Kokkos::complex<double>,
                                   Kokkos::complex<double>>(
      Sporos::Test::Pairings<1, 4>());
}

}  // namespace CorrelateComplexDouble
