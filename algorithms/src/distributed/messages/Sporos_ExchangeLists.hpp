// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_EXCHANGELISTS_HPP
#define SPOROS_EXCHANGELISTS_HPP

/// \file Sporos_ExchangeLists.hpp
/// Which entries of an array travel to and from which ranks.

#include <Sporos_Error.hpp>
#include <Sporos_HostCopy.hpp>

#include <Kokkos_Core.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <limits>
#include <map>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Rank -> indices of entries.
using RankLists = std::map<int, std::vector<int>>;

/// Entries that travel in one direction, rank by rank.
template <class MemorySpace>
struct ExchangeSide {
  std::vector<int> ranks;          ///< with entries, ascending
  std::vector<std::size_t> first;  ///< of each rank, and the end
  Kokkos::View<int*, MemorySpace> entries;
  Kokkos::View<int*, MemorySpace> message;  ///< number in ranks, per entry

  std::size_t size() const { return first.empty() ? 0 : first.back(); }
  std::size_t count(std::size_t k) const { return first[k + 1] - first[k]; }
};

/// For each target of sums its summands: places in the received lists, in the
/// order of ranks, then of the lists.
template <class MemorySpace>
struct ExchangeSums {
  Kokkos::View<int*, MemorySpace> targets;
  Kokkos::View<int*, MemorySpace> offsets;  ///< one more than targets
  Kokkos::View<int*, MemorySpace> places;
};

/// Who sends which entries to whom. A shallow handle. Both ranks of a pair list
/// as many entries, in an order on which they agree. The own rank may occur.
template <class MemorySpace>
class ExchangeLists {
 public:
  using Side = ExchangeSide<MemorySpace>;

  ExchangeLists() : ExchangeLists(RankLists{}, RankLists{}) {}
  ExchangeLists(const RankLists& send, const RankLists& receive)
      : ExchangeLists(typename MemorySpace::execution_space{}, send, receive) {}

  /// On the device of exec.
  /// \throws std::invalid_argument for 2^31 entries or more
  template <class Exec>
  ExchangeLists(const Exec& exec, const RankLists& send,
                const RankLists& receive)
      : m_state(std::make_shared<State>()) {
    std::array<std::vector<int>, 4> arrays;
    m_state->send         = side("send", send, arrays[0], arrays[1]);
    m_state->receive      = side("receive", receive, arrays[2], arrays[3]);
    const auto views      = together(exec, "Sporos::exchange::lists", arrays);
    m_state->send.entries = views[0];
    m_state->send.message = views[1];
    m_state->receive.entries = views[2];
    m_state->receive.message = views[3];
  }

  /// Sides that the caller made, in memory of his.
  ExchangeLists(Side send, Side receive) : m_state(std::make_shared<State>()) {
    m_state->send    = std::move(send);
    m_state->receive = std::move(receive);
  }

  const Side& send() const { return m_state->send; }
  const Side& receive() const { return m_state->receive; }
  /// Made when they are asked for, in exec: few lists are added along.
  template <class Exec>
  const ExchangeSums<MemorySpace>& sums(const Exec& exec) const {
    if (!m_state->has_sums) m_state->sums = sums(exec, send());
    m_state->has_sums = true;
    return m_state->sums;
  }
  /// Tells lists apart, and keeps them.
  std::shared_ptr<const void> state() const { return m_state; }

  /// Bytes of memory.
  std::size_t bytes() const {
    return sizeof(int) *
           (2 * (send().size() + receive().size()) +
            m_state->sums.offsets.extent(0) + m_state->sums.targets.extent(0) +
            m_state->sums.places.extent(0));
  }

 private:
  struct State {
    Side send, receive;
    ExchangeSums<MemorySpace> sums;
    bool has_sums = false;
  };

  /// Arrays in one allocation, by one copy.
  template <std::size_t N, class Exec>
  static std::array<Kokkos::View<int*, MemorySpace>, N> together(
      const Exec& exec, const char* label,
      const std::array<std::vector<int>, N>& arrays) {
    std::vector<int> all;
    for (const auto& array : arrays)
      all.insert(all.end(), array.begin(), array.end());
    const auto packed = to_memory<MemorySpace>(exec, label, all);
    std::array<Kokkos::View<int*, MemorySpace>, N> views;
    std::size_t begin = 0;
    for (std::size_t k = 0; k < N; begin += arrays[k++].size())
      views[k] = Kokkos::subview(
          packed, std::make_pair(begin, begin + arrays[k].size()));
    return views;
  }

  /// Without its Views, which hold entries and message.
  static Side side(const char* argument, const RankLists& lists,
                   std::vector<int>& entries, std::vector<int>& message) {
    Side s;
    s.first = {0};
    for (const auto& [rank, list] : lists) {
      if (list.empty()) continue;
      entries.insert(entries.end(), list.begin(), list.end());
      check(entries.size() < std::size_t(std::numeric_limits<int>::max()),
            "Sporos::ExchangeLists", argument, "fewer than 2^31 entries",
            entries.size());
      message.resize(entries.size(), int(s.ranks.size()));
      s.ranks.push_back(rank);
      s.first.push_back(entries.size());
    }
    return s;
  }

  template <class Exec>
  static ExchangeSums<MemorySpace> sums(const Exec& exec, const Side& side) {
    std::vector<int> entries(side.size());
    copy_values<Kokkos::HostSpace, MemorySpace>(
        exec, entries.data(), side.entries.data(), entries.size());
    std::vector<std::pair<int, int>> pairs;  // target, place
    for (std::size_t place = 0; place < entries.size(); ++place)
      pairs.emplace_back(entries[place], int(place));
    std::sort(pairs.begin(), pairs.end());
    std::array<std::vector<int>, 3> arrays;
    auto& [targets, offsets, places] = arrays;
    for (const auto& [target, place] : pairs) {
      if (targets.empty() || targets.back() != target) {
        targets.push_back(target);
        offsets.push_back(int(places.size()));
      }
      places.push_back(place);
    }
    offsets.push_back(int(places.size()));
    const auto views = together(exec, "Sporos::exchange::sums", arrays);
    return {views[0], views[1], views[2]};
  }

  std::shared_ptr<State> m_state;
};

/// An array of which entries travel. Values: (entry, component) -> reference
template <class Lists, class Values, bool Adds>
struct ExchangePart {
  using value_type = std::remove_cv_t<
      std::remove_reference_t<decltype(std::declval<const Values&>()(0, 0))>>;
  using Side = typename Lists::Side;
  static_assert(std::is_trivially_copyable_v<value_type>,
                "Sporos: only trivially copyable types travel between ranks");
  static constexpr bool adds = Adds;

  Lists lists;
  Values values;
  int components;

  const Side& out() const { return Adds ? lists.receive() : lists.send(); }
  const Side& in() const { return Adds ? lists.send() : lists.receive(); }
};

/// What is sent from the `send` entries overwrites the `receive` entries of the
/// other rank. Adds: the way back, what is sent from the `receive` entries is
/// added to the `send` entries of the other rank, one summand after another in
/// the order of ranks.
template <bool Adds = false, class MemorySpace, class Values>
ExchangePart<ExchangeLists<MemorySpace>, Values, Adds> copy_part(
    const ExchangeLists<MemorySpace>& lists, const Values& values,
    int components) {
  return {lists, values, components};
}

}  // namespace Impl
}  // namespace Sporos

#endif
