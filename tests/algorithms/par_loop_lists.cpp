// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// LoopOptions::any_ranks and the strategy owners on hosts: lists of elements,
// by blocks of targets or with increments that are kept, give the same bits
// (see Sporos_LoopAlike.hpp). Blocks of targets as teams of devices have them.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <Sporos_MeshGenerators.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace ParLoopLists {

using namespace Sporos;
using namespace Sporos::Test;
using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;
template <int N>
using Values = Dat<double, N, Kokkos::LayoutRight, Memory>;

/// Two arguments increment one dat; direct writes and globals.
struct Stir {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2> v, ElementIndex<Real> e,
                                  Inc<Real, 1, 2> a, Inc<Real, 1> b,
                                  Write<Real, 1> w, Inc<Real, 1> own,
                                  Reduce<Real, 1> sum, Reduce<Real, 1> least,
                                  GlobalWrite<Real, 1> last) const {
    a(0, 0) += v[0] * v[1];
    a(1, 0) -= v[0] * v[0] + v[1];
    b[0] += v[1] * v[1] - v[0];
    w[0] = v[0] * v[1] + v[0];
    own[0] += v[0] * v[1] - v[1];
    sum[0] += v[0] * v[1] + v[1];
    least[0] = Sporos::min(least[0], v[0] * v[1]);
    last[0]  = index_as<Real>(e);
  }
};

struct Bits {
  std::vector<double> x, w, own;
  double sum = 0.125, least = 1, last = -1;
  bool operator==(const Bits& o) const {
    return x == o.x && w == o.w && own == o.own && sum == o.sum &&
           least == o.least && last == o.last;
  }
};

/// Edges between targets, in the order of a band or shuffled.
struct StirCase {
  int n, targets;
  Set from, to;
  Map<2, Memory> ends;
  Map<1, Memory> one;
  Values<2> v;
  Values<1> x, w, own;

  static std::vector<int> rows(int n, int arity, int targets, bool shuffled) {
    auto entries = banded_entries(n, arity, targets, 1);
    if (!shuffled) return entries;
    return random_entries(n, arity, targets, 2);
  }
  StirCase(int elements, bool shuffled)
      : n(elements),
        targets(elements / 2 + 2),
        from("from", n),
        to("to", targets),
        ends("ends", from, to, rows(n, 2, targets, shuffled)),
        one("one", from, to, rows(n, 1, targets, shuffled)),
        v("v", from),
        x("x", to),
        w("w", from),
        own("own", from) {
    std::vector<double> rough(2 * std::size_t(n));
    for (std::size_t k = 0; k < rough.size(); ++k)
      rough[k] = std::sin(double(k)) * std::exp(double(k % 23) - 11);
    v.assign(rough);
  }
  /// `how`: options or a plan
  template <class Range, class How>
  Bits run(const Range& range, const How& how) {
    Bits bits;
    x.assign(std::vector<double>(std::size_t(targets), 0.1));
    w.assign(std::vector<double>(std::size_t(n), 7));
    own.assign(std::vector<double>(std::size_t(n), 0.3));
    const Global<double, 1, Memory> last("last", -1.);
    par_loop("stir", Exec{}, range, how, Stir{}, read(v), element_index(),
             inc(x, ends), inc(x, one, 0), write(w), inc(own), sum(bits.sum),
             Sporos::min(bits.least), write(last));
    bits.last = last.value(0);
    bits.x    = x.to_host();
    bits.w    = w.to_host();
    bits.own  = own.to_host();
    return bits;
  }
  template <class Range>
  LoopPlan<Exec> plan(const Range& range, const LoopOptions& o) {
    double number = 0;
    return LoopPlan<Exec>(Exec{}, range, o, read(v), element_index(),
                          inc(x, ends), inc(x, one, 0), write(w), inc(own),
                          sum(number), Sporos::min(number),
                          write(Global<double, 1, Memory>("last")));
  }
  /// A plan as so many threads have it.
  LoopPlan<Exec> plan_of(int threads) {
    LoopOptions o;
    o.any_ranks     = true;
    const auto made = plan(from, o);
    auto& data      = made.data();
    const Sporos::Impl::Inspection inspection(data.maps);
    data.threads = threads;
    data.owner_blocks.clear();
    data.owner_list.clear();
    data.reverse.clear();
    data.keeps = false;
    if (!Sporos::Impl::make_owner_blocks(data)) {
      Sporos::Impl::make_kept_blocks(data);
      Sporos::Impl::make_reverse_maps(data);
    }
    return made;
  }
};

