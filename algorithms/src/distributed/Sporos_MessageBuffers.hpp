// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESSAGEBUFFERS_HPP
#define SPOROS_MESSAGEBUFFERS_HPP

/// \file Sporos_MessageBuffers.hpp
/// Buffers of messages and the persistent requests that send and receive them.

#include <Sporos_Communicator.hpp>
#include <Sporos_KokkosCompat.hpp>
#include <distributed/Sporos_DeviceMessages.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
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
template <class MemorySpace>
class MessageBuffers {
  static constexpr const char* name = "Sporos::exchange";
  using Bytes                       = Kokkos::View<unsigned char*, MemorySpace>;
  using HostBytes = Kokkos::View<unsigned char*, pinned_host_space>;

 public:
  MessageBuffers()                                 = default;
  MessageBuffers(const MessageBuffers&)            = delete;
  MessageBuffers& operator=(const MessageBuffers&) = delete;
  ~MessageBuffers() { free_requests(); }

  /// Makes buffers and requests. Neither may be in use.
  void make(const Communicator& comm, std::vector<Message> out,
            std::vector<Message> in) {
    free_requests();
    m_comm   = comm;
    m_out    = std::move(out);
    m_in     = std::move(in);
    m_staged = !Kokkos::SpaceAccessibility<Kokkos::HostSpace,
                                           MemorySpace>::accessible &&
               !device_messages();
    allocate(m_send, "Sporos::exchange::send", end(m_out));
    allocate(m_receive, "Sporos::exchange::receive", end(m_in));
    if (m_staged) {
      allocate(m_host_send, "Sporos::exchange::host_send", end(m_out));
      allocate(m_host_receive, "Sporos::exchange::host_receive", end(m_in));
    }
    for (const Message& m : m_in) each_piece(m, false);
    for (const Message& m : m_out) each_piece(m, true);
  }

  const Bytes& send() const { return m_send; }
  const Bytes& receive() const { return m_receive; }

  /// Sends what kernels of exec have put into send(). Waits for exec.
  template <class Exec>
  void start(const Exec& exec) {
    copy_own(exec);
    if (m_staged && !m_requests.empty())
      Kokkos::deep_copy(exec, m_host_send, m_send);
    fence(exec, "Sporos::exchange::start");
    if (!m_requests.empty())
      check_mpi(MPI_Startall(int(m_requests.size()), m_requests.data()), name,
                "MPI_Startall");
    m_started = std::chrono::steady_clock::now();
  }

  /// Waits until all messages have come; kernels of exec may then read
  /// receive().
  template <class Exec>
  void finish(const Exec& exec) {
    if (!m_requests.empty())
      check_mpi(MPI_Waitall(int(m_requests.size()), m_requests.data(),
                            MPI_STATUSES_IGNORE),
                name, "MPI_Waitall");
    if (exchange_delay().count() > 0)
      std::this_thread::sleep_until(m_started + exchange_delay());
    if (m_staged && !m_requests.empty()) copy_received(exec);
  }

  std::size_t bytes() const {
    return m_send.extent(0) + m_receive.extent(0) + m_host_send.extent(0) +
           m_host_receive.extent(0);
  }

 private:
  static std::size_t end(const std::vector<Message>& messages) {
    return messages.empty() ? 0 : messages.back().begin + messages.back().bytes;
  }

  template <class View>
  static void allocate(View& view, const std::string& label, std::size_t n) {
    if (view.extent(0) >= n) return;
    view = View();
    view = View(Kokkos::view_alloc(Kokkos::WithoutInitializing, label), n);
  }

  void each_piece(const Message& m, bool sends) {
    constexpr std::size_t most = std::size_t(1) << 30;
    if (m.rank == m_comm.rank()) return;
    unsigned char* const base =
        sends ? (m_staged ? m_host_send.data() : m_send.data())
              : (m_staged ? m_host_receive.data() : m_receive.data());
    for (std::size_t k = 0; k < m.bytes; k += most) {
      const int n = int(m.bytes - k < most ? m.bytes - k : most);
      m_requests.push_back(MPI_REQUEST_NULL);
      unsigned char* const data = base + m.begin + k;
      if (sends)
        check_mpi(MPI_Send_init(data, n, MPI_BYTE, m.rank, 0, m_comm.mpi(),
                                &m_requests.back()),
                  name, "MPI_Send_init");
      else
        check_mpi(MPI_Recv_init(data, n, MPI_BYTE, m.rank, 0, m_comm.mpi(),
                                &m_requests.back()),
                  name, "MPI_Recv_init");
    }
  }

  template <class View>
  static auto piece(const View& view, const Message& m) {
    return Kokkos::subview(view, std::make_pair(m.begin, m.begin + m.bytes));
  }

  template <class Exec>
  void copy_own(const Exec& exec) {
    for (const Message& from : m_out)
      for (const Message& to : m_in)
        if (from.rank == m_comm.rank() && to.rank == from.rank)
          Kokkos::deep_copy(exec, piece(m_receive, to), piece(m_send, from));
  }

  /// The own message is in device memory already.
  template <class Exec>
  void copy_received(const Exec& exec) {
    for (const Message& m : m_in)
      if (m.rank != m_comm.rank())
        Kokkos::deep_copy(exec, piece(m_receive, m), piece(m_host_receive, m));
  }

  void free_requests() {
    if (mpi_is_running())
      for (MPI_Request& request : m_requests) MPI_Request_free(&request);
    m_requests.clear();
  }

  Communicator m_comm;
  std::vector<Message> m_out, m_in;
  bool m_staged = false;
  Bytes m_send, m_receive;
  HostBytes m_host_send, m_host_receive;
  std::vector<MPI_Request> m_requests;
  std::chrono::steady_clock::time_point m_started;
};

}  // namespace Impl
}  // namespace Sporos

#endif
