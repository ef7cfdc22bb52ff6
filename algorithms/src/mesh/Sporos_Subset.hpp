// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_SUBSET_HPP
#define SPOROS_SUBSET_HPP

/// \file Sporos_Subset.hpp
/// Loops over some elements of a set, given by a list of their numbers.
///
/// \code
///   Sporos::Subset wall("wall", edges, wall_edges);  // a vector or a View
///   Sporos::par_loop("flux", exec, wall, Flux{}, ...);
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_ViewChecks.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <vector>

namespace Sporos {
namespace Impl {

/// A subset's list on the host, and where its loops run.
template <class MemorySpace>
struct SubsetList {
  std::vector<int> host;
  Kokkos::View<int*, MemorySpace> device;
};

template <class MemorySpace>
struct SubsetState {
  SetState own;  ///< name, size, and plans, which share the list alone
  std::shared_ptr<SetState> set;
  std::shared_ptr<SubsetList<MemorySpace>> list;
  /// Ends of the core, owned and executed elements in the list, for a
  /// distributed set.
  PartEnds ends;
};

/// Sorts a list by the parts of a distributed set, whose elements keep their
/// order; drops those that are only read.
[[gnu::cold]] inline PartEnds order_by_parts(const SetParts& parts,
                                             std::vector<int>& list) {
  const auto move_up = [&](std::vector<int>::iterator from, int end) {
    return std::stable_partition(from, list.end(),
                                 [end](int e) { return e < end; });
  };
  const auto core  = move_up(list.begin(), parts.core);
  const auto owned = move_up(core, parts.owned);
  const auto all   = move_up(owned, parts.executed);
  const PartEnds ends{int(core - list.begin()), int(owned - list.begin()),
                      int(all - list.begin())};
  list.erase(all, list.end());
  return ends;
}

/// Throws std::invalid_argument unless all numbers are those of elements of
/// `set`, each at most once; the first that is not is named.
template <class T>
[[gnu::cold]] void check_subset(const std::string& name, const Set& set,
                                const T* numbers, std::size_t n) {
  std::vector<std::size_t> place(std::size_t(set.size()), n);
  for (std::size_t k = 0; k < n; ++k) {
    const auto e = std::int64_t(numbers[k]);
    check(e >= 0 && e < set.size(), "Sporos::Subset", name.c_str(),
          text("numbers in [0, ", set.size(), ") of the set ", set.name()),
          +numbers[k], " at entry ", k);
    std::size_t& first = place[std::size_t(e)];
    check(first == n, "Sporos::Subset", name.c_str(),
          text("each element of ", set.name(), " once"), e, " at entries ",
          first, " and ", k);
    first = k;
  }
}

/// A list of numbers of elements of a set, of any integers, on the host.
template <class Exec, class List>
std::vector<int> numbers_of([[maybe_unused]] const Exec& exec,
                            const std::string& name, const Set& set,
                            const List& list) {
  static_assert(std::is_integral<typename List::value_type>::value,
                "Sporos::Subset: numbers must be integers");
  const auto checked = [&](const auto* numbers, std::size_t n) {
    check_subset(name, set, numbers, n);
    return std::vector<int>(numbers, numbers + n);
  };
  if constexpr (Kokkos::is_view<List>::value) {
    static_assert(view_rank_v<List> == 1,
                  "Sporos::Subset: the list must be a View of rank 1");
    check_memory("Sporos::Subset", name.c_str(), list);
    const auto host = on_host(exec, list);
    std::vector<typename List::non_const_value_type> numbers(host.extent(0));
    for (std::size_t k = 0; k < numbers.size(); ++k) numbers[k] = host(k);
    return checked(numbers.data(), numbers.size());
  } else {
    const std::vector<typename List::value_type> numbers(list.begin(),
                                                         list.end());
    return checked(numbers.data(), numbers.size());
  }
}

}  // namespace Impl

/// Elements of a set in the order of a list. par_loop runs as if it took them
/// one after another in this order. A shallow handle. It owns the plans of
/// loops over it: destroy it before Kokkos::finalize. reorder does not change
/// it: make it again afterwards. Of a distributed set each rank lists all local
/// elements that belong to the subset, those of the halo included; loops run
/// those that this rank owns or must execute.
template <class MemorySpace_ = Kokkos::DefaultExecutionSpace::memory_space>
class Subset {
 public:
  using memory_space = MemorySpace_;  ///< where the list is
  /// shape (size())
  using view_type = Kokkos::View<const int*, memory_space>;

