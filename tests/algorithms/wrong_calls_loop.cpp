// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What loops over meshes and their plans refuse.

#include "Sporos_MeshCases.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_Ordering.hpp>
#include <Sporos_ParLoop.hpp>

#include <functional>
#include <string>
#include <utility>
#include <vector>

namespace WrongLoopCalls {

using namespace Sporos;
using Test::chain_entries;
using Test::HostExec;
using Test::HostMemory;
using Test::Untouched;
using Test::WrongCall;

using Values = Dat<double, 1, Kokkos::LayoutRight, HostMemory>;
using Ends   = Map<2, HostMemory>;
using AnyMap = Map<dynamic_arity, HostMemory>;
using Sum    = Global<double, 1, HostMemory>;

struct Set1 {
  KOKKOS_FUNCTION void operator()(Write<double, 1> a) const { a[0] = 1; }
};
struct Set2 {
  KOKKOS_FUNCTION void operator()(Write<double, 1> a,
                                  Write<double, 1> b) const {
    a[0] = b[0] = 1;
  }
};
struct Change1 {
  KOKKOS_FUNCTION void operator()(ReadWrite<double, 1> a) const { a[0] += 1; }
};
struct Add1 {
  KOKKOS_FUNCTION void operator()(Inc<double, 1> a) const { a[0] += 1; }
};
struct AddRead {
  KOKKOS_FUNCTION void operator()(Read<double, 1> a, Inc<double, 1> b) const {
    b[0] += a[0];
  }
};
struct Total {
  KOKKOS_FUNCTION void operator()(Read<double, 1> a,
                                  Reduce<double, 1> sum) const {
    sum[0] += a[0];
  }
};

struct Loops {
  Set edges{"edges", 10}, nodes{"nodes", 11}, cells{"cells", 11};
  Ends map{"ends", edges, nodes, chain_entries(10)};
  AnyMap any{"any", edges, nodes, 2, chain_entries(10)};
  Values on_edges{"on_edges", edges}, on_nodes{"on_nodes", nodes},
      on_cells{"on_cells", cells};
  double total = 0;
  Untouched untouched;

  Loops() {
    for (const Values* v : {&on_edges, &on_nodes, &on_cells})
      untouched.fill(v->view());
    untouched.watch(&total, sizeof total);
  }
  Loops(const Loops&)            = delete;
  Loops& operator=(const Loops&) = delete;

