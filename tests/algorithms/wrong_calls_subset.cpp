// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What subsets and loops over them refuse.

#include "Sporos_MeshCases.hpp"
#include "Sporos_WrongCalls.hpp"

#include <string>
#include <vector>

namespace WrongSubsets {

using namespace Sporos;
using Test::chain_entries;
using Test::HostExec;
using Test::HostMemory;
using Test::Untouched;
using Test::WrongCall;

using Values = Dat<double, 1, Kokkos::LayoutRight, HostMemory>;
using Part   = Subset<HostMemory>;

struct Set1 {
  KOKKOS_FUNCTION void operator()(Write<double, 1> a) const { a[0] = 1; }
};

TEST_CASE("wrong lists of subsets", "[wrong_calls]") {
  const Set cells("cells", 10);
  const Part wall("wall", cells, std::vector<int>{8, 2, 5});
  const auto make = [&](const std::vector<int>& list) {
    return [&cells, list] { Part("wall", cells, list); };
  };
  const auto range = [&](int begin, int end) {
    return [&wall, begin, end] { wall.range(begin, end); };
  };
  const std::string f = "Sporos::Subset", r = "Sporos::Subset::range",
                    in              = "numbers in [0, 10) of the set cells",
                    once            = "each element of cells once";
  const std::vector<WrongCall> rows = {
      {"beyond the set", make({3, 10, 11}), f, "wall", in, "10 at entry 1"},
      {"below 0", make({-1}), f, "wall", in, "-1 at entry 0"},
      {"twice", make({3, 7, 1, 7, 3}), f, "wall", once, "7 at entries 1 and 3"},
      {"a view of nothing",
       [&] {
         using View = Kokkos::View<const int*, HostMemory,
                                   Kokkos::MemoryTraits<Kokkos::Unmanaged>>;
         Part("wall", cells, View(nullptr, 3));
       },
       f, "wall", "memory for extents (3)", "a null pointer"},
      {"a range beyond the list", range(1, 4), r, "wall",
       "0 <= begin <= end <= 3", "begin 1, end 4"},
      {"a range from below 0", range(-1, 2), r, "wall",
       "0 <= begin <= end <= 3", "begin -1, end 2"},
      {"a range that ends before it begins", range(2, 1), r, "wall",
       "0 <= begin <= end <= 3", "begin 2, end 1"},
      {"a range of nothing", [&] { Part().range(0, 0); }, r, "subset",
       "an initialised handle", "default-constructed"}};
  check_wrong_calls(rows, Untouched(), 8);
}

TEST_CASE("wrong loops over subsets", "[wrong_calls]") {
  const HostExec exec{};
  const Set edges("edges", 10), nodes("nodes", 11);
  const Map<2, HostMemory> ends("ends", edges, nodes, chain_entries(10));
  const Values on_edges("on_edges", edges), on_nodes("on_nodes", nodes);
  Untouched untouched;
  untouched.fill(on_edges.view());
  untouched.fill(on_nodes.view());
  const Part wall("wall", edges, std::vector<int>{8, 2, 5}),
      other("other", edges, std::vector<int>{2, 8, 5}), none;
  const Part twin("wall", edges, std::vector<int>{8, 2, 5});
  const LoopPlan<HostExec> plan(exec, wall, {}, write(on_edges));
  const LoopPlan<HostExec> last(exec, wall.range(1, 3), {}, write(on_edges));
  const auto run = [&](const auto& where, const auto&... rest) {
    return [=] { par_loop("loop", exec, where, rest...); };
  };
  LoopOptions checked, blocks;
  checked.check_disjoint = true;
  blocks.blocks          = {2, 5, 8};
  const Map<1, HostMemory> twice(
      "twice", edges, nodes, std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 2, 9});
  const std::string f = "Sporos::par_loop", in_loop = f + "(loop)",
                    a               = "argument 0, ",
                    here            = "one for the elements [0, 3) of other";
  const std::vector<WrongCall> rows = {
      {"a dat of another set", run(wall, Set1{}, write(on_nodes)), in_loop,
       a + "write(on_nodes)", "a dat on the set of the loop, edges (size 10)",
       "a dat on nodes"},
      {"a subset of nothing", run(none, Set1{}, write(on_edges)), in_loop,
       "subset", "an initialised handle", "default-constructed"},
      {"a plan of nothing",
       [&] { LoopPlan<HostExec>(exec, none, {}, write(on_edges)); }, f,
       "subset", "an initialised handle", "default-constructed"},
      {"a plan of another subset", run(other, plan, Set1{}, write(on_edges)),
       in_loop, "plan", here, "one for [0, 3) of wall"},
      {"a plan of a subset for the set",
       run(edges.range(0, 3), plan, Set1{}, write(on_edges)), in_loop, "plan",
       "one for the elements [0, 3) of edges", "one for [0, 3) of wall"},
      {"a plan of the whole list for a part",
       run(wall.range(0, 2), plan, Set1{}, write(on_edges)), in_loop, "plan",
       "one for the elements [0, 2) of wall", "one for [0, 3) of wall"},
      {"a plan of another part of the list",
       run(wall.range(0, 2), last, Set1{}, write(on_edges)), in_loop, "plan",
       "one for the elements [0, 2) of wall", "one for [1, 3) of wall"},
      {"a plan of another subset with that name",
       run(twin, plan, Set1{}, write(on_edges)), in_loop, "plan",
       "one for the elements [0, 3) of wall",
       "one for [0, 3) of wall, another one with that name"},
      {"blocks of element numbers", run(wall, blocks, Set1{}, write(on_edges)),
       in_loop, "options.blocks", "numbers from 0 to 3, the range", "2 to 8"},
      {"a promise that is broken",
       run(wall, checked, Set1{}, write(on_nodes, twice, 0, disjoint)), in_loop,
       a + "write(on_nodes, twice, 0)", "disjoint targets, as promised",
       "target 2 of elements 8 and 2"}};
  check_wrong_calls(rows, untouched, 10);
}

}  // namespace WrongSubsets
