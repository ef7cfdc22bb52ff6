// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Meshes that are dealt out to ranks: every element has one owner, halos hold
// what loops need, values follow.
#include <Sporos_DistributedMesh.hpp>
#include <Sporos_MeshGenerators.hpp>
#include <Sporos_Test.hpp>
#include <Sporos_WrongCalls.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <memory>
#include <numeric>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace DistributeOnRanks {

using namespace Sporos;
using Exec    = Kokkos::DefaultExecutionSpace;
using Numbers = std::vector<std::int64_t>;

namespace {

/// How the generated mesh lies before it is distributed.
enum class Holds { first_rank, last_rank, blocks };

/// The rows of this rank's block of an array with `width` numbers an element.
template <class T>
std::vector<T> block(const Communicator& comm, Holds holds,
                     const std::vector<T>& all, std::size_t width) {
  const std::size_t n = all.size() / width, ranks = std::size_t(comm.size());
  const std::size_t r = std::size_t(comm.rank());
  std::size_t begin = n * r / ranks, end = n * (r + 1) / ranks;
  if (holds != Holds::blocks) {
    begin = 0;
    end   = r == (holds == Holds::first_rank ? 0 : ranks - 1) ? n : 0;
  }
  return std::vector<T>(all.begin() + std::ptrdiff_t(begin * width),
                        all.begin() + std::ptrdiff_t(end * width));
}

/// A mesh of quadrilaterals with all that is known of it.
struct Quads {
  QuadMesh mesh;
  GlobalMesh global;
  GlobalSet cells, nodes, edges;
  GlobalMap<4> cell_nodes;
  GlobalMap<2> edge_cells, edge_nodes;
  GlobalDat<double, 2> x;
  GlobalDat<double, 2> centers;
  std::vector<int> block_of_cells;

  Quads(const Communicator& comm, Holds holds, int nx, int ny)
      : mesh(quad_mesh(nx, ny)), global(comm) {
    const auto mine = [&](const auto& all, std::size_t width) {
      return block(comm, holds, all, width);
    };
    const auto cell_rows = mine(mesh.cell_nodes, 4);
    const auto edge_rows = mine(mesh.edge_cells, 2);
    const auto positions = mine(mesh.coordinates, 2);
    cells      = global.set("cells", std::int64_t(cell_rows.size() / 4));
    nodes      = global.set("nodes", std::int64_t(positions.size() / 2));
    edges      = global.set("edges", std::int64_t(edge_rows.size() / 2));
    cell_nodes = global.map<4>("cell_nodes", cells, nodes, cell_rows);
    edge_cells = global.map<2>("edge_cells", edges, cells, edge_rows);
    edge_nodes =
        global.map<2>("edge_nodes", edges, nodes, mine(mesh.edge_nodes, 2));
    x = global.dat<double, 2>("x", nodes, positions);
    std::vector<double> middle;
    for (std::size_t c = 0; c < mesh.cell_nodes.size(); c += 4)
      for (std::size_t d = 0; d < 2; ++d) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k)
          sum += mesh.coordinates[2 * std::size_t(mesh.cell_nodes[c + k]) + d];
        middle.push_back(sum / 4);
      }
    centers = global.dat<double, 2>("centers", cells, mine(middle, 2));
  }
};

/// Sorted numbers of the owned elements of all ranks.
Numbers all_owned(const Communicator& comm, const Numbers& global, int owned) {
  const int n = owned;
  std::vector<int> counts(std::size_t(comm.size())), first(counts.size(), 0);
  MPI_Allgather(&n, 1, MPI_INT, counts.data(), 1, MPI_INT, comm.mpi());
  for (std::size_t r = 1; r < first.size(); ++r)
    first[r] = first[r - 1] + counts[r - 1];
  Numbers all(std::size_t(first.back() + counts.back()));
  MPI_Allgatherv(global.data(), n, MPI_INT64_T, all.data(), counts.data(),
                 first.data(), MPI_INT64_T, comm.mpi());
  std::sort(all.begin(), all.end());
  return all;
}

