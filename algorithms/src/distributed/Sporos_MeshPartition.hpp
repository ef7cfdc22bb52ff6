// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MESHPARTITION_HPP
#define SPOROS_MESHPARTITION_HPP

/// \file Sporos_MeshPartition.hpp
/// How the elements of a mesh are dealt out to MPI ranks.

#include <Sporos_GlobalMesh.hpp>
#include <distributed/meshes/Sporos_CoordinateParts.hpp>
#include <distributed/meshes/Sporos_GraphParts.hpp>

#include <cmath>
#include <cstddef>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace Sporos {

/// Which rank owns which elements of one set; the elements of all other sets
/// follow through the maps.
class MeshPartition {
 public:
  /// The targets of a map by PT-Scotch's k-way partition: two targets that one
  /// element names are neighbours, few of which are separated. Needs a program
  /// linked with Sporos::ptscotch and, since PT-Scotch's threads send messages,
  /// MPI_Init_thread with MPI_THREAD_MULTIPLE.
  /// \param map for example from edges to the two cells beside them
  /// \param weights work of each target of this rank's block, positive; empty:
  ///   all equal. Divided by one number if PT-Scotch's integers cannot hold
  ///   their sum.
  template <int Arity>
  static MeshPartition through(const GlobalMap<Arity>& map,
                               std::vector<int> weights = {}) {
    MeshPartition p(Kind::graph);
    p.m_map     = map.index;
    p.m_mesh    = map.mesh;
    p.m_weights = std::move(weights);
    return p;
  }

  /// A set by recursive bisection along its coordinates, which needs no other
  /// library. \param x coordinates, D for each element
  template <int D>
  static MeshPartition along(const GlobalDat<double, D>& x) {
    MeshPartition p(Kind::coordinates);
    p.set_coordinates(x);
    return p;
  }

  /// By PT-Scotch if it can be used, else along coordinates.
  /// \param map see through
  /// \param x coordinates of the targets of the map
  template <int Arity, int D>
  static MeshPartition automatic(const GlobalMap<Arity>& map,
                                 const GlobalDat<double, D>& x) {
    return Impl::have_ptscotch && threads_may_send() ? through(map) : along(x);
  }

  /// The caller's own.
  /// \param set the set that it deals out
  /// \param ranks the owner of each element of this rank's
  ///   block of the set
  static MeshPartition given(const GlobalSet& set, std::vector<int> ranks) {
    MeshPartition p(Kind::given);
    p.m_set   = set.index;
    p.m_mesh  = set.mesh;
    p.m_ranks = std::move(ranks);
    return p;
  }

  /// For the implementation: collective, the sets of the mesh, one of them with
  /// its parts.
  /// \throws std::invalid_argument on all ranks for a partition that does not
  ///   fit the mesh
  std::vector<Impl::SetBlock> apply(const Impl::GlobalMeshState& mesh) const {
    constexpr const char* names[] = {"through map ", "along set ",
                                     "given set "};
    Impl::agree_on(
        mesh.comm, function, [&] { check(mesh); },
        Impl::in_one_text("a partition ", names[int(m_kind)],
                          m_kind == Kind::graph ? m_map : m_set, ", ",
                          m_dimension, " coordinates"));
    const int target =
        m_kind == Kind::graph ? mesh.maps[std::size_t(m_map)].to : m_set;
    std::vector<Impl::SetBlock> sets = mesh.sets;
    Impl::SetBlock& set              = sets[std::size_t(target)];
    set.part                         = parts(mesh, set);
    set.has_parts                    = true;
    return sets;
  }

 private:
  enum class Kind { graph, coordinates, given };
  static constexpr const char* function = "Sporos::distribute";

  explicit MeshPartition(Kind kind) : m_kind(kind) {}

  static bool threads_may_send() {
    int level = MPI_THREAD_SINGLE;
    MPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE;
  }

