// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Every strategy of mesh loops with every staging and order of a team's
// threads, with both layouts, against a plain loop.

#include "Sporos_AllOf.hpp"
#include "Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"

#include <vector>

namespace EveryLoop {

using namespace Sporos;
using namespace Sporos::Test;

/// All options that a loop distinguishes.
std::vector<LoopOptions> every_option(int block_size) {
  std::vector<LoopOptions> every;
  for (const LoopStrategy strategy : all_of<LoopStrategy>())
    for (const Staging staging : all_of<Staging>())
      for (const bool kernel_by_color : {false, true})
        for (const bool sort_by_color : {false, true}) {
          LoopOptions o;
          o.strategy        = strategy;
          o.staging         = staging;
          o.block_size      = block_size;
          o.kernel_by_color = kernel_by_color;
          o.sort_by_color   = sort_by_color;
          if (strategy == LoopStrategy::hierarchical ||
              (staging == Staging::automatic && !kernel_by_color &&
               sort_by_color))
            every.push_back(o);
        }
  return every;
}

template <class Exec, class Layout>
void check_every(int block_size) {
  ExchangeCase<Exec, 2, Layout> c(3000, 800, banded_entries(3000, 2, 800, 4));
  for (const LoopOptions& o : every_option(block_size)) {
    INFO(text(o) << ", kernel by colour " << o.kernel_by_color
                 << ", sorted by colour " << o.sort_by_color);
    c.run(Exec{}, c.from, o);
    CHECK(c.right());
  }
}

TEST_CASE("all strategies and stagings of loops are known", "[every]") {
  CHECK(all_of<LoopStrategy>().size() == 6);
  CHECK(all_of<Staging>().size() == 4);
}

TEMPLATE_LIST_TEST_CASE("every strategy of mesh loops", "[every]", Spaces) {
  SECTION("LayoutRight") { check_every<TestType, Kokkos::LayoutRight>(96); }
  SECTION("LayoutLeft") { check_every<TestType, Kokkos::LayoutLeft>(0); }
}

}  // namespace EveryLoop
