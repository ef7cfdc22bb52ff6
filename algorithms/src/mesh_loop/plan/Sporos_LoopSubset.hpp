// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOOPSUBSET_HPP
#define SPOROS_LOOPSUBSET_HPP

/// \file Sporos_LoopSubset.hpp
/// Loops over subsets run over the places of their lists, as if those were the
/// elements: plans copy the rows of maps that belong to the list, so that maps
/// are read without another indirection; direct arguments look the element up.

#include <Sporos_ForEachIndex.hpp>
#include <Sporos_Subset.hpp>
#include <mesh_loop/arguments/Sporos_ArgInfo.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

namespace Sporos {
namespace Impl {

template <class Range>
constexpr bool is_subset_v = false;
template <class M>
constexpr bool is_subset_v<Subset<M>> = true;

/// What a loop runs over, without types.
struct RangeInfo {
  SetState* set   = nullptr;  ///< whose elements these are
  SetState* plans = nullptr;  ///< where plans are kept; the name in messages
  int begin = 0, end = 0;     ///< elements, or places of a list
  int first = 0;              ///< of the plan: 0 for a subset
  ElementList list;           ///< of a subset, from `begin`
  PartEnds ends;              ///< of a distributed set
  bool whole = true;          ///< the whole set, or subset

  int size() const { return end - begin; }
};

inline RangeInfo range_info(const SetRange& range) {
  SetState* const set = range.set().state().get();
  return {set,
          set,
          range.begin(),
          range.end(),
          range.begin(),
          {},
          set->parts == nullptr ? PartEnds{} : *set->parts,
          range.size() == set->size};
}
template <class M>
RangeInfo range_info(const Subset<M>& subset) {
  const auto& state = *subset.state();
  return {state.set.get(),
          &subset.state()->own,
          subset.begin(),
          subset.end(),
          0,
          {state.list->device.data() + subset.begin(),
           state.list->host.data() + subset.begin(), state.list},
          state.ends,
          subset.size() == state.own.size};
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

/// A View with rows of a map.
template <class Exec, class View>
View rows_of_list(const Exec& exec, const View& entries, const int* list,
                  int n) {
  const View rows =
      new_view<View>(exec, "Sporos::LoopPlan::rows", n, entries.extent(1));
  for_each_index(
      "Sporos::LoopPlan::copy_rows",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(exec, 0, n),
      CopyRows<View, View>{rows, entries, list});
  return rows;
}
template <class Exec, class Memory>
SearchedEntries<Memory> rows_of_list(const Exec& exec,
                                     const SearchedEntries<Memory>& entries,
                                     const int* list, int n) {
  const auto rows = rows_of_list(exec, entries.rows, list, n);
  const bool same = entries.columns.data() == entries.rows.data();
  return {rows, same ? rows : rows_of_list(exec, entries.columns, list, n),
          entries.crs};
}

/// Rows of a map as they are in the plans of loops over a subset.
template <class Exec, class View>
MapEntries copy_map_rows(const void* exec, const void* view, const int* list,
                         int n) {
  const Exec& space = *static_cast<const Exec*>(exec);
  const View rows =
      rows_of_list(space, *static_cast<const View*>(view), list, n);
  fence(space, "Sporos::LoopPlan::copy_rows");
  return map_entries(rows);
}

/// An argument of a loop over a set, or over the places of a list.
template <class Exec, bool Listed, class Arg>
ArgInfo range_arg_info(const Arg& arg) {
  return info_of<Exec>(arg);
}
template <class Exec, bool Listed, class D, class M, Access A, Reach R>
ArgInfo range_arg_info(const DatArg<D, M, A, R>& arg) {
  ArgInfo info = info_of<Exec>(arg);
  if constexpr (Listed && R != Reach::direct)
    info.copy_rows = copy_map_rows<Exec, typename M::view_type>;
  return info;
}

/// The argument of a loop over the places of a list.
template <class Memory, class Arg>
Arg listed(const PlanData<Memory>&, const Arg& arg) {
  return arg;
}
template <class Memory>
ElementIndexArg<ListMap> listed(const PlanData<Memory>& plan,
                                const ElementIndexArg<NoMap>&) {
  return {{plan.list.device}};
}
template <class Memory, class D, Access A>
DatArg<D, ListMap, A, Reach::direct> listed(
    const PlanData<Memory>& plan,
    const DatArg<D, NoMap, A, Reach::direct>& arg) {
  return {arg.dat, {plan.list.device}};
}
template <int Arity, class M, class View>
void set_rows(Map<Arity, M>& map, const View& rows) {
  map = Map<Arity, M>(map.state(), rows);
}
template <int Rows, int Columns, class M>
void set_rows(SearchedMap<Rows, Columns, M>& map,
              const SearchedEntries<M>& rows) {
  map = SearchedMap<Rows, Columns, M>(map.state(), rows);
}
template <class Memory, class D, class M, Access A, Reach R>
DatArg<D, M, A, R> listed(const PlanData<Memory>& plan,
                          const DatArg<D, M, A, R>& arg) {
  using View      = typename M::view_type;
  const auto& map = *std::find_if(
      plan.maps.begin(), plan.maps.end(),
      [&](const HostMap& m) { return m.state.lock() == arg.map.state(); });
  const View& rows = *static_cast<const View*>(map.entries.view.get());
  DatArg<D, M, A, R> in_list = arg;
  set_rows(in_list.map, rows);
  return in_list;
}

}  // namespace Impl
}  // namespace Sporos

#endif
