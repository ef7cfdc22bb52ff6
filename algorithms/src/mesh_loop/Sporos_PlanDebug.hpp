// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLANDEBUG_HPP
#define SPOROS_PLANDEBUG_HPP

/// \file Sporos_PlanDebug.hpp
/// With checks on (Sporos_Checks.hpp): plans are validated when they are made,
/// and maps that changed since without Map::modified() are found.

#include <Sporos_Checks.hpp>
#include <Sporos_Error.hpp>
#include <mesh_loop/Sporos_PlanData.hpp>
#include <mesh_loop/Sporos_PlanValidate.hpp>

#include <cstddef>
#include <cstdint>
#include <string>

namespace Sporos {
namespace Impl {

/// A number that changes if one entry does. O(map entries).
inline std::uint64_t hash_of(const HostMap& map) {
  std::uint64_t hash = 0, place = 0;
  for (std::size_t e = 0; e < map.entries.extent(0); ++e)
    for (std::size_t i = 0; i < map.entries.extent(1); ++i) {
      place += 0x9e3779b97f4a7c15u;
      hash += (std::uint64_t(map.entries(e, i)) + 1) * (place | 1);
    }
  return hash;
}

template <class Memory>
void check_new_plan([[maybe_unused]] PlanData<Memory>& plan) {
  if constexpr (checks_enabled) {
    for (const HostMap& map : plan.maps)
      plan.map_hashes.push_back(hash_of(map));
    const std::string wrong = validate_plan(plan);
    check(wrong.empty(), "Sporos::par_loop", "plan", "one without races",
          wrong);
  }
}

template <class Memory, class Arg>
void check_map_of(const PlanData<Memory>&, int, const Arg&) {}
template <class Memory, class D, int Arity, class M, Access A, Reach R>
void check_map_of(const PlanData<Memory>& plan, int number,
                  const DatArg<D, Map<Arity, M>, A, R>& arg) {
  const HostMap map = host_map(arg.map.view(), *arg.map.state());
  check(hash_of(map) == plan.map_hashes[plan.arg_map[number]],
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
    (check_map_of(plan, number++, args), ...);
  }
}

}  // namespace Impl
}  // namespace Sporos

#endif
