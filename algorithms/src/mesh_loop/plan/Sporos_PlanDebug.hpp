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
inline std::uint64_t hash_of(const HostMap& map, int n,
                             const int* list = nullptr) {
  using Exec           = Kokkos::DefaultHostExecutionSpace;
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

template <class Memory>
void check_new_plan([[maybe_unused]] PlanData<Memory>& plan) {
  if constexpr (checks_enabled) {
    for (const HostMap& map : plan.maps)
      plan.map_hashes.push_back(hash_of(map, map.n));
    const std::string wrong = validate_plan(plan);
    check(wrong.empty(), "Sporos::par_loop", "plan", "one without races",
          wrong);
  }
}

template <class Memory, class Arg>
void check_map_of(const PlanData<Memory>&, int, std::vector<bool>&,
                  const Arg&) {}
template <class Memory, class D, int Arity, class M, Access A, Reach R>
void check_map_of(const PlanData<Memory>& plan, int number,
                  std::vector<bool>& checked,
                  const DatArg<D, Map<Arity, M>, A, R>& arg) {
  const std::size_t m = std::size_t(plan.arg_map[number]);
  if (checked[m]) return;
  checked[m]        = true;
  const bool listed = plan.list.owner != nullptr;
  const HostMap map =
      host_map(arg.map.view(), *arg.map.state(), listed ? 0 : plan.first,
               listed ? arg.map.from().size() : plan.n);
  check(hash_of(map, plan.n, plan.list.host) == plan.map_hashes[m],
        "Sporos::par_loop", argument_name(number, arg).c_str(),
        "the map that the plan was made for, or a call of Map::modified()",
        "other entries");
}

/// For a plan that is used again.
template <class Memory, class... Args>
void check_old_plan([[maybe_unused]] const PlanData<Memory>& plan,
                    [[maybe_unused]] const Args&... args) {
  if constexpr (checks_enabled) {
    int number = 0;
    std::vector<bool> checked(plan.maps.size());
    (check_map_of(plan, number++, checked, args), ...);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
