// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// plan.sort: the caller's arrays in the plan's order.

#include "Sporos_Test.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <cstddef>
#include <numeric>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace TransferSort {

using namespace Sporos;
using Test::host_values;
using Test::Spaces;

/// A label and a mark of a point, of a size that is no power of two
struct Label {
  short number[3];
  friend bool operator==(const Label& a, const Label& b) {
    return a.number[0] == b.number[0] && a.number[1] == b.number[1] &&
           a.number[2] == b.number[2];
  }
};

/// Points of which some lie outside, and arrays of them
template <class Exec>
struct Cloud {
  using Plan = ParticleGridPlan<Exec, 2, double, Roma3>;
  template <class T, class Layout = Kokkos::LayoutRight>
  using Array = Kokkos::View<T, Layout, Exec>;

  std::size_t n;
  Exec exec{};
  Grid<2> grid{
      {40, 33}, {1., 1.}, {Boundary::periodic, Boundary::wall}, {0., 0.}};
  Array<double* [2]> x;
  Array<float**, Kokkos::LayoutLeft> velocity;
  Array<int*> number;
  Array<Label***> room;  ///< with gaps
  Kokkos::View<Label*, Kokkos::LayoutStride, Exec> label;
  Array<double*> strengths, values;
  Array<double**> field;

  explicit Cloud(int points)
      : n(std::size_t(points)),
        x("x", n),
        velocity("velocity", n, 3),
        number("number", n),
        room("room", n, 2, 3),
        label(Kokkos::subview(room, Kokkos::ALL(), 1, 2)),
        strengths("strengths", n),
        values("values", n),
        field("field", 40, 34) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> uniform(0, 1);
    const auto x_h = Kokkos::create_mirror_view(x);
    const auto v_h = Kokkos::create_mirror_view(velocity);
    const auto i_h = Kokkos::create_mirror_view(number);
    const auto l_h = Kokkos::create_mirror_view(room);
    const auto s_h = Kokkos::create_mirror_view(strengths);
    for (std::size_t i = 0; i < n; ++i) {
      x_h(i, 0) = 40 * uniform(random);
      x_h(i, 1) = 36 * uniform(random);
      for (std::size_t c = 0; c < 3; ++c) v_h(i, c) = float(3 * i + c);
      i_h(i)       = int(i);
      l_h(i, 1, 2) = {{short(i), short(i + 1), 7}};
      s_h(i)       = uniform(random);
    }
    Kokkos::deep_copy(x, x_h);
    Kokkos::deep_copy(velocity, v_h);
    Kokkos::deep_copy(number, i_h);
    Kokkos::deep_copy(room, l_h);
    Kokkos::deep_copy(strengths, s_h);
  }
  Plan plan(const PlanOptions& options = {}) const {
    return Plan(exec, grid, Roma3{}, x, options);
  }
  void sort(const Plan& plan) const {
    plan.sort(exec, x, velocity, number, label, strengths);
    exec.fence();
  }
  std::vector<double> spread_by(const Plan& plan) const {
    Kokkos::deep_copy(field, .5);
    spread(plan, strengths, field);
    return host_values(field);
  }
  std::vector<double> interpolate_by(const Plan& plan) const {
    interpolate(plan, field, values);
    return host_values(values);
  }
};

bool counts_up(const std::vector<int>& order) {
  std::vector<int> all(order.size());
  std::iota(all.begin(), all.end(), 0);
  return order == all;
}

TEMPLATE_LIST_TEST_CASE("arrays are sorted as the plan is", "[sort]", Spaces) {
  for (const int n : {0, 1, 2, 700, 20000}) {
    const Cloud<TestType> of(n);
    auto plan         = of.plan();
    const auto copy   = plan;  // shares everything
    const auto order  = host_values(of.plan().permutation());
    const auto before = host_values(of.x);
    const auto speed  = host_values(of.velocity);
    INFO(n << " points");
    of.sort(plan);
    CHECK(counts_up(host_values(copy.permutation())));
    CHECK(host_values(of.number) == order);
    const auto x      = host_values(of.x);
    const auto v      = host_values(of.velocity);
    const auto labels = Kokkos::create_mirror_view(of.room);
    Kokkos::deep_copy(labels, of.room);
    for (std::size_t i = 0; i < of.n; ++i) {
      const auto p = std::size_t(order[i]);
      for (std::size_t d = 0; d < 2; ++d)
        CHECK(x[2 * i + d] == before[2 * p + d]);
      for (std::size_t c = 0; c < 3; ++c)
        CHECK(v[c * of.n + i] == speed[c * of.n + p]);
      CHECK(labels(i, 1, 2) == Label{{short(p), short(p + 1), 7}});
      CHECK(labels(i, 1, 1) == Label{});
    }
  }
}