TEST_CASE("values by group, in the order of their items", "[par_loop]") {
  for (const int n : {0, 1, 2, 7, 1000, 20001})
    for (const int groups : {1, 3, 257, 5000})
      for (const bool once : {false, true}) {
        INFO(n << " items, " << groups << " groups, once: " << once);
        const auto entries = random_entries(n, 3, groups, 1);
        const auto visit   = [&](int k, const auto& f) {
          for (int s = 0; s < 3; ++s)
            f(entries[std::size_t(3 * k + s)], once ? k : 3 * k + s);
        };
        std::vector<std::vector<int>> expected(
            static_cast<std::size_t>(groups));
        int total = 0;
        for (int k = 0; k < n; ++k)
          visit(k, [&](int group, int value) {
            auto& mine = expected[std::size_t(group)];
            if (once && !mine.empty() && mine.back() == value) return;
            mine.push_back(value);
            ++total;
          });
        const auto made =
            Sporos::Impl::group_values("groups", n, groups, once, visit, total);
        REQUIRE(made.values.extent(0) == std::size_t(total));
        bool same = true;
        for (int g = 0; g < groups; ++g) {
          const auto& mine = expected[std::size_t(g)];
          same             = same &&
                 made.offsets(g + 1) - made.offsets(g) == int(mine.size()) &&
                 std::equal(mine.begin(), mine.end(),
                            made.values.data() + made.offsets(g));
        }
        CHECK(same);
        const auto none = Sporos::Impl::group_values("groups", n, groups, once,
                                                     visit, total - 1);
        CHECK(none.offsets.data() == nullptr);
      }
}

LoopOptions any_ranks(LoopStrategy strategy = LoopStrategy::automatic) {
  LoopOptions o;
  o.any_ranks = true;
  o.strategy  = strategy;
  return o;
}

TEST_CASE("the number of threads and kept increments do not change bits",
          "[par_loop]") {
  for (const bool shuffled : {false, true}) {
    StirCase c(9001, shuffled);
    const Bits bits = c.run(c.from, any_ranks());
    CHECK(bits.last == 9000);
    CHECK(bits.w[5000] != 7);
    CHECK(c.run(c.from, any_ranks(LoopStrategy::gather)) == bits);
    for (const int threads : {1, 2, 3, 40}) {
      INFO(threads << " threads, shuffled: " << shuffled);
      const auto plan  = c.plan_of(threads);
      const auto& data = plan.data();
      std::size_t runs = 0;
      for (const auto& block : data.owner_blocks)
        runs += std::size_t(block.size);
      // one block for one thread; no list that is much longer than n
      CHECK(data.keeps == (shuffled && threads > 1));
      if (threads == 1) CHECK(data.owner_blocks.size() == 1);
      CHECK(runs <= 9001 + 9001 / 2);
      CHECK(validate(plan) == "");
      CHECK(c.run(c.from, plan) == bits);
    }
  }
}

TEST_CASE("the strategy gather keeps increments also with any_ranks",
          "[par_loop]") {
  StirCase c(3000, false);
  const auto plan = c.plan(c.from, any_ranks(LoopStrategy::gather));
  CHECK(plan.data().keeps);
  CHECK_THAT(plan.describe(), Catch::Contains("increments are kept"));
  CHECK_THAT(c.plan_of(4).describe(), Catch::Contains("blocks of targets"));
  CHECK(validate(plan) == "");
}

