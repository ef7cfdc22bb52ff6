// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random spreads of delta functions of support 8 to 16 in the default execution
// space.

#include "Sporos_WideTransfers.hpp"

int main(int argc, char* argv[]) {
  using namespace Sporos;
  using namespace Sporos::Test;
  const RandomRun run = RandomRun::from(argc, argv);
  Kokkos::ScopeGuard guard(argc, argv);
  using Family            = std::string (*)(RandomCase&);
  const Family families[] = {
      WideTransfers<double, 1, BSpline<12>>::family,
      WideTransfers<float, 1, ExponentialOfSemicircle<8>, float, false>::family,
      WideTransfers<double, 2, BSpline<16>>::family,
      WideTransfers<double, 2, ExponentialOfSemicircle<9>, float,
                    false>::family,
      WideTransfers<double, 3, BSpline<8>>::family,
      WideTransfers<double, 3, BSpline<11>, double, false>::family,
      WideTransfers<float, 3, ExponentialOfSemicircle<16>, float,
                    false>::family};
  return run_random_cases(
      "random_wide_transfers", run, [&](RandomCase& random) {
        return random.one_of({families[0], families[1], families[2],
                              families[3], families[4], families[5],
                              families[6]})(random);
      });
}
