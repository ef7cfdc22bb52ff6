// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESSAGEBUFFERS_HPP
#define SPOROS_MESSAGEBUFFERS_HPP

/// \file Sporos_MessageBuffers.hpp
/// Buffers of messages and the persistent requests that send and receive them.

#include <Sporos_Communicator.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <distributed/messages/Sporos_DeviceMessages.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// One message: to or from whom, and where it lies in the buffer.
struct Message {
  int rank;
  std::size_t begin, bytes;
};

/// For tests: every exchange takes at least this long.
inline std::chrono::microseconds& exchange_delay() {
  static std::chrono::microseconds delay{0};
  return delay;
}

/// One message for each neighbour, in buffers that are kept. Messages to the
/// own rank are copied without MPI. Longer messages than MPI counts are cut.
/// Used in one instance after another, in any instances of one space.
template <class MemorySpace>
class MessageBuffers {
  static constexpr const char* name = "Sporos::exchange";
  using Bytes                       = Kokkos::View<unsigned char*, MemorySpace>;
  using HostBytes = Kokkos::View<unsigned char*, pinned_host_space>;

 public:
  MessageBuffers()                                 = default;
  MessageBuffers(const MessageBuffers&)            = delete;
  MessageBuffers& operator=(const MessageBuffers&) = delete;
  ~MessageBuffers() { drop_requests(); }

  /// Makes buffers on the device of exec. None may be in use.
  template <class Exec>
  void make(const Exec& exec, const Communicator& comm,
            std::vector<Message> out, std::vector<Message> in) {
    drop_requests();
    wait_for_last();
    m_comm   = comm;
    m_out    = std::move(out);
    m_in     = std::move(in);
    m_staged = !Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           MemorySpace>::accessible &&
               !device_messages();
    allocate(exec);
  }

  const Bytes& send() const { return m_send; }
  const Bytes& receive() const { return m_receive; }

  /// Sends what kernels of exec have put into send(). Waits for exec.
  template <class Exec>
  void start(const Exec& exec) {
    wait_for_last();
    copy_own(exec);
    if (m_requests.empty()) make_requests();
    if (m_staged && !m_requests.empty())
      copy(exec, m_host_send, 0, m_send, 0, end(m_out));
    fence(exec, "Sporos::exchange::start");
    m_active = !m_requests.empty();
    if (m_active)
      check_mpi(MPI_Startall(int(m_requests.size()), m_requests.data()), name,
                "MPI_Startall");
    m_started = std::chrono::steady_clock::now();
  }

  /// Waits for the messages of start(), unless that has been done. If one
  /// failed, the requests are made anew at the next start(). Not by
  /// MPI_Waitall, which hangs in Open MPI 4.1 if a message had failed before.
  template <class Exec>
  void wait(const Exec& exec) {
    if (!m_active) return;
    for (std::size_t k = 0; k < m_requests.size(); ++k) {
      MPI_Status status;
      const int code          = MPI_Wait(&m_requests[k], &status);
      const std::string error = error_of(code, status, m_pieces[k]);
      if (error.empty()) continue;
      drop_requests();
      allocate(exec);
      throw std::runtime_error(error + ends_alike);
    }
    m_active = false;
  }

  /// Waits until all messages have come; kernels of exec may then read
  /// receive().
  template <class Exec>
  void finish(const Exec& exec) {
    wait(exec);
    if (exchange_delay().count() > 0)
      std::this_thread::sleep_until(m_started + exchange_delay());
    if (m_staged && !m_requests.empty()) copy_received(exec);
    m_in_use = !is_host_space_v<Exec>;
  }

 private:
  /// What a request carries.
  struct Piece {
    int rank, bytes;
    bool sends;
  };

  static std::size_t end(const std::vector<Message>& messages) {
    return messages.empty() ? 0 : messages.back().begin + messages.back().bytes;
  }

  template <class Exec>
  void allocate(const Exec& exec) {
    allocate(exec, m_send, "Sporos::exchange::send", end(m_out));
    allocate(exec, m_receive, "Sporos::exchange::receive", end(m_in));
    if (m_staged) {
      allocate(exec, m_host_send, "Sporos::exchange::host_send", end(m_out));
      allocate(exec, m_host_receive, "Sporos::exchange::host_receive",
               end(m_in));
    }
  }

  template <class Exec, class View>
  static void allocate(const Exec& exec, View& view, const std::string& label,
                       std::size_t n) {
    const std::size_t before = view.extent(0);
    if (before >= n) return;
    view = View();
    // messages that grow may grow again: those of points that move do
    view = new_view<View>(exec, label, before > 0 ? n + n / 4 : n);
  }

  /// The last finish() may have been in another instance, which still reads
  /// the buffers, or is gone by now.
  void wait_for_last() {
    if (m_in_use) fence_all("Sporos::exchange::reuse");
    m_in_use = false;
  }

  void make_requests() {
    m_pieces.clear();
    for (const Message& m : m_in) each_piece(m, false);
    for (const Message& m : m_out) each_piece(m, true);
  }