TEST_CASE("the order of a subset's list does not change bits of any_ranks",
          "[par_loop]") {
  StirCase c(4000, false);
  std::vector<int> list;
  for (int e = 0; e < 4000; e += 3) list.push_back(e);
  const Bits bits =
      c.run(Sporos::Subset<Memory>("s", c.from, list), any_ranks());
  std::shuffle(list.begin(), list.end(), std::mt19937(3));
  const Sporos::Subset<Memory> mixed("mixed", c.from, list);
  for (const auto s : {LoopStrategy::automatic, LoopStrategy::gather}) {
    Bits other = c.run(mixed, any_ranks(s));
    CHECK(other.last == list.back());  // the list has an order for this one
    other.last = bits.last;
    CHECK(other == bits);
    CHECK(validate(c.plan(mixed, any_ranks(s))) == "");
  }
}

TEST_CASE("validate finds wrong lists", "[par_loop]") {
  StirCase c(3000, false);
  const auto wrong = [&](int threads, const auto& change) {
    const auto plan = c.plan_of(threads);
    REQUIRE(validate(plan) == "");
    change(plan.data());
    return validate(plan);
  };
  using Catch::Contains;
  CHECK_THAT(wrong(8, [](auto& p) { p.owner_list[3] = p.owner_list[4]; }),
             Contains("is twice in list 0"));
  CHECK_THAT(
      wrong(8, [](auto& p) { std::swap(p.owner_list[3], p.owner_list[7]); }),
      Contains("in another order than that of elements"));
  CHECK_THAT(wrong(8, [](auto& p) { p.owner_list[3] = 2800; }),
             Contains("reaches no target of list 0"));
  CHECK_THAT(wrong(8, [](auto& p) { p.owner_blocks[0].size = 0; }),
             Contains(" lists, not in "));
  CHECK_THAT(wrong(8, [](auto& p) { p.owner_list.pop_back(); }),
             Contains("is not in owner_list"));
  CHECK_THAT(wrong(1,
                   [](auto& p) {
                     p.owner_list[std::size_t(p.owner_blocks[0].size)] = 0;
                   }),
             Contains("list 0 has a wrong element"));
  const auto kept = c.plan(c.from, any_ranks(LoopStrategy::gather));
  auto& reverse   = kept.data().reverse[2];
  int t           = 0;
  while (reverse.offsets(t + 1) - reverse.offsets(t) < 2) ++t;
  std::swap(reverse.entries(reverse.offsets(t)),
            reverse.entries(reverse.offsets(t) + 1));
  CHECK_THAT(validate(kept), Contains("is not in the order of elements"));
}

LoopOptions owners() {
  LoopOptions o;
  o.strategy = LoopStrategy::owners;
  return o;
}

/// Makes what teams of devices would have of a plan.
template <class Plan>
bool make_teams(const Plan& made, std::int64_t most_runs) {
  auto& data = made.data();
  const Sporos::Impl::Inspection inspection(data.maps);
  data.threads = 0;
  data.owner_blocks.clear();
  data.owner_list.clear();
  data.reverse.clear();
  data.keeps = data.owners_meet = false;
  return Sporos::Impl::make_owner_teams(data, most_runs);
}

TEST_CASE("hosts run owners as any_ranks does", "[par_loop]") {
  StirCase c(9001, false);
  const Bits bits = c.run(c.from, any_ranks());
  CHECK(c.run(c.from, owners()) == bits);
  const auto plan = c.plan(c.from, owners());
  CHECK(plan.strategy() == LoopStrategy::owners);
  CHECK(validate(plan) == "");
  CHECK(c.run(c.from, plan) == bits);
}

