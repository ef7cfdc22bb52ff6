// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_APP_JOB_HPP
#define SPOROS_APP_JOB_HPP

/// \file App_Job.hpp
/// The ranks that run an application: those of MPI in a build of the
/// application with MPI (SPOROS_HAVE_MPI), else one.

#include <iostream>
#include <string>

#ifdef SPOROS_HAVE_MPI
#include <mpi.h>

#include <chrono>
#include <cstddef>
#include <exception>
#include <stdexcept>
#include <thread>
#endif

namespace AppCommon {

#ifdef SPOROS_HAVE_MPI

/// MPI from its initialisation to its end. Only rank 0 writes to std::cout.
class Job {
 public:
  Job(int& argc, char**& argv) {
    int threads = 0;  // PT-Scotch sends messages from several
    MPI_Init_thread(&argc, &argv, MPI_THREAD_MULTIPLE, &threads);
    MPI_Comm_rank(MPI_COMM_WORLD, &m_rank);
    if (m_rank > 0) std::cout.setstate(std::ios::failbit);
  }
  Job(const Job&)            = delete;
  Job& operator=(const Job&) = delete;
  ~Job() { MPI_Finalize(); }

  /// What a rank does after an exception. If all ranks had one, rank 0 prints
  /// its text. A rank that others do not follow within ten seconds prints its
  /// own and ends the job, since they wait for it.
  /// \returns the exit code
  int failed(const std::string& text) const {
    constexpr int code = 2;
    MPI_Request all    = MPI_REQUEST_NULL;
    MPI_Ibarrier(MPI_COMM_WORLD, &all);
    if (came(all)) {
      if (m_rank == 0) std::cerr << text << '\n';
    } else {
      std::cerr << "rank " << m_rank << ": " << text << std::endl;
      MPI_Abort(MPI_COMM_WORLD, code);
    }
    return code;
  }

 private:
  static bool came(MPI_Request& all) {
    using Clock    = std::chrono::steady_clock;
    const auto end = Clock::now() + std::chrono::seconds(10);
    int done       = 0;
    MPI_Test(&all, &done, MPI_STATUS_IGNORE);
    while (done == 0 && Clock::now() < end) {
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
      MPI_Test(&all, &done, MPI_STATUS_IGNORE);
    }
    return done != 0;
  }

  int m_rank = 0;
};

/// Collective. Calls f, which may throw on any of the ranks.
/// \throws std::runtime_error on all ranks if f throws on one, with the text of
///         the lowest of them
template <class Function>
void together(MPI_Comm comm, const Function& f) {
  std::string error;
  try {
    f();
  } catch (const std::exception& e) {
    error = e.what();
  }
  int rank = 0, size = 0, first = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int mine = error.empty() ? size : rank;
  MPI_Allreduce(&mine, &first, 1, MPI_INT, MPI_MIN, comm);
  if (first == size) return;
  int length = int(error.size());
  MPI_Bcast(&length, 1, MPI_INT, first, comm);
  error.resize(std::size_t(length));
  MPI_Bcast(&error[0], length, MPI_CHAR, first, comm);
  throw std::runtime_error(error);
}

#else

/// One process.
class Job {
 public:
  Job(int&, char**&) {}

  /// Prints the text of an exception. \returns the exit code
  int failed(const std::string& text) const {
    std::cerr << text << '\n';
    return 2;
  }
};

#endif

}  // namespace AppCommon

#endif
