// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANDEBUG_HPP
#define SPOROS_PLANDEBUG_HPP

/// \file Sporos_PlanDebug.hpp
/// With checks on (Sporos_Checks.hpp): plans are validated when they are made,
/// and maps that changed since without Map::modified() are found.

#include <Sporos_Checks.hpp>
#include <Sporos_Error.hpp>
#include <mesh_loop/plan/Sporos_PlanData.hpp>
#include <mesh_loop/plan/Sporos_PlanValidate.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// The entries of a map that are this element's, each times an odd number of
/// its own, so that none is lost.
struct HashElement {
  const int* entries;
  std::size_t row, column;  ///< strides
  std::uint64_t arity;
  const int* list;  ///< null: all rows

  void operator()(std::int64_t e, std::uint64_t& hash) const {
    const auto k = list == nullptr ? std::size_t(e) : std::size_t(list[e]);
    const int* const targets = entries + k * row;
    for (std::uint64_t i = 0; i < arity; ++i)
      hash += (std::uint64_t(targets[i * column]) + 1) *
              (2 * (std::uint64_t(e) * arity + i) + 1);
  }
};

/// A number that changes if one entry of n rows does, the first ones or those
/// of a list. O(map entries), on all host threads.
template <class Exec = Kokkos::DefaultHostExecutionSpace>
std::uint64_t hash_of(const HostMap& map, int n, const int* list = nullptr) {
  const HostRows& rows = map.host();
  std::uint64_t hash   = 0;
  Kokkos::parallel_reduce(
      "Sporos::par_loop::hash_of_map",
      Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>>(0, n),
      HashElement{rows.data, std::size_t(rows.row_stride),
                  std::size_t(rows.column_stride), std::uint64_t(map.arity),
                  list},
      hash);
  return hash;
}

/// Before a plan is made, for maps that changed without modified().
inline void check_entries([[maybe_unused]] const std::vector<HostMap>& maps) {
  if constexpr (checks_enabled)
    for (const HostMap& map : maps) {
      const std::string wrong = wrong_entry(map);
      check(wrong.empty(), "Sporos::par_loop", map.name.c_str(),
            "entries that fit its sets", wrong);
    }
}

template <class Memory>
void check_new_plan([[maybe_unused]] PlanData<Memory>& plan) {
  if constexpr (checks_enabled) {
    for (HostMap& map : plan.maps) map.hash = hash_of(map, map.n);
    const std::string wrong = validate_plan(plan);
    check(wrong.empty(), "Sporos::par_loop", "plan", "one without races",
          wrong);
  }
}

/// For a plan that is used again.
template <class Memory>
void check_old_plan([[maybe_unused]] const PlanData<Memory>& plan,
                    [[maybe_unused]] const RangeInfo& range,
                    [[maybe_unused]] const ArgInfos& args) {
  if constexpr (checks_enabled) {
    std::vector<bool> checked(plan.maps.size());
    for (int a = 0; a < args.n; ++a) {
      if (!args[a].through_map) continue;
      const std::size_t m = std::size_t(plan.arg_map[std::size_t(a)]);
      if (checked[m]) continue;
      checked[m] = true;
      check(hash_of(map_of(range, args[a]), plan.n, plan.list.host) ==
                plan.maps[m].hash,
            "Sporos::par_loop", argument_name(a, args[a]).c_str(),
            "the map that the plan was made for, or a call of Map::modified()",
            "other entries");
    }
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
