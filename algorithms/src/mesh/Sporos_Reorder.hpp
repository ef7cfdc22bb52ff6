// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_REORDER_HPP
#define SPOROS_REORDER_HPP

/// \file Sporos_Reorder.hpp
/// Renumbers all sets, maps and dats of a mesh in place, so that consecutive
/// elements use nearby data.
///
/// \code
///   Sporos::Mesh mesh(edge_nodes, edge_cells, x, q, res);
///   auto reordering =
///       Sporos::reorder(mesh, Sporos::MeshOrdering::gibbs_poole_stockmeyer);
///   ... loops ...
///   Sporos::apply(mesh, inverse(reordering));  // as it was
/// \endcode

#include <Sporos_EnumNames.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_Ordering.hpp>
#include <mesh/reorder/Sporos_MeshMembers.hpp>
#include <mesh/reorder/Sporos_MeshOrder.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// The orderings of a mesh.
enum class MeshOrdering {
  natural,                 ///< unchanged
  reverse_cuthill_mckee,   ///< cheap
  gibbs_poole_stockmeyer,  ///< a narrower band
  metis,                   ///< blocks of elements that share few targets
  random                   ///< shows what a good order gains
};

namespace Impl {
template <>
struct EnumNames<MeshOrdering> {
  using E                           = MeshOrdering;
  static constexpr NamedValue all[] = {{"natural", E::natural},
                                       {"rcm", E::reverse_cuthill_mckee},
                                       {"gps", E::gibbs_poole_stockmeyer},
                                       {"metis", E::metis},
                                       {"random", E::random}};
};
}  // namespace Impl

/// "natural", "rcm", "gps", "metis" or "random"
inline std::string name(MeshOrdering ordering) {
  return Impl::name_of(ordering);
}

/// The ordering with this name. \throws std::invalid_argument if there is none
inline MeshOrdering mesh_ordering(const std::string& ordering) {
  const auto* const named = Impl::names_v<MeshOrdering>.find(ordering);
  Impl::check(named != nullptr, "Sporos::mesh_ordering", "ordering",
              Impl::names_v<MeshOrdering>, ordering);
  return MeshOrdering(named->value);
}

/// Options of reorder.
struct ReorderOptions {
  /// The ordering.
  MeshOrdering ordering = MeshOrdering::reverse_cuthill_mckee;
  /// metis: largest number of elements in a block
  int block_size = 256;
  /// random: the seed
  std::uint64_t seed = 1;
  /// Name of the map whose graph is ordered. Empty: the map with the most
  /// indirect data (entries times bytes of the dats at its targets).
  std::string by = {};
};

/// The new order of each set of a mesh.
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

  /// numbers(set)[i] is the new number of the old element i.
  std::vector<int> numbers(const Set& set) const {
    return Sporos::inverse(order(set));
  }

  /// After metis, for the set of elements: the begin of each block, then the
  /// end of the last (blocks differ in size). Otherwise empty.
  const std::vector<int>& blocks(const Set& set) const {
    return m_blocks[index(set)];
  }

  /// The sets of the mesh.
  const std::vector<Set>& sets() const { return m_sets; }

  /// The renumbering that undoes this one, without blocks.
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

namespace Impl {

/// apply() for a mesh that is known to be right.
inline void renumber_members(const Mesh& mesh, const Reordering& reordering,
                             const AnyInstance& exec) {
  for (const auto& map : mesh.maps())
    map->renumber(exec, reordering.order(map->from),
                  reordering.numbers(map->to));
  for (const auto& dat : mesh.dats())
    dat->renumber(exec, reordering.order(dat->set));
}

/// apply() in an instance.
inline void apply_in(const AnyInstance& exec, const Mesh& mesh,
                     const Reordering& reordering) {
  for (const Set& set : mesh.sets()) reordering.order(set);
  for (const auto& map : mesh.maps()) map->check(exec);
  renumber_members(mesh, reordering, exec);
}

}  // namespace Impl

