// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random mesh loops in one process (see Sporos_RandomLoops.hpp).

#include "Sporos_RandomLoops.hpp"

int main(int argc, char* argv[]) {
  const auto run = Sporos::Test::RandomRun::from(argc, argv);
  Kokkos::ScopeGuard kokkos(argc, argv);
  return Sporos::Test::run_random_cases(
      "random_loops", run, [](Sporos::Test::RandomCase& r) {
        switch (r.integer(0, 9)) {
          case 0: return RandomLoops::check_vectors(r);
          case 1:
          case 2: return RandomLoops::check_pair(r);
          case 3:
          case 4: return RandomLoops::check_self(r);
          case 5:
          case 6: return RandomLoops::check_matrix(r);
          default: return RandomLoops::check_exchange(r);
        }
      });
}
