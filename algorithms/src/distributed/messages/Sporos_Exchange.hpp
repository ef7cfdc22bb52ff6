// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXCHANGE_HPP
#define SPOROS_EXCHANGE_HPP

/// \file Sporos_Exchange.hpp
/// Values of any number of arrays to and from neighbours, in one message for
/// each neighbour.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_HostCopy.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_Workspace.hpp>
#include <distributed/messages/Sporos_ExchangeKernels.hpp>
#include <distributed/messages/Sporos_ExchangeLists.hpp>
#include <distributed/messages/Sporos_MessageBuffers.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// How one part lies in the messages.
struct PartLayout {
  std::shared_ptr<const void> lists;  ///< kept, so that none takes its place
  bool adds               = false;
  std::size_t entry_bytes = 0;
  std::size_t alignment   = 1;

  bool operator==(const PartLayout& o) const {
    return lists == o.lists && adds == o.adds && entry_bytes == o.entry_bytes &&
           alignment == o.alignment;
  }
};

/// Bytes of messages: each holds its parts one after another, and begins at a
/// multiple of 64 bytes in the buffer.
class MessageLayout {
 public:
  /// Adds a part; returns where its entries go (see MessageEntries), relative
  /// to the beginning of each message.
  template <class Side>
  std::vector<std::int64_t> add(const Side& side, const PartLayout& part) {
    std::vector<std::int64_t> shift;
    for (std::size_t k = 0; k < side.ranks.size(); ++k) {
      std::size_t& bytes = m_bytes[side.ranks[k]];
      bytes = (bytes + part.alignment - 1) / part.alignment * part.alignment;
      shift.push_back(std::int64_t(bytes) -
                      std::int64_t(side.first[k] * part.entry_bytes));
      bytes += side.count(k) * part.entry_bytes;
    }
    return shift;
  }

  /// All messages, by rank. Call it after the last part.
  std::vector<Message> messages() const {
    std::vector<Message> out;
    std::size_t begin = 0;
    for (const auto& [rank, bytes] : m_bytes) {
      out.push_back({rank, begin, bytes});
      begin += (bytes + 63) / 64 * 64;
    }
    return out;
  }

 private:
  std::map<int, std::size_t> m_bytes;
};

template <class T>
constexpr bool is_part_list = false;
template <class Part>
constexpr bool is_part_list<std::vector<Part>> = true;

/// f(part) for each part, or each one of a vector of parts.
template <class F, class... Parts>
void for_each_part(const F& f, const Parts&... parts) {
  const auto each = [&](const auto& part) {
    if constexpr (is_part_list<std::decay_t<decltype(part)>>)
      for (const auto& one : part) f(one);
    else
      f(part);
  };
  (each(parts), ...);
}

/// Exchanges values with neighbours: start() packs and sends, finish() waits
/// and unpacks; work that does not touch the values goes in between. All ranks
/// call both, with parts of the same arrays. Buffers and persistent requests
/// are kept as long as the parts have the same lists and sizes. A shallow
/// handle.
template <class MemorySpace>
class Exchange {
 public:
  Exchange() = default;
  explicit Exchange(const Communicator& comm)
      : m_state(std::make_shared<State>()) {
    m_state->comm = comm;
  }

  /// Is this no empty handle?
  bool is_made() const { return m_state != nullptr; }

  /// Packs entries in exec, waits for exec and sends.
  /// \param parts or vectors of parts
  template <class Exec, class... Parts>
  void start(const Exec& exec, const Parts&... parts) const {
    const ProfilingRegion region("Sporos::exchange::start");
    State& s = *m_state;
    std::vector<PartLayout> layout;
    Sides out, in;
    for_each_part(
        [&](const auto& part) {
          layout.push_back(layout_of(part));
          out.push_back(&part.out());
          in.push_back(&part.in());
        },
        parts...);
    prepare(exec, layout, out, in);
    std::size_t k = 0;
    for_each_part([&](const auto& part) { pack(exec, s.out_shift[k++], part); },
                  parts...);
    s.buffers.start(exec);
    for (const Message& m : s.out)
      if (m.rank != s.comm.rank()) {
        s.bytes_sent += m.bytes;
        ++s.messages_sent;
      }
  }

  /// Waits for the messages and unpacks in exec, asynchronously. The parts are
  /// those of start().
  template <class Exec, class... Parts>
  void finish(const Exec& exec, const Parts&... parts) const {
    const ProfilingRegion region("Sporos::exchange::finish");
    m_state->buffers.finish(exec);
    std::size_t k = 0;
    for_each_part(
        [&](const auto& part) { unpack(exec, m_state->in_shift[k++], part); },
        parts...);
  }

  /// Sent to other ranks so far.
  std::size_t bytes_sent() const { return m_state->bytes_sent; }
  /// Messages to other ranks so far.
  std::size_t messages_sent() const { return m_state->messages_sent; }

