// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_DISTRIBUTEDMESH_HPP
#define SPOROS_DISTRIBUTEDMESH_HPP

/// \file Sporos_DistributedMesh.hpp
/// Meshes over MPI ranks: local sets, maps and dats with halos.
///
/// \code
///   const auto mesh = Sporos::distribute(
///       exec, global, Sporos::MeshPartition::through(edge_cells));
///   const Sporos::Set local_edges = mesh.set(edges);
///   const Sporos::Map<2> local_edge_cells = mesh.map(edge_cells);
///   const Sporos::Dat<double, 4> local_q = mesh.dat(q);
/// \endcode

#include <Sporos_GlobalMesh.hpp>
#include <Sporos_Mesh.hpp>
#include <Sporos_MeshPartition.hpp>
#include <Sporos_ProfilingRegion.hpp>
#include <Sporos_Reorder.hpp>
#include <Sporos_Subset.hpp>
#include <distributed/meshes/Sporos_BuildHalos.hpp>
#include <distributed/meshes/Sporos_DatTransfer.hpp>
#include <distributed/meshes/Sporos_DistributedLoops.hpp>
#include <distributed/meshes/Sporos_LocalOrder.hpp>

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// Options of distribute.
struct DistributeOptions {
  /// All loops over the sets of the mesh give the same bits at any number of
  /// threads and ranks, as with LoopOptions::any_ranks.
  bool any_ranks = false;
  /// How each rank numbers its local elements, so that consecutive ones use
  /// nearby data (see reorder): those of the core, of the border and of the
  /// halo, each among themselves. natural: by global number.
  ReorderOptions reorder = natural_order();

  /// The default of `reorder`.
  static ReorderOptions natural_order() {
    ReorderOptions options;
    options.ordering = MeshOrdering::natural;
    return options;
  }
};

/// The part of a mesh that this rank works on. A shallow handle.
///
/// Local elements of a set are owned ones, those of other ranks that this rank
/// executes, too, because they increment owned elements, and those that it only
/// reads; Impl::LocalSet tells their order.
template <class Exec>
class DistributedMesh {
 public:
  using memory_space = typename Exec::memory_space;  ///< of maps and dats

  /// An empty handle, to be assigned to. Every other use throws.
  DistributedMesh() = default;

  /// The local elements of a set. size() counts halos, too.
  /// \throws std::invalid_argument here and below for a handle of another mesh,
  ///   or one made after distribute
  Set set(const GlobalSet& set) const {
    const std::size_t k = place("Sporos::DistributedMesh::set", set);
    return m_state->sets[k];
  }

  /// The local entries of a map.
  template <int Arity>
  Map<Arity, memory_space> map(const GlobalMap<Arity>& map) const {
    const std::size_t k = place("Sporos::DistributedMesh::map", map);
    return m_state->maps[k].template fixed<Arity>();
  }

  /// Collective. A new dat with the local values, halos included.
  /// \throws std::invalid_argument on all ranks for values of another mesh
  template <class Layout = Kokkos::LayoutRight, class T, int N>
  Dat<T, N, Layout, memory_space> dat(const GlobalDat<T, N>& dat) const {
    return this->dat<Layout>(Exec{}, dat);
  }
  /// Collective. A new dat with the local values, halos included, on the device
  /// of an instance.
  template <class Layout = Kokkos::LayoutRight, class T, int N>
  Dat<T, N, Layout, memory_space> dat(const Exec& exec,
                                      const GlobalDat<T, N>& dat) const {
    constexpr const char* function = "Sporos::DistributedMesh::dat";
    agree_on(
        function, [&] { place(function, dat.set); },
        Impl::in_one_text(dat.name, " of set ", dat.set.index, ", ",
                          dat.components, " x ", Impl::type_in_words<T>()));
    const auto s = std::size_t(dat.set.index);
    const Dat<T, N, Layout, memory_space> local(
        exec, dat.name, m_state->sets[s], dat.components,
        Impl::local_values(m_state->comm, m_state->blocks[s], m_state->local[s],
                           *dat.values, std::size_t(dat.components)));
    local.shared()->stale = false;  // halos came with the values
    return local;
  }

