// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REORDER_HPP
#define SPOROS_REORDER_HPP

/// \file Sporos_Reorder.hpp
/// Renumbers a mesh so that elements that follow one another use data that lie
/// together: all sets, maps and dats at once, in place.
///
/// \code
///   Sporos::Mesh mesh(edge_nodes, edge_cells, x, q, res);
///   auto reordering =
///       Sporos::reorder(mesh, Sporos::MeshOrdering::gibbs_poole_stockmeyer);
///   ... loops ...
///   Sporos::apply(mesh, inverse(reordering));  // as it was
/// \endcode

#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_Ordering.hpp>
#include <reorder/Sporos_MeshMembers.hpp>
#include <reorder/Sporos_MeshOrder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// The orderings of a mesh.
enum class MeshOrdering {
  natural,                 ///< as it is
  reverse_cuthill_mckee,   ///< cheap
  gibbs_poole_stockmeyer,  ///< narrower
  metis,                   ///< elements in blocks that share little data
  random                   ///< to show what order buys
};

/// "natural", "rcm", "gps", "metis" or "random"
inline std::string name(MeshOrdering ordering) {
  switch (ordering) {
    case MeshOrdering::natural: return "natural";
    case MeshOrdering::reverse_cuthill_mckee: return "rcm";
    case MeshOrdering::gibbs_poole_stockmeyer: return "gps";
    case MeshOrdering::metis: return "metis";
    case MeshOrdering::random: return "random";
  }
  return "";
}

/// The ordering of a name. \throws std::invalid_argument for another name
inline MeshOrdering mesh_ordering(const std::string& ordering) {
  for (MeshOrdering o :
       {MeshOrdering::natural, MeshOrdering::reverse_cuthill_mckee,
        MeshOrdering::gibbs_poole_stockmeyer, MeshOrdering::metis,
        MeshOrdering::random})
    if (name(o) == ordering) return o;
  Impl::throw_invalid("Sporos::mesh_ordering", "ordering",
                      "natural, rcm, gps, metis or random", ordering);
}

/// Options of reorder.
struct ReorderOptions {
  /// Which order is made.
  MeshOrdering ordering = MeshOrdering::reverse_cuthill_mckee;
  /// metis: the most elements of a block
  int block_size = 256;
  /// random: another seed, another order
  std::uint64_t seed = 1;
  /// Name of the map whose graph is ordered; empty: the one with the most
  /// indirect data (entries times bytes of the dats at its targets).
  std::string by = {};
};

/// What became of each set of a mesh.
class Reordering {
 public:
  Reordering() = default;
  /// For the implementation: an order and blocks for each set.
  Reordering(std::vector<Set> sets, std::vector<Order> orders,
             std::vector<std::vector<int>> blocks)
      : m_sets(std::move(sets)),
        m_orders(std::move(orders)),
        m_blocks(std::move(blocks)) {}

  /// order(set)[k] is the old number of element k.
  /// \throws std::invalid_argument for a set of another mesh
  const Order& order(const Set& set) const { return m_orders[index(set)]; }

  /// numbers(set)[i] is the new number of what was element i.
  std::vector<int> numbers(const Set& set) const {
    return Sporos::inverse(order(set));
  }

  /// After metis, for the set of elements: where each block begins, and the end
  /// (blocks differ in size); else empty.
  const std::vector<int>& blocks(const Set& set) const {
    return m_blocks[index(set)];
  }

  /// The sets of the mesh.
  const std::vector<Set>& sets() const { return m_sets; }

  /// What undoes this (blocks are forgotten).
  friend Reordering inverse(const Reordering& r) {
    std::vector<Order> back;
    for (const Order& order : r.m_orders)
      back.push_back(Sporos::inverse(order));
    return Reordering(r.m_sets, std::move(back),
                      std::vector<std::vector<int>>(r.m_sets.size()));
  }

 private:
  std::size_t index(const Set& set) const {
    for (std::size_t s = 0; s < m_sets.size(); ++s)
      if (m_sets[s] == set) return s;
    Impl::throw_invalid("Sporos::Reordering", "set",
                        "a set of the mesh that was reordered", set.name());
  }

