// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Test cases end on all ranks together, or the job ends.

#ifndef SPOROS_CASEEND_HPP
#define SPOROS_CASEEND_HPP

#include <Sporos_SlowRun.hpp>

#include <mpi.h>

#include <chrono>
#include <cstdlib>
#include <iostream>
#include <string>
#include <thread>

namespace Sporos {
namespace Test {

/// Waits for all ranks at the end of a test case. A rank that leaves a case
/// early, because something failed there, would else wait in the next case for
/// ranks that wait for it in this one. Has a communicator of its own, since a
/// rank may be anywhere in its messages when it leaves.
class CaseEnd {
  using Clock = std::chrono::steady_clock;

 public:
  CaseEnd() { MPI_Comm_dup(MPI_COMM_WORLD, &m_comm); }
  CaseEnd(const CaseEnd&)            = delete;
  CaseEnd& operator=(const CaseEnd&) = delete;
  ~CaseEnd() { MPI_Comm_free(&m_comm); }

  /// Ends the job if a rank does not come in time.
  void wait(const std::string& name) const {
    MPI_Request request;
    MPI_Ibarrier(m_comm, &request);
    const Clock::time_point start = Clock::now();
    for (int all = 0; MPI_Test(&request, &all, MPI_STATUS_IGNORE), all == 0;) {
      if (Clock::now() - start > patience()) give_up(name);
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
  }

 private:
  /// SPOROS_TEST_PATIENCE: in seconds.
  static std::chrono::seconds patience() {
    const char* const text = std::getenv("SPOROS_TEST_PATIENCE");
    return std::chrono::seconds(text != nullptr ? std::atoi(text)
                                                : (slow_run ? 300 : 30));
  }
  void give_up(const std::string& name) const {
    int rank = 0;
    MPI_Comm_rank(m_comm, &rank);
    std::cerr << "rank " << rank << " is at the end of the test case \"" << name
              << "\", and another rank did not come in " << patience().count()
              << " s\n"
              << std::flush;
    MPI_Abort(m_comm, EXIT_FAILURE);
  }

  MPI_Comm m_comm = MPI_COMM_NULL;
};

}  // namespace Test
}  // namespace Sporos

#endif
