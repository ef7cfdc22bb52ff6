// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_COMMUNICATOR_HPP
#define SPOROS_COMMUNICATOR_HPP

/// \file Sporos_Communicator.hpp
/// The MPI ranks that share a mesh or a grid.

#include <Sporos_Checks.hpp>
#include <Sporos_Error.hpp>

#include <mpi.h>

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <set>
#include <sstream>
#include <stdexcept>
#include <string>
#include <type_traits>
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

/// Waits for all requests. Not by MPI_Waitall, which hangs in Open MPI 4.1 if a
/// message had failed before.
template <class Requests>
void wait_for_each(Requests& requests, const char* function) {
  for (MPI_Request& request : requests)
    check_mpi(MPI_Wait(&request, MPI_STATUS_IGNORE), function, "MPI_Wait");
}

/// Bytes of the longest message, as MPI counts by int; longer messages are
/// cut into pieces. Tests cut earlier.
inline std::size_t& longest_message() {
  static std::size_t most = std::size_t(1) << 30;
  return most;
}

/// Tags: sparse_messages uses the two below that of counts.
constexpr int count_tag = 2, first_piece_tag = 3;

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
  /// \throws std::invalid_argument before MPI_Init, after MPI_Finalize, for
  ///   MPI_COMM_NULL and for communicators between two groups
  explicit Communicator(MPI_Comm comm) {
    Impl::check(Impl::mpi_is_running(), "Sporos::Communicator", "comm",
                "a call between MPI_Init and MPI_Finalize");
    Impl::check(comm != MPI_COMM_NULL, "Sporos::Communicator", "comm",
                "a communicator", "MPI_COMM_NULL");
    int two_groups = 0;
    Impl::check_mpi(MPI_Comm_test_inter(comm, &two_groups),
                    "Sporos::Communicator", "MPI_Comm_test_inter");
    Impl::check(two_groups == 0, "Sporos::Communicator", "comm",
                "a communicator of one group of ranks",
                "one between two groups");
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
  int other               = same == first ? comm.size() : comm.rank();
  check_mpi(
      MPI_Allreduce(MPI_IN_PLACE, &other, 1, MPI_INT, MPI_MIN, comm.mpi()),
      function, "MPI_Allreduce");
  if (other == comm.size())  // they called different functions
    throw_different(comm, function, function);
  const std::string second = text_of_rank(comm, function, other, same);
  throw_invalid(function, "arguments", "the same on all ranks",
                text(first, " on rank 0, ", second, " on rank ", other));
}

/// What ranks find out together before they go on: if one has an error, what
/// must be the same, and the largest of some counts. Words of which each rank
/// takes the least of all ranks; then all call conclude().
class Agreement {
 public:
  /// \param error what this rank would throw; empty: nothing
  /// \param same must be the same text on all ranks
  /// \param counts of this rank
  Agreement(const Communicator& comm, const char* function,
            const std::string& error, const std::string& same,
            std::initializer_list<std::uint64_t> counts = {})
      : m_comm(comm), m_function(function), m_error(error), m_same(same) {
    const std::uint64_t hash = hash_of(function + (": " + same));
    m_words = {std::uint64_t(error.empty() ? comm.size() : comm.rank()), hash,
               ~hash};
    for (const std::uint64_t count : counts) m_words.push_back(~count);
  }

  std::vector<std::uint64_t>& words() { return m_words; }
  /// The largest of all ranks of a count, after the words were reduced
  std::uint64_t most(std::size_t k) const { return ~m_words[3 + k]; }

  /// Reduces the words.
  void reduce() {
    check_mpi(MPI_Allreduce(MPI_IN_PLACE, m_words.data(), int(m_words.size()),
                            MPI_UINT64_T, MPI_MIN, m_comm.mpi()),
              m_function, "MPI_Allreduce");
  }

  /// If ranks have errors, all throw std::invalid_argument: those ranks with
  /// their text, the others with the text of the lowest of them. So no rank
  /// goes on to wait for one that has thrown. Else all throw if texts differ.
  void conclude() const {
    const int first = int(m_words[0]);
    if (first == m_comm.size()) {
      if (m_words[1] != ~m_words[2])
        throw_different(m_comm, m_function, m_same);
      return;
    }
    const std::string text = text_of_rank(m_comm, m_function, first, m_error);
    if (!m_error.empty()) throw std::invalid_argument(m_error);
    throw std::invalid_argument(std::string(m_function) + ": on rank " +
                                std::to_string(first) + ": " + text);
  }

 private:
  const Communicator& m_comm;
  const char* m_function;
  std::string m_error, m_same;
  std::vector<std::uint64_t> m_words;
};

/// Collective. Throws on all ranks if one has an error, or if the texts `same`
/// differ, see Agreement. Costs one reduction.
inline void agree(const Communicator& comm, const char* function,
                  const std::string& error, const std::string& same = {}) {
  Agreement agreement(comm, function, error, same);
  agreement.reduce();
  agreement.conclude();
}

/// Collective. Calls `checks`, which may throw on any of the ranks, and throws
/// on all ranks if it does on one, or if the texts `same` differ.
template <class Checks>
void agree_on(const Communicator& comm, const char* function,
              const Checks& checks, const std::string& same = {}) {
  agree(comm, function, thrown_text(checks), same);
}

/// The type of values, as far as ranks must have the same.
template <class T>
std::string type_in_words() {
  return std::to_string(sizeof(T)) +
         (std::is_integral_v<T> ? " bytes (integer)" : " bytes");
}

/// Kinds of calls on which all ranks have agreed, see agree_once.
using AgreedKinds = std::set<std::string>;

/// agree_on for the first call with a text `same`. Later ones call `checks` on
/// this rank alone, without any message: if it throws, the other ranks go on.
/// With Sporos_ENABLE_CHECKS all calls are collective.
template <class Checks>
void agree_once(const Communicator& comm, AgreedKinds& agreed,
                const char* function, const Checks& checks,
                const std::string& same) {
  const std::string kind = function + (": " + same);
  if (!checks_enabled && agreed.count(kind) > 0) return checks();
  agree_on(comm, function, checks, same);
  agreed.insert(kind);
}

}  // namespace Impl
}  // namespace Sporos

#endif
