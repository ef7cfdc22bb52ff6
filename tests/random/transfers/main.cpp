// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Random transfers between particles and grids on one process. With --cases it
// also prints a digest of the bits of all results, which does not depend on the
// number of threads.

#include "Sporos_RandomTransfers.hpp"

int main(int argc, char* argv[]) {
  using namespace Sporos::Test;
  const RandomRun run = RandomRun::from(argc, argv);
  Kokkos::ScopeGuard guard(argc, argv);
  std::vector<Family> families;
  for (const auto& of : {transfers_1d(), transfers_2d(), transfers_3d()})
    families.insert(families.end(), of.begin(), of.end());
  const int status =
      run_random_cases("random_transfers", run, [&](RandomCase& random) {
        const auto k = random.integer<std::size_t>(0, families.size() - 1);
        return families[k](random);
      });
  if (run.cases >= 0)
    std::printf("random_transfers: digest %016llx\n",
                static_cast<unsigned long long>(results_digest));
  return status;
}
