// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that are wrong on some ranks, or differ: all ranks must throw.
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

#include <cmath>

namespace Sporos {
namespace Test {
namespace {

/// What comes of one wrong call on this rank.
class Refusals {
 public:
  Refusals(RandomCase& random, const Communicator& comm)
      : m_random(random),
        m_comm(comm),
        m_wrong_here(random.integer(0, comm.size() - 1) == comm.rank() ||
                     comm.size() == 1) {}

  std::string run() {
    const int n = m_random.integer(0, 30);
    GlobalMesh mesh(m_comm);
    const auto points = mesh.set("points", 1 + n);
    const auto edges  = mesh.set("edges", n);
    std::vector<int> rows;
    for (int k = 0; k < 2 * n; ++k)
      rows.push_back(m_random.integer(0, (n + 1) * m_comm.size() - 1));
    const auto ends = mesh.map<2>("ends", edges, points, rows);
    wrong_meshes(mesh, points, edges, rows);
    wrong_partitions(mesh, points, ends);
    const auto local =
        distribute(SideExec{}, mesh,
                   MeshPartition::given(points, owners(std::size_t(n) + 1)));
    wrong_loops(mesh, local, points, edges, ends);
    return m_wrong;
  }

 private:
  /// Must throw on all ranks. `call` is told whether it is to be wrong here.
  template <class Call>
  void refuse(const char* what, const Call& call) {
    if (!m_random.chance(40)) return;
    const std::string text =
        Sporos::Impl::thrown_text([&] { call(m_wrong_here); });
    if (text.empty() && m_wrong.empty())
      m_wrong = std::string(what) + " of one rank was not refused on rank " +
                std::to_string(m_comm.rank());
  }
  /// A call that is wrong only if ranks differ must throw on all ranks.
  template <class Call>
  void refuse_differing(const char* what, const Call& call) {
    if (m_comm.size() > 1) refuse(what, call);
  }

  std::vector<int> owners(std::size_t n) {
    std::vector<int> ranks(n);
    for (int& r : ranks) r = m_random.integer(0, m_comm.size() - 1);
    return ranks;
  }

  void wrong_meshes(GlobalMesh& mesh, const GlobalSet& points,
                    const GlobalSet& edges, const std::vector<int>& rows) {
    refuse("a negative size",
           [&](bool here) { mesh.set("set", here ? -1 : 2); });
    refuse("a huge size", [&](bool here) {
      mesh.set("set", here ? std::int64_t(1) << 40 : 2);
    });
    refuse_differing("a name",
                     [&](bool here) { mesh.set(here ? "this" : "that", 2); });
    refuse("a number of entries", [&](bool here) {
      auto more = rows;
      if (here) more.push_back(0);
      mesh.map<2>("map", edges, points, more);
    });
    const bool negative = m_random.chance(50);
    if (!rows.empty())
      refuse("an entry out of range", [&](bool here) {
        std::vector<std::int64_t> other(rows.begin(), rows.end());
        if (here)
          other[other.size() / 2] = negative ? -1 : std::int64_t(1) << 33;
        mesh.map<2>("map", edges, points, other);
      });
    refuse_differing("a set of a map", [&](bool here) {
      mesh.map<1>("map", edges, here ? points : edges,
                  std::vector<int>(rows.size() / 2, 0));
    });
    refuse("a number of values", [&](bool here) {
      mesh.dat<double, 2>("dat", edges,
                          std::vector<double>(rows.size() + (here ? 1 : 0)));
    });
  }

