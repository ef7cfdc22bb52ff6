// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COMMUNICATOR_HPP
#define SPOROS_COMMUNICATOR_HPP

/// \file Sporos_Communicator.hpp
/// The MPI ranks that share a mesh or a grid.

#include <Sporos_Error.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

namespace Sporos {

namespace Impl {

/// The text for an MPI call that failed, with MPI's own text.
inline std::string mpi_error_text(int code, const char* function,
                                  const char* call) {
  char text[MPI_MAX_ERROR_STRING] = "";
  int length                      = 0;
  MPI_Error_string(code, text, &length);
  return std::string(function) + ": " + call +
         " failed: " + std::string(text, std::size_t(length));
}

/// Throws std::runtime_error unless an MPI call succeeded.
inline void check_mpi(int code, const char* function, const char* call) {
  if (code != MPI_SUCCESS)
    throw std::runtime_error(mpi_error_text(code, function, call));
}

/// Entries of the longest message, as MPI counts by int; longer messages are
/// cut into pieces. Tests cut earlier.
inline std::size_t& longest_message() {
  static std::size_t most = std::size_t(1) << 30;
  return most;
}

/// Tags: sparse_messages uses those below.
constexpr int first_piece_tag = 2;

/// Is MPI ready to be called?
inline bool mpi_is_running() {
  int initialized = 0, finalized = 0;
  MPI_Initialized(&initialized);
  if (initialized != 0) MPI_Finalized(&finalized);
  return initialized != 0 && finalized == 0;
}

/// A duplicated communicator.
struct CommunicatorState {
  MPI_Comm comm = MPI_COMM_NULL;
  int rank      = 0;
  int size      = 1;
  int round     = 0;  ///< calls of sparse_messages so far

  explicit CommunicatorState(MPI_Comm original) {
    constexpr const char* name = "Sporos::Communicator";
    check_mpi(MPI_Comm_dup(original, &comm), name, "MPI_Comm_dup");
    MPI_Comm_set_errhandler(comm, MPI_ERRORS_RETURN);
    check_mpi(MPI_Comm_rank(comm, &rank), name, "MPI_Comm_rank");
    check_mpi(MPI_Comm_size(comm, &size), name, "MPI_Comm_size");
  }
  CommunicatorState(const CommunicatorState&)            = delete;
  CommunicatorState& operator=(const CommunicatorState&) = delete;
  ~CommunicatorState() {
    if (mpi_is_running()) MPI_Comm_free(&comm);
  }
};

}  // namespace Impl

/// A group of MPI ranks. A shallow handle: copies share one communicator, which
/// is a duplicate of the caller's, so that messages of this library never meet
/// those of others. The last copy frees it: destroy it before MPI_Finalize.
/// MPI_Init and MPI_Finalize are the caller's.
class Communicator {
 public:
  /// An empty handle, to be assigned to. Every other use throws.
  Communicator() = default;

  /// Collective over comm.
  /// \throws std::invalid_argument before MPI_Init, after MPI_Finalize, and for
  ///   MPI_COMM_NULL
  explicit Communicator(MPI_Comm comm) {
    Impl::check(Impl::mpi_is_running(), "Sporos::Communicator", "comm",
                "a call between MPI_Init and MPI_Finalize");
    Impl::check(comm != MPI_COMM_NULL, "Sporos::Communicator", "comm",
                "a communicator", "MPI_COMM_NULL");
    m_state = std::make_shared<Impl::CommunicatorState>(comm);
  }

  int rank() const { return state().rank; }      ///< Number of this rank.
  int size() const { return state().size; }      ///< Number of ranks.
  MPI_Comm mpi() const { return state().comm; }  ///< The duplicate.

  /// For the implementation.
  bool is_made() const { return m_state != nullptr; }
  /// For the implementation.
  Impl::CommunicatorState& state() const {
    Impl::check_handle(is_made(), "Sporos::Communicator", "comm");
    return *m_state;
  }

 private:
  std::shared_ptr<Impl::CommunicatorState> m_state;
};

namespace Impl {

/// FNV-1a (Fowler, Noll, Vo).
inline std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (const char c : text)
    hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  return hash;
}

/// What must be the same on all ranks, as one text.
template <class... Parts>
std::string in_one_text(const Parts&... parts) {
  std::ostringstream out;
  ((out << parts), ...);
  return out.str();
}

/// Collective. A text of one rank on all ranks.
inline std::string text_of_rank(const Communicator& comm, const char* function,
                                int rank, const std::string& mine) {
  int length = int(mine.size());
  check_mpi(MPI_Bcast(&length, 1, MPI_INT, rank, comm.mpi()), function,
            "MPI_Bcast");
  std::string text = mine;
  text.resize(std::size_t(length));
  check_mpi(MPI_Bcast(text.data(), length, MPI_CHAR, rank, comm.mpi()),
            function, "MPI_Bcast");
  return text;
}

/// Collective. Throws on all ranks, with what rank 0 has and the first rank
/// that has something else.
[[noreturn]] inline void throw_different(const Communicator& comm,
                                         const char* function,
                                         const std::string& same) {
  const std::string first = text_of_rank(comm, function, 0, same);
  int other               = same == first ? comm.size() - 1 : comm.rank();
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, comm.mpi()),
      function, "MPI_Allreduce");
  const std::string second = text_of_rank(comm, function, other, same);
  throw_invalid(function, "arguments", "the same on all ranks",
                text(first, " on rank 0, ", second, " on rank ", other));
}

/// Collective. If `error` is not empty on some ranks, all ranks throw
/// std::invalid_argument: those ranks with their text, the others with the text
/// of the lowest of them. So no rank goes on to wait for one that has thrown.
/// Else all ranks throw if the texts `same` differ. Costs one reduction.
inline void agree(const Communicator& comm, const char* function,
                  const std::string& error, const std::string& same = {}) {
  const std::uint64_t hash    = hash_of(same);
  const std::uint64_t mine[3] = {
      std::uint64_t(error.empty() ? comm.size() : comm.rank()), hash, ~hash};
  std::uint64_t least[3];
  check_mpi(MPI_Allreduce(mine, least, 3, MPI_UINT64_T, MPI_MIN, comm.mpi()),
            function, "MPI_Allreduce");
  const int first = int(least[0]);
  if (first == comm.size()) {
    if (least[1] != ~least[2]) throw_different(comm, function, same);
    return;
  }
  const std::string text = text_of_rank(comm, function, first, error);
  if (!error.empty()) throw std::invalid_argument(error);
  throw std::invalid_argument(std::string(function) + ": on rank " +
                              std::to_string(first) + ": " + text);
}

/// Collective. Calls `checks`, which may throw on any of the ranks, and throws
/// on all ranks if it does on one, or if the texts `same` differ.
template <class Checks>
void agree_on(const Communicator& comm, const char* function,
              const Checks& checks, const std::string& same = {}) {
  agree(comm, function, thrown_text(checks), same);
}

}  // namespace Impl
}  // namespace Sporos

#endif
