// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What loops over distributed sets refuse, on all ranks and without a hang.
#include "Sporos_RankMeshes.hpp"

#include <Sporos_Reorder.hpp>
#include <Sporos_Test.hpp>
#include <Sporos_WrongCalls.hpp>

#include <numeric>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <vector>

double loop_in_one_process(const Sporos::Set& set);  // in_one_process/loop.cpp

namespace WrongMeshLoopsOnRanks {

using namespace Sporos;
using namespace Sporos::Test;
using Exec = RankExec;

#ifdef SPOROS_ENABLE_CHECKS
/// A kernel of any two arguments.
struct TakeAny {
  template <class A, class B>
  KOKKOS_FUNCTION void operator()(A, B) const {}
};

TEST_CASE("checks refuse different loops on different ranks on all of them") {
  const Chain c(Deal::blocks, 30);
  if (c.comm.size() == 1) return;
  const auto v   = c.dat("v", c.points, c.n + 1);
  const auto sum = Dat<int, 1>("sum", c.mesh.set(c.points));
  const auto run = [&](const std::string& label, const Dat<int, 1>& to) {
    par_loop(label, Exec{}, c.mesh.set(c.edges), AddAll{}, read(v, c.map),
             inc(to, c.map));
  };
  CHECK_THROWS_AS(run(c.comm.rank() == 0 ? "a" : "b", sum),
                  std::invalid_argument);
  CHECK_THROWS_AS(run("a", c.comm.rank() == 0 ? v : sum),
                  std::invalid_argument);
  CHECK_NOTHROW(run("a", sum));
  if (c.comm.rank() == 0) v.modified();
  CHECK_THROWS_AS(run("a", sum), std::invalid_argument);
  v.modified();
  // reductions, and the components of dats
  const auto count = [&](const auto& arg) {
    par_loop("count", Exec{}, c.mesh.set(c.points), TakeAny{}, read(v), arg);
  };
  int total        = 0;
  const bool first = c.comm.rank() == 0;
  CHECK_THROWS_AS(first ? count(Sporos::sum(total)) : count(Sporos::min(total)),
                  std::invalid_argument);
  CHECK_THROWS_AS(first ? count(Sporos::sum(total)) : count(read(1)),
                  std::invalid_argument);
  const Dat<int, 2> two("wide", c.mesh.set(c.points));
  const Dat<int, 1> one("wide", c.mesh.set(c.points));
  CHECK_THROWS_AS(first ? count(read(one)) : count(read(two)),
                  std::invalid_argument);
  CHECK_NOTHROW(count(Sporos::sum(total)));
}
#endif

namespace {

/// Ranks may have only so many elements as long as this object lives.
class MostElements {
 public:
  explicit MostElements(std::size_t n)
      : m_before(Sporos::Impl::most_local_elements()) {
    Sporos::Impl::most_local_elements() = n;
  }
  MostElements(const MostElements&)            = delete;
  MostElements& operator=(const MostElements&) = delete;
  ~MostElements() { Sporos::Impl::most_local_elements() = m_before; }

