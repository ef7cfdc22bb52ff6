// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Preconditions: each violation throws std::invalid_argument that names the
// function, the argument and what was given, and nothing is written.

#include "Sporos_SlowRun.hpp"
#include "Sporos_Test.hpp"
#include "Sporos_WrongCalls.hpp"

#include <Sporos_ParticleGrid.hpp>

#include "Sporos_ReferenceDelta.hpp"

#include <limits>
#include <string>
#include <utility>
#include <vector>

#if defined(__linux__)
#include "Sporos_MemoryLimit.hpp"
#endif

namespace ErrorsTest {

using namespace Sporos;
using Test::error_of;
using Test::host_copy;
using Test::Spaces;

/// Does the message have all parts?
bool says(const std::string& text, const std::vector<std::string>& parts) {
  bool all = true;
  for (const std::string& part : parts)
    if (text.find(part) == std::string::npos) {
      UNSCOPED_INFO("\"" << part << "\" is not in \"" << text << "\"");
      all = false;
    }
  return all;
}

template <class View>
bool all_are(const View& view, double value) {
  const auto host = host_copy(view);
  for (std::size_t i = 0; i < host.span(); ++i)
    if (host.data()[i] != value) return false;
  return true;
}

/// Ten points on a grid of 8 x 6 cells, with walls in the first direction.
template <class Exec, class Delta = Cosine4>
struct Case {
  using Memory = typename Exec::memory_space;
  using Plan   = ParticleGridPlan<Exec, 2, double, Delta>;

  Grid<2> grid{{8, 6}, {{1., 1.}}, {{Boundary::wall, Boundary::periodic}}};
  Kokkos::View<double**, Memory> x{"x", 10, 2};
  Kokkos::View<double*, Memory> values{"values", 10};
  Kokkos::View<double**, Memory> field{"field", 9, 6};
  Exec exec{};
  Plan plan;

  Case() : plan(exec, grid, Delta{}, positions()) {
    Kokkos::deep_copy(values, 3.);
    Kokkos::deep_copy(field, 5.);
  }
  Kokkos::View<const double**, Memory> positions() {
    const auto host = Kokkos::create_mirror_view(x);
    for (int i = 0; i < 10; ++i) {
      host(i, 0) = .73 * i;
      host(i, 1) = 1.1 * i;
    }
    Kokkos::deep_copy(x, host);
    return x;
  }
  bool untouched() const { return all_are(values, 3.) && all_are(field, 5.); }
};

template <class Exec>
void set_coordinate(Case<Exec>& c, int i, int d, double value) {
  const auto host = host_copy(c.x);
  const auto copy = Kokkos::create_mirror_view(c.x);
  Kokkos::deep_copy(copy, host);
  copy(i, d) = value;
  Kokkos::deep_copy(c.x, copy);
}

TEMPLATE_LIST_TEST_CASE("a coordinate that is not finite is named", "[errors]",
                        Spaces) {
  using Exec = TestType;
  using Plan = typename Case<Exec>::Plan;
  for (const double bad : {std::numeric_limits<double>::quiet_NaN(),
                           std::numeric_limits<double>::infinity(),
                           -std::numeric_limits<double>::infinity()})
    for (const int d : {0, 1}) {
      Case<Exec> c;
      set_coordinate(c, 7, d, bad);
      CHECK(says(error_of([&] { Plan(c.exec, c.grid, Cosine4{}, c.x); }),
                 {"Sporos::ParticleGridPlan: positions: ", "point 7"}));
      set_coordinate(c, 4, 1 - d, bad);  // the first of two
      const std::string text = error_of([&] {
        c.plan.update(c.exec, c.x);
        c.plan.check(c.exec);
      });
      CHECK(says(text,
                 {"Sporos::ParticleGridPlan::update: positions: ", "point 4"}));
      if (Impl::is_host_space_v<Exec>) c.plan.check(c.exec);  // as before
      CHECK(says(error_of([&] { c.plan.update(c.x); }), {"point 4"}));
      // one shot: nothing is spread
      CHECK(says(error_of([&] {
                   spread(c.exec, c.grid, Cosine4{}, c.x, c.values, c.field);
                 }),
                 {"point 4"}));
      CHECK(c.untouched());
      // the plan can still be used
      c.plan.update(c.positions());
      spread(c.plan, c.values, c.field);
      CHECK(!all_are(c.field, 5.));
    }
}

/// A delta function that is too wide for tiles.
struct Wide31 {
  static constexpr int support = 31;
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T, T* w) const {
    for (int k = 0; k < support; ++k) w[k] = T(1. / support);
  }
};

