// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Updates of plans: whatever its history, a plan is what a new one for the same
// positions would be, bit for bit, although hosts repair the order where few
// points left their cells.

#include "Sporos_Test.hpp"
#include "Sporos_TestArray.hpp"
#include "Sporos_ToolsRecorder.hpp"

#include <Sporos_ParticleGrid.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <random>
#include <stdexcept>
#include <string>
#include <vector>

namespace TransferUpdate {

using namespace Sporos;
using Test::events;
using Test::host_values;
using Test::Recorder;
using Test::Spaces;

/// Points on a grid of 23 cells along each direction that move between the
/// updates of their plan.
template <class Exec_, int Dim, class Real, class Delta>
struct Moving {
  using Exec                      = Exec_;
  using Memory                    = typename Exec::memory_space;
  using Point                     = std::array<double, Dim>;
  using Plan                      = ParticleGridPlan<Exec, Dim, Real, Delta>;
  using Number                    = Real;
  static constexpr int dimensions = Dim, cells = 23;

  Exec exec{};
  Grid<Dim, Real> grid;
  std::vector<Point> points;
  std::mt19937 random{7};
  Kokkos::View<Real**, Memory> x;
  Plan plan;

  /// Direction 0 has walls, if any.
  explicit Moving(bool wall, int n = 0) : grid(make_grid(wall)) {
    grow(n);
    plan = fresh();
  }

  static Grid<Dim, Real> make_grid(bool wall) {
    Kokkos::Array<int, Dim> along{};
    Kokkos::Array<Real, Dim> h{}, origin{};
    Kokkos::Array<Boundary, Dim> boundary{};
    for (int d = 0; d < Dim; ++d) {
      along[d]    = cells;
      h[d]        = Real(1);
      boundary[d] = wall && d == 0 ? Boundary::wall : Boundary::periodic;
    }
    return Grid<Dim, Real>(along, h, boundary, origin);
  }

  double uniform(double low, double high) {
    return std::uniform_real_distribution<double>(low, high)(random);
  }
  bool chosen(double share) { return uniform(0, 1) < share; }
  Point anywhere() {
    Point p;
    for (double& c : p) c = uniform(0, cells);
    return p;
  }

  void grow(int by) {
    for (int i = 0; i < by; ++i) points.push_back(anywhere());
  }
  void shrink(int by) {
    points.resize(points.size() - std::min(points.size(), std::size_t(by)));
  }
  /// All points move, none to another cell.
  void stay() {
    for (Point& p : points)
      for (double& c : p)
        c = std::floor(c) + std::fmod(c - std::floor(c) + .37, 1.);
  }
  /// Some points go to a neighbour cell, also through walls.
  void leave(double share) {
    for (Point& p : points)
      if (chosen(share)) p[random() % Dim] += chosen(.5) ? 1 : -1;
  }
  void jump(double share) {
    for (Point& p : points)
      if (chosen(share)) p = anywhere();
  }
  /// Some points go far beyond the walls, or come back.
  void go_far(double share) {
    for (Point& p : points)
      if (chosen(share)) p[0] = p[0] > 2 * cells ? .5 : 3. * cells + p[0];
  }
  /// All points go around a periodic direction.
  void wrap() {
    for (Point& p : points) p[Dim - 1] += chosen(.5) ? cells : -cells;
  }
  /// Some points gather in a cell.
  void crowd(double share) {
    for (Point& p : points)
      if (chosen(share)) p.fill(7.25);
  }