  /// The tag is the number of the piece, as MPI may start requests in any
  /// order.
  void each_piece(const Message& m, bool sends) {
    if (m.rank == m_comm.rank()) return;
    unsigned char* const base =
        sends ? (m_staged ? m_host_send.data() : m_send.data())
              : (m_staged ? m_host_receive.data() : m_receive.data());
    const std::size_t most = longest_message();
    for (std::size_t k = 0; k < m.bytes; k += most) {
      const int n               = int(std::min(m.bytes - k, most));
      const int tag             = first_piece_tag + int(k / most);
      unsigned char* const data = base + m.begin + k;
      MPI_Request request       = MPI_REQUEST_NULL;
      if (sends)
        check_mpi(MPI_Send_init(data, n, MPI_BYTE, m.rank, tag, m_comm.mpi(),
                                &request),
                  name, "MPI_Send_init");
      else
        check_mpi(MPI_Recv_init(data, n, MPI_BYTE, m.rank, tag, m_comm.mpi(),
                                &request),
                  name, "MPI_Recv_init");
      m_requests.push_back(request);
      m_pieces.push_back({m.rank, n, sends});
    }
  }

  /// The text for a message that failed or is too short, else none.
  static std::string error_of(int code, const MPI_Status& status,
                              const Piece& piece) {
    int got = piece.bytes;
    if (code == MPI_SUCCESS && !piece.sends)
      MPI_Get_count(&status, MPI_BYTE, &got);
    if (code == MPI_SUCCESS && got == piece.bytes) return {};
    const std::string what =
        in_one_text(piece.sends ? "a message to rank " : "a message from rank ",
                    piece.rank);
    if (code != MPI_SUCCESS) return mpi_error_text(code, name, what.c_str());
    return in_one_text(name, ": ", what, " has ", got, " bytes instead of ",
                       piece.bytes);
  }

  /// Copies n bytes from place `begin` of a buffer to place `at` of another.
  template <class Exec, class To, class From>
  static void copy(const Exec& exec, const To& to, std::size_t at,
                   const From& from, std::size_t begin, std::size_t n) {
    if (n == 0) return;
    Kokkos::deep_copy(exec, Kokkos::subview(to, std::make_pair(at, at + n)),
                      Kokkos::subview(from, std::make_pair(begin, begin + n)));
  }

  const Message* own(const std::vector<Message>& messages) const {
    for (const Message& m : messages)
      if (m.rank == m_comm.rank()) return &m;
    return nullptr;
  }

  template <class Exec>
  void copy_own(const Exec& exec) {
    const Message *const from = own(m_out), *const to = own(m_in);
    if (from != nullptr && to != nullptr)
      copy(exec, m_receive, to->begin, m_send, from->begin, to->bytes);
  }

  /// What lies before and after the own message, which is in device memory
  /// already.
  template <class Exec>
  void copy_received(const Exec& exec) {
    const Message* const mine = own(m_in);
    const std::size_t begin   = mine != nullptr ? mine->begin : 0;
    const std::size_t after   = mine != nullptr ? begin + mine->bytes : 0;
    copy(exec, m_receive, 0, m_host_receive, 0, begin);
    copy(exec, m_receive, after, m_host_receive, after, end(m_in) - after);
  }

  /// Have the messages of start() gone and come within two seconds?
  bool are_complete() {
    using Clock      = std::chrono::steady_clock;
    const auto until = Clock::now() + std::chrono::seconds(2);
    int all          = 0;
    do {
      MPI_Testall(int(m_requests.size()), m_requests.data(), &all,
                  MPI_STATUSES_IGNORE);
    } while (all == 0 && Clock::now() < until);
    return all != 0;
  }

  /// Frees the requests. An exception may have come between start() and
  /// wait(); then the messages are taken, so that no later receive meets them.
  /// Receives of messages that do not come are cancelled, and the memory of
  /// sends that nobody receives stays for ever.
  void drop_requests() {
    bool sends = false;
    if (mpi_is_running()) {
      const bool complete = !m_active || are_complete();
      for (std::size_t k = 0; k < m_requests.size(); ++k) {
        MPI_Request& request = m_requests[k];
        if (request == MPI_REQUEST_NULL) continue;  // it failed
        int done = complete ? 1 : 0;
        if (!complete) MPI_Test(&request, &done, MPI_STATUS_IGNORE);
        if (done == 0 && !m_pieces[k].sends) {
          MPI_Cancel(&request);
          MPI_Wait(&request, MPI_STATUS_IGNORE);
        }
        sends = sends || (done == 0 && m_pieces[k].sends);
        if (request != MPI_REQUEST_NULL) MPI_Request_free(&request);
      }
    }
    if (sends) {
      new Bytes(m_send);
      new HostBytes(m_host_send);
      m_send      = Bytes();
      m_host_send = HostBytes();
    }
    m_active = false;
    m_requests.clear();
  }

  static constexpr const char* ends_alike =
      "; all ranks must make the same calls, with arrays of the same sizes";

  Communicator m_comm;
  std::vector<Message> m_out, m_in;
  bool m_staged = false, m_active = false;
  Bytes m_send, m_receive;
  HostBytes m_host_send, m_host_receive;
  std::vector<MPI_Request> m_requests;
  std::vector<Piece> m_pieces;  ///< of the requests
  bool m_in_use = false;        ///< by kernels after the last finish()
  std::chrono::steady_clock::time_point m_started;
};

}  // namespace Impl
}  // namespace Sporos

#endif