  /// Collective. Fills the halo of a dat with the values of the owners, in
  /// exec, if loops or Dat::modified have put it out of date: for kernels of
  /// your own that read halos. (Loops fill what they read.) Waits for messages.
  /// Complexity: one message to each neighbour, none if the halo is up to date.
  /// \throws std::invalid_argument for a dat of another mesh: on all ranks if
  ///   one is wrong in the first call for a dat of this name and type, later on
  ///   that rank alone, see docs/distributed.md
  template <class T, int N, class Layout, class Memory>
  void fill_halo(const Exec& exec, const Dat<T, N, Layout, Memory>& dat) const {
    constexpr const char* function = "Sporos::DistributedMesh::fill_halo";
    const Impl::ProfilingRegion region(function);
    static_assert(
        Impl::is_accessible_v<Exec,
                              typename Dat<T, N, Layout, Memory>::view_type>,
        "Sporos::DistributedMesh::fill_halo: the execution space "
        "cannot access the memory of the dat");
    const bool stale = dat.is_made() && dat.shared()->stale;
    const int count  = dat.is_made() ? dat.component_count() : N;
    check_made(function);
    Impl::agree_once(
        m_state->comm, m_state->agreed, function,
        [&] { check_own(function, dat); },
        Impl::in_one_text(dat.name(), ", ", count, " x ",
                          Impl::type_in_words<T>(),
                          stale ? ", out of date" : ""));
    if (!stale) return;
    const auto& view                       = dat.view();
    const std::vector<Impl::HaloDat> halos = {
        {dat.set().state().get(), view.data(), std::ptrdiff_t(view.stride(0)),
         std::ptrdiff_t(view.stride(1)), count, int(sizeof(T)),
         int(alignof(T))}};
    dat.set().state()->parts->start(&exec, halos);
    dat.set().state()->parts->finish(&exec, halos);
    dat.shared()->stale = false;
  }

  /// Collective. The values of the owned elements, sent back to the blocks of
  /// the global mesh: N for each element of this rank's block. Waits for exec,
  /// in which loops wrote them. \throws std::invalid_argument on all ranks for
  /// a dat of another set
  template <class Instance, class T, int N, class Layout, class Memory>
  std::vector<T> to_blocks(const Instance& exec, const GlobalSet& set,
                           const Dat<T, N, Layout, Memory>& dat) const {
    constexpr const char* function = "Sporos::DistributedMesh::to_blocks";
    Impl::fence(exec, function);
    agree_on(
        function,
        [&] {
          Impl::check_handle(dat.is_made(), function, "dat");
          Impl::check(dat.set() == m_state->sets[place(function, set)],
                      function, dat.name().c_str(), "a dat of this set",
                      dat.set().name());
        },
        Impl::in_one_text(dat.name(), " of set ", set.index, ", ",
                          dat.is_made() ? dat.component_count() : N, " x ",
                          Impl::type_in_words<T>()));
    const auto s = std::size_t(set.index);
    return Impl::block_values(m_state->comm, m_state->blocks[s],
                              m_state->local[s], dat.to_host(exec),
                              std::size_t(dat.component_count()));
  }
  /// Collective. The values of the owned elements, sent back to the blocks of
  /// the global mesh. Waits for the default instance.
  template <class T, int N, class Layout, class Memory>
  std::vector<T> to_blocks(const GlobalSet& set,
                           const Dat<T, N, Layout, Memory>& dat) const {
    return to_blocks(Exec{}, set, dat);
  }

  /// The communicator of the mesh, a duplicate of yours.
  const Communicator& communicator() const {
    check_made("Sporos::DistributedMesh::communicator");
    return m_state->comm;
  }

  /// Global number of each local element of a set, halos included.
  const std::vector<std::int64_t>& global_numbers(const GlobalSet& set) const {
    const std::size_t k = place("Sporos::DistributedMesh::global_numbers", set);
    return m_state->local[k].global;
  }

