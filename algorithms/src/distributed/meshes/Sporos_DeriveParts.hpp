// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DERIVEPARTS_HPP
#define SPOROS_DERIVEPARTS_HPP

/// \file Sporos_DeriveParts.hpp
/// From the parts of one set those of all others, through the maps.

#include <distributed/meshes/Sporos_LocalSets.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Owners of elements.
struct OwnerTable {
  std::vector<GlobalNumber> numbers;  ///< ascending
  std::vector<int> owners;

  int operator()(GlobalNumber g) const {
    return owners[std::size_t(
        std::lower_bound(numbers.begin(), numbers.end(), g) - numbers.begin())];
  }
};

/// Collective. The owners of all elements that are named, out of the blocks of
/// all ranks.
inline OwnerTable owners_of(const Communicator& comm, const SetBlock& set,
                            std::vector<GlobalNumber> named) {
  sort_unique(named);
  std::map<int, std::vector<GlobalNumber>> requests;
  for (const GlobalNumber g : named)
    requests[set.blocks.holder(g)].push_back(g);
  std::map<int, std::vector<int>> answers;
  const GlobalNumber first = set.blocks.begin(comm.rank());
  for (const auto& [rank, numbers] : sparse_messages(comm, requests))
    for (const GlobalNumber g : numbers)
      answers[rank].push_back(set.part[std::size_t(g - first)]);
  OwnerTable table{std::move(named), {}};
  // holders ascend with the numbers
  for (const auto& rank_and_owners : sparse_messages(comm, answers))
    table.owners.insert(table.owners.end(), rank_and_owners.second.begin(),
                        rank_and_owners.second.end());
  return table;
}

/// An element belongs to the owner of the first element that its map names.
inline void parts_from_targets(const Communicator& comm, const MapBlock& map,
                               std::vector<SetBlock>& sets) {
  SetBlock& from = sets[std::size_t(map.from)];
  std::vector<GlobalNumber> first;
  for (auto row = map.rows.begin(); row != map.rows.end(); row += map.arity) {
    const auto end = row + map.arity;
    const auto at =
        std::find_if(row, end, [](GlobalNumber g) { return g >= 0; });
    first.push_back(at == end ? -1 : *at);
  }
  std::vector<GlobalNumber> named = first;
  named.erase(std::remove(named.begin(), named.end(), -1), named.end());
  const auto owner =
      owners_of(comm, sets[std::size_t(map.to)], std::move(named));
  from.part.clear();
  for (const GlobalNumber g : first)  // what names nothing stays in its block
    from.part.push_back(g < 0 ? comm.rank() : owner(g));
  from.has_parts = true;
}

/// An element belongs to the owner of the element of the lowest number that
/// names it; to the rank that holds it if none does.
inline void parts_from_sources(const Communicator& comm, const MapBlock& map,
                               std::vector<SetBlock>& sets) {
  struct Claim {
    GlobalNumber target, source;
    int part;
  };
  const SetBlock& from     = sets[std::size_t(map.from)];
  SetBlock& to             = sets[std::size_t(map.to)];
  const GlobalNumber first = from.blocks.begin(comm.rank());
  std::map<int, std::vector<Claim>> claims;
  for (std::size_t k = 0; k < map.rows.size(); ++k) {
    if (map.rows[k] < 0) continue;  // it names nothing
    const std::size_t source = k / std::size_t(map.arity);
    claims[to.blocks.holder(map.rows[k])].push_back(
        {map.rows[k], first + GlobalNumber(source), from.part[source]});
  }
  const auto n              = std::size_t(to.blocks.count(comm.rank()));
  const GlobalNumber before = to.blocks.begin(comm.rank());
  to.part.assign(n, comm.rank());
  std::vector<GlobalNumber> lowest(n, -1);
  for (const auto& rank_and_claims : sparse_messages(comm, claims))
    for (const Claim& c : rank_and_claims.second) {
      const auto t = std::size_t(c.target - before);
      if (lowest[t] >= 0 && lowest[t] <= c.source) continue;
      lowest[t]  = c.source;
      to.part[t] = c.part;
    }
  to.has_parts = true;
}

/// Collective. Parts of all sets, from the one that has them, nearest first.
/// Sets without a way to it stay with the ranks that hold them.
inline void derive_parts(const Communicator& comm,
                         const std::vector<MapBlock>& maps,
                         std::vector<SetBlock>& sets) {
  for (bool found = true; found;) {
    found = false;
    for (const MapBlock& map : maps) {
      const bool from = sets[std::size_t(map.from)].has_parts;
      const bool to   = sets[std::size_t(map.to)].has_parts;
      if (from == to) continue;
      found = true;
      if (to)
        parts_from_targets(comm, map, sets);
      else
        parts_from_sources(comm, map, sets);
    }
  }
  for (SetBlock& set : sets)
    if (!set.has_parts) {
      set.part.assign(std::size_t(set.blocks.count(comm.rank())), comm.rank());
      set.has_parts = true;
    }
}

}  // namespace Impl
}  // namespace Sporos

#endif
