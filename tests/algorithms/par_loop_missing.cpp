// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops through maps whose negative entries name nothing.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_Reorder.hpp>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

namespace ParLoopMissing {

using namespace Sporos;
using namespace Sporos::Test;

constexpr auto allowed  = MissingEntries::allowed;
constexpr double beyond = 7, unplaced = 5;  // what is read at missing entries

/// All accesses through maps, and what elements do besides.
struct Assemble {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 2, 3> x, Read<Real> w,
                                  Inc<Real, 2, 3> y, Reduce<Real> low,
                                  ReadWrite<Real> z, Write<Real> u,
                                  Reduce<Real> total) const {
    Real s = w[0];
    for (int i = 0; i < 3; ++i) s += x(i, 0) - x(i, 1) * Real(2);
    for (int i = 0; i < 3; ++i) {
      y(i, 0) += s;
      y(i, 1) -= x(i, 1);
    }
    low[0] = Sporos::min(low[0], s);
    u[0]   = s + z[0];
    z[0]   = z[0] + w[0];
    total[0] += s;
  }
};

template <class Exec, class Layout>
struct Case {
  using Memory = typename Exec::memory_space;
  template <int N>
  using Values = Dat<double, N, Layout, Memory>;

  Set from, to;
  Map<3, Memory> map;
  Map<1, Memory> place;
  Values<2> x, y;
  Values<1> w, low, z, u;
  double total = 0;

  Case(int n, int targets, const std::vector<int>& entries,
       const std::vector<int>& places)
      : from("elements", n),
        to("targets", targets),
        map("map", from, to, entries, allowed),
        place("place", from, to, places, allowed),
        x("x", to, small_values(2 * std::size_t(targets), 1)),
        y("y", to, small_values(2 * std::size_t(targets), 2)),
        w("w", from, small_values(std::size_t(n), 3)),
        low("low", to, small_values(std::size_t(targets), 4)),
        z("z", to, small_values(std::size_t(targets), 5)),
        u("u", from) {}

  template <class F>
  void with_arguments(const F& f) {
    f(with_missing(read(x, map), beyond), read(w), with_missing(inc(y, map)),
      with_missing(Sporos::min(low, map, 1)),
      with_missing(rw(z, place, 0, disjoint), unplaced), write(u), sum(total));
  }
  template <class Range>
  void check(const Range& range, const LoopOptions& o) {
    INFO(text(o));
    const Exec exec{};
    with_arguments([&](const auto&... args) {
      const LoopPlan<Exec> plan(exec, range, o, args...);
      CHECK(validate(plan) == "");
      CHECK(plan.describe().find("reuse factor") != std::string::npos);
      par_loop("assemble", exec, range, plan, Assemble{}, args...);
    });
    Kokkos::fence();
  }
  /// What a plain loop does to dats: y, low, z, u, total.
  std::vector<double> expected(const std::vector<int>& list) const {
    const auto hx = x.to_host(), hw = w.to_host();
    const auto rows = map.to_host(), at = place.to_host();
    auto hy = y.to_host(), hl = low.to_host(), hz = z.to_host(),
         hu    = u.to_host();
    double sum = total;
    for (const int k : list) {
      const auto e       = std::size_t(k);
      const int* const t = &rows[3 * e];
      const auto value   = [&](int i, int c) {
        return t[i] < 0 ? beyond : hx[2 * std::size_t(t[i]) + std::size_t(c)];
      };
      double s = hw[e];
      for (int i = 0; i < 3; ++i) s += value(i, 0) - 2 * value(i, 1);
      for (int i = 0; i < 3; ++i)
        if (t[i] >= 0) {
          hy[2 * std::size_t(t[i])] += s;
          hy[2 * std::size_t(t[i]) + 1] -= value(i, 1);
        }
      if (t[1] >= 0) {
        double& least = hl[std::size_t(t[1])];
        least         = std::min(least, s);
      }
      hu[e] = s + (at[e] < 0 ? unplaced : hz[std::size_t(at[e])]);
      if (at[e] >= 0) hz[std::size_t(at[e])] += hw[e];
      sum += s;
    }
    for (const auto* more : {&hl, &hz, &hu})
      hy.insert(hy.end(), more->begin(), more->end());
    hy.push_back(sum);
    return hy;
  }
  std::vector<double> now() const { return expected({}); }
};

std::vector<int> places_of(int n, int targets) {
  std::vector<int> places;
  for (int e = 0; e < n; ++e)
    places.push_back(e % 5 == 2 || e >= targets ? -1 : targets - 1 - e);
  return places;
}

