// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The main program of the random drivers that run on many MPI ranks.

#ifndef SPOROS_RANDOMRANKS_HPP
#define SPOROS_RANDOMRANKS_HPP

#include "Sporos_RandomDriver.hpp"

#include <Kokkos_Core.hpp>

#include <Sporos_Communicator.hpp>
#include <Sporos_SlowRun.hpp>
#include <mpi/Sporos_CaseEnd.hpp>

#include <mpi.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <exception>
#include <string>

namespace Sporos {
namespace Test {

/// All ranks of the world, or half of them, in any order.
inline Communicator random_ranks(RandomCase& random) {
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

/// The text of the lowest rank that has one, on all ranks. All come here, or
/// the job ends with the text of a rank that waits.
inline std::string text_of_all(const std::string& mine, const CaseEnd& end) {
  end.wait(mine.empty() ? "a random case" : mine);
  const Communicator world(MPI_COMM_WORLD);
  int first = mine.empty() ? world.size() : world.rank();
  MPI_Allreduce(MPI_IN_PLACE, &first, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
  if (first == world.size()) return {};
  const std::string text = Impl::text_of_rank(world, "one case", first, mine);
  return world.rank() == first ? text
                               : "the case of rank " + std::to_string(first);
}

/// run_random_cases on all ranks, with the seed and the time of rank 0.
/// `one_case(RandomCase&)` returns what is wrong on its rank, or throws it. A
/// case that hangs ends the job.
template <class OneCase>
int run_cases_on_ranks(const char* program, const OneCase& one_case, int argc,
                       char* argv[]) {
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
      wrong = one_case(random);
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
  return run_random_cases(program, run, check, agree, rank == 0);
}

/// The body of main: with MPI and Kokkos.
template <class OneCase>
int random_main_on_ranks(const char* program, const OneCase& one_case, int argc,
                         char* argv[]) {
  int threads = 0;  // PT-Scotch sends messages from several
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  int status = EXIT_FAILURE;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    status = run_cases_on_ranks(program, one_case, argc, argv);
  }
  MPI_Finalize();
  return status;
}

}  // namespace Test
}  // namespace Sporos

#endif  // SPOROS_RANDOMRANKS_HPP
