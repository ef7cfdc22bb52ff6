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
#include <vector>

namespace Sporos {
namespace Impl {

/// A number that changes if one entry does. O(map entries).
inline std::uint64_t hash_of(const HostMap& map) {
  const auto& entries     = map.entries;
  const std::size_t arity = entries.extent(1), row = entries.stride(0),
                    column = entries.stride(1);
  std::uint64_t hash = 0, place = 1;
  for (std::size_t e = 0; e < entries.extent(0); ++e) {
    const int* const targets = entries.data() + e * row;
    for (std::size_t i = 0; i < arity; ++i, place += 2)  // odd: none is lost
      hash += (std::uint64_t(targets[i * column]) + 1) * place;
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
void check_map_of(const PlanData<Memory>&, int, std::vector<bool>&,
                  const Arg&) {}
template <class Memory, class D, int Arity, class M, Access A, Reach R>
void check_map_of(const PlanData<Memory>& plan, int number,
                  std::vector<bool>& checked,
                  const DatArg<D, Map<Arity, M>, A, R>& arg) {
  const std::size_t m = std::size_t(plan.arg_map[number]);
  if (checked[m]) return;
  checked[m]        = true;
  const HostMap map = host_map(arg.map.view(), *arg.map.state());
  check(hash_of(map) == plan.map_hashes[m], "Sporos::par_loop",
        argument_name(number, arg).c_str(),
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
