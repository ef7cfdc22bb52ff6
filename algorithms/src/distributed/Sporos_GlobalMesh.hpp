// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_GLOBALMESH_HPP
#define SPOROS_GLOBALMESH_HPP

/// \file Sporos_GlobalMesh.hpp
/// Meshes as they come from files or generators: each MPI rank holds a block of
/// consecutive elements of each set, or one rank holds all.
///
/// \code
///   Sporos::GlobalMesh global{Sporos::Communicator(MPI_COMM_WORLD)};
///   const auto cells = global.set("cells", my_cells);
///   const auto edges = global.set("edges", my_edges);
///   const auto edge_cells = global.map<2>("edge_cells", edges, cells, rows);
///   const auto q = global.dat<double, 4>("q", cells, values);
/// \endcode

#include <Sporos_Communicator.hpp>
#include <Sporos_Error.hpp>
#include <Sporos_Mesh.hpp>
#include <distributed/meshes/Sporos_LocalSets.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace Sporos {

namespace Impl {

/// Tells meshes apart, by its address, which handles of their parts keep.
struct MeshIdentity {};

/// What handles of a global mesh share.
struct GlobalMeshState {
  Communicator comm;
  std::shared_ptr<const MeshIdentity> identity =
      std::make_shared<MeshIdentity>();
  std::vector<SetBlock> sets;
  std::vector<MapBlock> maps;
};

}  // namespace Impl

/// A set of a GlobalMesh.
struct GlobalSet {
  int index = -1;  ///< number of the set in its mesh
  std::shared_ptr<const Impl::MeshIdentity> mesh = nullptr;  ///< its mesh
};

/// A map of a GlobalMesh. \tparam Arity targets of each element
template <int Arity>
struct GlobalMap {
  int index = -1;  ///< number of the map in its mesh
  std::shared_ptr<const Impl::MeshIdentity> mesh = nullptr;  ///< its mesh
};

/// Values of a GlobalMesh: N of type T for each element of this rank's block.
/// \tparam N a constant, or dynamic_components
template <class T, int N>
struct GlobalDat {
  std::string name;  ///< the name
  GlobalSet set;     ///< the set whose elements have them
  std::shared_ptr<const std::vector<T>> values;  ///< element by element
  int components = N;                            ///< values of an element
};

/// Sets, maps and values in blocks: the elements of rank 0 have the numbers 0,
/// 1, ..., those of rank 1 follow, and so on. Global numbers have 64 bits. All
/// functions are collective, and all ranks make the same sets, maps and values
/// in the same order: names, sets and numbers of components that differ are
/// refused on all ranks. A shallow handle.
class GlobalMesh {
 public:
  /// An empty mesh of the ranks of a communicator.
  explicit GlobalMesh(const Communicator& comm)
      : m_state(std::make_shared<Impl::GlobalMeshState>()) {
    Impl::check_handle(comm.is_made(), "Sporos::GlobalMesh", "comm");
    m_state->comm = comm;
  }

  /// A set.
  /// \param name the name in messages and labels
  /// \param count elements of this rank's block
  /// \throws std::invalid_argument on all ranks for a negative number, and for
  ///   2^40 or more
  GlobalSet set(const std::string& name, std::int64_t count) {
    Impl::agree_on(
        comm(), "Sporos::GlobalMesh::set",
        [&] {
          Impl::check(count >= 0, "Sporos::GlobalMesh::set", name.c_str(),
                      "a number of elements that is not negative", count);
          Impl::check(count < std::int64_t(1) << 40, "Sporos::GlobalMesh::set",
                      name.c_str(), "fewer than 2^40 elements of a rank",
                      count);
        },
        name);
    m_state->sets.push_back({name, Impl::RankBlocks(comm(), count), {}, false});
    return {int(m_state->sets.size()) - 1, m_state->identity};
  }