  /// The elements of a set whose global numbers are in [begin, end), as the
  /// range of the set in one process. Loops over it are collective. Keep it:
  /// it owns the plans of its loops. O(local elements).
  /// \throws std::invalid_argument unless 0 <= begin <= end <= size of the set
  Subset<memory_space> range(const GlobalSet& set, std::int64_t begin,
                             std::int64_t end) const {
    return range(Exec{}, set, begin, end);
  }
  /// The elements of a set whose global numbers are in [begin, end), on the
  /// device of an instance.
  Subset<memory_space> range(const Exec& exec, const GlobalSet& set,
                             std::int64_t begin, std::int64_t end) const {
    constexpr const char* function = "Sporos::DistributedMesh::range";
    const std::size_t s            = place(function, set);
    const std::string& name        = m_state->blocks[s].name;
    const std::int64_t size        = m_state->blocks[s].blocks.size();
    Impl::check(0 <= begin && begin <= end && end <= size, function,
                name.c_str(), Impl::text("0 <= begin <= end <= ", size),
                "begin ", begin, ", end ", end);
    std::vector<int> list;
    const auto& global = m_state->local[s].global;
    for (std::size_t i = 0; i < global.size(); ++i)
      if (begin <= global[i] && global[i] < end) list.push_back(int(i));
    return Subset<memory_space>(
        exec, Impl::in_one_text(name, " [", begin, ", ", end, ')'),
        m_state->sets[s], list);
  }

  /// For the implementation: numbering and halos of a set.
  const Impl::LocalSet& local(const GlobalSet& set) const {
    return m_state->local[std::size_t(set.index)];
  }

  /// Text: for each set the owned elements of this rank, how many need no halo,
  /// halos, neighbours, and values that an exchange sends.
  std::string describe() const;

  /// For the implementation: see distribute. sets: those of the global mesh,
  /// with their parts
  DistributedMesh(const Exec& exec, const Impl::GlobalMeshState& mesh,
                  std::vector<Impl::SetBlock> sets, Impl::LocalMesh local,
                  bool any_ranks);

 private:
  struct State {
    Communicator comm;
    std::shared_ptr<const Impl::MeshIdentity> mesh;  ///< the global mesh's
    std::vector<Impl::SetBlock> blocks;
    std::vector<Impl::LocalSet> local;
    std::vector<Set> sets;
    std::vector<Map<dynamic_arity, memory_space>> maps;
    Impl::AgreedKinds agreed;  ///< calls of fill_halo
  };

  void check_made(const char* function) const {
    Impl::check_handle(m_state != nullptr, function, "mesh");
  }

  /// Where a set or a map is, if it is one of this mesh.
  std::size_t place(const char* function, const GlobalSet& set) const {
    check_made(function);
    return place(function, "set", set, m_state->sets.size());
  }
  template <int Arity>
  std::size_t place(const char* function, const GlobalMap<Arity>& map) const {
    check_made(function);
    return place(function, "map", map, m_state->maps.size());
  }
  template <class Handle>
  std::size_t place(const char* function, const char* argument,
                    const Handle& handle, std::size_t n) const {
    Impl::check(handle.mesh == m_state->mesh, function, argument,
                "a handle of the mesh that was distributed",
                "one of another mesh");
    Impl::check(handle.index >= 0 && std::size_t(handle.index) < n, function,
                argument, "a handle that was made before distribute",
                "a later one");
    return std::size_t(handle.index);
  }

  template <class D>
  void check_own(const char* function, const D& dat) const {
    Impl::check_handle(dat.is_made(), function, "dat");
    const auto& sets = m_state->sets;
    Impl::check(std::find(sets.begin(), sets.end(), dat.set()) != sets.end(),
                function, dat.name().c_str(), "a dat of a set of this mesh",
                "one of another set, " + dat.set().name());
  }

  /// All ranks throw if one does, except for an empty handle.
  template <class Checks>
  void agree_on(const char* function, const Checks& checks,
                const std::string& same) const {
    check_made(function);
    Impl::agree_on(m_state->comm, function, checks, same);
  }

  std::shared_ptr<State> m_state;
};

template <class Exec>
DistributedMesh<Exec>::DistributedMesh(const Exec& exec,
                                       const Impl::GlobalMeshState& mesh,
                                       std::vector<Impl::SetBlock> sets,
                                       Impl::LocalMesh local, bool any_ranks)
    : m_state(std::make_shared<State>()) {
  State& s = *m_state;
  s.comm   = mesh.comm;
  s.mesh   = mesh.identity;
  s.blocks = std::move(sets);
  s.local  = std::move(local.sets);
  for (std::size_t k = 0; k < s.local.size(); ++k) {
    s.sets.emplace_back(s.blocks[k].name, s.local[k].size());
    s.sets[k].state()->parts = std::make_shared<Impl::RankParts<Exec>>(
        exec, s.comm, s.local[k], any_ranks);
  }
  for (std::size_t m = 0; m < mesh.maps.size(); ++m) {
    s.maps.emplace_back(
        exec, mesh.maps[m].name, s.sets[std::size_t(mesh.maps[m].from)],
        s.sets[std::size_t(mesh.maps[m].to)], mesh.maps[m].arity, local.maps[m],
        mesh.maps[m].missing);
    s.maps.back().state()->distributed = true;
  }
}