TEMPLATE_LIST_TEST_CASE("tiles take no wide delta functions", "[errors]",
                        Spaces) {
  Case<TestType, BSpline<6>> fine;
  SpreadOptions options;
  options.algorithm = SpreadAlgorithm::tiled;
  spread(fine.plan, fine.values, fine.field, options);

  using Wide = Wide31;
  const Grid<2> grid({8, 8}, 1.);
  using Memory = typename TestType::memory_space;
  const TestType exec{};
  const Kokkos::View<double**, Memory> x("x", 10, 2), field("field", 8, 8);
  const Kokkos::View<double*, Memory> values("values", 10);
  Kokkos::deep_copy(values, 3.);
  const ParticleGridPlan<TestType, 2, double, Wide> plan(exec, grid, Wide{}, x);
  CHECK(says(error_of([&] { spread(plan, values, field, options); }),
             {"Sporos::spread: options.algorithm: ",
              "for tiled (automatic takes another algorithm for wider ones), "
              "got 31"}));
  CHECK(all_are(field, 0.));
  InterpolateOptions tiled;
  tiled.algorithm = InterpolateAlgorithm::tiled;
  CHECK(says(error_of([&] { interpolate(plan, field, values, tiled); }),
             {"Sporos::interpolate: options.algorithm: ",
              "for tiled (automatic takes another algorithm for wider ones), "
              "got 31"}));
  CHECK(all_are(values, 3.));
  PlanOptions any_ranks;
  any_ranks.any_ranks = true;
  CHECK(says(error_of([&] {
               ParticleGridPlan<TestType, 2, double, Wide>(exec, grid, Wide{},
                                                           x, any_ranks);
             }),
             {"options.any_ranks: expected false", "got 31"}));
}

#if defined(__linux__)
TEST_CASE("a plan that ran out of memory is refused until the next update",
          "[errors]") {
  if (Test::slow_run) return;
  using Exec          = Kokkos::DefaultHostExecutionSpace;
  const std::size_t n = 3000000, few = 1000;
  const Kokkos::View<double* [2], Exec> x("x", n);
  for (std::size_t i = 0; i < n; ++i) {
    x(i, 0) = double(i) / double(n);
    x(i, 1) = double(i % 1000) / 1000;
  }
  const Kokkos::View<double*, Exec> v("v", few);
  const Kokkos::View<double**, Exec> field("field", 64, 64);
  const auto some =
      Kokkos::subview(x, std::make_pair(std::size_t(0), few), Kokkos::ALL());
  ParticleGridPlan plan(Exec{}, Grid<2>({64, 64}, 1. / 64), Cosine4{}, some);
  const std::string refused =
      "plan: expected one whose last update succeeded, got one whose update "
      "ended with an exception; update it again";
  int refusals = 0;
  bool enough  = false;
  for (rlim_t mebibytes = 10; !enough; mebibytes += 10) {
    try {
      const Test::MemoryLimit limit(mebibytes << 20);
      plan.update(Exec{}, x);
      enough = true;
    } catch (const std::exception&) {
      const std::string said =
          error_of([&] { spread(Exec{}, plan, v, field); });
      if (said != "nothing was thrown") {  // else the plan is as it was
        ++refusals;
        CHECK(said == "Sporos::spread: " + refused);
        CHECK(error_of([&] { interpolate(Exec{}, plan, field, v); }) ==
              "Sporos::interpolate: " + refused);
      }
    }
    plan.update(Exec{}, some);
    REQUIRE(error_of([&] { spread(Exec{}, plan, v, field); }) ==
            "nothing was thrown");
  }
  CHECK(refusals > 0);
}

TEST_CASE("points in the given order outlive a sort that ran out of memory",
          "[errors]") {
  if (Test::slow_run) return;
  using Exec          = Kokkos::DefaultHostExecutionSpace;
  const std::size_t n = 1000000, few = 20000;
  const Kokkos::View<double* [2], Exec> x("x", n);
  for (std::size_t i = 0; i < n; ++i) {
    x(i, 0) = double(i * 7919 % n) / double(n);
    x(i, 1) = double(i % 1000) / 1000;
  }
  const Kokkos::View<double*, Exec> v("v", few);
  Kokkos::deep_copy(v, 1.5);
  const Kokkos::View<double**, Exec> field("field", 64, 64);
  const auto some =
      Kokkos::subview(x, std::make_pair(std::size_t(0), few), Kokkos::ALL());
  ParticleGridPlan plan(Exec{}, Grid<2>({64, 64}, 1. / 64), Cosine4{}, some);
  SpreadOptions tiled;
  tiled.algorithm   = SpreadAlgorithm::tiled;
  const auto spread = [&] {
    Kokkos::deep_copy(field, 0.);
    Sporos::spread(Exec{}, plan, v, field, tiled);
    return Test::host_values(field);
  };
  const std::vector<double> before = spread();
  int failures                     = 0;
  for (rlim_t mebibytes = 1;; mebibytes += 4) {
    plan.update(Exec{}, some);
    plan.update(Exec{}, some);  // in the given order
    REQUIRE(spread() == before);
    try {
      const Test::MemoryLimit limit(mebibytes << 20);
      plan.update(Exec{}, x);
      break;
    } catch (const std::exception&) {
      ++failures;
    }
    REQUIRE(spread() == before);
  }
  CHECK(failures > 2);
}
#endif

}  // namespace ErrorsTest