void check_owned_once(const Communicator& comm, const Impl::LocalSet& set,
                      std::int64_t n) {
  Numbers expected(static_cast<std::size_t>(n));
  std::iota(expected.begin(), expected.end(), 0);
  CHECK(all_owned(comm, set.global, set.owned) == expected);
  CHECK(0 <= set.core);
  CHECK(set.core <= set.owned);
  CHECK(set.owned <= set.executed);
  CHECK(set.executed <= set.size());
  CHECK(std::set<std::int64_t>(set.global.begin(), set.global.end()).size() ==
        set.global.size());
}

/// Rows of executed elements name the elements that they name in the mesh;
/// owned core elements name owned ones, and whoever increments an owned element
/// is executed.
void check_map(const Impl::LocalSet& from, const Impl::LocalSet& to,
               const std::vector<int>& rows, const std::vector<int>& mesh,
               int arity) {
  bool same = true, core = true;
  const auto k_of = [&](int e, int k) { return std::size_t(e * arity + k); };
  for (int e = 0; e < from.executed; ++e)
    for (int k = 0; k < arity; ++k) {
      const int t = rows[k_of(e, k)];
      same        = same && to.global[std::size_t(t)] ==
                         mesh[k_of(int(from.global[std::size_t(e)]), k)];
      core = core && (e >= from.core || t < to.owned);
    }
  CHECK(same);
  CHECK(core);
  const std::set<std::int64_t> owned(to.global.begin(),
                                     to.global.begin() + to.owned);
  std::set<std::int64_t> executed;
  for (std::size_t k = 0; k < mesh.size(); ++k)
    if (owned.count(mesh[k]) != 0) executed.insert(std::int64_t(k) / arity);
  const std::set<std::int64_t> have(from.global.begin(),
                                    from.global.begin() + from.executed);
  CHECK(std::includes(have.begin(), have.end(), executed.begin(),
                      executed.end()));
}

void check_distributed(const Communicator& comm, const Quads& q,
                       const DistributedMesh<Exec>& mesh) {
  const auto& cells = mesh.local(q.cells);
  const auto& nodes = mesh.local(q.nodes);
  const auto& edges = mesh.local(q.edges);
  check_owned_once(comm, cells, q.mesh.cells());
  check_owned_once(comm, nodes, q.mesh.nodes());
  check_owned_once(comm, edges, q.mesh.edges());
  check_map(cells, nodes, mesh.map(q.cell_nodes).to_host(), q.mesh.cell_nodes,
            4);
  check_map(edges, cells, mesh.map(q.edge_cells).to_host(), q.mesh.edge_cells,
            2);
  check_map(edges, nodes, mesh.map(q.edge_nodes).to_host(), q.mesh.edge_nodes,
            2);
  // values, in halos too, and back to the blocks
  const auto x      = mesh.dat(q.x);
  const auto values = x.to_host();
  bool same         = true;
  for (std::size_t i = 0; i < nodes.global.size(); ++i)
    for (std::size_t d = 0; d < 2; ++d)
      same =
          same && values[2 * i + d] ==
                      q.mesh.coordinates[2 * std::size_t(nodes.global[i]) + d];
  CHECK(same);
  CHECK(mesh.to_blocks(q.nodes, x) == *q.x.values);
  CHECK(mesh.to_blocks(Exec{}, q.nodes, x) == *q.x.values);
}

/// Owned cells of the ranks with the most and with the fewest.
std::pair<int, int> balance(const Communicator& comm, int owned) {
  int low = owned, high = owned;
  MPI_Allreduce(MPI_IN_PLACE, &low, 1, MPI_INT, MPI_MIN, comm.mpi());
  MPI_Allreduce(MPI_IN_PLACE, &high, 1, MPI_INT, MPI_MAX, comm.mpi());
  return {low, high};
}

}  // namespace

TEST_CASE("meshes are dealt out along coordinates") {
  const Communicator comm(MPI_COMM_WORLD);
  for (const Holds holds :
       {Holds::first_rank, Holds::last_rank, Holds::blocks}) {
    const Quads q(comm, holds, 13, 7);
    const auto mesh =
        distribute(Exec{}, q.global, MeshPartition::along(q.centers));
    check_distributed(comm, q, mesh);
    const auto [low, high] = balance(comm, mesh.local(q.cells).owned);
    CHECK(high - low <= comm.size());
  }
}

