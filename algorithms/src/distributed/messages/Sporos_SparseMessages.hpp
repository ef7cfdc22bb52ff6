// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SPARSEMESSAGES_HPP
#define SPOROS_SPARSEMESSAGES_HPP

/// \file Sporos_SparseMessages.hpp
/// Messages to ranks that do not know that they will receive any, and numbers
/// that neighbours swap.

#include <Sporos_Communicator.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// One round of sparse_messages.
template <class T>
class SparseRound {
  static_assert(std::is_trivially_copyable_v<T>,
                "Sporos: only trivially copyable types travel between ranks");
  static constexpr const char* name = "Sporos::sparse_messages";

 public:
  SparseRound(const Communicator& comm, const std::map<int, std::vector<T>>& to)
      : m_comm(comm), m_tag(next_tag(comm)) {
    m_sends.reserve(to.size());
    for (const auto& [rank, values] : to) {
      check(rank >= 0 && rank < comm.size(), name, "rank",
            text("a rank below ", comm.size()), rank);
      if (values.empty()) continue;
      if (rank == comm.rank())
        m_received[rank] = values;
      else
        send(rank, values);
    }
  }

  /// \param words of which the least of all ranks are wanted
  std::map<int, std::vector<T>> run(std::vector<std::uint64_t>& words) {
    MPI_Request barrier = MPI_REQUEST_NULL;
    bool entered        = false;
    for (int done = 0; done == 0;) {
      receive_one();
      if (entered) {
        check_mpi(MPI_Test(&barrier, &done, MPI_STATUS_IGNORE), name,
                  "MPI_Test");
      } else if (all_arrived()) {
        begin_reduction(words, barrier);
        entered = true;
      }
    }
    return std::move(m_received);
  }

 private:
  /// Two tags in turn: a rank may begin the next round while another one still
  /// waits for the end of this one, but not the round after the next.
  static int next_tag(const Communicator& comm) {
    static_assert(count_tag == 2, "other messages have other tags");
    return comm.state().round++ % 2;
  }

  /// Synchronous: complete when the receiver has begun to receive. Pieces of a
  /// long message arrive in their order.
  void send(int rank, const std::vector<T>& values) {
    const std::size_t most =
        std::max<std::size_t>(1, longest_message() / sizeof(T));
    for (std::size_t k = 0; k < values.size(); k += most) {
      const std::size_t n = std::min(values.size() - k, most);
      m_sends.push_back(MPI_REQUEST_NULL);
      check_mpi(MPI_Issend(values.data() + k, int(n * sizeof(T)), MPI_BYTE,
                           rank, m_tag, m_comm.mpi(), &m_sends.back()),
                name, "MPI_Issend");
    }
  }

  /// Like a barrier it ends when all ranks have begun it.
  void begin_reduction(std::vector<std::uint64_t>& words,
                       MPI_Request& request) const {
    if (words.empty())
      check_mpi(MPI_Ibarrier(m_comm.mpi(), &request), name, "MPI_Ibarrier");
    else
      check_mpi(MPI_Iallreduce(MPI_IN_PLACE, words.data(), int(words.size()),
                               MPI_UINT64_T, MPI_MIN, m_comm.mpi(), &request),
                name, "MPI_Iallreduce");
  }

  bool all_arrived() {
    int all = 0;
    check_mpi(MPI_Testall(int(m_sends.size()), m_sends.data(), &all,
                          MPI_STATUSES_IGNORE),
              name, "MPI_Testall");
    return all != 0;
  }

  void receive_one() {
    int there = 0, bytes = 0;
    MPI_Status status;
    check_mpi(MPI_Iprobe(MPI_ANY_SOURCE, m_tag, m_comm.mpi(), &there, &status),
              name, "MPI_Iprobe");
    if (there == 0) return;
    MPI_Get_count(&status, MPI_BYTE, &bytes);
    std::vector<T>& values   = m_received[status.MPI_SOURCE];
    const std::size_t before = values.size();
    values.resize(before + std::size_t(bytes) / sizeof(T));
    check_mpi(
        MPI_Recv(values.data() + before, bytes, MPI_BYTE, status.MPI_SOURCE,
                 m_tag, m_comm.mpi(), MPI_STATUS_IGNORE),
        name, "MPI_Recv");
  }

  Communicator m_comm;
  int m_tag;
  std::vector<MPI_Request> m_sends;
  std::map<int, std::vector<T>> m_received;
};

/// Collective. Sends values to some ranks and returns those that came, by rank.
/// Ranks need not know who sends to them; empty vectors are not sent. Costs
/// O(log ranks) and what travels, no memory for ranks that are not concerned.
/// (Hoefler, Siebert, Lumsdaine, Scalable communication protocols for dynamic
/// sparse data exchange, 2010: algorithm NBX.)
/// \param words are replaced by the least of all ranks, at no other cost
template <class T>
std::map<int, std::vector<T>> sparse_messages(
    const Communicator& comm, const std::map<int, std::vector<T>>& to,
    std::vector<std::uint64_t>& words) {
  return SparseRound<T>(comm, to).run(words);
}
template <class T>
std::map<int, std::vector<T>> sparse_messages(
    const Communicator& comm, const std::map<int, std::vector<T>>& to) {
  std::vector<std::uint64_t> none;
  return sparse_messages(comm, to, none);
}

/// Swaps N numbers with each rank of a list, which has this rank in its own,
/// and which may be this rank. No other ranks take part.
template <std::size_t N>
std::map<int, std::array<int, N>> swap_counts(
    const Communicator& comm, const std::map<int, std::array<int, N>>& mine) {
  constexpr const char* name               = "Sporos::swap_counts";
  std::map<int, std::array<int, N>> theirs = mine;
  std::vector<MPI_Request> requests;
  for (auto& [rank, counts] : theirs) {
    if (rank == comm.rank()) continue;
    requests.resize(requests.size() + 2, MPI_REQUEST_NULL);
    check_mpi(MPI_Irecv(counts.data(), int(N), MPI_INT, rank, count_tag,
                        comm.mpi(), &requests[requests.size() - 2]),
              name, "MPI_Irecv");
    check_mpi(MPI_Isend(mine.at(rank).data(), int(N), MPI_INT, rank, count_tag,
                        comm.mpi(), &requests.back()),
              name, "MPI_Isend");
  }
  wait_for_each(requests, name);
  return theirs;
}

}  // namespace Impl
}  // namespace Sporos

#endif
