// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// Benchmark of a step of particles in cells, small supports and grids: update,
/// spread and interpolate with points that move by a tenth of a cell, against
/// ScatterView (duplicated) and a plain gather loop, which need no update. All
/// in turn, ROUNDS times. Rows:
///
///   range/<2d|3d>/<hat2|roma3|peskin4>/<double|float>/
///       <random|sorted|clustered>/<cells per side>/<points>
///
/// Counters: sporos_ms and peer_ms (least time of a step), ratio (peer over
/// Sporos), view_ratio (peer over a plan that keeps the View of positions),
/// spread_ratio (ScatterView over update and spread), replicated (1: the choice
/// of `automatic`). perf/range.sh prints tables of them.

#include "Bench_Report.hpp"
#include "ParticleGrid_Points.hpp"

#include <Kokkos_ScatterView.hpp>
#include <Sporos_ParticleGrid.hpp>

#include <algorithm>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

namespace {

using namespace Bench;
namespace Scatter = Kokkos::Experimental;

enum class Order { random, sorted, clustered };

struct Case {
  Order order;
  int cells, points;
};

template <class T, int Dim>
using PointsOf =
    std::conditional_t<Dim == 2,
                       Kokkos::View<T* [2], Kokkos::LayoutRight, Exec>,
                       Kokkos::View<T* [3], Kokkos::LayoutRight, Exec>>;
template <class T, int Dim>
using FieldOf =
    std::conditional_t<Dim == 2, Kokkos::View<T**, Kokkos::LayoutRight, Exec>,
                       Kokkos::View<T***, Kokkos::LayoutRight, Exec>>;

/// Grid points and weights of a point, as users write it.
template <class T, int Dim, class Delta>
struct UserStencil {
  static constexpr int s = Delta::support;
  int index[Dim][s];
  T weight[Dim][s];

  template <class X>
  KOKKOS_FORCEINLINE_FUNCTION UserStencil(const X& x, int i, int cells) {
    constexpr T half = s % 2 ? T(.5) : T(0);
    for (int d = 0; d < Dim; ++d) {
      const T scaled = x(i, d) * T(cells) + half;  // not negative
      const int cell = int(scaled);
      Delta().weights(scaled - T(cell) - half, weight[d]);
      for (int k = 0; k < s; ++k) {
        const int j = cell + k - (s - 1) / 2;
        index[d][k] = j < 0 ? j + cells : j >= cells ? j - cells : j;
      }
    }
  }
  template <class F>
  KOKKOS_FORCEINLINE_FUNCTION void for_each(const F& f) const {
    for (int a = 0; a < s; ++a)
      for (int b = 0; b < s; ++b)
        if constexpr (Dim == 2) {
          f(weight[0][a] * weight[1][b], index[0][a], index[1][b]);
        } else {
          const T w = weight[0][a] * weight[1][b];
          for (int c = 0; c < s; ++c)
            f(w * weight[2][c], index[0][a], index[1][b], index[2][c]);
        }
  }
};

template <class T, int Dim, class Delta>
struct Step {
  using X     = PointsOf<T, Dim>;
  using Field = FieldOf<T, Dim>;
  using Duplicates =
      Scatter::ScatterView<typename Field::data_type, Kokkos::LayoutRight, Exec,
                           Scatter::ScatterSum, Scatter::ScatterDuplicated,
                           Scatter::ScatterNonAtomic>;
  using Plan = Sporos::ParticleGridPlan<Exec, Dim, T, Delta>;

  Case of;
  X x, moved;
  Kokkos::View<T*, Exec> strengths, values;
  Field field;
  Duplicates duplicates;
  Plan plan, views;

  explicit Step(const Case& c)
      : of(c),
        x("bench::x", std::size_t(c.points)),
        moved("bench::moved", std::size_t(c.points)),
        strengths("bench::strengths", std::size_t(c.points)),
        values("bench::values", std::size_t(c.points)),
        field(make_field(c.cells)),
        duplicates(field) {
    place();
    Kokkos::deep_copy(strengths, T(1));
    Kokkos::Array<int, Dim> extents;
    for (int d = 0; d < Dim; ++d) extents[d] = c.cells;
    plan = Plan(Exec(), Sporos::Grid<Dim, T>(extents, T(1) / T(c.cells)),
                Delta(), x);
    Sporos::PlanOptions options;
    options.positions = Sporos::PlanPositions::view;
    views             = Plan(Exec(), plan.grid(), Delta(), x, options);
  }

  /// A step of Sporos; returns the time of update and spread.
  double sporos(Plan& with, bool forth) {
    const Exec exec;
    const Timer timer;
    with.update(exec, forth ? moved : x);
    Kokkos::deep_copy(exec, field, T(0));
    Sporos::spread(exec, with, strengths, field);
    exec.fence();
    const double seconds = timer.seconds();
    Sporos::interpolate(exec, with, field, values);
    exec.fence();
    return seconds;
  }
  /// A step of the peers; returns the time of ScatterView.
  double peer(bool forth) {
    const Exec exec;
    const Timer timer;
    const X at       = forth ? moved : x;
    const int cells  = of.cells;
    const auto range = Kokkos::RangePolicy<Exec>(exec, 0, of.points);
    T factor         = 1;
    for (int d = 0; d < Dim; ++d) factor *= T(cells);
    Kokkos::deep_copy(exec, field, T(0));
    duplicates.reset(exec);
    Kokkos::parallel_for(
        "bench::scatter", range,
        [=, copies = duplicates, from = strengths](int i) {
          const UserStencil<T, Dim, Delta> s(at, i, cells);
          const T strength = factor * from(i);
          auto access      = copies.access();
          s.for_each([&](T w, auto... j) { access(j...) += strength * w; });
        });
    duplicates.contribute_into(exec, field);
    exec.fence();
    const double seconds = timer.seconds();
    Kokkos::parallel_for(
        "bench::gather", range, [=, from = field, to = values](int i) {
          const UserStencil<T, Dim, Delta> s(at, i, cells);
          T sum = 0;
          s.for_each([&](T w, auto... j) { sum += w * from(j...); });
          to(i) = sum;
        });
    exec.fence();
    return seconds;
  }

