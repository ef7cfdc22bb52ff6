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

using namespace Sporos;
using namespace Sporos::Test;
using Exec = RankExec;

#ifdef SPOROS_ENABLE_CHECKS
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
}
#endif

double loop_in_one_process(const Set& set);  // in_one_process/loop.cpp

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
           "expected all of a distributed set or subset, got a range of");
    std::vector<int> list(std::size_t(edges.owned()), 0);
    std::iota(list.begin(), list.end(), 0);
    const Subset some("some", edges, list);
    if (!list.empty())
      throws([&] { run(some.range(0, 0)); },
             "expected all of a distributed set or subset, got a range of");
    throws([&] { Subset("s", edges, std::vector<int>{n}); },
           "expected numbers in [0, ");
  }
  LoopOptions options;
  options.blocks = {0, n};
  throws([&] { run(edges, options); },
         "Sporos::par_loop: options.blocks: expected none for a distributed "
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
  if constexpr (!std::is_same_v<Exec, Kokkos::Serial>)
    if constexpr (Sporos::Impl::is_host_space_v<Exec>)
      throws(
          [&] {
            par_loop("add", Kokkos::Serial(), edges, AddAll{}, read(v, c.map),
                     inc(sum, c.map));
          },
          "expected the execution space for which the mesh was distributed");
#endif
  run(edges);  // nothing hangs, and the next loop is right
  std::vector<int> expected(std::size_t(c.n) + 1);
  for (int e = 0; e < c.n; ++e) {
    expected[std::size_t(e)] += e + 2 * (e + 1);
    expected[std::size_t(e) + 1] += e + 1;
  }
  CHECK(c.mesh.to_blocks(c.points, sum) == block(c.comm, expected, 1));
}
