// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every strategy against a plain loop, on all kinds of maps.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

namespace ParLoopStrategies {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, int Arity, class Layout>
void check_all(int n, int targets, const std::vector<int>& entries,
               int block_size) {
  ExchangeCase<Exec, Arity, Layout> c(n, targets, entries);
  const Exec exec{};
  for (LoopOptions o : all_options(block_size))
    for (const bool packs : {true, false}) {
      o.packs = packs;
      INFO(text(o) << ", " << n << " elements");
      c.run(exec, c.from, o);
      CHECK(c.right());
    }
}

TEMPLATE_LIST_TEST_CASE("every strategy gives the sums of the plain loop",
                        "[par_loop]", Spaces) {
  using Right = Kokkos::LayoutRight;
  SECTION("edges") {
    check_all<TestType, 2, Right>(5000, 1300, banded_entries(5000, 2, 1300, 4),
                                  0);
    check_all<TestType, 2, Right>(777, 400, random_entries(777, 2, 400, 5), 64);
  }
  SECTION("few elements") {
    for (const int n : {0, 1, 2, 7, 8, 9, 63, 64, 65})
      check_all<TestType, 2, Right>(n, 10, random_entries(n, 2, 10, 6), 32);
  }
  SECTION("blocks of one element") {
    check_all<TestType, 2, Right>(40, 20, random_entries(40, 2, 20, 7), 1);
  }
}

TEMPLATE_LIST_TEST_CASE("blocks of different sizes", "[par_loop]", Spaces) {
  const auto entries = banded_entries(777, 2, 300, 10);
  ExchangeCase<TestType, 2, Kokkos::LayoutRight> c(777, 300, entries);
  const TestType exec{};
  const auto check = [&](const auto& range, const std::vector<int>& blocks) {
    for (LoopOptions o : all_options()) {
      o.blocks = blocks;
      INFO(text(o) << ", " << blocks.size() - 1 << " blocks");
      c.run(exec, range, o);
      CHECK(c.right());
    }
  };
  check(c.from, {0, 1, 8, 16, 17, 200, 201, 500, 776, 777});
  check(c.from, {0, 777});
  c.reset();
  c.expect(123, 650, entries);
  check(c.from.range(123, 650), {123, 124, 400, 650});
}

TEMPLATE_LIST_TEST_CASE("ranges of a set", "[par_loop]", Spaces) {
  const auto entries = random_entries(1000, 2, 300, 8);
  ExchangeCase<TestType, 2, Kokkos::LayoutRight> c(1000, 300, entries);
  const TestType exec{};
  c.reset();
  c.expect(123, 877, entries);
  for (LoopOptions o : all_options(100)) {
    INFO(text(o));
    c.run(exec, c.from.range(123, 877), o);
    CHECK(c.right());
  }
  c.run(exec, c.from.range(123, 877));
  CHECK(c.right());
  c.reset();
  c.expect(500, 500, entries);
  c.run(exec, c.from.range(500, 500));
  CHECK(c.right());
}

}  // namespace ParLoopStrategies
