// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHORDER_HPP
#define SPOROS_MESHORDER_HPP

/// \file Sporos_MeshOrder.hpp
/// Orders of all sets of a mesh that follow from that of one of them. Users
/// include Sporos_Reorder.hpp.

#include <mesh/reorder/Sporos_MeshMembers.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {
namespace Impl {

/// Targets by their new numbers.
struct RenumberedTargets {
  TableTargets<int> targets;
  const int* numbers;

  template <class F>
  void for_each(int item, F&& f) const {
    targets.for_each(item, [&](int t) { f(numbers[t]); });
  }
};

/// An item of a map from a set to itself belongs to its targets.
struct TargetsAndItem {
  TableTargets<int> targets;

  template <class F>
  void for_each(int item, F&& f) const {
    f(item);
    targets.for_each(item, f);
  }
};

inline namespace SPOROS_IMPL_METIS {

/// Finds an order for each set, in steps: one set by the graph of a map, then
/// those that maps tie to it.
class MeshOrder {
 public:
  /// exec: in which maps are read
  MeshOrder(const Mesh& mesh, const AnyInstance& exec)
      : m_mesh(mesh),
        m_known(mesh.sets().size(), 0),
        m_orders(mesh.sets().size()),
        m_numbers(mesh.sets().size()),
        m_blocks(mesh.sets().size()) {
    for (const auto& map : mesh.maps()) map->check(exec);
    for (const auto& map : mesh.maps()) {
      map->rows = map->read(exec);
      map->fill_missing();
    }
  }
  ~MeshOrder() {
    for (const auto& map : m_mesh.maps()) map->rows = std::vector<int>();
  }
  MeshOrder(const MeshOrder&)            = delete;
  MeshOrder& operator=(const MeshOrder&) = delete;

  const std::vector<Order>& orders() const { return m_orders; }
  const std::vector<std::vector<int>>& blocks() const { return m_blocks; }

  void randomize(std::uint64_t seed) {
    for (std::size_t s = 0; s < m_orders.size(); ++s)
      set_order(s, random_order(size(s), seed * 1000003u + s));
  }

  /// The points of a map by an ordering of their graph; the rest follows.
  template <class Ordering>
  void order_points(const MapMember& by, const Ordering& ordering) {
    const int n = by.from.size(), points = by.to.size();
    const Graph graph =
        by.from == by.to
            ? graph_of_targets(n, points, TargetsAndItem{by.targets()})
            : graph_of_targets(n, points, by.targets());
    set_order(index(by.to), ordering(graph));
    m_first_to = index(by.to);
  }

  /// The elements of a map in METIS blocks, points by the blocks that write
  /// them; the rest follows.
  void order_blocks(const MapMember& by, int block_size) {
    const int n = by.from.size();
    const Graph graph =
        by.from == by.to
            ? graph_of_items(n, by.to.size(), TargetsAndItem{by.targets()})
            : graph_of_items(n, by.to.size(), by.targets());
    const std::size_t from = index(by.from);
    const Blocks blocks = within_ranges(from, metis_blocks(graph, block_size));
    std::vector<int>& begins = m_blocks[from];
    begins.assign(static_cast<std::size_t>(blocks.n_blocks) + 1, 0);
    for (int b : blocks.block) ++begins[b + 1];
    for (int b = 0; b < blocks.n_blocks; ++b) begins[b + 1] += begins[b];
    set_order(from, order_by_block(blocks, reverse_cuthill_mckee(graph)));
    m_first_to = index(by.to);
    order_written(by, blocks);
    for (const auto& map : m_mesh.maps())
      if (map->from == by.from) order_written(*map, blocks);
  }

  /// Sets that maps tie to ordered ones: elements by their targets, else points
  /// in the order in which elements meet them.
  void order_the_rest() {
    while (sort_elements() || number_points()) {
    }
    for (std::size_t s = 0; s < m_orders.size(); ++s)
      if (!m_known[s]) set_order(s, identity_order(size(s)));
  }

 private:
  int size(std::size_t s) const { return m_mesh.sets()[s].size(); }

  std::size_t index(const Set& set) const { return m_mesh.index(set); }

  /// The ranges that elements of a set may not leave, as blocks.
  Blocks ranges(std::size_t s) const {
    const std::vector<int>& cuts = m_mesh.cuts(s);
    Blocks all{int(cuts.size()), std::vector<int>(std::size_t(size(s)))};
    for (int r = 0; r < all.n_blocks; ++r)
      std::fill(all.block.begin() + cuts[r], all.block.end(), r);
    return all;
  }

  /// Blocks cut where ranges begin, those of a range one after another.
  Blocks within_ranges(std::size_t s, Blocks blocks) const {
    if (m_mesh.cuts(s).size() == 1) return blocks;
    const Blocks all = ranges(s);
    std::map<std::pair<int, int>, int> number;  // of range and block
    const auto part = [&](std::size_t e) {
      return std::make_pair(all.block[e], blocks.block[e]);
    };
    for (std::size_t e = 0; e < all.block.size(); ++e) number[part(e)] = 0;
    int next = 0;
    for (auto& n : number) n.second = next++;
    for (std::size_t e = 0; e < all.block.size(); ++e)
      blocks.block[e] = number[part(e)];
    blocks.n_blocks = next;
    return blocks;
  }

  /// Elements stay in their ranges, in this order within each.
  void set_order(std::size_t s, Order order) {
    if (m_mesh.cuts(s).size() > 1) order = order_by_block(ranges(s), order);
    m_numbers[s] = inverse(order);
    m_orders[s]  = std::move(order);
    m_known[s]   = 1;
  }

  void order_written(const MapMember& map, const Blocks& blocks) {
    const std::size_t to = index(map.to);
    if (!m_known[to])
      set_order(to, order_by_writing_blocks(map.from.size(), map.to.size(),
                                            map.targets(), blocks));
  }

  bool sort_elements() {
    bool changed = false;
    // through the map to the set that was ordered first, where there is one
    for (bool first : {true, false})
      for (const auto& map : m_mesh.maps()) {
        const std::size_t from = index(map->from), to = index(map->to);
        if (m_known[from] || !m_known[to] || (first && to != m_first_to))
          continue;
        set_order(from,
                  order_by_targets(
                      map->from.size(), map->to.size(),
                      RenumberedTargets{map->targets(), m_numbers[to].data()}));
        changed = true;
      }
    return changed;
  }

  /// One set: the one with the most entries in a map from an ordered set.
  bool number_points() {
    const MapMember* best = nullptr;
    for (const auto& map : m_mesh.maps())
      if (m_known[index(map->from)] && !m_known[index(map->to)] &&
          (best == nullptr || map->rows.size() > best->rows.size()))
        best = map.get();
    if (best == nullptr) return false;
    const auto targets = best->targets();
    std::vector<char> met(static_cast<std::size_t>(best->to.size()), 0);
    Order order;
    order.reserve(met.size());
    const auto meet = [&](int t) {
      if (met[t]) return;
      met[t] = 1;
      order.push_back(t);
    };
    for (int element : m_orders[index(best->from)])
      targets.for_each(element, meet);
    for (int t = 0; t < best->to.size(); ++t) meet(t);
    set_order(index(best->to), std::move(order));
    return true;
  }

  const Mesh& m_mesh;
  std::size_t m_first_to = static_cast<std::size_t>(-1);
  std::vector<char> m_known;
  std::vector<Order> m_orders;
  std::vector<std::vector<int>> m_numbers, m_blocks;
};

}  // namespace SPOROS_IMPL_METIS

/// The map with the most indirect data: entries times the bytes of all dats at
/// a target.
inline const MapMember* busiest_map(const Mesh& mesh) {
  const MapMember* best = nullptr;
  double most           = -1;
  for (const auto& map : mesh.maps()) {
    double bytes = 1;
    for (const auto& dat : mesh.dats())
      if (dat->set == map->to) bytes += static_cast<double>(dat->bytes);
    bytes *= static_cast<double>(map->from.size()) * map->arity;
    if (bytes > most) {
      most = bytes;
      best = map.get();
    }
  }
  return best;
}

}  // namespace Impl
}  // namespace Sporos

#endif
