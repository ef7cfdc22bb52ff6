// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What par_loop refuses, in which words, and that nothing is written then.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <stdexcept>

namespace ParLoopErrors {

using namespace Sporos;
using namespace Sporos::Test;

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;
using Values = Dat<double, 1, Kokkos::LayoutRight, Memory>;

struct Set1 {
  KOKKOS_FUNCTION void operator()(Write<double, 1> a) const { a[0] = 1; }
};
struct Add1 {
  KOKKOS_FUNCTION void operator()(Inc<double, 1> a) const { a[0] += 1; }
};

struct Fixture {
  Set edges{"edges", 10}, nodes{"nodes", 11}, cells{"cells", 11};
  Map<2, Memory> map{"edge_nodes", edges, nodes, chain_entries(10)};
  Values on_edges{"on_edges", edges}, on_nodes{"on_nodes", nodes},
      on_cells{"on_cells", cells};

  template <class Space, class... Args>
  std::string error(const Space& space, const Args&... args) const {
    try {
      par_loop("loop", Exec{}, space, args...);
    } catch (const std::invalid_argument& e) {
      for (const Values* v : {&on_edges, &on_nodes, &on_cells})
        for (const double x : v->to_host()) REQUIRE(x == 0.);
      return e.what();
    }
    return "nothing thrown";
  }
};

TEST_CASE("arguments that do not fit the set", "[par_loop]") {
  const Fixture f;
  CHECK(f.error(f.edges, Set1{}, write(f.on_nodes)) ==
        "Sporos::par_loop(loop): argument 0, write(on_nodes): expected a dat "
        "on the "
        "set of the loop, edges (size 10), or a map, got a dat on nodes (size "
        "11)");
  CHECK(f.error(f.nodes, Add1{}, inc(f.on_nodes, f.map, 0)) ==
        "Sporos::par_loop(loop): argument 0, inc(on_nodes, edge_nodes, 0): "
        "expected "
        "a map from the set of the loop, nodes (size 11), got a map from edges "
        "(size 10)");
  CHECK(f.error(f.edges, Add1{}, inc(f.on_cells, f.map, 0)) ==
        "Sporos::par_loop(loop): argument 0, inc(on_cells, edge_nodes, 0): "
        "expected "
        "a dat on the target set of the map, nodes (size 11), got a dat on "
        "cells (size 11)");
  CHECK(f.error(f.edges, Add1{}, inc(f.on_nodes, f.map, 2)) ==
        "Sporos::par_loop(loop): argument 0, inc(on_nodes, edge_nodes, 2): "
        "expected "
        "a map index in [0, 2), got 2");
}

TEST_CASE("other sets with the name of the right one", "[par_loop]") {
  const Fixture f;
  const Set twin("edges", 10);
  CHECK(f.error(twin, Set1{}, write(f.on_edges)) ==
        "Sporos::par_loop(loop): argument 0, write(on_edges): expected a dat "
        "on the set of the loop, edges (size 10), or a map, got a dat on edges "
        "(size 10), another one with that name");
  CHECK(f.error(twin, Add1{}, inc(f.on_nodes, f.map, 0)) ==
        "Sporos::par_loop(loop): argument 0, inc(on_nodes, edge_nodes, 0): "
        "expected a map from the set of the loop, edges (size 10), got a map "
        "from edges (size 10), another one with that name");
  CHECK(
      f.error(f.edges, Add1{}, inc(Values("x", Set("nodes", 11)), f.map, 0)) ==
      "Sporos::par_loop(loop): argument 0, inc(x, edge_nodes, 0): expected a "
      "dat on the target set of the map, nodes (size 11), got a dat on nodes "
      "(size 11), another one with that name");
}

TEST_CASE("writes through maps need a promise", "[par_loop]") {
  const Fixture f;
  CHECK(f.error(f.edges, Set1{}, write(f.on_nodes, f.map, 0)) ==
        "Sporos::par_loop(loop): argument 0, write(on_nodes, edge_nodes, 0): "
        "expected the promise that no target is written twice, "
        "Sporos::disjoint, for a write through a map, got none");
  LoopOptions o;
  o.check_disjoint = true;
  // no two edges have one first node
  CHECK(f.error(f.edges, o, Set1{}, write(f.on_nodes, f.map, 0, disjoint)) ==
        "nothing thrown");
  const Map<1, Memory> one("one", f.edges, f.nodes,
                           std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 3, 9});
  const Values other("other", f.nodes);
  std::string message;
  try {
    par_loop("loop", Exec{}, f.edges, o, Set1{}, write(other, one, disjoint));
  } catch (const std::invalid_argument& e) {
    message = e.what();
  }
  CHECK(message ==
        "Sporos::par_loop(loop): argument 0, write(other, one): expected "
        "disjoint "
        "targets, as promised, got target 3 of elements 3 and 8");
  CHECK(other.to_host() == std::vector<double>(11, 0.));
}