  void copy_points() {
    if (x.extent(0) != points.size() || x.extent(1) == 0)
      x = Kokkos::View<Real**, Memory>("x", points.size(), Dim);
    const auto host = Kokkos::create_mirror_view(x);
    for (std::size_t i = 0; i < points.size(); ++i)
      for (int d = 0; d < Dim; ++d) host(i, d) = Real(points[i][d]);
    Kokkos::deep_copy(x, host);
    Kokkos::fence();
  }
  void update() {
    copy_points();
    plan.update(exec, x);
    exec.fence();
  }
  Plan fresh() {
    copy_points();
    return Plan(exec, grid, Delta{}, x);
  }
  /// The update as profilers see it
  const Test::Events& recorded_update() {
    copy_points();
    const Recorder recorder;
    plan.update(exec, x);
    return events;
  }
};

/// Results of algorithms that depend on all that a plan holds.
template <class M>
auto results_of(const M& m, const typename M::Plan& plan, bool sweep) {
  using Real   = typename M::Number;
  using Memory = typename M::Memory;
  using Field =
      Kokkos::View<typename Test::DataType<Real, M::dimensions>::type, Memory>;
  const Kokkos::View<Real*, Memory> strengths("strengths", m.points.size()),
      values("values", m.points.size());
  const auto host = Kokkos::create_mirror_view(strengths);
  for (std::size_t i = 0; i < m.points.size(); ++i)
    host(i) = Real(std::sin(double(i)));
  Kokkos::deep_copy(strengths, host);
  const auto field =
      Test::make_field<Field>([&](int d) { return m.grid.points(d, 0.); });
  std::vector<std::vector<Real>> results;
  for (const auto algorithm :
       {SpreadAlgorithm::tiled, SpreadAlgorithm::sweep}) {
    if (algorithm == SpreadAlgorithm::sweep && !sweep) continue;
    Kokkos::deep_copy(field, Real(0));
    SpreadOptions options;
    options.algorithm = algorithm;
    spread(plan, strengths, field, options);
    results.push_back(host_values(field));
  }
  interpolate(plan, field, values);
  results.push_back(host_values(values));
  return results;
}

/// Is the plan, after all its updates, what a new one is?
template <class M>
void check_like_new(M& m, const std::string& what) {
  INFO(what << ", " << m.points.size() << " points");
  const auto fresh = m.fresh();
  REQUIRE(m.plan.size() == m.points.size());
  CHECK(
      (host_values(m.plan.permutation()) == host_values(fresh.permutation())));
  const bool sweep = m.random() % 8 == 0;  // they take their time
  CHECK((results_of(m, m.plan, sweep) == results_of(m, fresh, sweep)));
}

/// One of the ways in which points move
template <class M>
std::string move(M& m, int way) {
  const int n = int(m.points.size());
  switch (way) {
    case 0: return m.stay(), "stay";
    case 1: return m.leave(.01), "few leave";
    case 2: return m.leave(.1), "some leave";
    case 3: return m.leave(1), "all leave";
    case 4: return m.jump(.05), "few jump";
    case 5: return m.go_far(.05), "few go far";
    case 6: return m.wrap(), "around";
    case 7: return m.crowd(.03), "few gather";
    case 8: return m.grow(1 + n / 50), "a few more";
    case 9: return m.shrink(1 + n / 50), "a few less";
    case 10: return m.grow(2 + n / 2), "many more";
    case 11: return m.shrink(1 + n / 2), "many less";
    case 12: return m.leave(.03), m.grow(1 + n / 100), "leave and more";
    case 13: return m.leave(.03), m.shrink(1 + n / 100), "leave and less";
    default: return m.crowd(way == 14 ? 1 : .97), "all gather";
  }
}

template <class M>
void check_history(bool wall, int n, int steps, bool each_way) {
  M m(wall, n);
  m.random.seed(unsigned(n));
  for (int step = 0; step < steps; ++step) {
    const std::string what =
        move(m, each_way ? step % 16 : int(m.random() % 16));
    if (m.points.size() > std::size_t(2 * n + 100)) m.shrink(n);
    m.update();
    check_like_new(m, what);
  }
}

TEMPLATE_LIST_TEST_CASE("an updated plan is like new after any history",
                        "[update]", Spaces) {
  using One       = Moving<TestType, 1, float, Hat2>;
  using Two       = Moving<TestType, 2, double, Cosine4>;
  using Three     = Moving<TestType, 3, double, Roma3>;
  const int steps = Test::slow_run ? 12 : 32;
  check_history<One>(true, 211, steps, false);
  check_history<Two>(false, 1009, steps, false);
  check_history<Three>(true, 1500, steps, false);
  check_history<Two>(true, Test::slow_run ? 3000 : 10007, 16, true);
}

TEMPLATE_LIST_TEST_CASE("plans of a handful of points are updated", "[update]",
                        Spaces) {
  using Two = Moving<TestType, 2, double, Cosine4>;
  Two m(true);
  for (const int n : {0, 1, 2, 1, 1, 3, 5, 4, 7, 8, 7, 0, 13, 12, 11, 0, 2})
    for (const double share : {0., .2, 1.}) {
      m.points.resize(std::size_t(n), m.anywhere());
      m.leave(share);
      m.update();
      check_like_new(m, "few");
    }
}

TEMPLATE_LIST_TEST_CASE("in a cell points are in the order of their numbers",
                        "[update]", Spaces) {
  using Two = Moving<TestType, 2, double, Cosine4>;
  Two m(false, 5000);
  m.crowd(1);  // all in one cell, two next to it are empty
  m.update();
  for (int i = 0; i < 20; ++i) {
    for (std::size_t p = std::size_t(i); p < m.points.size(); p += 41)
      m.points[p][1] = 7.5 + double(m.random() % 3) - 1;
    m.update();
    check_like_new(m, "one cell");
  }
}

/// The order of points up to two periods beside the grid is that of the same
/// points in it.
template <class M>
void check_beside(const char* what) {
  M in(false), beside(false);
  for (int i = 0; i < 1009; ++i) {  // quarters of cells: all sums are exact
    auto p = in.anywhere();
    for (double& c : p)
      c = i % 7 == 0 ? 0 : i % 7 == 1 ? M::cells - .25 : std::floor(4 * c) / 4;
    in.points.push_back(p);
    for (double& c : p) c += M::cells * (int(in.random() % 5) - 2);
    beside.points.push_back(p);
  }
  in.update();
  beside.update();
  INFO(what);
  CHECK(host_values(in.plan.permutation()) ==
        host_values(beside.plan.permutation()));
}

TEMPLATE_LIST_TEST_CASE("points beside the grid are sorted as those in it",
                        "[update]", Spaces) {
  check_beside<Moving<TestType, 1, float, Hat2>>("1D");
  check_beside<Moving<TestType, 2, double, Cosine4>>("2D");
  check_beside<Moving<TestType, 3, double, Roma3>>("3D");
}

/// Does the update run a kernel?
bool runs(const Test::Events& e, const char* kernel) {
  return std::count(e.kernels.begin(), e.kernels.end(), kernel) > 0;
}

TEMPLATE_LIST_TEST_CASE("hosts repair the order where few points left",
                        "[update]", Spaces) {
  using Two           = Moving<TestType, 2, double, Cosine4>;
  constexpr bool host = Sporos::Impl::is_host_space_v<TestType>;
  const auto merges   = [](const Test::Events& e) {
    return runs(e, "Sporos::ParticleGridPlan::merge");
  };
  const auto sorts = [](const Test::Events& e) {  // not the changes alone
    return runs(e, "Sporos::ParticleGridPlan::keep_keys") ||
           !Sporos::Impl::is_host_space_v<TestType>;
  };
  Two m(true, 4000);
  const auto check = [&](bool repaired, bool sorted) {
    m.plan.permutation();  // then the next update sorts at once
    const auto& e = m.recorded_update();
    CHECK(merges(e) == (repaired && host));
    CHECK(sorts(e) == (sorted || !host));
    CHECK(runs(e, "Sporos::ParticleGridPlan::tiles") ==
          (repaired || sorted || !host));
  };
  m.stay();
  check(false, false);
  m.leave(.01);
  check(true, false);
  m.leave(.1);
  check(true, false);
  m.leave(.5);
  check(false, true);
  m.shrink(100);
  check(true, false);
  m.grow(100);
  check(true, false);
  m.shrink(1500);
  check(true, false);
  m.shrink(1500);
  check(false, true);
  m.grow(2000);
  check(false, true);
}

TEMPLATE_LIST_TEST_CASE("an update that is refused changes nothing", "[update]",
                        Spaces) {
  if (!Sporos::Impl::is_host_space_v<TestType>) return;
  using Two = Moving<TestType, 2, double, Cosine4>;
  Two m(true, 3000);
  for (int i = 0; i < 4; ++i) {
    const auto good  = m.points;
    const auto order = host_values(m.plan.permutation());
    m.leave(i % 2 ? .02 : 1);
    if (i == 2) m.grow(5);
    m.points[2500][1] = std::numeric_limits<double>::quiet_NaN();
    CHECK_THROWS_AS(m.update(), std::invalid_argument);
    CHECK((host_values(m.plan.permutation()) == order));
    m.points = good;
    check_like_new(m, "refused");
    m.leave(.02);
    m.update();
    check_like_new(m, "after a refusal");
  }
}

TEMPLATE_LIST_TEST_CASE("updates and repairs allocate and wait for nothing",
                        "[update]", Spaces) {
  using Two = Moving<TestType, 2, double, Cosine4>;
  Two m(true, Test::slow_run ? 5000 : 40000);
  const int n = int(m.points.size());
  m.update();
  const std::size_t bytes = m.plan.bytes();
  for (int i = 0; i < 32; ++i) {
    const std::string what = move(m, i % 16);
    if (m.points.size() > std::size_t(n)) m.shrink(int(m.points.size()) - n);
    INFO(what);
    const auto& e = m.recorded_update();
    CHECK((e.allocations == std::vector<std::string>{}));
    CHECK((e.deallocations == std::vector<std::string>{}));
    CHECK((e.fences == std::vector<std::string>{}));
    CHECK(e.copies == 0);
    CHECK(Test::without_sporos(e.kernels).empty());
    CHECK(m.plan.bytes() == bytes);
  }
}

/// More cells than 32 bits can number
template <class Exec>
void check_wide_keys() {
  using Memory     = typename Exec::memory_space;
  using Plan       = ParticleGridPlan<Exec, 2, double, Roma3>;
  constexpr int nx = 1 << 17, ny = 3 << 16, n = 6000;
  const Grid<2> grid({nx, ny}, 1.);
  const Exec exec{};
  const Kokkos::View<double* [2], Memory> x("x", n);
  const Kokkos::View<double*, Memory> line("line", nx), values("values", n);
  using Field          = Kokkos::View<double**, Kokkos::LayoutStride, Memory,
                             Kokkos::MemoryUnmanaged>;
  const auto host_line = Kokkos::create_mirror_view(line);
  for (int i = 0; i < nx; ++i) host_line(i) = std::sin(double(i));
  Kokkos::deep_copy(line, host_line);
  const Field field(line.data(), Kokkos::LayoutStride(nx, 1, ny, 0));
  std::mt19937 random(3);
  const auto host = Kokkos::create_mirror_view(x);
  for (int i = 0; i < n; ++i) {
    host(i, 0) = double(random() % nx) + .25;
    host(i, 1) = double(random() % ny) + .125;
  }
  Kokkos::deep_copy(x, host);
  Plan plan(exec, grid, Roma3{}, x);
  CHECK(plan.describe().find("sorted by keys of 64 bits") != std::string::npos);
  for (int step = 0; step < 6; ++step) {
    for (int i = 0; i < n; ++i) {
      if (random() % 20 == 0) host(i, 1) += step % 2 ? 1. : -70000.;
      if (random() % 50 == 0)  // into the cell of another one
        for (int d = 0; d < 2; ++d) host(i, d) = host((i * 7) % n, d);
    }
    Kokkos::deep_copy(x, host);
    plan.update(exec, x);
    const Plan fresh(exec, grid, Roma3{}, x);
    CHECK(
        (host_values(plan.permutation()) == host_values(fresh.permutation())));
    interpolate(plan, field, values);
    const auto updated = host_values(values);
    interpolate(fresh, field, values);
    CHECK((updated == host_values(values)));
  }
}

TEMPLATE_LIST_TEST_CASE("updates of more cells than 32 bits can number",
                        "[update]", Spaces) {
  check_wide_keys<TestType>();
}

}  // namespace TransferUpdate
