// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random chains of particle-grid transfer on MPI ranks: points migrate, plans
// are updated, spread and interpolate. Judged by plain sums over all points, by
// counts of points, and by bits where they are promised.
#include "Sporos_Chains.hpp"
#include "Sporos_RandomRanks.hpp"

#include <mpi/Sporos_LongestMessage.hpp>

#include <array>
#include <string>

namespace {

using namespace Sporos;
using namespace Sporos::Test;

std::string one_case(RandomCase& random) {
  constexpr std::array chains = {chain_1d_2,         chain_1d_3, chain_2d_3,
                                 chain_2d_4,         chain_2d_6, chain_3d_2,
                                 chain_3d_4,         chain_3d_5, chain_2d_16,
                                 chain_2d_composite, chain_3d_10};
  const LongestMessage pieces(random.chance(20) ? 48 : std::size_t(1) << 30);
  const Communicator comm = random_ranks(random);
  chains[random.integer<std::size_t>(0, chains.size() - 1)](random, comm);
  return {};
}

}  // namespace

int main(int argc, char* argv[]) {
  return random_main_on_ranks("random_mpi_transfers", one_case, argc, argv);
}
