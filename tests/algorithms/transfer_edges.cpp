// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer at the edges of what it promises: fractions at the end
// of a cell, positions that devices read at random, failed allocations, and
// instances other than the one of the last update.

#include "Sporos_ToolsRecorder.hpp"
#include "Sporos_TransferCases.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

namespace TransferEdges {

using namespace Sporos;
using namespace Sporos::Test;

// ---- fractions -------------------------------------------------------------

/// phi = 1/2 on [-1, 1], both ends included
struct ClosedBox {
  static constexpr int support = 2;
  template <class T>
  KOKKOS_FUNCTION void weights(T, T* w) const {
    w[0] = w[1] = T(.5);
  }
};

/// A point just below 0 in one direction: rounding leaves the fraction 1, in
/// the last cell. Both weights count, at any staggering that shifts the other
/// direction, or this one by next to nothing.
template <class Exec>
void check_last_cell(int direction, double g) {
  using Memory    = typename Exec::memory_space;
  constexpr int n = 64;  // whole tiles
  const Kokkos::View<double**, Memory> x("x", 1, 2), field("field", n, n);
  const Kokkos::View<double*, Memory> one("one", 1), value("value", 1);
  set_elements(
      x, [&](std::size_t d) { return int(d) == direction ? -1e-20 : .3; });
  Kokkos::deep_copy(one, 1.);
  const ParticleGridPlan<Exec, 2, double, ClosedBox> plan(
      Exec{}, Grid<2>({n, n}, 1.), ClosedBox{}, x);
  Staggering staggering{{.5, .5, 0.}};
  staggering[direction] = g;
  for (const NamedSpread& a : spread_algorithms(2)) {
    Kokkos::deep_copy(field, 0.);
    SpreadOptions options;
    options.algorithm  = a.algorithm;
    options.staggering = staggering;
    spread(plan, one, field, options);
    const auto sums = elements(field);
    INFO("spread " << a.name << ", direction " << direction << ", g " << g);
    CHECK(std::accumulate(sums.begin(), sums.end(), 0.) == 1.);
  }
  Kokkos::deep_copy(field, 1.);
  for (const NamedInterpolate& a : interpolate_algorithms(2)) {
    interpolate(plan, field, value, {a.algorithm, staggering});
    INFO("interpolate " << a.name << ", direction " << direction << ", g "
                        << g);
    double result = 0;
    Kokkos::deep_copy(result, Kokkos::subview(value, 0));
    CHECK(result == 1.);
  }
}

TEMPLATE_LIST_TEST_CASE("a fraction at the end of a cell loses no weight",
                        "[transfer]", Spaces) {
  for (const int direction : {0, 1})
    for (const double g : {0., 1e-20}) check_last_cell<TestType>(direction, g);
}

// ---- positions -------------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("positions with the trait of random access",
                        "[transfer]", Spaces) {
  using Memory = typename TestType::memory_space;
  using Random = Kokkos::MemoryTraits<Kokkos::RandomAccess>;
  const int n  = 100;
  const Kokkos::View<double*, Memory> line("line", n);
  const Kokkos::View<double* [2], Kokkos::LayoutRight, Memory> right("x", n);
  const Kokkos::View<double* [2], Kokkos::LayoutLeft, Memory> left("x", n);
  const auto coordinate = [](std::size_t p) {
    return std::fmod(.618 * double(p), 30.);
  };
  const auto host = Kokkos::create_mirror_view(line);
  for (int i = 0; i < n; ++i) host(i) = coordinate(std::size_t(i));
  Kokkos::deep_copy(line, host);
  set_elements(right, coordinate);
  set_elements(left, coordinate);
  const auto order = [](const auto& plan) {
    return host_values(plan.permutation());
  };
  using Line  = ParticleGridPlan<TestType, 1, double, Hat2>;
  using Plane = ParticleGridPlan<TestType, 2, double, Hat2>;
  const TestType exec{};
  const Grid<1> line_grid({30}, 1.);
  const Grid<2> grid({30, 30}, 1.);
  CHECK(order(Line(exec, line_grid, Hat2{},
                   Kokkos::View<const double*, Memory, Random>(line))) ==
        order(Line(exec, line_grid, Hat2{}, line)));
  const auto expected = order(Plane(exec, grid, Hat2{}, right));
  CHECK(
      order(Plane(
          exec, grid, Hat2{},
          Kokkos::View<const double* [2], Kokkos::LayoutRight, Memory, Random>(
              right))) == expected);
  CHECK(order(Plane(
            exec, grid, Hat2{},
            Kokkos::View<const double* [2], Kokkos::LayoutLeft, Memory, Random>(
                left))) == expected);
}

// ---- orders of sweeps ------------------------------------------------------

