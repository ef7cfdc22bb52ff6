// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the tests on all ranks. A rank prints if a test of its own fails, and
// rank 0 always; all ranks end with the worst result.

#if __has_include(<catch2/catch_session.hpp>)
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>
using Listener = Catch::EventListenerBase;
#else
#define CATCH_CONFIG_RUNNER
#include <catch2/catch.hpp>
using Listener = Catch::TestEventListenerBase;
#endif

#include "Sporos_CaseEnd.hpp"

#include <Kokkos_Core.hpp>

#include <mpi.h>

#include <cstdlib>
#include <iostream>
#include <sstream>
#include <string>

namespace {

/// Keeps what a rank above 0 writes to std::cout, until a test fails.
class QuietOutput {
 public:
  explicit QuietOutput(int rank) : m_rank(rank) {
    if (rank > 0) m_before = std::cout.rdbuf(m_kept.rdbuf());
  }
  QuietOutput(const QuietOutput&)            = delete;
  QuietOutput& operator=(const QuietOutput&) = delete;
  ~QuietOutput() {
    if (m_before != nullptr) std::cout.rdbuf(m_before);
  }

  /// Prints what was kept so far.
  void show() {
    if (m_before == nullptr) return;
    std::ostream(m_before) << "rank " << m_rank << ":\n"
                           << m_kept.str() << std::flush;
    m_kept.str("");
  }

 private:
  int m_rank;
  std::ostringstream m_kept;
  std::streambuf* m_before = nullptr;
};

/// What is needed at the end of a test case.
struct Run {
  Sporos::Test::CaseEnd end;
  QuietOutput output;
};
Run* current_run = nullptr;

const std::string& name_of(const Catch::TestCaseInfo& info) {
  return info.name;
}
[[maybe_unused]] const std::string& name_of(const Catch::TestCaseInfo* info) {
  return info->name;  // Catch2 3
}

class EndsTogether : public Listener {
 public:
  using Listener::Listener;
  void testCaseEnded(const Catch::TestCaseStats& stats) override {
    if (!stats.totals.assertions.allPassed()) current_run->output.show();
    current_run->end.wait(name_of(stats.testInfo));
  }
};
CATCH_REGISTER_LISTENER(EndsTogether)

int run(int argc, char* argv[]) {
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  Run here{{}, QuietOutput(rank)};
  current_run = &here;
  int failed  = Catch::Session().run(argc, argv);
  if (failed != 0) here.output.show();
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