TEST_CASE("options that cannot be met", "[par_loop]") {
  const Fixture f;
  LoopOptions o;
  o.block_size = -1;
  CHECK(f.error(f.edges, o, Add1{}, inc(f.on_nodes, f.map, 0)) ==
        "Sporos::par_loop(loop): options.block_size: expected a number of "
        "elements, "
        "or 0, got -1");
  // more than 32 KiB of scratch on hosts
  const Set many("many", 10000), targets("targets", 10000);
  std::vector<int> entries;
  for (int e = 0; e < 10000; ++e) entries.push_back(e);
  const Map<1, Memory> map("map", many, targets, entries);
  const Values y("y", targets);
  o.block_size = 8192;
  o.strategy   = LoopStrategy::hierarchical;
  o.staging    = Staging::increments;
  CHECK(f.error(many, o, Add1{}, inc(y, map, 0)) ==
        "Sporos::par_loop(loop): options: expected a block_size whose staged "
        "data "
        "fit into 32768 bytes of scratch, got block_size 8192 with up to 65536 "
        "bytes in a block");
}

// Found by fuzzing (tests/fuzz).
TEST_CASE("maps of more indices than staging has bits for", "[par_loop]") {
  const Fixture f;
  const auto plan_for = [&f](int arity, Staging staging) {
    std::vector<int> entries;
    for (int k = 0; k < 10 * arity; ++k) entries.push_back(k * 7 % 11);
    const Map<dynamic_arity, Memory> wide("wide", f.edges, f.nodes, arity,
                                          entries);
    LoopOptions o;
    o.strategy = LoopStrategy::hierarchical;
    o.staging  = staging;
    return LoopPlan<Exec>(Exec{}, f.edges, o, inc(f.on_nodes, wide, arity - 1));
  };
  CHECK(validate(plan_for(32, Staging::increments)) == "");
  CHECK(plan_for(32, Staging::increments).staging() == Staging::increments);
  CHECK(plan_for(33, Staging::automatic).staging() == Staging::none);
  CHECK(validate(plan_for(33, Staging::none)) == "");
  std::string message;
  try {
    plan_for(33, Staging::increments);
  } catch (const std::invalid_argument& e) {
    message = e.what();
  }
  CHECK(message ==
        "Sporos::par_loop: options.staging: expected none for a map of more "
        "than 32 indices, got increments for wide, which has 33");
}

TEST_CASE("plans of other loops", "[par_loop]") {
  const Fixture f;
  const LoopPlan<Exec> plan(Exec{}, f.edges, LoopOptions{},
                            inc(f.on_nodes, f.map, 0));
  CHECK(f.error(f.edges.range(0, 5), plan, Add1{}, inc(f.on_nodes, f.map, 0)) ==
        "Sporos::par_loop(loop): plan: expected one for the elements [0, 5) of "
        "edges, got one for [0, 10) of edges");
  CHECK(f.error(f.edges, plan, Add1{}, inc(f.on_nodes, f.map, 1)) ==
        "Sporos::par_loop(loop): plan: expected one whose argument 0 is inc "
        "through map edge_nodes at index 1, 1 x 8 bytes, got inc "
        "through map edge_nodes at index 0, 1 x 8 bytes");
  const Map<2, Memory> twin("edge_nodes", f.edges, f.nodes, chain_entries(10));
  CHECK(f.error(f.edges, plan, Add1{}, inc(f.on_nodes, twin, 0)) ==
        "Sporos::par_loop(loop): plan: expected one whose argument 0 is inc "
        "through map edge_nodes at index 0, 1 x 8 bytes, got another "
        "map with that name, or other dats");
  CHECK(f.error(f.edges, plan, Add1{}, inc(f.on_nodes, f.map, 0)) ==
        "nothing thrown");
}

}  // namespace ParLoopErrors