  /// A plan of such a loop.
  template <class... Args>
  std::function<void()> plan(const SetRange& set, const Args&... args) const {
    return with(set, LoopOptions{}, args...);
  }
  template <class... Args>
  std::function<void()> with(const SetRange& set, const LoopOptions& options,
                             const Args&... args) const {
    return [=] { LoopPlan<HostExec>(HostExec{}, set, options, args...); };
  }
  /// What par_loop says, which changes nothing.
  template <class... Args>
  std::string error(const Args&... args) const {
    const std::string text =
        Test::error_of([&] { par_loop("loop", HostExec{}, args...); });
    CHECK(untouched.holds());
    return text;
  }
};

const std::string f = "Sporos::par_loop", in_loop = f + "(loop)";

TEST_CASE("wrong arguments of loops", "[wrong_calls]") {
  const Loops l;
  const auto &e = l.edges, &n = l.nodes;
  const auto &x = l.on_nodes, &y = l.on_cells;
  const auto& m = l.map;
  const Values none;
  const Ends no_map;
  const Sum no_sum;
  const std::string direct  = "a dat on the set of the loop, edges (size 10)",
                    from    = "a map from the set of the loop, nodes (size 11)",
                    target  = "a dat on the target set of the map, nodes",
                    index   = "a map index in [0, 2)",
                    promise = "the promise that no target is written twice",
                    made    = "an initialised handle",
                    nothing = "default-constructed",
                    here    = "a dat on nodes (size 11)",
                    there = "a dat on cells (size 11)", a = "argument 0, ";
  const std::vector<WrongCall> rows = {
      {"a dat of another set is written", l.plan(e, write(x)), f,
       a + "write(on_nodes)", direct, here},
      {"a dat of another set is read", l.plan(e, read(x)), f,
       a + "read(on_nodes)", direct, here},
      {"the second argument", l.plan(e, read(l.on_edges), rw(x)), f,
       "argument 1, rw(on_nodes)", direct, here},
      {"a map of another set", l.plan(n, inc(x, m, 0)), f,
       a + "inc(on_nodes, ends, 0)", from, "a map from edges (size 10)"},
      {"a map of another set, all of it", l.plan(n, read(x, m)), f,
       a + "read(on_nodes, ends)", from, "a map from edges (size 10)"},
      {"a dat elsewhere", l.plan(e, read(y, m, 1)), f,
       a + "read(on_cells, ends, 1)", target, there},
      {"a dat elsewhere, all indices", l.plan(e, inc(y, m)), f,
       a + "inc(on_cells, ends)", target, there},
      {"an index too high", l.plan(e, inc(x, m, 2)), f,
       a + "inc(on_nodes, ends, 2)", index, "2"},
      {"an index below 0", l.plan(e, read(x, m, -1)), f,
       a + "read(on_nodes, ends, -1)", index, "-1"},
      {"an index of a run-time arity", l.plan(e, inc(x, l.any, 2)), f,
       a + "inc(on_nodes, any, 2)", index, "2"},
      {"written through a map", l.plan(e, write(x, m, 0)), f,
       a + "write(on_nodes, ends, 0)", promise, "none"},
      {"written through all of a map", l.plan(e, write(x, m)), f,
       a + "write(on_nodes, ends)", promise, "none"},
      {"changed through a map", l.plan(e, rw(x, m, 1)), f,
       a + "rw(on_nodes, ends, 1)", promise, "none"},
      {"changed through all of a map", l.plan(e, rw(x, m)), f,
       a + "rw(on_nodes, ends)", promise, "none"},
      {"a dat of nothing", l.plan(e, write(none)), f, a + "write(no dat)", made,
       nothing},
      {"a dat of nothing through a map", l.plan(e, read(none, m, 0)), f,
       a + "read(no dat, ends, 0)", made, nothing},
      {"a map of nothing", l.plan(e, inc(x, no_map)), f,
       a + "inc(on_nodes, no map)", made, nothing},
      {"a global of nothing is read", l.plan(e, read(l.on_edges), read(no_sum)),
       f, "argument 1, a global", made, nothing},
      {"a global of nothing is added to", l.plan(e, sum(no_sum)), f,
       a + "a global", made, nothing},
      {"a global of nothing is written", l.plan(e, write(no_sum)), f,
       a + "a global", made, nothing},
      {"on an empty range", l.plan(e.range(3, 3), write(y)), f,
       a + "write(on_cells)", direct, there},
      {"on an empty set", l.plan(Set("empty", 0), rw(l.on_edges)), f,
       a + "rw(on_edges)", "the set of the loop, empty (size 0)",
       "a dat on edges"}};
  check_wrong_calls(rows, l.untouched, 22);
}

TEST_CASE("wrong options of loops", "[wrong_calls]") {
  const Loops l;
  const auto size = [](int n) {
    LoopOptions o;
    o.block_size = n;
    return o;
  };
  const auto blocks = [](const std::vector<int>& b, int n = 0) {
    LoopOptions o;
    o.blocks     = b;
    o.block_size = n;
    return o;
  };
  const auto choice = [](int strategy, int staging) {
    LoopOptions o;
    o.strategy = LoopStrategy(strategy);
    o.staging  = Staging(staging);
    return o;
  };
  const auto add      = inc(l.on_nodes, l.map);
  const auto& e       = l.edges;
  const SetRange some = e.range(2, 8);
  // 8 bytes for each of 8192 elements and more
  const Set many("many", 8192);
  const Map<1, HostMemory> to("to", many, many, identity_order(8192));
  const Values y("y", many), z("z", many);
  const auto staged = [](int n, Staging staging) {
    LoopOptions o;
    o.strategy   = LoopStrategy::hierarchical;
    o.block_size = n;
    o.staging    = staging;
    return o;
  };
  const std::string
      b = "options.blocks",
      s = "options.block_size", range = "numbers from 0 to 10, the range",
      part = "numbers from 2 to 8, the range",
      scratch =
          "a block_size whose staged data fit into 32768 bytes of scratch";
  const std::vector<WrongCall> rows = {
      {"a size below 0", l.with(e, size(-1), add), f, s,
       "a number of elements, or 0", "-1"},
      {"a size below 0 where nothing conflicts",
       l.with(e, size(-64), write(l.on_edges)), f, s,
       "a number of elements, or 0", "-64"},
      {"blocks that begin late", l.with(e, blocks({1, 10}), add), f, b, range,
       "1 to 10"},
      {"blocks that end early", l.with(e, blocks({0, 5, 9}), add), f, b, range,
       "0 to 9"},
      {"one number", l.with(e, blocks({0}), add), f, b, range, "0 to 0"},
      {"blocks of the whole set", l.with(some, blocks({0, 10}), add), f, b,
       part, "0 to 10"},
      {"blocks that do not ascend", l.with(e, blocks({0, 6, 4, 10}), add), f, b,
       "ascending numbers", "6 before 4 at entry 2"},
      {"a block of nothing", l.with(e, blocks({0, 4, 4, 10}), add), f, b,
       "ascending numbers", "4 before 4 at entry 2"},
      {"blocks, and a size", l.with(e, blocks({0, 10}, 4), add), f, s,
       "0 together with options.blocks", "4"},
      {"a strategy that is none", l.with(e, choice(7, 0), add), f,
       "options.strategy",
       "automatic, serial, global_coloring, hierarchical, gather, owners or "
       "atomic",
       "7"},
      {"a strategy below 0", l.with(e, choice(-1, 0), add), f,
       "options.strategy",
       "automatic, serial, global_coloring, hierarchical, gather, owners or "
       "atomic",
       "-1"},
      {"a staging that is none", l.with(e, choice(0, 4), add), f,
       "options.staging", "automatic, none, increments or all", "4"},
      {"increments that scratch cannot hold",
       l.with(many, staged(8192, Staging::increments), inc(y, to, 0)), f,
       "options", scratch, "block_size 8192 with up to 65536 bytes in a block"},
      {"what is read, too",
       l.with(many, staged(4096, Staging::all), read(z, to, 0), inc(y, to, 0)),
       f, "options", scratch, "block_size 4096 with up to 65536 bytes"}};
  check_wrong_calls(rows, l.untouched, 14);
  // what is incremented alone fits
  l.with(many, staged(4096, Staging::increments), read(z, to, 0),
         inc(y, to, 0))();
}

TEST_CASE("wrong calls of par_loop", "[wrong_calls]") {
  Loops l;
  const HostExec exec{};
  const auto &e = l.edges, &n = l.nodes;
  const auto& x = l.on_nodes;
  const auto& m = l.map;
  LoopOptions bad, checked;
  bad.block_size         = -1;
  checked.check_disjoint = true;
  const Map<1, HostMemory> twice(
      "twice", e, n, std::vector<int>{0, 1, 2, 3, 4, 5, 6, 7, 3, 9});
  const Map<2> from_edges("ends", e, n, chain_entries(10));
  const Dat<double> by_default("on_nodes", n);
  const auto add      = inc(x, m, 0);
  const auto whole    = LoopPlan<HostExec>(exec, e, {}, add);
  const auto other    = LoopPlan<HostExec>(exec, e, {}, inc(x, twice, 0));
  const auto reads    = LoopPlan<HostExec>(exec, e, {}, read(x, m, 0));
  const auto two      = LoopPlan<HostExec>(exec, e, {}, add, inc(x, m, 1));
  const std::string a = "argument 0, ", p = "plan",
                    same =
                        "one whose argument 0 is inc through map ends at "
                        "index ";
  const auto run = [&](const SetRange& set, const auto& plan, const auto& arg) {
    return
        [&, set, plan, arg] { par_loop("loop", exec, set, plan, Add1{}, arg); };
  };
  const std::vector<WrongCall> rows = {
      {"a dat of another set",
       [&] { par_loop("loop", exec, e, Set1{}, write(x)); }, in_loop,
       a + "write(on_nodes)", "a dat on the set of the loop", "a dat on nodes"},
      {"in the default instance",
       [&] { par_loop("loop", n, Add1{}, inc(by_default, from_edges, 0)); },
       in_loop, a + "inc(on_nodes, ends, 0)", "a map from the set of the loop",
       "a map from edges"},
      {"a sum of another set's values",
       [&] { par_loop("loop", exec, e, Total{}, read(x), sum(l.total)); },
       in_loop, a + "read(on_nodes)", "a dat on the set of the loop",
       "a dat on nodes"},
      {"options", run(e, bad, add), in_loop, "options.block_size",
       "a number of elements, or 0", "-1"},
      {"a promise that is broken",
       [&] {
         par_loop("loop", exec, e, checked, Set1{},
                  write(x, twice, 0, disjoint));
       },
       in_loop, a + "write(on_nodes, twice, 0)",
       "disjoint targets, as promised", "target 3 of elements 3 and 8"},
      {"a promise that is broken by changes",
       [&] {
         par_loop("loop", exec, e, checked, Change1{}, rw(x, twice, disjoint));
       },
       in_loop, a + "rw(on_nodes, twice)", "disjoint targets, as promised",
       "target 3 of elements 3 and 8"},
      {"a promise that two arguments break together",
       [&] {
         par_loop("loop", exec, e, checked, Set2{}, write(x, m, 0, disjoint),
                  write(x, m, 1, disjoint));
       },
       in_loop, "argument 1, write(on_nodes, ends, 1)",
       "disjoint targets, as promised", "target 1 of elements 1 and 0"},
      {"a plan of a larger range", run(e.range(0, 5), whole, add), in_loop, p,
       "one for the elements [0, 5) of edges", "one for [0, 10) of edges"},
      {"a plan of another set",
       [&] {
         const Set one("one", 10), other_one("other_one", 10);
         const Values first("first", one), second("second", other_one);
         const LoopPlan<HostExec> of_one(HostExec{}, one, {}, inc(first));
         par_loop("loop", HostExec{}, other_one, of_one, Add1{}, inc(second));
       },
       in_loop, p, "one for the elements [0, 10) of other_one",
       "one for [0, 10) of one"},
      {"a plan of another index", run(e, whole, inc(x, m, 1)), in_loop, p,
       same + "1", "inc through map ends at index 0, 1 x 8 bytes"},
      {"a plan of another map", run(e, other, add), in_loop, p, same + "0",
       "inc through map twice at index 0"},
      {"a plan of another access", run(e, reads, add), in_loop, p, same + "0",
       "read through map ends at index 0"},
      {"a plan of more arguments", run(e, two, add), in_loop, p,
       "one for 1 arguments", "2"}};
  check_wrong_calls(rows, l.untouched, 13);
}

TEST_CASE("sets and maps with the name of the right one", "[wrong_calls]") {
  const Loops l;
  const auto add          = inc(l.on_nodes, l.map, 0);
  const std::string first = in_loop + ": argument 0, ";
  const Set twin("edges", 10);
  CHECK(l.error(twin, Set1{}, write(l.on_edges)) ==
        first +
            "write(on_edges): expected a dat on the set of the loop, edges "
            "(size 10), or a map, got a dat on edges (size 10), another one "
            "with that name");
  CHECK(l.error(twin, Add1{}, add) ==
        first +
            "inc(on_nodes, ends, 0): expected a map from the set of the loop, "
            "edges (size 10), got a map from edges (size 10), another one with "
            "that name");
  CHECK(
      l.error(l.edges, Add1{}, inc(Values("x", Set("nodes", 11)), l.map, 0)) ==
      first +
          "inc(x, ends, 0): expected a dat on the target set of the map, "
          "nodes (size 11), got a dat on nodes (size 11), another one with "
          "that name");
  const LoopPlan<HostExec> plan(HostExec{}, l.edges, {}, add);
  const Ends twin_map("ends", l.edges, l.nodes, chain_entries(10));
  CHECK(l.error(l.edges, plan, Add1{}, inc(l.on_nodes, twin_map, 0)) ==
        in_loop +
            ": plan: expected one whose argument 0 is inc through map ends at "
            "index 0, 1 x 8 bytes, got another map with that name, or other "
            "dats");
  par_loop("loop", HostExec{}, l.edges, plan, Add1{}, add);
}

TEST_CASE("writes through maps need a promise", "[wrong_calls]") {
  const Loops l;
  CHECK(l.error(l.edges, Set1{}, write(l.on_nodes, l.map, 0)) ==
        in_loop +
            ": argument 0, write(on_nodes, ends, 0): expected the promise that "
            "no target is written twice, Sporos::disjoint, for a write through "
            "a map, got none");
  LoopOptions o;
  o.check_disjoint = true;
  // no two edges have one first node
  par_loop("loop", HostExec{}, l.edges, o, Set1{},
           write(l.on_nodes, l.map, 0, disjoint));
}

// Found by fuzzing (tests/fuzz).
TEST_CASE("maps of more indices than staging has bits for", "[wrong_calls]") {
  const Loops l;
  const auto plan_for = [&l](int arity, Staging staging) {
    std::vector<int> entries;
    for (int k = 0; k < 10 * arity; ++k) entries.push_back(k * 7 % 11);
    const AnyMap wide("wide", l.edges, l.nodes, arity, entries);
    LoopOptions o;
    o.strategy = LoopStrategy::hierarchical;
    o.staging  = staging;
    return LoopPlan<HostExec>(HostExec{}, l.edges, o,
                              inc(l.on_nodes, wide, arity - 1));
  };
  CHECK(validate(plan_for(32, Staging::increments)) == "");
  CHECK(plan_for(32, Staging::increments).staging() == Staging::increments);
  CHECK(plan_for(33, Staging::automatic).staging() == Staging::none);
  CHECK(validate(plan_for(33, Staging::none)) == "");
  CHECK(Test::error_of([&] { plan_for(33, Staging::increments); }) ==
        "Sporos::par_loop: options.staging: expected none for a map of more "
        "than 32 indices, got increments for wide, which has 33");
}

TEST_CASE("plans of loops of nothing", "[wrong_calls]") {
  Loops l;
  const HostExec exec{};
  const LoopPlan<HostExec> none;
  LoopPlan<HostExec> moved_from(exec, l.edges, {}, inc(l.on_nodes, l.map, 0));
  const LoopPlan<HostExec> plan = std::move(moved_from);
  CHECK(plan.nblocks() == 1);
  const auto run = [&](const LoopPlan<HostExec>& p) {
    return [&] {
      par_loop("loop", exec, l.edges, p, Add1{}, inc(l.on_nodes, l.map, 0));
    };
  };
  const std::string p = "Sporos::LoopPlan", made = "an initialised handle",
                    by_default =
                        "one that was default-constructed or moved from";
  const std::vector<WrongCall> rows = {
      {"par_loop", run(none), in_loop, "plan", made, by_default},
      {"par_loop, moved from", run(moved_from), in_loop, "plan", made,
       by_default},
      {"blocks", [&] { none.nblocks(); }, p, "plan", made, by_default},
      {"describe", [&] { none.describe(); }, p, "plan", made, by_default},
      {"validate", [&] { validate(none); }, p, "plan", made, by_default}};
  check_wrong_calls(rows, l.untouched, 5);
}

TEST_CASE("dats that a loop reads and changes at other elements",
          "[wrong_calls]") {
  Loops l;
  const auto& e = l.edges;
  const auto& x = l.on_nodes;
  const auto& m = l.map;
  const Ends same_nodes("same_nodes", l.nodes, l.nodes,
                        std::vector<int>(22, 3));
  const Values shared("shared", l.nodes, x.view());
  const Values on_cells("on_cells", l.cells, x.view());
  const Ends cells("cells", l.edges, l.cells, chain_entries(10));
  const Kokkos::View<double* [2], Kokkos::LayoutLeft, HostMemory> two("two",
                                                                      11);
  const Dat<double, 2, Kokkos::LayoutLeft, HostMemory> both("both", l.nodes,
                                                            two);
  const Dat<double, 2, Kokkos::LayoutRight, HostMemory> rows(
      "rows", l.nodes,
      Kokkos::View<double* [2], Kokkos::LayoutRight, HostMemory>(two.data(),
                                                                 11));
  const Values one("one", l.nodes,
                   Kokkos::View<double* [1], Kokkos::LayoutRight, HostMemory>(
                       two.data(), 11));
  const std::string own = "another dat", b = "argument 1, ",
                    cut = "memory that overlaps it";
  const std::vector<WrongCall> calls = {
      {"the same memory on another set",
       l.plan(e, inc(x, m, 0), inc(on_cells, cells, 0)), f,
       b + "inc(on_cells, cells, 0)", "or the same", cut},
      {"a component of it", l.plan(e, inc(both, m, 0), inc(one, m, 0)), f,
       b + "inc(one, ends, 0)", "or the same", cut},
      {"the same memory in another layout",
       l.plan(l.nodes, read(both), write(rows)), f, b + "write(rows)",
       "or the same", cut},
      {"read and incremented", l.plan(e, read(x, m, 0), inc(x, m, 1)), f,
       b + "inc(on_nodes, ends, 1)", own,
       "that of argument 0, read(on_nodes, ends, 0)"},
      {"at the same index", l.plan(e, inc(x, m, 0), read(x, m, 0)), f,
       b + "read(on_nodes, ends, 0)", own,
       "that of argument 0, inc(on_nodes, ends, 0)"},
      {"directly and through a map",
       l.plan(l.nodes, inc(x, same_nodes, 0), read(x)), f, b + "read(on_nodes)",
       own, "that of argument 0, inc(on_nodes, same_nodes, 0)"},
      {"written and read", l.plan(e, write(x, m, 0, disjoint), read(x, m, 1)),
       f, b + "read(on_nodes, ends, 1)", own,
       "that of argument 0, write(on_nodes, ends, 0)"},
      {"written directly and through a map",
       l.plan(l.nodes, write(x), write(x, same_nodes, 1, disjoint)), f,
       b + "write(on_nodes, same_nodes, 1)", own,
       "that of argument 0, write(on_nodes)"},
      {"incremented, and the smallest is taken",
       l.plan(e, inc(x, m, 0), min(x, m, 1)), f, b + "min(on_nodes, ends, 1)",
       own, "that of argument 0, inc(on_nodes, ends, 0)"},
      {"the largest is taken, and read", l.plan(e, max(x, m), read(x, m, 1)), f,
       b + "read(on_nodes, ends, 1)", own,
       "that of argument 0, max(on_nodes, ends)"},
      {"another dat of the same values",
       l.plan(e, read(shared, m, 0), inc(x, m, 1)), f,
       b + "inc(on_nodes, ends, 1)", own,
       "that of argument 0, read(shared, ends, 0)"},
      {"the third argument",
       l.plan(e, read(l.on_edges), inc(x, m), read(x, m, 1)), f,
       "argument 2, read(on_nodes, ends, 1)", own,
       "that of argument 1, inc(on_nodes, ends)"},
      {"a part of its memory",
       [&] {
         const Set fewer("fewer", 10);
         const Values part("part", fewer, Kokkos::subview(x.view(), std::make_pair(1, 11), Kokkos::ALL()));
         const Ends to_part("to_part", l.edges, fewer, std::vector<int>(20, 3));
         l.plan(e, read(part, to_part, 0), inc(x, m, 0))();
       },
       f, b + "inc(on_nodes, ends, 0)", "memory separate from that of argument 0, read(part, to_part, 0), or the same", "memory that overlaps it"},
      {"in a loop",
       [&] {
         par_loop("loop", HostExec{}, e, AddRead{}, read(x, m, 0),
                  inc(x, m, 1));
       },
       in_loop,
       b + "inc(on_nodes, ends, 1)", own,
       "that of argument 0, read(on_nodes, ends, 0)"}};
  check_wrong_calls(calls, l.untouched, 14);
  l.plan(e, read(x, m, 0), read(on_cells, cells, 0))();
  l.plan(e, read(both, m, 0), read(rows, m, 0), read(one, m, 0))();
  l.plan(e, max(x, m, 0), max(x, m, 1))();
  l.plan(e, read(x, m, 0), read(x, m, 1))();
  l.plan(e, inc(x, m, 0), inc(x, m, 1))();
  l.plan(e, write(x, m, 0, disjoint), rw(x, m, 1, disjoint))();
  l.plan(l.nodes, read(x), write(x))();
}

TEST_CASE("maps that go wrong between loops", "[wrong_calls]") {
  const Loops l;
  const auto add = inc(l.on_nodes, l.map, 0);
  const LoopPlan<HostExec> plan(HostExec{}, l.edges, {}, add);
  l.map.view()(4, 1)                = 11;
  const std::vector<WrongCall> rows = {
      {"an entry beyond the set", [&] { l.map.modified(); }, "Sporos::Map",
       "ends", "entries in [0, 11) of the set nodes",
       "11 at element 4 of edges, index 1"},
      {"a loop after that",
       [&] { par_loop("loop", HostExec{}, l.edges, plan, Add1{}, add); },
       in_loop, "argument 0, inc(on_nodes, ends, 0)",
       "a map whose entries Map::modified() took",
       "one with entries that it refused"}};
  check_wrong_calls(rows, l.untouched, 2);
  l.map.view()(4, 1) = 10;
  l.map.modified();
  par_loop("loop", HostExec{}, l.edges, plan, Add1{}, add);
}

}  // namespace WrongLoopCalls
