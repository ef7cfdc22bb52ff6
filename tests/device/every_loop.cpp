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

/// Dats of components that are counted at run time.
struct AddSums {
  template <class Real>
  KOKKOS_FUNCTION void operator()(
      Read<Real, dynamic_components, 2> x, Inc<Real, dynamic_components, 2> y,
      ReadWrite<Real, dynamic_components> own) const {
    for (int c = 0; c < y.component_count(); ++c)
      for (int i = 0; i < 2; ++i) y(i, c) += x(i, c) + Real(2) * x(1 - i, c);
    for (int c = 0; c < own.component_count(); ++c)
      own[c] = own[c] + x(0, 0) - Real(c);
  }
};

TEMPLATE_LIST_TEST_CASE("every strategy with components counted at run time",
                        "[every]", Spaces) {
  using Layout = typename TestType::array_layout;
  using M      = typename TestType::memory_space;
  using Values = Dat<double, dynamic_components, Layout, M>;
  const int n = 2000, targets = 500, count = 3;
  const auto entries = banded_entries(n, 2, targets, 4);
  const auto hx      = small_values(std::size_t(targets * count), 1);
  const auto old     = small_values(std::size_t(n), 2);
  const Set from("elements", n), to("targets", targets);
  const Map<2, M> map("map", from, to, entries);
  const Values x("x", to, count, hx);
  std::vector<double> sums(hx.size()), owns = old;
  for (int e = 0; e < n; ++e) {
    const auto at = [&](int i, int c) {
      return std::size_t(entries[std::size_t(2 * e + i)] * count + c);
    };
    for (int c = 0; c < count; ++c)
      for (int i = 0; i < 2; ++i)
        sums[at(i, c)] += hx[at(i, c)] + 2 * hx[at(1 - i, c)];
    owns[std::size_t(e)] += hx[at(0, 0)];
  }
  for (const LoopOptions& o : every_option(96)) {
    INFO(text(o));
    const Values y("y", to, count), own("own", from, 1, old);
    par_loop("sums", TestType{}, from, o, AddSums{}, read(x, map), inc(y, map),
             rw(own));
    Kokkos::fence();
    CHECK(y.to_host() == sums);
    CHECK(own.to_host() == owns);
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
