// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every algorithm of cross-correlation: complex numbers.

#include "Sporos_CorrelateCases.hpp"

namespace CorrelateComplex {

TEMPLATE_LIST_TEST_CASE("cross-correlation of complex numbers", "[correlate]",
                        Sporos::Test::Spaces) {
  Sporos::Test::check_correlations<TestType, Kokkos::complex<float>,
                                   Kokkos::complex<float>>(
      Sporos::Test::Pairings<0, 5>());
}

}  // namespace CorrelateComplex
