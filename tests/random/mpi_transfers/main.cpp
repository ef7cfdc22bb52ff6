// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random chains of particle-grid transfer on MPI ranks: points migrate, plans
// are updated, spread and interpolate. Judged by plain sums over all points, by
// counts of points, and by bits where they are promised.
#include "Sporos_Chains.hpp"

#include <Kokkos_Core.hpp>

#include <mpi/Sporos_CaseEnd.hpp>
#include <mpi/Sporos_LongestMessage.hpp>

#include <unistd.h>

#include <array>
#include <csignal>
#include <string>

namespace {

using namespace Sporos;
using namespace Sporos::Test;

/// All ranks of the world, or some, in any order.
Communicator random_ranks(RandomCase& random) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int groups = random.chance(15) ? 2 : 1;
  const int key    = random.chance(20) ? -rank : rank;
  MPI_Comm comm    = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank % groups, key, &comm);
  const Communicator ranks(comm);
  MPI_Comm_free(&comm);
  return ranks;
}

void one_case(RandomCase& random) {
  constexpr std::array chains = {chain_1d_2, chain_1d_3, chain_2d_3,
                                 chain_2d_4, chain_2d_6, chain_3d_2,
                                 chain_3d_4, chain_3d_5};
  const LongestMessage pieces(random.chance(20) ? 48 : std::size_t(1) << 30);
  const Communicator comm = random_ranks(random);
  chains[random.integer<std::size_t>(0, chains.size() - 1)](random, comm);
}

/// The text of the lowest rank that has one, on all ranks. All come here, or
/// the job ends with the text of a rank that waits.
std::string text_of_all(const std::string& mine, const CaseEnd& end) {
  end.wait(mine.empty() ? "a random case" : mine);
  const Communicator world(MPI_COMM_WORLD);
  int first = mine.empty() ? world.size() : world.rank();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == world.size()) return {};
  const std::string text =
      Sporos::Impl::text_of_rank(world, "one case", first, mine);
  return world.rank() == first ? text
                               : "the case of rank " + std::to_string(first);
}

int run_cases(int argc, char* argv[]) {
  RandomRun run = RandomRun::from(argc, argv);
  int rank      = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Bcast(&run.seed, 1, MPI_UINT64_T, 0, MPI_COMM_WORLD);
  std::signal(SIGALRM, [](int) { std::abort(); });
  const CaseEnd end;
  const auto check = [&](RandomCase& random) {
    ::alarm(slow_run ? 900 : 120);
    std::string wrong;
    try {
      one_case(random);
    } catch (const std::exception& error) {
      wrong = error.what();
    }
    wrong = text_of_all(wrong, end);
    ::alarm(0);
    return wrong;
  };
  const auto agree = [](bool go) {
    int word = go ? 1 : 0;
    MPI_Bcast(&word, 1, MPI_INT, 0, MPI_COMM_WORLD);
    return word != 0;
  };
  return run_random_cases("random_mpi_transfers", run, check, agree, rank == 0);
}

}  // namespace

int main(int argc, char* argv[]) {
  int threads = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &threads);
  int status = EXIT_FAILURE;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    status = run_cases(argc, argv);
  }
  MPI_Finalize();
  return status;
}
