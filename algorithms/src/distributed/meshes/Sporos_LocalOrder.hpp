// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_LOCALORDER_HPP
#define SPOROS_LOCALORDER_HPP

/// \file Sporos_LocalOrder.hpp
/// Renumbers the local elements of a distributed mesh: those of each part
/// (core, border, executed halo, read halo) among themselves.

#include <Sporos_Reorder.hpp>
#include <distributed/meshes/Sporos_LocalSets.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace Sporos {
namespace Impl {

/// A map as reorder sees it. Elements that are only read have no rows; fake
/// ones keep them in their order and spread over the targets.
inline std::vector<int> rows_to_order(const MapBlock& map,
                                      const LocalMesh& mesh,
                                      const std::vector<int>& rows) {
  const LocalSet& from    = mesh.sets[std::size_t(map.from)];
  const auto targets      = std::size_t(mesh.sets[std::size_t(map.to)].size());
  const auto arity        = std::size_t(map.arity);
  std::vector<int> filled = rows;
  for (auto i = std::size_t(from.executed); i < from.global.size(); ++i)
    for (std::size_t k = 0; k < arity; ++k)
      filled[i * arity + k] = targets == 0
                                  ? -1
                                  : int((i - std::size_t(from.executed)) *
                                        targets / from.global.size());
  return filled;
}

inline void renumber(RankLists& lists, const std::vector<int>& numbers) {
  for (auto& rank_and_list : lists)
    for (int& i : rank_and_list.second) i = numbers[std::size_t(i)];
}

inline namespace SPOROS_IMPL_METIS {

/// \param sets, maps of the global mesh, for names and what maps tie together
inline void reorder_parts(const std::vector<SetBlock>& sets,
                          const std::vector<MapBlock>& maps,
                          const ReorderOptions& options, LocalMesh& local) {
  if (options.ordering == MeshOrdering::natural) return;
  Mesh mesh;
  std::vector<Set> all;
  for (std::size_t s = 0; s < sets.size(); ++s) {
    const LocalSet& set = local.sets[s];
    all.emplace_back(sets[s].name, set.size());
    mesh.add(all[s].range(0, set.core));
    mesh.add(all[s].range(set.core, set.owned));
    mesh.add(all[s].range(set.owned, set.executed));
  }
  std::vector<Map<dynamic_arity, Kokkos::HostSpace>> rows;
  for (std::size_t m = 0; m < maps.size(); ++m) {
    rows.emplace_back(Kokkos::DefaultHostExecutionSpace{}, maps[m].name,
                      all[std::size_t(maps[m].from)],
                      all[std::size_t(maps[m].to)], maps[m].arity,
                      rows_to_order(maps[m], local, local.maps[m]),
                      maps[m].missing);
    mesh.add(rows[m]);
  }
  const Reordering found = reorder(mesh, options);
  for (std::size_t m = 0; m < maps.size(); ++m)
    local.maps[m] = rows[m].to_host();
  for (std::size_t s = 0; s < sets.size(); ++s) {
    LocalSet& set      = local.sets[s];
    const auto before  = set.global;
    const auto numbers = found.numbers(all[s]);
    for (std::size_t i = 0; i < numbers.size(); ++i)
      set.global[std::size_t(numbers[i])] = before[i];
    renumber(set.send, numbers);
    renumber(set.receive, numbers);
  }
}

}  // namespace SPOROS_IMPL_METIS

}  // namespace Impl
}  // namespace Sporos

#endif