  /// An empty handle, to be assigned to. par_loop refuses it.
  Subset() = default;

  /// \param name the name in messages
  /// \param set the set
  /// \param list numbers of elements, each at most once: a host array of
  ///   integers of any size, as std::vector<int>, or a View of rank 1, strided
  ///   or not. The constructor copies it.
  /// \throws std::invalid_argument for a number outside of the set or listed
  ///   twice; the message names the first one. O(list + set.size()), on the
  ///   host. Waits for the default instance.
  template <class List>
  Subset(const std::string& name, const Set& set, const List& list)
      : Subset(Impl::default_instance<view_type>(list), name, set, list) {}

  /// Makes a subset in an instance, on its device; kernels in it may still fill
  /// a View. Waits for this instance only.
  template <class Exec, class List>
  Subset(const Exec& exec, const std::string& name, const Set& set,
         const List& list)
      : m_state(std::make_shared<Impl::SubsetState<memory_space>>()) {
    using Lists      = Impl::SubsetList<memory_space>;
    const auto lists = std::make_shared<Lists>();
    lists->host      = Impl::numbers_of(exec, name, set, list);
    if (set.is_distributed())
      m_state->ends = Impl::order_by_parts(*set.state()->parts, lists->host);
    m_end             = int(lists->host.size());
    m_state->own.name = name;
    m_state->own.size = m_end;
    m_state->set      = set.state();
    m_state->list     = lists;
    using Numbers     = Kokkos::View<int*, memory_space>;
    const auto space  = Impl::instance_for<Numbers>(exec);
    lists->device = Impl::new_view<Numbers>(space, "Sporos::Subset::" + name,
                                            lists->host.size());
    const Kokkos::View<const int*, Kokkos::HostSpace,
                       Kokkos::MemoryTraits<Kokkos::Unmanaged>>
        host(lists->host.data(), lists->host.size());
    Kokkos::deep_copy(space, lists->device, host);
    Impl::fence(space, "Sporos::Subset");
  }

  /// The name.
  std::string name() const { return m_state ? m_state->own.name : ""; }
  /// The set. \throws std::invalid_argument for a subset made of nothing
  Set set() const {
    Impl::check_handle(m_state != nullptr, "Sporos::Subset::set", "subset");
    return Set(m_state->set);
  }
  int begin() const { return m_begin; }  ///< First position in the list.
  int end() const { return m_end; }      ///< Position after the last one.
  int size() const { return m_end - m_begin; }  ///< Number of elements.

  /// The whole list. \throws std::invalid_argument for a subset made of nothing
  view_type view() const {
    Impl::check_handle(m_state != nullptr, "Sporos::Subset::view", "subset");
    return m_state->list->device;
  }

  /// Positions begin, ..., end - 1 of the list. \throws std::invalid_argument
  /// unless 0 <= begin <= end <= length of the list
  Subset range(int begin, int end) const {
    Impl::check_handle(m_state != nullptr, "Sporos::Subset::range", "subset");
    Impl::check(0 <= begin && begin <= end && end <= m_state->own.size,
                "Sporos::Subset::range", name().c_str(),
                Impl::text("0 <= begin <= end <= ", m_state->own.size),
                "begin ", begin, ", end ", end);
    Subset part  = *this;
    part.m_begin = begin;
    part.m_end   = end;
    return part;
  }

  /// For the implementation.
  const std::shared_ptr<Impl::SubsetState<memory_space>>& state() const {
    return m_state;
  }

 private:
  std::shared_ptr<Impl::SubsetState<memory_space>> m_state;
  int m_begin = 0, m_end = 0;
};

/// For a host array: the default memory space.
template <class List>
Subset(const std::string&, const Set&, const List&) -> Subset<>;
/// For a View: its memory space.
template <class T, class... P>
Subset(const std::string&, const Set&, const Kokkos::View<T, P...>&)
    -> Subset<typename Kokkos::View<T, P...>::memory_space>;
/// For a View that kernels in an instance fill.
template <class Exec, class T, class... P>
Subset(const Exec&, const std::string&, const Set&,
       const Kokkos::View<T, P...>&)
    -> Subset<typename Kokkos::View<T, P...>::memory_space>;

}  // namespace Sporos

#endif