template <class C, class Range>
void check_all(C& c, const Range& range, const std::vector<int>& list,
               int block_size) {
  for (LoopOptions o : all_options(block_size))
    for (const bool packs : {true, false}) {
      o.packs             = packs;
      const auto expected = c.expected(list);
      c.check(range, o);
      CHECK(c.now() == expected);
    }
}

std::vector<int> all_of(int n) {
  std::vector<int> list(static_cast<std::size_t>(n));
  std::iota(list.begin(), list.end(), 0);
  return list;
}

TEMPLATE_LIST_TEST_CASE("negative entries name nothing, AoS", "[par_loop]",
                        Spaces) {
  for (const int n : {1, 3, 501}) {
    const int targets = n < 100 ? 2 : n + 40;
    Case<TestType, Kokkos::LayoutRight> c(
        n, targets,
        some_missing(n < 100 ? random_entries(n, 3, targets, 6)
                             : banded_entries(n, 3, targets, 6),
                     3, 7),
        places_of(n, targets));
    check_all(c, c.from, all_of(n), n < 100 ? 0 : 32);
    // renumbered: the same elements, and negative entries stay
    const auto before = c.map.to_host();
    Mesh mesh(c.map, c.place, c.x, c.y, c.w, c.low, c.z, c.u);
    for (const auto ordering :
         {MeshOrdering::reverse_cuthill_mckee, MeshOrdering::random}) {
      ReorderOptions o;
      o.ordering            = ordering;
      const auto reordering = reorder(mesh, o);
      const auto expected   = c.expected(all_of(n));
      c.check(c.from, {});
      CHECK(c.now() == expected);
      apply(mesh, inverse(reordering));
      CHECK(c.map.to_host() == before);
    }
  }
}

TEMPLATE_LIST_TEST_CASE("negative entries name nothing, SoA and subset",
                        "[par_loop]", Spaces) {
  const int n = 233, targets = 19;
  Case<TestType, Kokkos::LayoutLeft> c(
      n, targets, some_missing(random_entries(n, 3, targets, 8), 3, 9),
      places_of(n, targets));
  auto list = all_of(n);
  std::shuffle(list.begin(), list.end(), std::mt19937(3));
  list.resize(150);
  check_all(c, Subset<typename TestType::memory_space>("some", c.from, list),
            list, 16);
}

TEMPLATE_LIST_TEST_CASE("maps that name nothing at all", "[par_loop]", Spaces) {
  for (const int targets : {0, 4}) {
    Case<TestType, Kokkos::LayoutRight> c(
        50, targets, std::vector<int>(150, -1), std::vector<int>(50, -1));
    check_all(c, c.from, all_of(50), 8);
    CHECK_NOTHROW(reorder(Mesh(c.map, c.place, c.x, c.w)));
  }
}

/// Increments, a direct write and a sum, which loops with any_ranks make in
/// blocks of targets or keep.
struct AddOrMissing {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1, 2> x, Inc<Real, 1, 2> y,
                                  Write<Real> own, Reduce<Real> sum) const {
    const Real s = x(0, 0) + x(1, 0);
    for (int i = 0; i < 2; ++i) y(i, 0) += s;
    own[0] = s + Real(1);
    sum[0] += s;
  }
};

TEMPLATE_LIST_TEST_CASE("elements that reach nothing run with any_ranks",
                        "[par_loop]", Spaces) {
  using M     = typename TestType::memory_space;
  const int n = 9000;
  const Set from("from", n), to("to", n);
  const auto entries = some_missing(banded_entries(n, 2, n, 1), 2, 2);
  const Map<2, M> map("map", from, to, entries, allowed);
  const auto values = small_values(std::size_t(n), 3);
  const Dat<double, 1, Kokkos::LayoutRight, M> x("x", to, values), y("y", to),
      own("own", from);
  std::vector<double> sums(values.size()), written(values.size());
  double expected = 0, total = 0;
  for (std::size_t e = 0; e < values.size(); ++e) {
    for (std::size_t i = 0; i < 2; ++i)
      if (const int t = entries[2 * e + i]; t >= 0)
        written[e] += values[std::size_t(t)];
    for (std::size_t i = 0; i < 2; ++i)
      if (const int t = entries[2 * e + i]; t >= 0)
        sums[std::size_t(t)] += written[e];
    expected += written[e];
    written[e] += 1;
  }
  LoopOptions o;
  o.any_ranks = true;
  par_loop("alike", TestType{}, from, o, AddOrMissing{},
           with_missing(read(x, map)), with_missing(inc(y, map)), write(own),
           sum(total));
  CHECK(total == expected);
  CHECK(y.to_host() == sums);
  CHECK(own.to_host() == written);
}