/// The numbers of a set, those of each part in ascending order.
Numbers sorted_parts(const Impl::LocalSet& set) {
  Numbers all = set.global;
  int begin   = 0;
  for (const int end : {set.core, set.owned, set.executed, set.size()}) {
    std::sort(all.begin() + begin, all.begin() + end);
    begin = end;
  }
  return all;
}

TEST_CASE(
    "each rank renumbers its elements, those of each part by themselves") {
  const Communicator comm(MPI_COMM_WORLD);
  const Quads q(comm, Holds::blocks, 23, 19);
  const auto partition = MeshPartition::along(q.centers);
  const auto natural   = distribute(Exec{}, q.global, partition);
  for (const GlobalSet& set : {q.cells, q.nodes, q.edges}) {
    const auto& local = natural.local(set);
    CHECK(std::is_sorted(local.global.begin(),
                         local.global.begin() + local.core));
  }
  for (const char* ordering : {"rcm", "gps", "metis", "random"}) {
#ifndef SPOROS_HAVE_METIS
    if (std::string(ordering) == "metis") continue;
#endif
    INFO(ordering);
    DistributeOptions options;
    options.reorder.ordering   = mesh_ordering(ordering);
    options.reorder.block_size = 8;
    options.reorder.by         = "edge_cells";
    const auto mesh = distribute(Exec{}, q.global, partition, options);
    check_distributed(comm, q, mesh);
    int moved = 0;
    for (const GlobalSet& set : {q.cells, q.nodes, q.edges}) {
      const auto &now = mesh.local(set), &before = natural.local(set);
      CHECK(now.core == before.core);
      CHECK(now.owned == before.owned);
      CHECK(now.executed == before.executed);
      CHECK(sorted_parts(now) == sorted_parts(before));
      moved += now.global != before.global ? 1 : 0;
    }
    CHECK(moved >= 2);
  }
  DistributeOptions wrong;
  wrong.reorder.ordering = MeshOrdering::random;
  if (comm.rank() == comm.size() - 1) wrong.reorder.by = "none";
  Test::check_refused(
      "Sporos::reorder: by: expected the name of a map of the "
      "mesh, got none",
      [&] { distribute(Exec{}, q.global, partition, wrong); });
}

TEST_CASE("meshes are dealt out as the caller wants, also to few ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  for (const int kind : {0, 1, 2}) {
    const Quads q(comm, Holds::blocks, 5, 4);
    const auto n = q.centers.values->size() / 2;
    std::vector<int> ranks(n, comm.size() - 1);
    for (std::size_t i = 0; i < n && kind > 0; ++i)
      ranks[i] = int(i * (kind == 1 ? 1 : 7)) % comm.size();
    const auto mesh =
        distribute(Exec{}, q.global, MeshPartition::given(q.cells, ranks));
    check_distributed(comm, q, mesh);
  }
}

TEST_CASE("a mesh is dealt out twice, and is not kept") {
  const Communicator comm(MPI_COMM_WORLD);
  Quads q(comm, Holds::blocks, 5, 4);
  const int last  = comm.size() - 1;
  const auto deal = [&](const GlobalSet& set, std::size_t n, int rank) {
    return distribute(Exec{}, q.global,
                      MeshPartition::given(set, std::vector<int>(n, rank)));
  };
  const auto first  = deal(q.cells, q.centers.values->size() / 2, 0);
  const auto second = deal(q.nodes, q.x.values->size() / 2, last);
  CHECK(first.set(q.cells).owned() == (comm.rank() == 0 ? 20 : 0));
  CHECK(second.set(q.cells).owned() == (comm.rank() == last ? 20 : 0));
  check_distributed(comm, q, second);
  const std::weak_ptr<const void> old = q.global.state();
  q.global                            = GlobalMesh(comm);
  CHECK(old.expired());
  check_distributed(comm, q, first);
}

