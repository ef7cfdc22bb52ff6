// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DATTRANSFER_HPP
#define SPOROS_DATTRANSFER_HPP

/// \file Sporos_DatTransfer.hpp
/// Values of elements from blocks to owners and halos, and back.

#include <distributed/meshes/Sporos_LocalSets.hpp>
#include <distributed/messages/Sporos_SparseMessages.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <vector>

namespace Sporos {
namespace Impl {

/// Local numbers of owned elements, ascending by global number.
inline std::vector<std::size_t> owned_by_number(const LocalSet& set) {
  std::vector<std::size_t> order(static_cast<std::size_t>(set.owned));
  std::iota(order.begin(), order.end(), std::size_t(0));
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return set.global[a] < set.global[b];
  });
  return order;
}

template <class T>
void append_row(std::vector<T>& to, const std::vector<T>& values, std::size_t i,
                std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) to.push_back(values[i * n + c]);
}
template <class T>
void copy_row(std::vector<T>& to, std::size_t i, const std::vector<T>& from,
              std::size_t k, std::size_t n) {
  for (std::size_t c = 0; c < n; ++c) to[i * n + c] = from[k * n + c];
}

/// Collective. Values of all local elements, n each, from those of blocks.
template <class T>
std::vector<T> local_values(const Communicator& comm, const SetBlock& set,
                            const LocalSet& local, const std::vector<T>& block,
                            std::size_t n) {
  std::map<int, std::vector<T>> to_owners, to_halos;
  for (std::size_t i = 0; i < set.part.size(); ++i)
    append_row(to_owners[set.part[i]], block, i, n);
  std::vector<T> values(local.global.size() * n);
  const auto order = owned_by_number(local);
  std::size_t next = 0;
  for (const auto& rank_and_values : sparse_messages(comm, to_owners))
    for (std::size_t k = 0; k < rank_and_values.second.size() / n; ++k)
      copy_row(values, order[next++], rank_and_values.second, k, n);
  for (const auto& [rank, list] : local.send)
    for (const int i : list)
      append_row(to_halos[rank], values, std::size_t(i), n);
  for (const auto& [rank, got] : sparse_messages(comm, to_halos))
    for (std::size_t k = 0; k < got.size() / n; ++k)
      copy_row(values, std::size_t(local.receive.at(rank)[k]), got, k, n);
  return values;
}

/// Collective. Values of this rank's block, from those of local elements.
template <class T>
std::vector<T> block_values(const Communicator& comm, const SetBlock& set,
                            const LocalSet& local, const std::vector<T>& values,
                            std::size_t n) {
  std::map<int, std::vector<T>> to_holders;
  for (const std::size_t i : owned_by_number(local))
    append_row(to_holders[set.blocks.holder(local.global[i])], values, i, n);
  const auto got = sparse_messages(comm, to_holders);
  std::map<int, std::size_t> next;
  std::vector<T> block(set.part.size() * n);
  for (std::size_t i = 0; i < set.part.size(); ++i)
    copy_row(block, i, got.at(set.part[i]), next[set.part[i]]++, n);
  return block;
}

}  // namespace Impl
}  // namespace Sporos

#endif