/// Renumbers all sets, maps and dats of a mesh in place: the old element
/// order(set)[k] becomes element k. Marks maps as modified, so that plans are
/// rebuilt. Waits for the result. O(bytes of the mesh); copies one array at a
/// time. \throws std::invalid_argument for a mesh with other sets, and for a
/// map with an entry out of range; the mesh is then unchanged
inline void apply(const Mesh& mesh, const Reordering& reordering) {
  Impl::apply_in({}, mesh, reordering);
}

/// Renumbers a mesh in place in exec, for which it waits first: the mesh may be
/// on its device.
template <class Exec>
void apply(const Exec& exec, const Mesh& mesh, const Reordering& reordering) {
  Impl::fence(exec, "Sporos::apply");
  Impl::apply_in(Impl::AnyInstance(exec), mesh, reordering);
}

inline namespace SPOROS_IMPL_METIS {

/// Computes orders for all sets of a mesh without changing it (see reorder).
/// exec: for the implementation
inline Reordering find_reordering(const Mesh& mesh,
                                  const ReorderOptions& options,
                                  const Impl::AnyInstance& exec = {}) {
  constexpr const char* function = "Sporos::reorder";
  Impl::check_enum(function, "ordering", options.ordering);
  Impl::check(options.block_size > 0, function, "block_size", "at least 1",
              options.block_size);
  const Impl::MapMember* by = Impl::busiest_map(mesh);
  if (!options.by.empty()) {
    by = nullptr;
    for (const auto& map : mesh.maps())
      if (map->is_named(options.by)) by = map.get();
    Impl::check(by != nullptr, function, "by", "the name of a map of the mesh",
                options.by);
  }
  Impl::MeshOrder orders(mesh, exec);
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

/// For the implementation: reorder() in an instance.
inline Reordering reorder_in(const Impl::AnyInstance& exec, const Mesh& mesh,
                             const ReorderOptions& options) {
  Reordering reordering = find_reordering(mesh, options, exec);
  if (options.ordering != MeshOrdering::natural)
    Impl::renumber_members(mesh, reordering, exec);
  return reordering;
}

/// Renumbers a mesh in place and returns the renumbering. Loops then give the
/// same results, renumbered, up to rounding: they add increments in another
/// order.
///
/// rcm and gps order the targets of one map (options.by), whose elements become
/// cliques of a graph (Sulyok et al., Locality optimized unstructured mesh
/// algorithms on GPUs). Sets with maps to ordered sets are sorted by their
/// targets; other sets are numbered in the order in which elements use them.
/// metis puts the elements of that map in blocks and sorts targets by the
/// number and the ids of the blocks that write them. random renumbers each set
/// on its own. Elements of ranges that were added to the mesh stay in their
/// range: each range is ordered on its own, and no block of metis crosses its
/// ends.
///
/// O(bytes of the mesh) and the cost of the ordering (see Sporos_Ordering.hpp),
/// on one thread of the host.
/// \throws std::invalid_argument for an unknown map, a map with an entry out of
///   range, a block_size below 1, and for metis in a program without METIS;
///   std::runtime_error if METIS fails. The mesh is then unchanged.
inline Reordering reorder(const Mesh& mesh,
                          const ReorderOptions& options = {}) {
  return reorder_in({}, mesh, options);
}
/// Reorders a mesh in exec, for which it waits first: the mesh may be on its
/// device. Without exec, these functions work in the default instances of the
/// mesh's memory spaces.
template <class Exec>
Reordering reorder(const Exec& exec, const Mesh& mesh,
                   const ReorderOptions& options = {}) {
  Impl::fence(exec, "Sporos::reorder");
  return reorder_in(Impl::AnyInstance(exec), mesh, options);
}
/// Reorders a mesh with this ordering and otherwise default options.
inline Reordering reorder(const Mesh& mesh, MeshOrdering ordering) {
  ReorderOptions options;
  options.ordering = ordering;
  return reorder(mesh, options);
}
/// Reorders a mesh in exec, see above, with this ordering.
template <class Exec>
Reordering reorder(const Exec& exec, const Mesh& mesh, MeshOrdering ordering) {
  ReorderOptions options;
  options.ordering = ordering;
  return reorder(exec, mesh, options);
}

}  // namespace SPOROS_IMPL_METIS
}  // namespace Sporos

#endif