TEST_CASE("blocks of targets for teams are compact", "[par_loop]") {
  const Sporos::QuadMesh mesh = Sporos::quad_mesh(120, 60, 2, 1);
  const Set edges("edges", mesh.edges()), cells("cells", mesh.cells());
  const Map<2, Memory> ends("ends", edges, cells, mesh.edge_cells);
  const Values<4> res("res", cells);
  const LoopPlan<Exec> plan(Exec{}, edges, owners(), inc(res, ends));
  const auto n = std::int64_t(mesh.edges());
  REQUIRE(make_teams(plan, n + n / 9));
  CHECK(validate(plan) == "");
  CHECK(plan.nshared() <= std::size_t(Sporos::Impl::owner_scratch));
  CHECK(plan.data().owner_blocks.size() <= 7200 / 200);
  CHECK_THAT(plan.describe(), Catch::Contains("bytes of scratch"));
  CHECK(!make_teams(plan, n + n / 100));
}

TEST_CASE("blocks of two dats need no more scratch than one", "[par_loop]") {
  const int n = 4000, groups = 8;
  std::vector<int> own, group;
  for (int e = 0; e < n; ++e) {
    own.push_back(e);
    group.push_back(e / (n / groups));
  }
  const Set from("from", n), to("to", n), few("few", groups);
  const Map<1, Memory> to_own("own", from, to, own),
      to_group("group", from, few, group);
  const Values<8> x("x", to), y("y", few);
  const LoopPlan<Exec> plan(Exec{}, from, owners(), inc(x, to_own, 0),
                            inc(y, to_group, 0));
  REQUIRE(make_teams(plan, 10 * n));
  CHECK(validate(plan) == "");
  CHECK(plan.nshared() <= std::size_t(Sporos::Impl::owner_scratch));
}

TEST_CASE("places of increments are proved", "[par_loop]") {
  for (const bool shuffled : {false, true}) {
    StirCase c(2001, shuffled);
    const auto wrong = [&](const auto& change) {
      const auto plan = c.plan(c.from, owners());
      REQUIRE(make_teams(plan, 1 << 20));
      REQUIRE(validate(plan) == "");
      change(plan.data().owner_groups[0]);
      return validate(plan);
    };
    using Catch::Contains;
    CHECK_THAT(wrong([](auto& g) { g.places(0) = 60000; }),
               Contains("does not sum entry 0 of owner_list in its order"));
    CHECK_THAT(wrong([](auto& g) { g.places(0) = Sporos::Impl::no_place; }),
               Contains("entry 0 of owner_list has a wrong place"));
    CHECK_THAT(wrong([](auto& g) { std::swap(g.targets(0), g.targets(1)); }),
               Contains("in its order"));
    CHECK_THAT(wrong([](auto& g) { --g.firsts(g.levels(1) - 1); }),
               Contains("target "));
  }
}

/// Changes what it sees: may not run twice.
struct Replace {
  KOKKOS_FUNCTION void operator()(ReadWrite<double, 1> own,
                                  Inc<double, 1, 2> x) const {
    x(0, 0) += own[0];
    x(1, 0) -= own[0];
    own[0] = -own[0];
  }
};

TEMPLATE_LIST_TEST_CASE("owners gather where elements may not run twice",
                        "[par_loop]", Spaces) {
  using Space = typename TestType::memory_space;
  using One   = Dat<double, 1, Kokkos::LayoutRight, Space>;
  const Set from("from", 40), to("to", 41);
  const Map<2, Space> ends("ends", from, to, chain_entries(40));
  const One own("own", from, std::vector<double>(40, 2)), x("x", to);
  const LoopPlan<TestType> plan(TestType{}, from, owners(), rw(own),
                                inc(x, ends));
  CHECK(plan.strategy() == LoopStrategy::gather);
  CHECK_THAT(plan.describe(),
             Catch::Contains("owners were asked for, but elements see"));
  CHECK(validate(plan) == "");
  par_loop("replace", TestType{}, from, plan, Replace{}, rw(own), inc(x, ends));
  CHECK(own.to_host() == std::vector<double>(40, -2));
  std::vector<double> expected(41, 0);
  expected[0] = 2, expected[40] = -2;
  CHECK(x.to_host() == expected);
}

}  // namespace ParLoopLists
