// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations of complex numbers.

#include "Sporos_RandomCorrelation.hpp"

namespace Sporos {
namespace Test {

std::string correlate_complex(RandomCase& random) {
  return check_correlation<Kokkos::complex<float>, Kokkos::complex<float>>(
      random);
}

}  // namespace Test
}  // namespace Sporos