/// b += 1, directly and through a map of the set to itself.
struct AddOnes {
  KOKKOS_FUNCTION void operator()(Inc<int> own, Inc<int, 1, 2> others) const {
    own[0] += 1;
    for (int i = 0; i < 2; ++i) others(i, 0) += 10;
  }
};

TEMPLATE_LIST_TEST_CASE("negative entries of a set to itself", "[par_loop]",
                        Spaces) {
  using M     = typename TestType::memory_space;
  const int n = 300;
  const Set set("set", n);
  const auto entries = some_missing(random_entries(n, 2, n, 1), 2, 2);
  const Map<2, M> map("map", set, set, entries, allowed);
  std::vector<int> expected(std::size_t(n), 1);
  for (const int t : entries)
    if (t >= 0) expected[std::size_t(t)] += 10;
  for (const LoopOptions& o : all_options(16)) {
    const Dat<int, 1, Kokkos::LayoutRight, M> b("b", set);
    par_loop("ones", TestType{}, set, o, AddOnes{}, inc(b),
             with_missing(inc(b, map)));
    Kokkos::fence();
    CHECK(b.to_host() == expected);
  }
}

struct SetAll {
  KOKKOS_FUNCTION void operator()(Write<int, 1, 2> x) const {
    x(0, 0) = x(1, 0) = 3;
  }
};

TEST_CASE("what maps with missing entries refuse", "[par_loop]") {
  using Ends   = Map<2, HostMemory>;
  using Values = Dat<int, 1, Kokkos::LayoutRight, HostMemory>;
  const Set edges("edges", 2), nodes("nodes", 3);
  const std::vector<int> entries = {0, -1, 1, 2};
  const Ends map("ends", edges, nodes, entries, allowed),
      twice("twice", edges, nodes, std::vector<int>{0, -1, 0, -2}, allowed);
  CHECK(map.has_missing());
  const Values x("x", nodes);
  Untouched untouched;
  untouched.fill(x.view());
  LoopOptions disjoint_only;
  disjoint_only.check_disjoint = true;
  const auto plan              = [&](const auto& arg) {
    return
        [&, arg] { LoopPlan<HostExec>(HostExec{}, edges, disjoint_only, arg); };
  };
  const std::string loop = "Sporos::par_loop", needs = "with_missing(...)";
  check_wrong_calls(
      {{"without the option", [&] { Ends("bad", edges, nodes, entries); },
        "Sporos::Map", "bad", "entries in [0, 3) of the set nodes",
        "-1 at element 0 of edges, index 1"},
       {"too large",
        [&] {
          Ends("bad", edges, nodes, std::vector<int>{0, -1, 3, 2}, allowed);
        },
        "Sporos::Map", "bad",
        "entries in [0, 3) of the set nodes, or negative ones",
        "3 at element 1 of edges, index 0"},
       {"an unsigned number that would become negative",
        [&] {
          Ends("bad", edges, nodes,
               std::vector<std::uint64_t>{0, 1, ~std::uint64_t(0), 2}, allowed);
        },
        "Sporos::Map", "bad", "entries in [0, 3)",
        "18446744073709551615 at element 1"},
       {"a number below those of int",
        [&] {
          Ends("bad", edges, nodes,
               std::vector<std::int64_t>{0, 1, -(std::int64_t(1) << 40), 2},
               allowed);
        },
        "Sporos::Map", "bad", "entries in [0, 3)", "-1099511627776"},
       {"read", plan(read(x, map)), loop, "argument 0, read(x, ends)", needs,
        "one without"},
       {"increment", plan(inc(x, map, 1)), loop, "argument 0, inc(x, ends, 1)",
        needs, "one without"},
       {"write", plan(write(x, map, 0, disjoint)), loop,
        "argument 0, write(x, ends, 0)", needs, "one without"},
       {"without the promise", plan(with_missing(rw(x, map, 0))), loop,
        "argument 0, rw(x, ends, 0)", "Sporos::disjoint", "none"},
       {"against the promise",
        [&] {
          par_loop("loop", HostExec{}, edges, disjoint_only, SetAll{},
                   with_missing(write(x, twice, disjoint)));
        },
        loop + "(loop)", "argument 0, write(x, twice)", "disjoint targets",
        "target 0 of elements 0 and 1"}},
      untouched, 9);
  map.view()(0, 1) = 3;
  check_refused("entries in [0, 3) of the set nodes, or negative ones, got 3",
                [&] { map.modified(); });
  map.view()(0, 1) = -5;
  map.modified();
  par_loop("loop", HostExec{}, edges, disjoint_only, SetAll{},
           with_missing(write(x, map, disjoint)));
  CHECK(x.to_host() == std::vector<int>{3, 3, 3});
}

}  // namespace ParLoopMissing
