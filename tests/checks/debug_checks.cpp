// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What is found with SPOROS_ENABLE_CHECKS alone, and that what is right passes.

#include "../algorithms/Sporos_MeshCases.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_CrossCorrelate.hpp>
#include <Sporos_ParLoop.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace DebugChecks {

using namespace Sporos;
using Test::chain_entries;
using Test::error_of;

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Exec::memory_space;
using Values = Dat<double, 1, Kokkos::LayoutRight, Memory>;

static_assert(Sporos::Impl::checks_enabled, "this file tests the checks");

struct SetFirst {
  KOKKOS_FUNCTION void operator()(Write<double, 1> a) const { a[0] = 3; }
};
struct AddFirst {
  template <class T>
  KOKKOS_FUNCTION void operator()(Inc<T, 1, 2> a) const {
    a(0, 0) += 1;
    a[1] += 2;
  }
};

TEST_CASE("promises are checked without being asked for", "[checks]") {
  const Set edges("edges", 9), nodes("nodes", 10);
  std::vector<int> entries = chain_entries(9);
  const Map<2, Memory> good("good", edges, nodes, entries);
  entries[6] = 7;  // of edge 3, as of edge 7
  const Map<2, Memory> bad("bad", edges, nodes, entries);
  const Values x("x", nodes);
  const auto run = [&](const Map<2, Memory>& map) {
    par_loop("set", Exec{}, edges, SetFirst{}, write(x, map, 0, disjoint));
  };
  CHECK(
      error_of([&] { run(bad); }) ==
      "Sporos::par_loop(set): argument 0, write(x, bad, 0): expected disjoint "
      "targets, as promised, got target 7 of elements 3 and 7");
  for (const double v : x.to_host()) CHECK(v == 0);
  run(good);
  CHECK(x.to_host()[8] == 3);
}

TEST_CASE("maps that changed without modified()", "[checks]") {
  const Set edges("edges", 500), nodes("nodes", 501);
  const Kokkos::View<int* [2], Memory> entries("entries", 500);
  for (int e = 0; e < 500; ++e)
    for (int i = 0; i < 2; ++i) entries(e, i) = e + i;
  Map<2, Memory> map("map", edges, nodes, entries);
  const Values x("x", nodes);
  const auto run = [&](const auto&... options) {
    par_loop("add", Exec{}, edges, options..., AddFirst{}, inc(x, map));
  };
  run();
  run();
  CHECK(x.to_host()[1] == 6);
  const LoopPlan<Exec> plan(Exec{}, edges, LoopOptions{}, inc(x, map));
  run(plan);
  auto& changed = const_cast<int&>(map.view()(250, 1));
  changed       = 0;
  const std::string expected =
      "Sporos::par_loop(add): argument 0, inc(x, map): expected the map that "
      "the "
      "plan was made for, or a call of Map::modified(), got other entries";
  CHECK(error_of([&] { run(); }) == expected);
  CHECK(error_of([&] { run(plan); }) == expected);
  CHECK(x.to_host()[1] == 9);
  map.modified();
  run();
  run(plan);
  CHECK(x.to_host()[1] == 15);
  CHECK(x.to_host()[0] == 3 + 2 * 3);
  changed = 501;
  LoopOptions other;  // a plan that was not made before
  other.block_size = 64;
  CHECK(error_of([&] { run(other); }) ==
        "Sporos::par_loop(add): map: expected entries that fit its sets, got "
        "map map: entry 501 of element 250, index 1, is not in [0, 501)");
}

/// A hat, if total is 1.
struct Hat {
  static constexpr int support = 2;
  double total;
  KOKKOS_FUNCTION void weights(double r, double* w) const {
    w[0] = total - r;
    w[1] = r;
  }
};