 private:
  using Shift = Kokkos::View<std::int64_t*, MemorySpace>;
  struct State {
    Communicator comm;
    std::vector<PartLayout> layout;
    std::vector<Message> out;
    WorkspaceView<std::int64_t, MemorySpace> shifts{"Sporos::exchange::shifts"};
    std::vector<Shift> out_shift, in_shift;  ///< parts of it
    MessageBuffers<MemorySpace> buffers;
    std::size_t bytes_sent = 0, messages_sent = 0;
  };

  using Sides = std::vector<const ExchangeSide<MemorySpace>*>;

  template <class Part>
  static PartLayout layout_of(const Part& part) {
    using T = typename Part::value_type;
    return {part.lists.state(), Part::adds,
            sizeof(T) * std::size_t(part.components), alignof(T)};
  }

  /// Appends absolute places in the buffer. Both sides ascend.
  template <class Side>
  static void append_absolute(std::vector<std::int64_t>& all, const Side& side,
                              const std::vector<std::int64_t>& shift,
                              const std::vector<Message>& messages) {
    auto m = messages.begin();
    for (std::size_t k = 0; k < shift.size(); ++k) {
      while (m->rank != side.ranks[k]) ++m;
      all.push_back(shift[k] + std::int64_t(m->begin));
    }
  }

  /// Messages and buffers for the parts, if they are not those of last time.
  template <class Exec>
  void prepare(const Exec& exec, const std::vector<PartLayout>& layout,
               const Sides& sources, const Sides& targets) const {
    State& s = *m_state;
    s.buffers.wait(exec);  // an exception may have come before finish()
    if (layout == s.layout) return;
    s.layout.clear();  // stays so if something below throws
    MessageLayout out, in;
    std::vector<std::vector<std::int64_t>> out_shift, in_shift;
    for (std::size_t k = 0; k < layout.size(); ++k) {
      out_shift.push_back(out.add(*sources[k], layout[k]));
      in_shift.push_back(in.add(*targets[k], layout[k]));
    }
    s.out         = out.messages();
    const auto to = in.messages();
    // waits for kernels of the last exchange, which may read shifts
    s.buffers.make(exec, s.comm, s.out, to);
    s.out_shift.clear();
    s.in_shift.clear();
    std::vector<std::int64_t> all;
    for (std::size_t k = 0; k < layout.size(); ++k) {
      append_absolute(all, *sources[k], out_shift[k], s.out);
      append_absolute(all, *targets[k], in_shift[k], to);
    }
    const Shift shifts = s.shifts.require(exec, all.size());
    copy_values<MemorySpace, Kokkos::HostSpace>(exec, shifts.data(), all.data(),
                                                all.size(),
                                                "Sporos::exchange::shifts");
    std::size_t end = 0;
    const auto next = [&](std::size_t n) {
      end += n;
      return Shift(Kokkos::subview(shifts, std::make_pair(end - n, end)));
    };
    for (std::size_t k = 0; k < layout.size(); ++k) {
      s.out_shift.push_back(next(out_shift[k].size()));
      s.in_shift.push_back(next(in_shift[k].size()));
    }
    s.layout = layout;
  }

  template <class Part>
  static auto entries(const Part& part,
                      const Kokkos::View<unsigned char*, MemorySpace>& buffer,
                      const Shift& shift, const typename Part::Side& side) {
    return MessageEntries<typename Part::value_type, MemorySpace>{
        buffer, shift, side.message, part.components};
  }

  template <class Exec, class Part>
  void pack(const Exec& exec, const Shift& shift, const Part& part) const {
    using T          = typename Part::value_type;
    using Values     = decltype(part.values);
    const auto& side = part.out();
    if (side.size() == 0) return;
    for_each_index("Sporos::exchange::pack",
                   Kokkos::RangePolicy<Exec>(exec, 0, int(side.size())),
                   MoveEntries<true, T, MemorySpace, Values>{
                       entries(part, m_state->buffers.send(), shift, side),
                       side.entries, part.values});
  }

  template <class Exec, class Part>
  void unpack(const Exec& exec, const Shift& shift, const Part& part) const {
    using T           = typename Part::value_type;
    using Values      = decltype(part.values);
    const auto& side  = part.in();
    const auto packed = entries(part, m_state->buffers.receive(), shift, side);
    if (side.size() == 0) return;
    if constexpr (Part::adds) {
      const auto& sums = part.lists.sums(exec);
      for_each_index(
          "Sporos::exchange::add",
          Kokkos::RangePolicy<Exec>(exec, 0, int(sums.targets.extent(0))),
          AddEntries<T, MemorySpace, Values>{packed, sums, part.values});
    } else {
      for_each_index("Sporos::exchange::unpack",
                     Kokkos::RangePolicy<Exec>(exec, 0, int(side.size())),
                     MoveEntries<false, T, MemorySpace, Values>{
                         packed, side.entries, part.values});
    }
  }

  std::shared_ptr<State> m_state;
};

}  // namespace Impl
}  // namespace Sporos

#endif