  template <int D>
  void set_coordinates(const GlobalDat<double, D>& x) {
    m_set         = x.set.index;
    m_mesh        = x.set.mesh;
    m_dimension   = x.components;
    m_coordinates = x.values;
  }

  void check(const Impl::GlobalMeshState& mesh) const {
    Impl::check(m_mesh == mesh.identity, function, "partition",
                "a partition of this mesh", "one of another mesh");
    if (m_kind == Kind::graph) {
      Impl::check(Impl::have_ptscotch || mesh.comm.size() == 1, function,
                  "partition",
                  "a program linked with Sporos::ptscotch, or "
                  "MeshPartition::along or given",
                  "MeshPartition::through");
      Impl::check(threads_may_send() || mesh.comm.size() == 1, function,
                  "partition",
                  "MPI_Init_thread with MPI_THREAD_MULTIPLE, which PT-Scotch "
                  "needs",
                  "a lower level");
      check_weights(mesh);
    } else if (m_kind == Kind::coordinates) {
      for (const double x : *m_coordinates)
        Impl::check(std::isfinite(x), function, "partition",
                    "finite coordinates", x);
    } else {
      check_ranks(mesh);
    }
  }

  void check_weights(const Impl::GlobalMeshState& mesh) const {
    const auto& map = mesh.maps[std::size_t(m_map)];
    const auto n    = std::size_t(
           mesh.sets[std::size_t(map.to)].blocks.count(mesh.comm.rank()));
    Impl::check(m_weights.empty() || m_weights.size() == n, function, "weights",
                Impl::text(n, " numbers, or none"), m_weights.size());
    for (const int w : m_weights)
      Impl::check(w > 0, function, "weights", "positive numbers", w);
  }

  void check_ranks(const Impl::GlobalMeshState& mesh) const {
    const auto n = std::size_t(
        mesh.sets[std::size_t(m_set)].blocks.count(mesh.comm.rank()));
    Impl::check(m_ranks.size() == n, function, "ranks",
                Impl::text(n, " ranks, one for each element of the block"),
                m_ranks.size());
    for (const int rank : m_ranks)
      Impl::check(rank >= 0 && rank < mesh.comm.size(), function, "ranks",
                  Impl::text("ranks in [0, ", mesh.comm.size(), ')'), rank);
  }

  std::vector<int> parts(const Impl::GlobalMeshState& mesh,
                         const Impl::SetBlock& set) const {
    const Communicator& comm = mesh.comm;
    if (m_kind == Kind::given) return m_ranks;
    if (comm.size() == 1)
      return std::vector<int>(std::size_t(set.blocks.count(0)), 0);
    if (m_kind == Kind::coordinates)
      return Impl::CoordinateBisection(comm, m_dimension, *m_coordinates)
          .run(comm.size());
#ifdef SPOROS_HAVE_PTSCOTCH
    const auto& map = mesh.maps[std::size_t(m_map)];
    // a weight list may be empty on ranks that hold no elements
    const int weighted = any_weights(comm);
    const auto n       = std::size_t(set.blocks.count(comm.rank()));
    return Impl::graph_parts(
        comm, Impl::dual_graph(comm, set.blocks, map.rows, map.arity),
        weighted != 0 && m_weights.empty() ? std::vector<int>(n, 1) : m_weights,
        weighted != 0, comm.size());
#else
    return {};
#endif
  }

  int any_weights(const Communicator& comm) const {
    int any = m_weights.empty() ? 0 : 1;
    Impl::check_mpi(
        MPI_Allreduce(MPI_IN_PLACE, &any, 1, MPI_INT, MPI_MAX, comm.mpi()),
        function, "MPI_Allreduce");
    return any;
  }

  Kind m_kind;
  std::shared_ptr<const Impl::MeshIdentity> m_mesh;
  int m_map = -1, m_set = -1, m_dimension = 0;
  std::shared_ptr<const std::vector<double>> m_coordinates;
  std::vector<int> m_weights, m_ranks;
};

}  // namespace Sporos

#endif