TEST_CASE("sets of a mesh that is gone are those of no other") {
  const Communicator comm(MPI_COMM_WORLD);
  const auto third = [&] {
    GlobalMesh mesh(comm);
    mesh.set("a", 2);
    mesh.set("b", 2);
    return mesh.set("c", 2);
  };
  const GlobalSet old = third();
  GlobalMesh mesh(comm);  // may lie where the other one was
  mesh.set("z", 2);
  Test::check_refused("expected a set of this mesh, got one of another mesh",
                      [&] {
                        mesh.dat<double, 1>("q", old, {0., 0.});
                      });
  Test::check_refused("expected a partition of this mesh", [&] {
    distribute(Exec{}, mesh, MeshPartition::given(old, {0, 0}));
  });
}

TEST_CASE("more ranks than cells, and meshes of nothing") {
  const Communicator comm(MPI_COMM_WORLD);
  const Quads q(comm, Holds::first_rank, 1, 2);
  check_distributed(
      comm, q, distribute(Exec{}, q.global, MeshPartition::along(q.centers)));
  GlobalMesh none(comm);
  const auto cells = none.set("cells", 0), edges = none.set("edges", 0);
  const auto map  = none.map<2>("map", edges, cells, std::vector<int>());
  const auto x    = none.dat<double, 1>("x", cells, {});
  const auto mesh = distribute(Exec{}, none, MeshPartition::along(x));
  CHECK(mesh.set(cells).size() == 0);
  CHECK(mesh.map(map).from().size() == 0);
}

TEST_CASE("coordinates that are all equal are cut by number") {
  const Communicator comm(MPI_COMM_WORLD);
  GlobalMesh global(comm);
  const auto points = global.set("points", 10);
  const auto x =
      global.dat<double, 1>("x", points, std::vector<double>(10, .5));
  const auto mesh        = distribute(Exec{}, global, MeshPartition::along(x));
  const auto [low, high] = balance(comm, mesh.local(points).owned);
  CHECK(high - low <= 2);
  CHECK(mesh.describe().find("points: ") != std::string::npos);
}

#ifdef SPOROS_HAVE_PTSCOTCH
TEST_CASE("meshes are dealt out by PT-Scotch") {
  const Communicator comm(MPI_COMM_WORLD);
  for (const Holds holds : {Holds::first_rank, Holds::blocks}) {
    const Quads q(comm, holds, 40, 30);
    const auto mesh =
        distribute(Exec{}, q.global, MeshPartition::through(q.edge_cells));
    check_distributed(comm, q, mesh);
    const auto [low, high] = balance(comm, mesh.local(q.cells).owned);
    CHECK(high <= 1.1 * 1200 / comm.size() + 1);
    // a rank's border is at most twice that of a square
    CHECK(mesh.local(q.cells).size() - mesh.local(q.cells).owned <=
          8 * std::sqrt(1200. / comm.size()));
    // twice the work in the left half
    std::vector<int> weights;
    for (std::size_t k = 0; k < q.centers.values->size(); k += 2)
      weights.push_back((*q.centers.values)[k] < .5 ? 2 : 1);
    check_distributed(
        comm, q,
        distribute(Exec{}, q.global,
                   MeshPartition::through(q.edge_cells, weights)));
    // whose sum is too large for 32 bits
    weights.assign(weights.size(), 1 << 30);
    const auto heavy = distribute(
        Exec{}, q.global, MeshPartition::through(q.edge_cells, weights));
    CHECK(balance(comm, heavy.local(q.cells).owned).second <=
          1.1 * 1200 / comm.size() + 1);
  }
}

