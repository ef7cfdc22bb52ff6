// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What plans hold, and that validate sees when it is wrong. The inspectors run
// on hosts whatever the execution space, so plans of one host space are tested.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <algorithm>
#include <memory>
#include <set>

namespace PlanSemantics {

using namespace Sporos;
using namespace Sporos::Test;

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;
using Plan   = LoopPlan<Exec>;

/// A loop over one map that reads and increments.
template <int Arity>
struct Loop {
  Set from, to;
  Map<Arity, Memory> map;
  Dat<double, 2, Kokkos::LayoutRight, Memory> x;
  Dat<float, 3, Kokkos::LayoutRight, Memory> y;

  Loop(int n, int targets, const std::vector<int>& entries)
      : from("elements", n),
        to("targets", targets),
        map("map", from, to, entries),
        x("x", to),
        y("y", to) {}
  Plan plan(const LoopOptions& o) const {
    return Plan(Exec{}, from, o, read(x, map), inc(y, map));
  }
};

LoopOptions teams(int block_size, Staging staging = Staging::all) {
  LoopOptions o;
  o.strategy   = LoopStrategy::hierarchical;
  o.block_size = block_size;
  o.staging    = staging;
  return o;
}

TEST_CASE("a chain of edges needs two colours of threads and of blocks",
          "[plan]") {
  const Loop<2> loop(1000, 1001, chain_entries(1000));
  const Plan plan = loop.plan(teams(100));
  const auto& d   = plan.data();
  CHECK(plan.nblocks() == 10);
  CHECK(plan.nblkcol() == 2);
  CHECK(d.ncolblk == std::vector<int>{5, 5});
  for (int b = 0; b < 10; ++b) {
    CHECK(d.offset(b) == 100 * b);
    CHECK(d.nelems(b) == 100);
    CHECK(d.nthrcol(b) == 2);
    CHECK(d.blkmap(b) == (b < 5 ? 2 * b : 2 * (b - 5) + 1));
  }
  for (int e = 0; e < 1000; ++e) CHECK(d.thrcol(e) == e % 2);
  CHECK(validate(plan) == "");
}

TEST_CASE("staged data of a chain", "[plan]") {
  const Loop<2> loop(250, 251, chain_entries(250));
  const Plan plan = loop.plan(teams(100));
  const auto& d   = plan.data();
  REQUIRE(d.groups.size() == 1);  // both dats through all of one map
  const auto& g = d.groups[0];
  CHECK(d.arg_group == std::vector<int>{0, 0});
  CHECK(g.nindirect == 101 + 101 + 51);
  for (int b = 0; b < 3; ++b) {
    CHECK(g.ind_sizes(b) == (b < 2 ? 101 : 51));
    CHECK(g.ind_offs(b) == 101 * b);
    for (int l = 0; l < g.ind_sizes(b); ++l)
      CHECK(g.ind_map(g.ind_offs(b) + l) == 100 * b + l);
  }
  for (int e = 0; e < 250; ++e) {
    CHECK(g.loc_map(e) == e % 100);
    CHECK(g.loc_map(250 + e) == e % 100 + 1);
  }
  // 101 targets of 2 doubles, and 3 floats each rounded up to 8 bytes
  CHECK(plan.nshared() == 101 * 16 + (101 * 12 + 7) / 8 * 8);
  const auto increments = loop.plan(teams(100, Staging::increments));
  CHECK(increments.nshared() == (101 * 12 + 7) / 8 * 8);
  CHECK(increments.data().arg_group == std::vector<int>{-1, 0});
}

TEST_CASE("threads are sorted by colour, or not", "[plan]") {
  const Loop<2> loop(250, 251, chain_entries(250));
  LoopOptions o     = teams(100);
  const Plan sorted = loop.plan(o);
  for (int k = 0; k < 100; ++k)
    CHECK(sorted.data().order(k) == (k < 50 ? 2 * k : 2 * (k - 50) + 1));
  o.sort_by_color    = false;
  const Plan natural = loop.plan(o);
  for (int k = 0; k < 250; ++k) CHECK(natural.data().order(k) == k);
  CHECK(validate(natural) == "");
}

TEST_CASE("more than 32 and more than 64 colours", "[plan]") {
  for (const int degree : {33, 64, 65, 100}) {
    std::vector<int> entries;
    for (int e = 0; e < degree; ++e) entries.insert(entries.end(), {0, e + 1});
    const Loop<2> loop(degree, degree + 1, entries);
    const Plan threads = loop.plan(teams(128));
    CHECK(threads.data().nthrcol(0) == degree);
    CHECK(threads.nblkcol() == 1);
    CHECK(validate(threads) == "");
    const Plan blocks = loop.plan(teams(1));
    CHECK(blocks.nblocks() == degree);
    CHECK(blocks.nblkcol() == degree);
    CHECK(validate(blocks) == "");
    LoopOptions o;
    o.strategy          = LoopStrategy::global_coloring;
    const Plan elements = loop.plan(o);
    CHECK(elements.ncolors() == degree);
    CHECK(validate(elements) == "");
  }
}

TEST_CASE("repeated targets of an element are no conflict", "[plan]") {
  const Loop<2> loop(10, 10, [] {
    std::vector<int> entries;
    for (int e = 0; e < 10; ++e) entries.insert(entries.end(), {e, e});
    return entries;
  }());
  const Plan plan = loop.plan(teams(4));
  CHECK(plan.nblkcol() == 1);
  for (int b = 0; b < 3; ++b) CHECK(plan.data().nthrcol(b) == 1);
  CHECK(plan.data().groups[0].nindirect == 10);
  CHECK(validate(plan) == "");
}

template <int Arity>
void check_random(int n, int targets, int block_size) {
  for (const bool banded : {true, false}) {
    const Loop<Arity> loop(
        n, targets,
        banded ? banded_entries(n, Arity, targets, unsigned(block_size))
               : random_entries(n, Arity, targets, unsigned(block_size)));
    for (LoopOptions o : all_options(block_size)) {
      INFO(text(o) << ", arity " << Arity << ", " << n << " elements");
      CHECK(validate(loop.plan(o)) == "");
    }
  }
}

TEST_CASE("plans of random maps are sound", "[plan]") {
  for (const int n : {0, 1, 5, 100, 999}) {
    check_random<1>(n, 50, 16);
    check_random<4>(n, 700, 64);
    check_random<8>(n, 900, 32);
    check_random<2>(n, 100, 1);
    check_random<2>(n, 100, 1024);
  }
}

TEST_CASE("only increments colour, and only the columns they use", "[plan]") {
  const Loop<2> loop(100, 101, chain_entries(100));
  const Exec exec{};
  const Plan reads(exec, loop.from, teams(10), read(loop.x, loop.map));
  CHECK(reads.nblkcol() == 1);
  // column 1 alone: each target once
  const Plan column(exec, loop.from, teams(10), read(loop.x, loop.map),
                    inc(loop.y, loop.map, 1));
  CHECK(column.nblkcol() == 1);
  for (int b = 0; b < 10; ++b) CHECK(column.data().nthrcol(b) == 1);
  REQUIRE(column.data().groups.size() == 2);
  CHECK(column.data().groups[1].n_columns == 1);
  CHECK(validate(column) == "");
  // both columns one by one: as all at once
  const Plan both(exec, loop.from, teams(10), inc(loop.y, loop.map, 0),
                  inc(loop.y, loop.map, 1));
  CHECK(both.nblkcol() == 2);
  CHECK(both.data().nthrcol(0) == 2);
  CHECK(both.data().groups.size() == 1);
  CHECK(both.nshared() == (11 * 12 + 7) / 8 * 8);
  CHECK(validate(both) == "");
}

TEST_CASE("blocks shrink until their staged data fit scratch", "[plan]") {
  const Loop<8> loop(3000, 30000, random_entries(3000, 8, 30000, 1));
  const Plan plan = loop.plan(teams(0));
  CHECK(plan.block_size() == 128);
  CHECK(plan.nshared() <= 32 * 1024);
  CHECK(plan.describe().find("blocks of 256 elements would need") !=
        std::string::npos);
  CHECK(validate(plan) == "");
}

TEST_CASE("validate sees what is wrong", "[plan]") {
  const Loop<2> loop(1000, 1001, chain_entries(1000));
  const Plan plan = loop.plan(teams(100));
  auto& d         = plan.data();
  REQUIRE(validate(plan) == "");
  const auto sees = [&](const std::string& part) {
    const std::string message = validate(plan);
    INFO("message: " << message << ", expected: " << part);
    CHECK(message.find(part) != std::string::npos);
  };
  SECTION("blocks of one colour meet") {
    std::swap(d.blkmap(0), d.blkmap(9));
    sees("of colour");
  }
  SECTION("a block twice") {
    d.blkmap(1) = d.blkmap(0);
    sees("blkmap is no permutation");
  }
  SECTION("a block lost") {
    d.ncolblk[1] = 4;
    sees("the colours have 9 blocks, not 10");
  }
  SECTION("an element twice") {
    d.offset(3) = 299;
    sees("block 3 begins at 299, not at 300");
  }
  SECTION("an element lost") {
    d.nelems(9) = 99;
    sees("the blocks end at 999");
  }
  SECTION("threads of one colour meet") {
    d.thrcol(517) = d.thrcol(516);
    sees("elements 516 and 517 of colour 0 in block 5");
  }
  SECTION("a colour that is not run") {
    d.nthrcol(2) = 1;
    sees("has colour 1 of 1");
  }
  SECTION("an element of another block") {
    d.order(200) = 199;
    sees("order is no permutation of block 2");
  }
  SECTION("a wrong local number") {
    d.groups[0].loc_map(640) = 3;
    sees("loc_map of element 640, index 0");
  }
  SECTION("a wrong target") {
    d.groups[0].ind_map(0) = 1;
    sees("ind_map of block 0");
  }
  SECTION("too little scratch") {
    d.nshared_color[0] -= 8;
    sees("bytes of scratch");
  }
}

TEST_CASE("validate sees wrong colours of elements and wrong reverse maps",
          "[plan]") {
  const Loop<2> loop(100, 101, chain_entries(100));
  LoopOptions o;
  o.strategy        = LoopStrategy::global_coloring;
  const Plan colors = loop.plan(o);
  CHECK(colors.ncolors() == 2);
  std::swap(colors.data().color_order(0), colors.data().color_order(99));
  CHECK(validate(colors).find("increment the same target") !=
        std::string::npos);
  o.strategy        = LoopStrategy::gather;
  const Plan gather = loop.plan(o);
  std::swap(gather.data().reverse[1].entries(4),
            gather.data().reverse[1].entries(9));
  CHECK(validate(gather).find("reverse of map is wrong at target") !=
        std::string::npos);
}

TEST_CASE("blocks of different sizes", "[plan]") {
  const Loop<2> loop(1000, 1001, chain_entries(1000));
  LoopOptions o      = teams(0);
  o.blocks           = {0, 10, 11, 300, 990, 1000};
  const Plan plan    = loop.plan(o);
  const auto& d      = plan.data();
  const int sizes[5] = {10, 1, 289, 690, 10};
  CHECK(plan.nblocks() == 5);
  CHECK(plan.block_size() == 690);
  CHECK(d.ncolblk == std::vector<int>{3, 2});
  for (int b = 0; b < 5; ++b) {
    CHECK(d.offset(b) == o.blocks[b]);
    CHECK(d.nelems(b) == sizes[b]);
    CHECK(d.groups[0].ind_sizes(b) == sizes[b] + 1);
    CHECK(d.groups[0].ind_map(d.groups[0].ind_offs(b)) == o.blocks[b]);
  }
  CHECK(validate(plan).empty());
  CHECK(plan.describe().find("5 blocks of up to 690") != std::string::npos);
  CHECK(plan.reuse()[0].reuse_factor == Approx(1005. / 2000.));
}

TEST_CASE("describe and reuse", "[plan]") {
  const Loop<2> loop(1000, 1001, chain_entries(1000));
  const Plan plan  = loop.plan(teams(100));
  const auto reuse = plan.reuse();
  REQUIRE(reuse.size() == 2);
  CHECK(reuse[0].argument == "argument 0, read(x, map)");
  CHECK(reuse[0].reuse_factor == Approx(101. / 200.));
  CHECK(reuse[0].cache_lines == Approx(50.5).margin(.51));  // 2 targets a line
  CHECK(reuse[1].cache_lines == Approx(101 * 12 / 32.).margin(1.1));
  const std::string words = plan.describe();
  for (const char* part :
       {"loop over 1000 elements of elements", "hierarchical", "asked for",
        "10 blocks of 100", "2 colours (5, 5 blocks)", "thread colours: 2",
        "staged: all", "reuse factor 0.505"}) {
    INFO(words << "lacks " << part);
    CHECK(words.find(part) != std::string::npos);
  }
}

TEST_CASE("targets of several sets are numbered, or share numbers", "[plan]") {
  const int entries[2]                 = {3, 1499999999};
  const Sporos::Impl::SetState sets[3] = {};
  const Sporos::Impl::MapState maps[3] = {};
  Sporos::Impl::PlanData<Memory> data;
  data.n = 2;
  for (int m = 0; m < 3; ++m) {
    Sporos::Impl::HostMap map;
    map.n           = 2;
    map.arity       = 1;
    map.rows        = {entries, 1, 2, std::make_shared<int>()};
    map.target      = &sets[m];
    map.target_size = 1500000000 / (m == 1 ? 3 : 1);
    data.maps.push_back(map);
    Sporos::Impl::ArgKey key;
    key.map    = &maps[m];
    key.access = Access::inc;
    data.keys.push_back(key);
    data.arg_map.push_back(m);
  }
  const Sporos::Impl::ConflictTables conflicts(data);
  REQUIRE(conflicts.tables.size() == 3);
  CHECK(conflicts.tables[0].first_target == 0);
  CHECK(conflicts.tables[1].first_target == 1500000000);
  CHECK(conflicts.tables[2].first_target == 0);  // 2^31 are too few for it
  CHECK(conflicts.n_targets == 2000000000);
}

}  // namespace PlanSemantics