  std::vector<Set> m_sets;
  std::vector<Order> m_orders;
  std::vector<std::vector<int>> m_blocks;
};

/// Renumbers all sets, maps and dats of a mesh in place: element k becomes what
/// was order(set)[k]. Maps are marked as modified, so that plans are rebuilt.
/// Waits until it is done. O(bytes of the mesh); a copy of each array in turn.
/// \throws std::invalid_argument for a mesh with other sets
inline void apply(const Mesh& mesh, const Reordering& reordering) {
  for (const Set& set : mesh.sets()) reordering.order(set);
  for (const auto& map : mesh.maps())
    map->renumber(reordering.order(map->from), reordering.numbers(map->to));
  for (const auto& dat : mesh.dats()) dat->renumber(reordering.order(dat->set));
}

/// Orders for all sets of a mesh; changes nothing (see reorder).
inline Reordering find_reordering(const Mesh& mesh,
                                  const ReorderOptions& options) {
  constexpr const char* function = "Sporos::reorder";
  Impl::check(
      int(options.ordering) >= 0 && options.ordering <= MeshOrdering::random,
      function, "ordering", "one of MeshOrdering", int(options.ordering));
  const Impl::MapMember* by = Impl::busiest_map(mesh);
  if (!options.by.empty()) {
    by = nullptr;
    for (const auto& map : mesh.maps())
      if (map->is_named(options.by)) by = map.get();
    Impl::check(by != nullptr, function, "by", "the name of a map of the mesh",
                options.by);
  }
  Impl::MeshOrder orders(mesh);
  if (options.ordering == MeshOrdering::random) orders.randomize(options.seed);
  if (by != nullptr) {
    if (options.ordering == MeshOrdering::reverse_cuthill_mckee)
      orders.order_points(*by, reverse_cuthill_mckee);
    if (options.ordering == MeshOrdering::gibbs_poole_stockmeyer)
      orders.order_points(*by, gibbs_poole_stockmeyer);
    if (options.ordering == MeshOrdering::metis)
      orders.order_blocks(*by, options.block_size);
  }
  orders.order_the_rest();
  return Reordering(mesh.sets(), orders.orders(), orders.blocks());
}

/// Renumbers a mesh in place, and says how. Results of loops are those before,
/// renumbered, to rounding (increments are added in another order).
///
/// rcm and gps order the targets of one map (options.by), whose elements become
/// cliques of a graph (Sulyok et al., Locality optimized unstructured mesh
/// algorithms on GPUs); sets with maps to ordered sets are sorted by their
/// targets, and what is left is numbered as elements meet it. metis puts the
/// elements of that map in blocks and sorts points by the number and the ids of
/// the blocks that write them. random renumbers each set on its own. Elements
/// of ranges that were added to the mesh stay in them: an ordering then sorts
/// each range on its own, and blocks of metis end where ranges do.
///
/// O(bytes of the mesh) and the cost of the ordering (see Sporos_Ordering.hpp),
/// on one thread of the host.
/// \throws std::invalid_argument for an unknown map, for a block_size below 1,
///   and for metis where METIS is missing; nothing is changed then.
inline Reordering reorder(const Mesh& mesh, const ReorderOptions& options) {
  Reordering reordering = find_reordering(mesh, options);
  if (options.ordering != MeshOrdering::natural) apply(mesh, reordering);
  return reordering;
}
/// The same after what runs in exec: by themselves these functions wait for the
/// default instances of the mesh's memory spaces alone.
template <class Exec>
Reordering reorder(const Exec& exec, const Mesh& mesh,
                   const ReorderOptions& options) {
  Impl::fence(exec, "Sporos::reorder");
  return reorder(mesh, options);
}
/// The same with the other options as they are by default.
inline Reordering reorder(const Mesh& mesh, MeshOrdering ordering) {
  ReorderOptions options;
  options.ordering = ordering;
  return reorder(mesh, options);
}

}  // namespace Sporos

#endif  // SPOROS_REORDER_HPP