 private:
  std::size_t m_before;
};

}  // namespace

TEST_CASE("more elements than a rank counts are refused on all ranks") {
  const Communicator comm(MPI_COMM_WORLD);
  const auto refused = [&](std::size_t most, Deal deal,
                           const std::string& text) {
    const MostElements limit(most);
    Test::check_refused(text, [&] { Chain(deal, 40); });
  };
  refused(40, Deal::all_to_last,
          "Sporos::distribute: points: expected at most 40 elements on a rank "
          "(take more ranks, or another partition), got 41");
  if (comm.size() == 1) return;
  // in turn: each rank has all edges and points of its neighbours, too
  const std::size_t points = std::size_t(40 / comm.size() + 1);
  refused(points, Deal::cyclic, "elements with halos on a rank");
  const MostElements enough(41);
  CHECK_NOTHROW(Chain(Deal::cyclic, 40));
}

struct AddNumber {
  KOKKOS_FUNCTION void operator()(int e, Inc<int> sum) const { sum[0] += e; }
};

TEST_CASE("files without MPI refuse loops over distributed sets") {
  CHECK(loop_in_one_process(Set("ordinary", 5)) == 2.);
  const Chain c(Deal::blocks, 30);
  Test::check_refused("set: expected a set of one process",
                      [&] { loop_in_one_process(c.mesh.set(c.points)); });
}

TEST_CASE("loops that do not fit distributed sets are refused on all ranks") {
  const Chain c(Deal::blocks, 30);
  const Set edges = c.mesh.set(c.edges), points = c.mesh.set(c.points);
  const auto v   = c.dat("v", c.points, c.n + 1);
  const auto sum = Dat<int, 1>("sum", points);
  const auto run = [&](const auto& set, const auto&... how) {
    par_loop("add", Exec{}, set, how..., AddAll{}, read(v, c.map),
             inc(sum, c.map));
  };
  const auto throws = [](const std::function<void()>& call,
                         const std::string& words) {
    Test::check_refused(words, call);
  };
  const int n = edges.size();
  if (n > 0) {  // a range of nothing is all of an empty set
    throws([&] { run(edges.range(0, n - 1)); },
           "makes a subset of a range), got a range of");
    std::vector<int> list(std::size_t(edges.owned()), 0);
    std::iota(list.begin(), list.end(), 0);
    const Subset some("some", edges, list);
    if (!list.empty())
      throws([&] { run(some.range(0, 0)); },
             "makes a subset of a range), got a range of");
    throws([&] { Subset("s", edges, std::vector<int>{n}); },
           "expected numbers in [0, ");
  }
  LoopOptions alike;
  alike.any_ranks = true;
  throws(
      [&] {
        par_loop("number", Exec{}, edges, alike, AddNumber{},
                 Sporos::element_index(), inc(sum, c.map, 0));
      },
      "Sporos::par_loop(number): argument 0, element_index(): expected a dat "
      "of global numbers");
  LoopOptions options;
  options.blocks = {0, n};
  throws(
      [&] { run(edges, options); },
      "Sporos::par_loop(add): options.blocks: expected none for a distributed "
      "set, got 2");
  throws([&] { LoopPlan<Exec>(Exec{}, edges, LoopOptions{}, inc(sum, c.map)); },
         "Sporos::LoopPlan: edges: expected a set that is not distributed");
  throws([&] { plan_of(Exec{}, edges, LoopOptions{}, inc(sum, c.map)); },
         "expected a set that is not distributed over ranks, got one that is");
  throws([&] { Mesh(c.map, v); },
         "Sporos::Mesh::add: edges: expected a set that is not distributed");
  throws([&] { Mesh().add(points.range(0, 0)); },
         "Sporos::Mesh::add: points: expected a set that is not distributed");
  throws([&] { run(points); }, "expected a map from the set of the loop");
  throws([&] { run(Set("edges", n)); },
         "expected a map from the set of the loop");
  throws([&] { Dat<int, 1>().modified(); }, "Sporos::Dat::modified: dat");
  throws([&] { v.assign(std::vector<int>(std::size_t(points.size()) + 1)); },
         "Sporos::Dat::assign: v: expected");
  throws(
      [&] {
        par_loop("increase", Exec{}, edges, Increase{}, rw(v, c.map, 0),
                 read(v, c.map, 1));
      },
      "the promise that no target is written twice");
  throws(
      [&] {
        par_loop("add", Exec{}, edges, AddAll{}, read(v, c.map), inc(v, c.map));
      },
      "expected another dat");
  throws(
      [&] {
        par_loop("add", Exec{}, edges, AddAll{}, read(Dat<int, 1>(), c.map),
                 inc(sum, c.map));
      },
      "an initialised handle");
#ifdef KOKKOS_ENABLE_SERIAL
  const auto throws_on = [&]([[maybe_unused]] const auto& exec) {
    if constexpr (Sporos::Impl::is_host_space_v<Exec> &&
                  !std::is_same_v<Exec, Kokkos::Serial>)
      throws(
          [&] {
            par_loop("add", exec, edges, AddAll{}, read(v, c.map),
                     inc(sum, c.map));
          },
          "expected the execution space for which the mesh was distributed");
  };
  throws_on(Kokkos::Serial());
#endif
  run(edges);  // nothing hangs, and the next loop is right
  CHECK(c.mesh.to_blocks(c.points, sum) == c.added());
}

TEST_CASE("loops that are refused leave halos as they were") {
  const Chain c(Deal::cyclic, 30);
  const auto v   = c.dat("v", c.points, c.n + 1);
  const auto sum = Dat<int, 1>("sum", c.mesh.set(c.points));
  const auto run = [&](const auto&... how) {
    par_loop("add", Exec{}, c.mesh.set(c.edges), how..., AddAll{},
             read(v, c.map), inc(sum, c.map));
  };
  par_loop("increase", Exec{}, c.mesh.set(c.points), Increase{}, rw(v),
           read(v));
  LoopOptions options;
  options.block_size = -1;
  Test::check_refused("block_size", [&] { run(options); });
  run();
  CHECK(c.mesh.to_blocks(c.points, sum) == c.added(3));
}

TEST_CASE("halos arrive if a rank fails while messages travel") {
  const Chain c(Deal::cyclic, 30);
  const auto v    = c.dat("v", c.points, c.n + 1);
  const auto sum  = Dat<int, 1>("sum", c.mesh.set(c.points));
  const auto from = read(v, c.map);
  const auto to   = inc(sum, c.map);
  par_loop("increase", Exec{}, c.mesh.set(c.points), Increase{}, rw(v),
           read(v));
  auto infos = Sporos::Impl::infos_of<Exec, SetRange>(from, to);
  const SetRange edges(c.mesh.set(c.edges));
  const Sporos::Impl::PartsLoop loop(Sporos::Impl::range_info(edges), {}, false,
                                     {infos.data(), 2});
  const Exec exec;
  const auto fails = [&](const Sporos::Impl::LoopPart&) {
    if (c.comm.rank() == 0) throw std::runtime_error("no memory");
  };
  if (c.comm.rank() == 0)
    CHECK_THROWS_AS(loop.run(&exec, fails), std::runtime_error);
  else
    CHECK_NOTHROW(loop.run(&exec, fails));
  for (int step = 0; step < 2; ++step)
    par_loop("add", exec, edges, AddAll{}, from, to);
  CHECK(c.mesh.to_blocks(c.points, sum) == c.added(6));
}

TEST_CASE("loops over distributed sets take maps of their mesh only") {
  const Chain c(Deal::blocks, 30);
  const Set edges = c.mesh.set(c.edges), points = c.mesh.set(c.points);
  const auto v   = c.dat("v", c.points, c.n + 1);
  const auto sum = Dat<int, 1>("sum", points);
  const Set local("local", 1);
  const Map<2, Exec::memory_space> by_hand("by_hand", edges, points,
                                           c.map.to_host());
  const Map<2, Exec::memory_space> from_local("from_local", local, points,
                                              std::vector<int>{0, 0});
  const auto throws = [&](const Set& set, const auto& map) {
    Test::check_refused("expected a map of the mesh that was distributed", [&] {
      par_loop("add", Exec{}, set, AddAll{}, read(v, map), inc(sum, map));
    });
  };
  throws(edges, by_hand);
  throws(local, from_local);
  Test::check_refused("Sporos::Map::modified: ends: expected a map of one",
                      [&] { c.map.modified(Exec{}); });
  CHECK(c.map.version() == 1);
}

TEST_CASE("targets that parts of a rank share are not disjoint") {
  const Communicator comm(MPI_COMM_WORLD);
  GlobalMesh global(comm);
  // Both edges write to point 0. One may be core, the other has a halo.
  const bool first  = comm.rank() == 0;
  const auto points = global.set("points", 3);
  const auto edges  = global.set("edges", first ? 2 : 0);
  const int end     = 3 * comm.size() - 1;
  const auto map    = global.map<2>(
      "map", edges, points,
      first ? std::vector<int>{0, 1, 0, end} : std::vector<int>{});
  const auto mesh = distribute(
      Exec{}, global,
      MeshPartition::given(points, std::vector<int>(3, comm.rank())));
  const Dat<int, 1> v("v", mesh.set(points)), number("number", mesh.set(edges));
  LoopOptions options;
  options.check_disjoint = true;
  const auto write       = [&](int index) {
    par_loop("write", Exec{}, mesh.set(edges), options, Increase{},
                   rw(v, mesh.map(map), index, disjoint), read(number));
  };
  Test::check_refused("expected disjoint targets, as promised",
                      [&] { write(0); });
  CHECK_NOTHROW(write(1));
}

}  // namespace WrongMeshLoopsOnRanks