template <class Exec>
std::string DistributedMesh<Exec>::describe() const {
  check_made("Sporos::DistributedMesh::describe");
  std::ostringstream out;
  out << "Sporos::DistributedMesh: rank " << m_state->comm.rank() << " of "
      << m_state->comm.size() << '\n';
  for (std::size_t k = 0; k < m_state->sets.size(); ++k) {
    const Impl::LocalSet& set = m_state->local[k];
    std::size_t sent          = 0;
    int neighbours            = 0;
    for (const auto& rank_and_list : set.send) {
      sent += rank_and_list.second.size();
      neighbours += rank_and_list.second.empty() ? 0 : 1;
    }
    out << "  " << m_state->sets[k].name() << ": " << set.owned << " of "
        << m_state->blocks[k].blocks.size() << " owned, " << set.core
        << " of them without neighbours on other ranks; halo: "
        << set.executed - set.owned << " executed, "
        << set.size() - set.executed << " only read; sends " << sent
        << " elements to " << neighbours << " ranks\n";
  }
  return out.str();
}

namespace Impl {

/// Throws on all ranks unless all ask for the same bits or none does.
inline void check_same_options(const Communicator& comm, bool any_ranks) {
  constexpr const char* function = "Sporos::distribute";
  int most[2]                    = {any_ranks ? 1 : 0, any_ranks ? 0 : 1};
  check_mpi(MPI_Allreduce(MPI_IN_PLACE, most, 2, MPI_INT, MPI_MAX, comm.mpi()),
            function, "MPI_Allreduce");
  check(most[0] + most[1] == 1, function, "options.any_ranks",
        "the same on all ranks", any_ranks ? "true here" : "false here");
}

}  // namespace Impl

inline namespace SPOROS_IMPL_METIS {

/// Collective. Deals the elements of a mesh out to the ranks of its
/// communicator: partitions one set, derives the parts of the others, sends
/// elements to their owners and builds halos. No rank holds the whole mesh,
/// unless its block is all of it.
/// \param exec instance in which local maps are checked; loops over the sets
///   run in its execution space
/// \param global the mesh in blocks
/// \param partition of one of its sets
/// \param options the same on all ranks
/// \throws std::invalid_argument on all ranks for a partition that does not fit
///   the mesh, for options that differ, and for those that reorder refuses
/// An element of a set without parts belongs to the owner of the first element
/// that it names through a map, else to the owner of the lowest element that
/// names it.
template <class Exec>
DistributedMesh<Exec> distribute(const Exec& exec, const GlobalMesh& global,
                                 const MeshPartition& partition,
                                 const DistributeOptions& options = {}) {
  Impl::check_handle(global.state() != nullptr, "Sporos::distribute", "global");
  const Impl::GlobalMeshState& mesh = *global.state();
  Impl::check_same_options(mesh.comm, options.any_ranks);
  std::vector<Impl::SetBlock> sets = partition.apply(mesh);
  Impl::derive_parts(mesh.comm, mesh.maps, sets);
  Impl::LocalMesh local = Impl::HaloBuilder(mesh.comm, sets, mesh.maps).run();
  const ReorderOptions& reorder = options.reorder;
  Impl::agree_on(
      mesh.comm, "Sporos::distribute",
      [&] { Impl::reorder_parts(sets, mesh.maps, reorder, local); },
      Impl::in_one_text("options.reorder: ordering ", int(reorder.ordering),
                        ", block_size ", reorder.block_size, ", seed ",
                        reorder.seed, ", by ", reorder.by));
  return DistributedMesh<Exec>(exec, mesh, std::move(sets), std::move(local),
                               options.any_ranks);
}

}  // namespace SPOROS_IMPL_METIS
}  // namespace Sporos

#endif