  template <class Ends>
  void wrong_partitions(GlobalMesh& mesh, const GlobalSet& points,
                        const Ends& ends) {
    const auto try_it = [&](const MeshPartition& p,
                            const DistributeOptions& o = {}) {
      distribute(SideExec{}, mesh, p, o);
    };
    const std::size_t size =
        std::size_t(mesh.state()->sets[std::size_t(points.index)].blocks.count(
            m_comm.rank()));
    const int no_rank = m_random.one_of({-1, m_comm.size()});
    refuse("a rank", [&](bool here) {
      auto ranks = owners(size);
      if (here) ranks.back() = no_rank;
      try_it(MeshPartition::given(points, ranks));
    });
    refuse("a number of ranks", [&](bool here) {
      auto ranks = owners(size);
      if (here) ranks.push_back(0);
      try_it(MeshPartition::given(points, ranks));
    });
    refuse("a coordinate", [&](bool here) {
      std::vector<double> x(size, 1.);
      if (here) x.back() = std::nan("");
      try_it(MeshPartition::along(mesh.dat<double, 1>("x", points, x)));
    });
    refuse_differing("any_ranks", [&](bool here) {
      DistributeOptions o;
      o.any_ranks = here;
      try_it(MeshPartition::given(points, owners(size)), o);
    });
    refuse_differing("an ordering", [&](bool here) {
      DistributeOptions o;
      o.reorder.ordering =
          here ? MeshOrdering::random : MeshOrdering::reverse_cuthill_mckee;
      try_it(MeshPartition::given(points, owners(size)), o);
    });
    if (Sporos::Impl::have_ptscotch)
      refuse("a weight", [&](bool here) {
        std::vector<int> weights(size, 1);
        if (here) weights.back() = 0;
        try_it(MeshPartition::through(ends, weights));
      });
  }

  using Parts = DistributedMesh<SideExec>;

  template <class Ends>
  void wrong_loops(GlobalMesh& mesh, const Parts& parts,
                   const GlobalSet& points, const GlobalSet& edges,
                   const Ends& ends) {
    const auto map = parts.map(ends);
    const Dat<double, 2, Kokkos::LayoutRight, SideMemory> x("x",
                                                            parts.set(points));
    const Dat<double, 3, Kokkos::LayoutLeft, SideMemory> y("y",
                                                           parts.set(points));
    const Dat<double, 1, Kokkos::LayoutRight, SideMemory> w("w",
                                                            parts.set(edges));
    const Dat<double, 1, Kokkos::LayoutRight, SideMemory> v("v",
                                                            parts.set(edges));
    const auto loop = [&](const char* label, const LoopOptions& options,
                          const auto& weight) {
      par_loop(label, SideExec{}, parts.set(edges), options,
               SpreadAll<double, 2, 2, 3>{}, read(x, map), read(weight),
               inc(y, map));
    };
    refuse("a dat of another mesh", [&](bool here) {
      GlobalMesh other(m_comm);
      const auto set  = other.set("points", 2);
      const auto dat  = other.dat<double, 1>("x", set, {1, 2});
      const auto mine = mesh.dat<double, 1>(
          "x", points,
          std::vector<double>(std::size_t(
              mesh.state()->sets[std::size_t(points.index)].blocks.count(
                  m_comm.rank()))));
      parts.dat(here ? dat : mine);
    });
    refuse("a set of to_blocks",
           [&](bool here) { parts.to_blocks(here ? edges : points, x); });
    if (Sporos::Impl::checks_enabled) {
      refuse("a block size", [&](bool here) {
        LoopOptions o;
        o.block_size = here ? -1 : 0;
        loop("loop", o, w);
      });
      refuse("a staging", [&](bool here) {
        LoopOptions o;
        o.any_ranks = true;
        o.staging   = here ? Staging::all : Staging::none;
        loop("loop", o, w);
      });
      refuse("an empty handle",
             [&](bool here) { loop("loop", {}, here ? decltype(w)() : w); });
      refuse_differing("a label",
                       [&](bool here) { loop(here ? "this" : "that", {}, w); });
      refuse_differing("a dat", [&](bool here) {
        if (here) v.modified();
        loop("loop", {}, v);
        v.modified();
      });
      v.modified();
    }
    loop("loop", {}, v);  // nothing hangs
    const auto all = parts.to_blocks(points, y);
    MPI_Barrier(m_comm.mpi());
  }

  RandomCase& m_random;
  Communicator m_comm;
  bool m_wrong_here;
  std::string m_wrong;
};

}  // namespace

std::string refusals(RandomCase& random, const Communicator& comm) {
  return Refusals(random, comm).run();
}

}  // namespace Test
}  // namespace Sporos
