// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Arities 1, 4 and 8, components apart (SoA), high degrees.

#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <string>

namespace ParLoopArities {

using namespace Sporos;
using namespace Sporos::Test;

template <class Exec, int Arity>
void check_automatic(int n, int targets, const std::vector<int>& entries) {
  ExchangeCase<Exec, Arity, Kokkos::LayoutLeft> c(n, targets, entries);
  c.run(Exec{}, c.from);
  CHECK(c.right());
}

TEMPLATE_LIST_TEST_CASE("arities and components apart", "[par_loop]", Spaces) {
  check_automatic<TestType, 1>(3000, 100, banded_entries(3000, 1, 100, 1));
  check_automatic<TestType, 4>(3000, 900, banded_entries(3000, 4, 900, 2));
  check_automatic<TestType, 8>(9000, 2000, banded_entries(9000, 8, 2000, 3));
}

template <class Exec>
void check_scattered(int targets, LoopStrategy expected,
                     const std::string& why) {
  const int n = 60000;
  ExchangeCase<Exec, 2, Kokkos::LayoutRight> c(
      n, targets, random_entries(n, 2, targets, 4));
  c.run(Exec{}, c.from);
  CHECK(c.right());
  const auto plan =
      plan_of(Exec{}, c.from, LoopOptions{}, read(c.x, c.map), read(c.w),
              write(c.u), inc(c.y, c.map), sum(c.total), Sporos::min(c.least));
  CHECK(plan.strategy() == expected);
  CHECK(plan.describe().find(why) != std::string::npos);
  CHECK(validate(plan) == "");
  // with staged increments
  for (const LoopStrategy s :
       {LoopStrategy::automatic, LoopStrategy::hierarchical}) {
    LoopOptions options;
    options.staging  = Staging::increments;
    options.strategy = s;
    ExchangeCase<Exec, 2, Kokkos::LayoutRight> staged(
        n, targets, random_entries(n, 2, targets, 4));
    staged.run(Exec{}, staged.from, options);
    CHECK(staged.right());
  }
}

TEMPLATE_LIST_TEST_CASE("scattered numberings need no blocks", "[par_loop]",
                        Spaces) {
  if (Sporos::Impl::is_host_space_v<TestType>)
    check_scattered<TestType>(20000, LoopStrategy::global_coloring,
                              "a renumbering would help");
  else
    check_scattered<TestType>(20000, LoopStrategy::gather,
                              "fewer than 512 could run at once");
}

TEMPLATE_LIST_TEST_CASE("few targets need no colours of elements", "[par_loop]",
                        Spaces) {
  check_scattered<TestType>(40,
                            Sporos::Impl::is_host_space_v<TestType>
                                ? LoopStrategy::hierarchical
                                : LoopStrategy::gather,
                            Sporos::Impl::is_host_space_v<TestType>
                                ? "few targets get many increments"
                                : "fewer than 512 could run at once");
}

TEMPLATE_LIST_TEST_CASE("one target for all", "[par_loop]", Spaces) {
  check_automatic<TestType, 1>(5000, 1, std::vector<int>(5000, 0));
}

}  // namespace ParLoopArities
