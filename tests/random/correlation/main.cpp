// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random correlations, judged by plain sums.

#include "Sporos_RandomDriver.hpp"

#include <Kokkos_Core.hpp>

#include <string>

namespace Sporos {
namespace Test {

std::string correlate_float(RandomCase&);
std::string correlate_double(RandomCase&);
std::string correlate_complex(RandomCase&);
std::string correlate_uint16(RandomCase&);
std::string correlate_int32(RandomCase&);
std::string correlate_windows(RandomCase&);
std::string correlate_volumes(RandomCase&);
std::string correlate_registered(RandomCase&);

std::string correlate(RandomCase& random) {
  switch (random.integer(0, 9)) {
    case 0:
    case 1:
    case 2: return correlate_float(random);
    case 3: return correlate_double(random);
    case 4: return correlate_complex(random);
    case 5: return correlate_uint16(random);
    case 6: return correlate_windows(random);
    case 7: return correlate_volumes(random);
    case 8: return correlate_registered(random);
    default: return correlate_int32(random);
  }
}

}  // namespace Test
}  // namespace Sporos

int main(int argc, char* argv[]) {
  const auto run = Sporos::Test::RandomRun::from(argc, argv);
  const Kokkos::ScopeGuard kokkos(argc, argv);
  return Sporos::Test::run_random_cases("random_correlation", run,
                                        Sporos::Test::correlate);
}
