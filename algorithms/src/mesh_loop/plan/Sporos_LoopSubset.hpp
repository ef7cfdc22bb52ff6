// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPSUBSET_HPP
#define SPOROS_LOOPSUBSET_HPP

/// \file Sporos_LoopSubset.hpp
/// Loops over subsets run over the places of their lists, as if those were the
/// elements: plans copy the rows of maps that belong to the list, so that maps
/// are read without another indirection; direct arguments look the element up.

#include <Sporos_Subset.hpp>
#include <mesh_loop/arguments/Sporos_BoundArgs.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

template <class Range>
constexpr bool is_subset_v = false;
template <class M>
constexpr bool is_subset_v<Subset<M>> = true;

/// Where plans of loops over a range are kept.
inline SetState& plans_of(const SetRange& range) {
  return *range.set().state();
}
template <class M>
SetState& plans_of(const Subset<M>& subset) {
  return subset.state()->own;
}

/// What runs, in messages.
inline std::string name_of(const SetRange& range) { return range.set().name(); }
template <class M>
std::string name_of(const Subset<M>& subset) {
  return subset.name();
}

/// The elements of a subset.
inline ElementList list_of(const SetRange&) { return {}; }
template <class M>
ElementList list_of(const Subset<M>& subset) {
  const auto& list = subset.state()->list;
  return {list->device.data() + subset.begin(),
          list->host.data() + subset.begin(), list};
}

/// Rows list[0], list[1], ... of a map.
template <class Rows, class Entries>
struct CopyRows {
  Rows rows;
  Entries entries;
  const int* list;

  KOKKOS_FUNCTION void operator()(std::int64_t k) const {
    const std::int64_t e = list[k];
    for (std::int64_t i = 0; i < std::int64_t(rows.extent(1)); ++i)
      rows(k, i) = entries(e, i);
  }
};

/// The rows of a map that belong to a range, for the inspector.
template <class Exec, class View, class Memory>
HostMap rows_of(const Exec&, const SetRange& range, const View& entries,
                const MapState& state, PlanData<Memory>& plan) {
  plan.rows.push_back(nullptr);
  return host_map(entries, state, range.begin(), range.size());
}
/// ... and, of a subset, for its loops, which find them in plan.rows.
template <class Exec, class M, class View, class Memory>
HostMap rows_of(const Exec& exec, const Subset<M>& subset, const View& entries,
                const MapState& state, PlanData<Memory>& plan) {
  const auto rows = std::make_shared<View>(
      Kokkos::view_alloc(Kokkos::WithoutInitializing, "Sporos::LoopPlan::rows"),
      subset.size(), entries.extent(1));
  Kokkos::parallel_for(
      "Sporos::LoopPlan::copy_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0,
                                                                 subset.size()),
      CopyRows<View, View>{*rows, entries, list_of(subset).device});
  fence(exec, "Sporos::LoopPlan::copy_rows");
  plan.rows.push_back(rows);
  return host_map(*rows, state, 0, subset.size());
}

/// The argument of a loop over the places of a list.
template <class Memory, class Arg>
Arg listed(const PlanData<Memory>&, int, const Arg& arg) {
  return arg;
}
template <class Memory>
ElementIndexArg<ListMap> listed(const PlanData<Memory>& plan, int,
                                const ElementIndexArg<NoMap>&) {
  return {{plan.list.device}};
}
template <class Memory, class D, Access A>
DatArg<D, ListMap, A, Reach::direct> listed(
    const PlanData<Memory>& plan, int,
    const DatArg<D, NoMap, A, Reach::direct>& arg) {
  return {arg.dat, {plan.list.device}};
}
template <class Memory, class D, int Arity, class M, Access A, Reach R>
DatArg<D, Map<Arity, M>, A, R> listed(
    const PlanData<Memory>& plan, int number,
    const DatArg<D, Map<Arity, M>, A, R>& arg) {
  using View = typename Map<Arity, M>::view_type;
  const auto& rows =
      *static_cast<const View*>(plan.rows[plan.arg_map[number]].get());
  return {arg.dat, Map<Arity, M>(arg.map.state(), rows), arg.index,
          arg.promised};
}

}  // namespace Impl
}  // namespace Sporos

#endif