TEMPLATE_LIST_TEST_CASE("sorted points have the bits of a new plan", "[sort]",
                        Spaces) {
  const Cloud<TestType> of(20000);
  auto plan = of.plan();
  of.sort(plan);
  const auto fresh  = of.plan();
  const auto sums   = of.spread_by(fresh);
  const auto values = of.interpolate_by(fresh);
  CHECK(counts_up(host_values(fresh.permutation())));
  for (int round = 0; round < 3; ++round) {
    INFO("round " << round);
    CHECK(of.spread_by(plan) == sums);
    CHECK(of.interpolate_by(plan) == values);
    if (round == 1) of.sort(plan);  // nothing moves
    plan.update(of.exec, of.x);
    CHECK(counts_up(host_values(plan.permutation())));
  }
  // some points leave their cells: the next order is that of a new plan
  const auto x = Kokkos::create_mirror_view(of.x);
  Kokkos::deep_copy(x, of.x);
  for (std::size_t i = 0; i < of.n; i += 37) x(i, 0) = 39 - x(i, 0);
  Kokkos::deep_copy(of.x, x);
  plan.update(of.exec, of.x);
  CHECK(host_values(plan.permutation()) ==
        host_values(of.plan().permutation()));
  CHECK(of.spread_by(plan) == of.spread_by(of.plan()));
}

TEST_CASE("the given order of sorted points is that of their arrays",
          "[sort]") {
  using Host = Kokkos::DefaultHostExecutionSpace;
  const Cloud<Host> of(20000);
  auto plan          = of.plan();
  const auto sums_by = [&](const auto& by, SpreadAlgorithm algorithm) {
    SpreadOptions options;
    options.algorithm = algorithm;
    Kokkos::deep_copy(of.field, 0.);
    spread(by, of.strengths, of.field, options);
    return host_values(of.field);
  };
  sums_by(plan, SpreadAlgorithm::tiled);
  plan.update(of.exec, of.x);  // sorts, and keeps no positions
  sums_by(plan, SpreadAlgorithm::replicated);
  of.sort(plan);
  const auto found = sums_by(plan, SpreadAlgorithm::replicated);
  CHECK(found == sums_by(of.plan(), SpreadAlgorithm::replicated));
}

TEMPLATE_LIST_TEST_CASE("plans of the caller's View sort it", "[sort]",
                        Spaces) {
  const Cloud<TestType> of(20000);
  PlanOptions options;
  options.positions = PlanPositions::view;
  auto plan         = of.plan(options);
  of.sort(plan);
  const auto sums = of.spread_by(of.plan());
  CHECK(of.spread_by(plan) == sums);
  plan.update(of.exec, of.x);
  CHECK(of.spread_by(plan) == sums);
}

TEMPLATE_LIST_TEST_CASE("sorting again allocates and waits for nothing",
                        "[sort]", Spaces) {
  const Cloud<TestType> of(20000);
  const auto sort = [&](const auto& plan) {
    plan.sort(of.exec, of.x, of.velocity, of.number, of.label, of.strengths);
  };
  {
    const Test::Recorder recorder;
    const auto plan = of.plan();
    sort(plan);
    if (Sporos::Impl::is_host_space_v<TestType>)
      CHECK(std::size_t(Test::events.bytes) == plan.bytes());
    CHECK(Test::regions_match());
    CHECK(Test::saw_region("Sporos::ParticleGridPlan::sort"));
  }
  auto plan    = of.plan();
  const auto x = Kokkos::create_mirror_view(of.x);
  for (int round = 0; round < 4; ++round) {
    Kokkos::deep_copy(x, of.x);
    for (std::size_t i = std::size_t(round); i < of.n; i += 9)
      x(i, 0) = 39 - x(i, 0);
    Kokkos::deep_copy(of.x, x);
    Kokkos::fence();
    const Test::Recorder recorder;
    plan.update(of.exec, of.x);
    sort(plan);
    if (round < 2) continue;  // workspaces grow
    INFO("round " << round);
    CHECK(Test::events.allocations == std::vector<std::string>{});
    CHECK(Test::events.deallocations == std::vector<std::string>{});
    CHECK(Test::events.fences == std::vector<std::string>{});
    CHECK(Test::events.copies == 0);
    CHECK(Test::without_sporos(Test::events.kernels).empty());
  }
}

TEMPLATE_LIST_TEST_CASE("wrong arrays are refused before any is sorted",
                        "[sort]", Spaces) {
  const Cloud<TestType> of(700);
  const auto plan    = of.plan();
  const auto before  = host_values(of.x);
  using V            = Kokkos::View<double*, TestType>;
  using Wide         = Kokkos::View<double**, Kokkos::LayoutStride, TestType,
                            Kokkos::MemoryUnmanaged>;
  const auto refused = [&](const auto& array, const std::string& why) {
    const auto text =
        Impl::thrown_text([&] { plan.sort(of.exec, of.x, array); });
    INFO(text);
    CHECK(text.find("Sporos::ParticleGridPlan::sort") == 0);
    CHECK(text.find("arrays[1]") != std::string::npos);
    CHECK(text.find(why) != std::string::npos);
  };
  refused(V("short", 699), "extent(0) == 700, the number of points");
  refused(of.x, "memory separate from that of arrays[0]");
  refused(Kokkos::subview(of.x, Kokkos::ALL(), 1),
          "memory separate from that of arrays[0]");
  refused(
      Kokkos::View<double*, TestType, Kokkos::MemoryUnmanaged>(nullptr, 700),
      "memory for extents (700)");
  refused(Wide(of.values.data(), Kokkos::LayoutStride(700, 1, 2, 0)),
          "a separate element for each index");
  CHECK(host_values(of.x) == before);
  CHECK_THROWS_AS(typename Cloud<TestType>::Plan().sort(of.exec, of.x),
                  std::invalid_argument);
}

}  // namespace TransferSort
