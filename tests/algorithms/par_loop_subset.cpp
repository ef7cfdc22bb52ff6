// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Loops over subsets.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <random>

namespace ParLoopSubset {

using namespace Sporos;
using namespace Sporos::Test;

/// k of the numbers below n, in any order.
std::vector<int> some_of(int n, int k, unsigned seed) {
  std::vector<int> all(std::size_t(n), 0);
  std::iota(all.begin(), all.end(), 0);
  std::shuffle(all.begin(), all.end(), std::mt19937(seed));
  all.resize(std::size_t(k));
  return all;
}

template <class Exec>
using SubsetIn = Subset<typename Exec::memory_space>;

template <class Exec, class Layout>
void check_exchange(int n, const std::vector<int>& list, int begin, int end) {
  const auto entries = banded_entries(n, 2, n / 3 + 1, 4);
  ExchangeCase<Exec, 2, Layout> c(n, n / 3 + 1, entries);
  const SubsetIn<Exec> whole("whole", c.from, list);
  const auto subset = whole.range(begin, end);
  CHECK(subset.size() == end - begin);
  c.reset();
  c.expect(std::vector<int>(list.begin() + begin, list.begin() + end), entries);
  for (LoopOptions o : all_options(64))
    for (const bool packs : {true, false}) {
      o.packs = packs;
      INFO(text(o) << ", " << subset.size() << " of " << n);
      c.run(Exec{}, subset, o);
      CHECK(c.right());
    }
  c.run(Exec{}, subset);
  CHECK(c.right());
}

TEMPLATE_LIST_TEST_CASE("loops over subsets", "[par_loop]", Spaces) {
  using Right = Kokkos::LayoutRight;
  using Left  = Kokkos::LayoutLeft;
  check_exchange<TestType, Right>(900, some_of(900, 500, 1), 0, 500);
  check_exchange<TestType, Left>(900, some_of(900, 500, 1), 77, 300);
  check_exchange<TestType, Right>(90, {17}, 0, 1);
  check_exchange<TestType, Right>(90, {17}, 1, 1);
  check_exchange<TestType, Right>(90, {}, 0, 0);
}

TEST_CASE("lists of subsets hold any integers", "[par_loop]") {
  const Set set("set", 9);
  using S = Sporos::Subset<>;
  const std::vector<int> expected{7, 0, 3};
  const auto numbers = [](const S& s) {
    const auto host = Sporos::Test::host_copy(s.view());
    return std::vector<int>(host.data(), host.data() + host.extent(0));
  };
  CHECK(numbers(S("s", set, expected)) == expected);
  CHECK(numbers(S("s", set, std::vector<unsigned>{7, 0, 3})) == expected);
  CHECK(numbers(S("s", set, std::array<std::uint16_t, 3>{{7, 0, 3}})) ==
        expected);
  CHECK(numbers(S("s", set, std::vector<std::int64_t>{7, 0, 3})) == expected);
  const Kokkos::View<unsigned long*, Kokkos::HostSpace> view("view", 3);
  for (std::size_t k = 0; k < 3; ++k) view(k) = unsigned(expected[k]);
  CHECK(numbers(S("s", set, view)) == expected);
  const auto throws = [&](const auto& list, const char* text) {
    CHECK_THROWS_WITH(S("s", set, list), Catch::Contains(text));
  };
  // not those of 32 bits that are left
  throws(std::vector<std::int64_t>{7, (std::int64_t(1) << 32) + 3},
         "got 4294967299 at entry 1");
  throws(std::vector<std::uint64_t>{~std::uint64_t(0)},
         "got 18446744073709551615 at entry 0");
  throws(std::vector<unsigned>{0, 4294967295u}, "got 4294967295 at entry 1");
  throws(std::vector<std::int64_t>{-1}, "got -1 at entry 0");
}

/// Adds the element's number to itself and to two others.
struct AddNumber {
  template <class Real>
  KOKKOS_FUNCTION void operator()(ElementIndex<Real> e, Inc<Real, 1> own,
                                  Inc<Real, 1, 2> others) const {
    own[0] += index_as<Real>(e);
    others(0, 0) += index_as<Real>(e);
    others(1, 0) += index_as<Real>(e);
  }
};

TEMPLATE_LIST_TEST_CASE("elements of a subset and their neighbours",
                        "[par_loop]", Spaces) {
  using M     = typename TestType::memory_space;
  const int n = 700;
  const Set set("set", n);
  const auto entries = banded_entries(n, 2, n, 5);
  const Map<2, M> map("map", set, set, entries);
  const Dat<double, 1, Kokkos::LayoutRight, M> b("b", set);
  const auto list = some_of(n, 400, 2);
  const SubsetIn<TestType> subset("subset", set, list);
  std::vector<double> expected(n, 0.);
  for (const int e : list) {
    expected[std::size_t(e)] += e;
    for (std::size_t i = 0; i < 2; ++i)
      expected[std::size_t(entries[2 * std::size_t(e) + i])] += e;
  }
  for (const LoopOptions& o : all_options(64)) {
    INFO(text(o));
    b.assign(std::vector<double>(n, 0.));
    const LoopPlan<TestType> plan(TestType{}, subset, o, element_index(),
                                  inc(b), inc(b, map));
    CHECK(validate(plan) == "");
    par_loop("numbers", TestType{}, subset, plan, AddNumber{}, element_index(),
             inc(b), inc(b, map));
    CHECK(b.to_host() == expected);
  }
}

TEST_CASE("an element of a list that another one reaches", "[plan]") {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  using M    = Exec::memory_space;
  const Set set("set", 4);
  const Map<1, M> map("map", set, set, std::vector<int>{2, 1, 1, 0});
  const Dat<double, 1, Kokkos::LayoutRight, M> b("b", set);
  LoopOptions o;
  o.strategy        = LoopStrategy::hierarchical;
  o.block_size      = 1;
  const auto colors = [&](const std::vector<int>& list) {
    const Subset<M> subset("subset", set, list);
    return LoopPlan<Exec>(Exec{}, subset, o, inc(b), inc(b, map)).nblkcol();
  };
  CHECK(colors({3, 0}) == 2);  // both add to 0
  CHECK(colors({3, 1}) == 1);
}

struct Copy {
  template <class Real>
  KOKKOS_FUNCTION void operator()(Read<Real, 1> a, Write<Real, 1> b) const {
    b[0] = a[0];
  }
};

TEMPLATE_LIST_TEST_CASE("a promise that holds for a subset, maps that change",
                        "[par_loop]", Spaces) {
  using M = typename TestType::memory_space;
  using D = Dat<double, 1, Kokkos::LayoutRight, M>;
  const Set edges("edges", 100), nodes("nodes", 101);
  const auto entries = chain_entries(100);
  const Kokkos::View<int**, M> view("entries", 100, 2);
  const auto fill = [&](int shift) {
    const auto host = Kokkos::create_mirror_view(view);
    for (int e = 0; e < 100; ++e)
      for (int i = 0; i < 2; ++i) host(e, i) = (e + i + shift) % 101;
    Kokkos::deep_copy(view, host);
  };
  fill(0);
  const Map<2, M> ends("ends", edges, nodes, view);
  std::vector<int> even;
  for (int e = 98; e >= 0; e -= 2) even.push_back(e);
  const SubsetIn<TestType> subset("even", edges, even);
  const D a("a", edges, small_values(100, 1)), b("b", nodes);
  LoopOptions o;
  o.check_disjoint = true;
  const TestType exec{};
  const auto plan =
      plan_of(exec, subset, o, read(a), write(b, ends, 1, disjoint));
  for (const int shift : {0, 5}) {
    fill(shift);
    ends.modified();
    b.assign(std::vector<double>(101, 0.));
    par_loop("copy", exec, subset, o, Copy{}, read(a),
             write(b, ends, 1, disjoint));
    std::vector<double> expected(101, 0.);
    const auto va = a.to_host();
    for (const int e : even)
      expected[std::size_t(e + 1 + shift) % 101] = va[std::size_t(e)];
    CHECK(b.to_host() == expected);
  }
  CHECK(
      plan_of(exec, subset, o, read(a), write(b, ends, 1, disjoint)).state() ==
      plan.state());
}

TEMPLATE_LIST_TEST_CASE("subsets from Views", "[par_loop]", Spaces) {
  using M = typename TestType::memory_space;
  using D = Dat<double, 1, Kokkos::LayoutRight, M>;
  const TestType exec{};
  const Set set("set", 10);
  const D a("a", set, std::vector<double>(10, 3.)), b("b", set);
  const Kokkos::View<int* [2], Kokkos::LayoutRight, M> both("both", 2);
  Kokkos::deep_copy(exec, both, 9);
  const auto column = Kokkos::subview(both, Kokkos::ALL, 1);  // strided
  Kokkos::deep_copy(exec, Kokkos::subview(both, 1, 1), 7);
  const Subset subset(exec, "nine and seven", set, column);
  static_assert(std::is_same_v<decltype(subset), const Subset<M>>, "");
  par_loop("copy", exec, subset, Copy{}, read(a), write(b));
  std::vector<double> expected(10, 0.);
  expected[7] = expected[9] = 3;
  CHECK(b.to_host() == expected);
}

TEST_CASE("subsets without an instance", "[par_loop]") {
  const Set set("set", 10);
  const Subset subset("seven", set, std::vector<int>{7});
  const Dat<double> a("a", set, std::vector<double>(10, 3.)), b("b", set);
  par_loop("copy", subset, Copy{}, read(a), write(b));
  std::vector<double> expected(10, 0.);
  expected[7] = 3;
  CHECK(b.to_host() == expected);
}

}  // namespace ParLoopSubset