TEST_CASE("delta functions must sum to one", "[checks]") {
  const Kokkos::View<double* [2], Memory> x("x", 3);
  const auto make = [&](const auto& delta) {
    const ParticleGridPlan plan(Exec{}, Grid<2>({8, 8}, .125), delta, x);
  };
  CHECK(error_of([&] { make(Hat{1.01}); }) ==
        "Sporos::ParticleGridPlan: delta: expected weights that sum to 1, "
        "got 1.01 at r = 0");
  CHECK(error_of([&] { make(Hat{1}); }) == "nothing was thrown");
  CHECK(error_of([&] { make(Roma3{}); }) == "nothing was thrown");
  // but for those that say that they do not
  CHECK(error_of([&] { make(ExponentialOfSemicircle<4>{}); }) ==
        "nothing was thrown");
}

TEST_CASE("an order of points that is not by cell, then number", "[checks]") {
  const int n = 1000;
  const Kokkos::View<double* [2], Memory> x("x", n);
  for (int i = 0; i < n; ++i)
    x(i, 0) = x(i, 1) = .01 + .12 * (i % 8);  // many of a cell
  ParticleGridPlan plan(Exec{}, Grid<2>({8, 8}, .125), Cosine4{}, x);
  x(0, 0) = .99;  // few change: the order is repaired
  plan.update(Exec{}, x);
  const auto order    = plan.permutation();
  auto* const written = const_cast<int*>(order.data());
  std::swap(written[3], written[4]);
  CHECK_THROWS_WITH(
      plan.update(Exec{}, x),
      "Sporos::ParticleGridPlan: points are not sorted by cell, then number, "
      "at place 4 of the order: an error of Sporos, or its memory was "
      "written to");
  CHECK(error_of([&] { plan.update(Exec{}, x); }) == "nothing was thrown");
}

TEST_CASE("positions that change while a plan reads them", "[checks]") {
  const Kokkos::View<double* [2], Memory> x("x", 20000);
  for (int i = 0; i < 20000; ++i) x(i, 0) = x(i, 1) = .01 + .12 * (i % 8);
  const Kokkos::View<double*, Memory> strengths("strengths", 20000);
  const Kokkos::View<double**, Kokkos::LayoutRight, Memory> field("f", 8, 8);
  PlanOptions options;
  options.positions = PlanPositions::view;
  ParticleGridPlan plan(Exec{}, Grid<2>({8, 8}, .125), Hat2{}, x, options);
  const auto call = [&] {
    spread(plan, strengths, field, {SpreadAlgorithm::replicated});
  };
  CHECK(error_of(call) == "nothing was thrown");
  plan.update(Exec{}, x);
  CHECK(plan.state().given.holds());
  x(9000, 1) += .001;
  const std::string text =
      "Sporos::ParticleGridPlan: positions: expected those of the last update, "
      "as PlanOptions::positions promises, got others after point 8192";
  CHECK(error_of(call) == text);
  CHECK(error_of([&] { plan.permutation(); }) == text);
  plan.update(Exec{}, x);
  CHECK(error_of(call) == "nothing was thrown");
}

TEST_CASE("integer sums that overflow are found", "[checks]") {
  using Image = Kokkos::View<std::uint16_t**, Kokkos::LayoutRight, Memory>;
  const Image image("image", 8, 8);
  Kokkos::deep_copy(image, 65535);
  const Kokkos::View<int**, Kokkos::LayoutRight, Memory> out("out", 15, 15);
  const Kokkos::View<std::int64_t**, Kokkos::LayoutRight, Memory> wide("wide",
                                                                       15, 15);
  Kokkos::deep_copy(out, 7);
  CHECK_THROWS_WITH(cross_correlate(image, image, out),
                    Catch::Contains("out: ") && Catch::Contains("32 bits") &&
                        Catch::Contains("at shift (-7, -7)"));
  CHECK(out(0, 0) == 7);
  cross_correlate(image, image, wide);
  CHECK(wide(7, 7) == 64LL * 65535 * 65535);
  // the largest that fits is right
  Kokkos::deep_copy(image, 0);
  image(0, 0) = 46340;
  cross_correlate(image, image, out);
  CHECK(out(7, 7) == 46340 * 46340);
  image(0, 1) = 46340;
  CHECK_THROWS_WITH(cross_correlate(image, image, out),
                    Catch::Contains("at shift (0, 0)"));
}

}  // namespace DebugChecks