// PT-Scotch's threads give small graphs without structure other parts each
// time.
TEST_CASE("PT-Scotch deals out a mesh as it did before") {
  const Communicator comm(MPI_COMM_WORLD);
  std::mt19937 random(7);
  for (int k = 0; k < 10; ++k) {
    const int n = 20 + int(random() % 400);
    std::vector<int> all(std::size_t(6 * n));
    for (int& t : all) t = int(random() % std::uint32_t(n));
    const auto mine = [&](const std::vector<int>& of, std::size_t width) {
      return block(comm, Holds::blocks, of, width);
    };
    GlobalMesh mesh(comm);
    const auto nodes =
        mesh.set("nodes", mine(std::vector<int>(std::size_t(n)), 1).size());
    const auto edges = mesh.set("edges", mine(all, 2).size() / 2);
    const auto ends  = mesh.map<2>("ends", edges, nodes, mine(all, 2));
    const auto deal  = [&] {
      return distribute(Exec{}, mesh, MeshPartition::through(ends))
          .global_numbers(nodes);
    };
    const Numbers first = deal();
    for (int again = 0; again < 4; ++again) CHECK(deal() == first);
  }
}
#endif

TEST_CASE("meshes that do not fit are refused on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const bool last = comm.rank() == comm.size() - 1;  // it alone is wrong
  const Quads q(comm, Holds::blocks, 4, 3);
  const Quads other(comm, Holds::blocks, 4, 3);
  GlobalMesh global(comm);
  const auto cells = global.set("cells", 4);
  const auto edges = global.set("edges", 2);
  const std::vector<int> rows{0, 1, 1, 2};
  const auto bad = [&](std::vector<int> wrong) { return last ? wrong : rows; };
  const auto throws = [](const std::function<void()>& call,
                         const std::string& words) {
    Test::check_refused(words, call);
  };
  throws([&] { global.set("s", last ? -1 : 1); },
         "Sporos::GlobalMesh::set: s: expected a number of elements that is "
         "not negative, got -1");
  throws(
      [&] { global.set("s", last ? std::int64_t(1) << 62 : 1); },
      "expected fewer than 2^40 elements of a rank, got 4611686018427387904");
  throws(
      [&] {
        std::vector<unsigned char> numbers(4, 0);
        if (last) numbers[2] = 255;
        global.map<2>("m", edges, cells, numbers);
      },
      "got 255 in row ");
  throws([&] { global.map<2>("m", edges, cells, bad({0})); },
         "Sporos::GlobalMesh::map: m: expected 4 entries, 2 for each element "
         "of edges, got 1");
  throws(
      [&] {
        global.map<2>("m", edges, cells, bad({0, 1, 9999, 0}));
      },
      "entries in [0, ");
  throws(
      [&] {
        global.map<2>("m", edges, cells, bad({0, 1, -1, 0}));
      },
      "got -1 in row ");
  throws(
      [&] {
        std::vector<std::uint64_t> numbers(4, 0);
        if (last) numbers[2] = std::numeric_limits<std::uint64_t>::max();
        global.map<2>("m", edges, cells, numbers);
      },
      "got 18446744073709551615 in row ");
  throws([&] { global.map<2>("m", q.edges, cells, rows); },
         "expected a set of this mesh, got one of another mesh");
  throws([&] { global.map<2>("m", edges, GlobalSet(), rows); },
         "got one that was default-constructed");
  throws([&] { global.dat<int, 2>("d", edges, bad({1})); },
         "Sporos::GlobalMesh::dat: d: expected 4 values, 2 for each element of "
         "edges, got 1");
  throws([&] { distribute(Exec{}, q.global, MeshPartition::along(other.x)); },
         "expected a partition of this mesh, got one of another mesh");
  throws(
      [&] {
        distribute(Exec{}, global,
                   MeshPartition::given(cells, bad({0, 0, 0, 0, 0})));
      },
      last ? "expected 4 ranks, one for each element of the block, got 5" : "");
  throws(
      [&] {
        distribute(
            Exec{}, global,
            MeshPartition::given(cells, {0, 0, 0, last ? comm.size() : 0}));
      },
      "expected ranks in [0, ");
  const auto x =
      global.dat<double, 1>("x", cells, {0, 1, 2, last ? std::nan("") : 3});
  throws([&] { distribute(Exec{}, global, MeshPartition::along(x)); },
         "expected finite coordinates, got nan");
  if (comm.size() > 1) {  // one rank does something else
    const auto y             = global.dat<double, 1>("y", cells, {0, 1, 2, 3});
    const std::string differ = "arguments: expected the same on all ranks, got";
    throws([&] { global.set(last ? "a" : "b", 1); }, differ);
    throws(
        [&] {
          global.map<2>("m", edges, last ? edges : cells,
                        std::vector<int>{0, 1, 1, 0});
        },
        differ);
    throws(
        [&] {
          if (last)
            global.dat<int, 2>("d", edges, rows);
          else
            global.dat<int, 1>("d", edges, {1, 2});
        },
        differ);
    throws(
        [&] {
          distribute(Exec{}, global,
                     last ? MeshPartition::given(cells, {0, 0, 0, 0})
                          : MeshPartition::along(y));
        },
        differ);
    const auto two =
        global.dat<double, 2>("z", cells, {0, 1, 2, 3, 4, 5, 6, 7});
    throws(
        [&] {
          distribute(
              Exec{}, global,
              last ? MeshPartition::along(two) : MeshPartition::along(y));
        },
        differ);
    throws(
        [&] {
          if (last)
            global.dat<float, 1>("f", cells, {1, 2, 3, 4});
          else
            global.dat<int, 1>("f", cells, {1, 2, 3, 4});
        },
        differ);
    DistributeOptions reordered;
    if (last) reordered.reorder.seed = 2;
    throws(
        [&] { distribute(Exec{}, global, MeshPartition::along(y), reordered); },
        differ);
  }
  throws([&] { GlobalMesh{Communicator()}; }, "an initialised handle");
  throws([&] { global.size(q.cells); }, "one of another mesh");
  throws([&] { global.size(GlobalSet()); }, "that was default-constructed");
  GlobalMesh gone(comm);
  const GlobalMesh taken = std::move(gone);
  throws([&] { gone.set("s", 1); }, "an initialised handle");
  throws([&] { gone.size(cells); }, "an initialised handle");
  throws([&] { distribute(Exec{}, gone, MeshPartition::along(q.x)); },
         "an initialised handle");
  const auto mesh =
      distribute(Exec{}, global, MeshPartition::given(cells, {0, 0, 0, 0}));
  throws([&] { mesh.set(q.cells); }, "one of another mesh");
  throws([&] { mesh.map(q.edge_cells); }, "one of another mesh");
  throws([&] { mesh.dat(q.x); }, "one of another mesh");
  // made later, or wrong on one rank
  const auto late_set    = global.set("late", 1);
  const auto late_map    = global.map<2>("late", edges, cells, rows);
  const auto late_dat    = global.dat<double, 1>("late", late_set, {1});
  const auto good_dat    = global.dat<double, 1>("good", cells, {1, 2, 3, 4});
  const std::string late = "expected a handle that was made before distribute";
  throws([&] { mesh.set(late_set); }, late);
  throws([&] { mesh.map(late_map); }, late);
  throws([&] { mesh.global_numbers(late_set); }, late);
  throws([&] { mesh.dat(last ? late_dat : good_dat); }, late);
  throws([&] { DistributedMesh<Exec>().set(cells); }, "an initialised handle");
  throws([&] { DistributedMesh<Exec>().describe(); }, "an initialised handle");
  const Dat<double> elsewhere("elsewhere", Set("s", 3));
  throws([&] { mesh.to_blocks(cells, elsewhere); },
         "expected a dat of this set, got s");
  const auto good = mesh.dat(good_dat);
  throws(
      [&] {
        mesh.to_blocks(cells, last ? std::decay_t<decltype(good)>() : good);
      },
      "Sporos::DistributedMesh::to_blocks: dat: expected an initialised "
      "handle");
  throws([&] { mesh.to_blocks(cells, last ? elsewhere : good); },
         "expected a dat of this set, got s");
  throws([&] { mesh.to_blocks(last ? late_set : cells, good); }, late);
  CHECK(mesh.to_blocks(cells, good) == *good_dat.values);
#ifdef SPOROS_HAVE_PTSCOTCH
  const auto map = global.map<2>("m", edges, cells, rows);
  throws(
      [&] {
        distribute(Exec{}, global,
                   MeshPartition::through(map, {1, 1, 1, last ? 0 : 1}));
      },
      "weights: expected positive numbers, got 0");
#endif
}

}  // namespace DistributeOnRanks