  /// A map.
  /// \param name the name in messages and labels
  /// \param from, to each element of `from` gets elements of `to`
  /// \param rows Arity global numbers of elements of `to` for each
  ///   element of this rank's block of `from`, row by row, any integers
  /// \param missing are negative entries allowed, which name nothing?
  /// \throws std::invalid_argument on all ranks for a wrong number of entries,
  ///   and for entries out of range; the message names the first one
  template <int Arity, class Integer>
  GlobalMap<Arity> map(const std::string& name, const GlobalSet& from,
                       const GlobalSet& to, const std::vector<Integer>& rows,
                       MissingEntries missing = MissingEntries::refused) {
    static_assert(Arity > 0,
                  "Sporos::GlobalMesh::map: the arity is a constant");
    constexpr const char* function = "Sporos::GlobalMesh::map";
    const bool partial             = missing == MissingEntries::allowed;
    const auto is_missing          = [&](Integer entry) {
      return std::is_signed_v<Integer> && partial && entry < Integer(0);
    };
    Impl::agree_on(
        comm(), function,
        [&] {
          check_set(function, "from", from);
          check_set(function, "to", to);
          const auto n = std::size_t(local_count(from)) * Arity;
          Impl::check(rows.size() == n, function, name.c_str(),
                      Impl::text(n, " entries, ", Arity,
                                 " for each element of ", set_of(from).name),
                      rows.size());
          // as unsigned numbers, among which negative ones are the largest
          const auto end = std::uint64_t(set_of(to).blocks.size());
          for (std::size_t k = 0; k < n; ++k)
            Impl::check(is_missing(rows[k]) || std::uint64_t(rows[k]) < end,
                        function, name.c_str(),
                        Impl::text("entries in [0, ", end, ')',
                                   partial ? ", or negative ones" : ""),
                        +rows[k], " in row ",
                        set_of(from).blocks.begin(comm().rank()) +
                            std::int64_t(k / Arity));
        },
        Impl::in_one_text(name, ", from set ", from.index, " to set ", to.index,
                          ", arity ", Arity,
                          partial ? ", entries may be missing" : ""));
    m_state->maps.push_back({name,
                             from.index,
                             to.index,
                             Arity,
                             {rows.begin(), rows.end()},
                             missing});
    for (Impl::GlobalNumber& g : m_state->maps.back().rows)
      g = std::max(g, Impl::GlobalNumber(-1));
    return {int(m_state->maps.size()) - 1, m_state->identity};
  }

  /// Values.
  /// \param name the name in messages and labels
  /// \param set the set whose elements have them
  /// \param values N for each element of this rank's block of the set
  /// \throws std::invalid_argument on all ranks for a wrong number of values
  template <class T, int N>
  GlobalDat<T, N> dat(const std::string& name, const GlobalSet& set,
                      std::vector<T> values) const {
    static_assert(N != dynamic_components,
                  "Sporos::GlobalMesh::dat: a dat of dynamic_components needs "
                  "their number after the set");
    return dat<T, N>(name, set, N, std::move(values));
  }
  /// Values of so many components. \throws std::invalid_argument on all ranks
  /// for another number than a constant N, or one that a Dat cannot have
  template <class T, int N = dynamic_components>
  GlobalDat<T, N> dat(const std::string& name, const GlobalSet& set, int count,
                      std::vector<T> values) const {
    constexpr const char* function = "Sporos::GlobalMesh::dat";
    Impl::agree_on(
        comm(), function,
        [&] {
          check_set(function, "set", set);
          Impl::check_component_count<N>(function, name, count);
          const auto n = std::size_t(local_count(set)) * std::size_t(count);
          Impl::check(values.size() == n, function, name.c_str(),
                      Impl::text(n, " values, ", count, " for each element of ",
                                 set_of(set).name),
                      values.size());
        },
        Impl::in_one_text(name, " of set ", set.index, ", ", count, " x ",
                          Impl::type_in_words<T>()));
    return {name, set,
            std::make_shared<const std::vector<T>>(std::move(values)), count};
  }

  /// Number of elements of a set, on all ranks. \throws std::invalid_argument
  /// for a set of another mesh
  std::int64_t size(const GlobalSet& set) const {
    comm();
    check_set("Sporos::GlobalMesh::size", "set", set);
    return set_of(set).blocks.size();
  }

  /// For the implementation.
  const std::shared_ptr<Impl::GlobalMeshState>& state() const {
    return m_state;
  }

 private:
  const Communicator& comm() const {
    Impl::check_handle(m_state != nullptr, "Sporos::GlobalMesh", "mesh");
    return m_state->comm;
  }
  const Impl::SetBlock& set_of(const GlobalSet& set) const {
    return m_state->sets[std::size_t(set.index)];
  }
  std::int64_t local_count(const GlobalSet& set) const {
    return set_of(set).blocks.count(comm().rank());
  }
  void check_set(const char* function, const char* argument,
                 const GlobalSet& set) const {
    Impl::check(set.mesh == m_state->identity, function, argument,
                "a set of this mesh",
                set.mesh == nullptr ? "one that was default-constructed"
                                    : "one of another mesh");
  }

  std::shared_ptr<Impl::GlobalMeshState> m_state;
};

}  // namespace Sporos

#endif