/// Points on a grid with walls, some of them outside of it, sorted.
template <class Exec>
struct Sorted {
  using Order = Sporos::Impl::SweepOrder<Exec, 2, double, 3>;
  using Bins  = typename Order::Bins;

  Setup<Config<Exec, double, 2, Roma3>> setup{
      Problem<2>{{33, 33}, {true, true}, Cloud::far, 500, 1}};
  const Bins& bins   = setup.plan.state().bins;
  const Staggering g = {{0., 0., 0.}};

  const auto& prepare(Order& order) const {
    return order.prepare(Exec{}, bins, g).points();
  }
};

template <class Exec, class T>
std::vector<T> host_array(const T* data, std::size_t n) {
  return host_values(Kokkos::View<const T*, typename Exec::memory_space,
                                  Kokkos::MemoryUnmanaged>(data, n));
}

template <class Points>
int segments(const Points& points) {
  int count = 0;
  Kokkos::deep_copy(count, points.count);
  return count;
}

TEMPLATE_LIST_TEST_CASE(
    "points outside have no first grid point, in any "
    "direction",
    "[sweep]", Spaces) {
  const Sorted<TestType> s;
  typename Sorted<TestType>::Order order;
  const auto& points = s.prepare(order);
  const auto first = host_array<TestType>(points.first, 2 * points.first_pitch);
  int outside      = 0;
  for (int q = 0; q < segments(points); ++q) {
    const int x = first[std::size_t(q)],
              y = first[points.first_pitch + std::size_t(q)];
    if (x == points.none) ++outside;
    CHECK((x == points.none ? y == points.none
                            : std::min(x, y) >= -2 && std::max(x, y) < 34));
  }
  CHECK(outside == 1);
}

TEMPLATE_LIST_TEST_CASE("an order that could not be allocated is made anew",
                        "[sweep]", Spaces) {
  const Sorted<TestType> s;
  typename Sorted<TestType>::Order order, fresh;
  auto bad = s.bins;
  bad.n    = std::numeric_limits<int>::min();  // no machine has so much memory
  CHECK_THROWS(order.prepare(TestType{}, bad, s.g));
  const auto &points = s.prepare(order), &expected = s.prepare(fresh);
  REQUIRE(points.n == expected.n);
  REQUIRE(segments(points) == segments(expected));
  const auto n = std::size_t(segments(points));
  CHECK(host_array<TestType>(points.first, n) ==
        host_array<TestType>(expected.first, n));
}

// ---- instances, hosts ------------------------------------------------------

TEMPLATE_LIST_TEST_CASE("a plan's check waits for the instance that updated",
                        "[transfer]", Spaces) {
#if KOKKOS_VERSION >= 30700
  using Memory = typename TestType::memory_space;
  const auto instances =
      Kokkos::Experimental::partition_space(TestType(), 1, 1);
  const Kokkos::View<double* [2], Memory> x("x", 10);
  ParticleGridPlan<TestType, 2, double, Hat2> plan(
      instances[0], Grid<2>({8, 8}, 1.), Hat2{}, x);
  plan.update(instances[0], x);
  const auto waits = [&](const auto& call) {
    const Recorder recorder;
    call();
    return std::count_if(
        events.fences.begin(), events.fences.end(),
        [](const std::string& label) { return label.find("Sporos::") == 0; });
  };
  CHECK(waits([&] { plan.check(instances[1]); }) == 2);
  CHECK(waits([&] { plan.describe(instances[1]); }) == 2);
#else
  SUCCEED("fences have no labels in this Kokkos");
#endif
}

TEMPLATE_LIST_TEST_CASE("a buffer on the fly lives until it was used",
                        "[transfer]", Spaces) {
#if KOKKOS_VERSION >= 30700
  using Memory = typename TestType::memory_space;
  const TestType exec{};
  const Kokkos::View<double* [2], Memory> x("x", 10);
  const Kokkos::View<double*, Memory> strengths("strengths", 10);
  const Kokkos::View<double**, Memory> field("field", 8, 8);
  const ParticleGridPlan<TestType, 2, double, Hat2> plan(
      exec, Grid<2>({8, 8}, 1.), Hat2{}, x);
  SpreadOptions options;
  options.algorithm = SpreadAlgorithm::sweep_buffered_on_the_fly;
  spread(exec, plan, strengths, field, options);  // workspaces grow
  const Recorder recorder;
  spread(exec, plan, strengths, field, options);
  CHECK(std::count(events.fences.begin(), events.fences.end(),
                   "Sporos::spread::buffer_on_the_fly") == 1);
#else
  SUCCEED("fences have no labels in this Kokkos");
#endif
}

}  // namespace TransferEdges