 private:
  static Field make_field(int n) {
    const auto m = std::size_t(n);
    if constexpr (Dim == 2)
      return Field("bench::field", m, m);
    else
      return Field("bench::field", m, m, m);
  }
  /// Points, and the same after a step; sorted ones by the cells of the first.
  void place() {
    const HostPoints points =
        make_points(of.order == Order::clustered ? Distribution::clustered
                                                 : Distribution::uniform,
                    of.points);
    std::vector<int> order(std::size_t(of.points));
    for (int i = 0; i < of.points; ++i) order[std::size_t(i)] = i;
    const auto cell = [&](int i) {
      std::size_t key = 0;
      for (int d = 0; d < Dim; ++d)
        key =
            key * std::size_t(of.cells) + std::size_t(points(i, d) * of.cells);
      return key;
    };
    if (of.order == Order::sorted)
      std::stable_sort(order.begin(), order.end(),
                       [&](int a, int b) { return cell(a) < cell(b); });
    Random random(3);
    for (int i = 0; i < of.points; ++i)
      for (int d = 0; d < Dim; ++d) {
        const double at = points(order[std::size_t(i)], d);
        x(i, d)         = T(wrapped(at));
        moved(i, d) = T(wrapped(at + .1 / of.cells * random.uniform(-1, 1)));
        if (!(x(i, d) < 1)) x(i, d) = 0;
        if (!(moved(i, d) < 1)) moved(i, d) = 0;
      }
  }
};

template <class T, int Dim, class Delta>
void run_row(benchmark::State& state, const Case& of) {
  Step<T, Dim, Delta> step(of);
  while (state.KeepRunning()) {
    constexpr double none = std::numeric_limits<double>::max();
    double best[3] = {none, none, none}, spread[3] = {none, none, none};
    const Timer whole;
    const int least = of.points > 1000000 ? 3 : 5;
    for (int round = 0; round < least || (whole.seconds() < .6 && round < 99);
         ++round)
      for (int who = 0; who < 3; ++who) {
        const Timer timer;
        const bool forth = round % 2 != 0;
        const double s   = who == 0   ? step.sporos(step.plan, forth)
                           : who == 1 ? step.peer(forth)
                                      : step.sporos(step.views, forth);
        best[who]        = std::min(best[who], timer.seconds());
        spread[who]      = std::min(spread[who], s);
      }
    state.counters["sporos_ms"]    = 1e3 * best[0];
    state.counters["peer_ms"]      = 1e3 * best[1];
    state.counters["ratio"]        = best[1] / best[0];
    state.counters["view_ratio"]   = best[1] / best[2];
    state.counters["spread_ratio"] = spread[1] / spread[0];
    state.counters["replicated"]   = step.plan.state().replicates ? 1 : 0;
  }
}

template <class T, int Dim, class Delta>
void add_rows(const char* delta) {
  struct Size {
    int cells, points;
  };
  const std::vector<Size> sizes =
      Dim == 2
          ? std::vector<Size>{{64, 10000},     {64, 100000},   {128, 10000},
                              {128, 100000},   {128, 1000000}, {512, 10000},
                              {512, 100000},   {512, 1000000}, {2048, 1000000},
                              {2048, 10000000}}
          : std::vector<Size>{{32, 10000},    {32, 100000},   {64, 10000},
                              {64, 100000},   {64, 1000000},  {128, 10000},
                              {128, 100000},  {128, 1000000}, {256, 1000000},
                              {256, 10000000}};
  const char* const orders[] = {"random", "sorted", "clustered"};
  for (const auto [cells, points] : sizes)
    for (const Order order : {Order::random, Order::sorted, Order::clustered}) {
      const std::string name =
          std::string("range/") + (Dim == 2 ? "2d/" : "3d/") + delta +
          (sizeof(T) == 8 ? "/double/" : "/float/") + orders[int(order)] + '/' +
          std::to_string(cells) + '/' + std::to_string(points);
      const Case of{order, cells, points};
      benchmark::RegisterBenchmark(
          name.c_str(),
          [of](benchmark::State& state) { run_row<T, Dim, Delta>(state, of); })
          ->Unit(benchmark::kMillisecond)
          ->Iterations(1);
    }
}

template <class T>
void add_type() {
  add_rows<T, 2, Sporos::Hat2>("hat2");
  add_rows<T, 2, Sporos::Roma3>("roma3");
  add_rows<T, 2, Sporos::Peskin4>("peskin4");
  add_rows<T, 3, Sporos::Hat2>("hat2");
  add_rows<T, 3, Sporos::Roma3>("roma3");
  add_rows<T, 3, Sporos::Peskin4>("peskin4");
}

}  // namespace

int main(int argc, char** argv) {
  const Kokkos::ScopeGuard guard(argc, argv);
  add_type<double>();
  add_type<float>();
  benchmark::Initialize(&argc, argv);
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}
