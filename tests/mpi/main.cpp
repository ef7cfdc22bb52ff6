// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the tests on all ranks. A rank prints if a test of its own fails, and
// rank 0 always; all ranks end with the worst result.

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
#endif

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <sstream>

namespace {

/// Keeps what a rank writes to std::cout until its destruction, and forgets it
/// if the tests pass.
class QuietOutput {
 public:
  explicit QuietOutput(int rank) : m_rank(rank) {
    if (rank > 0) m_before = std::cout.rdbuf(m_kept.rdbuf());
  }
  QuietOutput(const QuietOutput&)            = delete;
  QuietOutput& operator=(const QuietOutput&) = delete;

  void end(int failed) {
    if (m_before == nullptr) return;
    std::cout.rdbuf(m_before);
    if (failed != 0)
      std::cout << "rank " << m_rank << ":\n" << m_kept.str() << std::flush;
  }

 private:
  int m_rank;
  std::ostringstream m_kept;
  std::streambuf* m_before = nullptr;
};

int run(int argc, char* argv[]) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  QuietOutput output(rank);
  int failed = Catch::Session().run(argc, argv);
  output.end(failed);
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  return failed;
}

}  // namespace

int main(int argc, char* argv[]) {
  int threads = 0;  // PT-Scotch sends messages from several
  MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
  Kokkos::initialize(argc, argv);
  const int failed = run(argc, argv);
  Kokkos::finalize();
  MPI_Finalize();
  return failed != 0 ? EXIT_FAILURE : EXIT_SUCCESS;
}
