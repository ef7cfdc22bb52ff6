// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// What grids and plans of particle-grid transfer refuse.

#include "Sporos_WrongTransfers.hpp"

#include <cmath>
#include <cstddef>
#include <type_traits>
#include <vector>

namespace WrongPlanCalls {

using namespace Sporos;
using namespace Sporos::Test;

using Cells  = Kokkos::Array<int, 2>;
using Widths = Kokkos::Array<double, 2>;
using Bounds = Kokkos::Array<Boundary, 2>;

TEST_CASE("wrong grids", "[wrong_calls]") {
  const Untouched untouched;
  const auto grid = [](const Cells& cells, const Widths& h,
                       const Widths& origin = {{0., 0.}}, int boundary = 0) {
    return [=] {
      Grid<2>(cells, h, Bounds{{Boundary(boundary), Boundary::wall}}, origin);
    };
  };
  const std::string f = "Sporos::Grid", face = "Sporos::Grid::face",
                    cells           = "a positive number below 2147483000",
                    width           = "a positive finite width",
                    place           = "a finite coordinate";
  const std::vector<WrongCall> rows = {
      {"no cells", grid({{0, 6}}, {{1., 1.}}), f, "cells", cells, "0"},
      {"cells below 0", grid({{8, -6}}, {{1., 1.}}), f, "cells", cells, "-6"},
      {"too many cells", grid({{8, 2147483000}}, {{1., 1.}}), f, "cells", cells,
       "2147483000"},
      {"equal widths of 0",
       [] {
         Grid<2>({{8, 6}}, 0.);
       },
       f, "h", width, "0"},
      {"a width below 0", grid({{8, 6}}, {{1., -.5}}), f, "h", width, "-0.5"},
      {"a width that is NaN", grid({{8, 6}}, {{not_a_number, 1.}}), f, "h",
       width, "nan"},
      {"an infinite width", grid({{8, 6}}, {{1., infinity}}), f, "h", width,
       "inf"},
      {"a width without inverse", grid({{8, 6}}, {{1e-320, 1.}}), f, "h", width,
       "e-32"},
      {"a volume without inverse", grid({{8, 6}}, {{1e-160, 1e-160}}), f, "h",
       "a cell volume whose inverse is finite", "e-32"},
      {"an origin that is NaN",
       grid({{8, 6}}, {{1., 1.}}, {{not_a_number, 0.}}), f, "origin", place,
       "nan"},
      {"an infinite origin", grid({{8, 6}}, {{1., 1.}}, {{0., -infinity}}), f,
       "origin", place, "-inf"},
      {"a boundary that is none", grid({{8, 6}}, {{1., 1.}}, {{0., 0.}}, 2), f,
       "boundary", "periodic or wall", "2"},
      {"a face below 0", [] { Grid<2>::face(-1); }, face, "k",
       "a direction of the grid", "-1"},
      {"a face of another dimension", [] { Grid<2>::face(2); }, face, "k",
       "a direction of the grid", "2"}};
  check_wrong_calls(rows, untouched, 14);
}

/// Weights on four points that sum to 1, times Percent / 100.
template <int Percent>
struct Scaled {
  static constexpr int support = 4;
  template <class T>
  KOKKOS_INLINE_FUNCTION void weights(T r, T* w) const {
    Cosine4{}.weights(r, w);
    for (int k = 0; k < 4; ++k) w[k] = w[k] * T(Percent / 100.);
  }
};

/// Weights that sum to 1 but at one end.
struct WrongAtTheEnd {
  static constexpr int support = 4;
  KOKKOS_INLINE_FUNCTION void weights(double r, double* w) const {
    w[0] = w[3] = 0.;
    w[1]        = 1. - r;
    w[2]        = r < 1. ? r : 0.;
  }
};

/// The root of a number below 0 for some r.
struct Rootless {
  static constexpr int support = 4;
  KOKKOS_INLINE_FUNCTION void weights(double r, double* w) const {
    w[0] = w[3] = 0.;
    w[2]        = std::sqrt(.5 - r);
    w[1]        = 1. - w[2];
  }
};

TEST_CASE("wrong plans of particle-grid transfer", "[wrong_calls]") {
  Points p;
  Untouched untouched;
  untouched.watch(p.x_data.data(), 20 * sizeof(double));
  double* const x = p.x_data.data();
  const auto plan = [&](const V2& positions, const PlanOptions& options = {},
                        const Cells& cells = {{8, 6}}) {
    return [&p, positions, options, cells] {
      TransferPlan(p.exec, Grid<2>(cells, 1.), Cosine4{}, positions, options);
    };
  };
  const auto staggered = [](double g0, double g1) {
    PlanOptions options;
    options.staggering = {{g0, g1, 0.}};
    return options;
  };
  PlanOptions checked;
  checked.check_delta = true;
  const auto delta    = [&](const auto& d) {
    using Plan =
        ParticleGridPlan<HostExec, 2, double, std::decay_t<decltype(d)>>;
    return [&, d] { Plan(p.exec, p.grid, d, p.x, checked); };
  };
  const std::string f = "Sporos::ParticleGridPlan", xs = "positions",
                    most = "fewer than 2147418112 points",
                    unit = "a number in [0, 1)", sum = "weights that sum to 1";
  const std::vector<WrongCall> rows = {
      {"three coordinates", plan(V2(x, 6, 3)), f, xs, "extents (n, 2)",
       "(6, 3)"},
      {"one coordinate", plan(V2(x, 10, 1)), f, xs, "extents (n, 2)",
       "(10, 1)"},
      {"no points, three coordinates", plan(V2(x, 0, 3)), f, xs,
       "extents (n, 2)", "(0, 3)"},
      {"too many points", plan(V2(x, 2147418112, 2)), f, xs, most,
       "2147418112"},
      {"more points than an int has", plan(V2(x, std::size_t(1) << 32, 2)), f,
       xs, most, "4294967296"},
      {"null positions", plan(V2(nullptr, 10, 2)), f, xs,
       "memory for extents (10, 2)", "a null pointer"},
      {"a grid of nothing",
       [&] { TransferPlan(p.exec, Grid<2>(), Cosine4{}, p.x); }, f, "grid",
       "cells in direction 0", "0"},
      {"more tiles than the library can number",
       plan(p.x, {}, {{1 << 21, 1 << 20}}), f, "grid",
       "fewer than 2^29 tiles of 512 cells", "4294967296 or more"},
      {"staggering below 0", plan(p.x, staggered(-.25, 0.)), f, "staggering",
       unit, "-0.25"},
      {"staggering of 1", plan(p.x, staggered(0., 1.)), f, "staggering", unit,
       "1"},
      {"staggering that is NaN", plan(p.x, staggered(.5, not_a_number)), f,
       "staggering", unit, "nan"},
      {"no direction",
       [&] {
         PlanOptions options;
         options.contiguous = ContiguousDirection(3);
         plan(p.x, options)();
       },
       f, "options.contiguous", "automatic, first or last", "3"},
      {"no way to keep positions",
       [&] {
         PlanOptions options;
         options.positions = PlanPositions(2);
         plan(p.x, options)();
       },
       f, "options.positions", "copy or view", "2"},
      {"weights that sum to 0.99", delta(Scaled<99>{}), f, "delta", sum,
       "0.99 at r = 0"},
      {"weights that sum to 2", delta(Scaled<200>{}), f, "delta", sum,
       "2 at r = 0"},
      {"weights that sum to nearly 1", delta(ExponentialOfSemicircle<4>{}), f,
       "delta", sum, "at r = 0"},
      {"weights that sum to 0", delta(Scaled<0>{}), f, "delta", sum,
       "0 at r = 0"},
      {"weights that are wrong at the end", delta(WrongAtTheEnd{}), f, "delta",
       sum, "0 at r = 1"},
      {"weights that are NaN", delta(Rootless{}), f, "delta", sum,
       "nan at r = 0.5625"}};
  check_wrong_calls(rows, untouched, 19);
  delta(Scaled<100>{})();
}

TEST_CASE("wrong updates of plans", "[wrong_calls]") {
  Points p;
  TransferPlan plan(p.exec, p.grid, Cosine4{}, p.x);
  double* const x = p.x_data.data();
  // a coordinate that is not finite in each direction, and two of them
  std::vector<std::vector<double>> bad(5, p.x_data);
  bad[0][14] = not_a_number;
  bad[1][7]  = infinity;
  bad[2][18] = -infinity;
  bad[3][19] = bad[3][8] = bad[3][13] = not_a_number;
  bad[4][0]                           = infinity;
  Untouched untouched;
  for (const auto& b : bad) untouched.watch(b.data(), 20 * sizeof(double));
  // the order of the points is what it was
  untouched.watch(plan.permutation().data(), 10 * sizeof(int));
  const auto view = [&](int i) { return V2(bad[i].data(), 10, 2); };
  const auto make = [&](int i) {
    return [&, i] { TransferPlan(p.exec, p.grid, Cosine4{}, view(i)); };
  };
  const auto update = [&](const V2& positions) {
    return [&, positions] {
      plan.update(p.exec, positions);
      plan.check(p.exec);
    };
  };
  const std::string f = "Sporos::ParticleGridPlan", u = f + "::update",
                    xs = "positions", finite = "finite coordinates";
  const std::vector<WrongCall> rows = {
      {"NaN in a plan", make(0), f, xs, finite,
       "NaN, infinity or an overflow in cells at point 7"},
      {"infinity in a plan", make(1), f, xs, finite, "at point 3"},
      {"the first of three", make(3), f, xs, finite, "at point 4"},
      {"NaN in an update", update(view(0)), u, xs, finite, "at point 7"},
      {"minus infinity in an update", update(view(2)), u, xs, finite,
       "at point 9"},
      {"infinity at the first point", update(view(4)), u, xs, finite,
       "at point 0"},
      {"update in the default instance", [&] { plan.update(view(3)); }, u, xs,
       finite, "at point 4"},
      {"update with three coordinates", update(V2(x, 6, 3)), u, xs,
       "extents (n, 2)", "(6, 3)"},
      {"update with too many points", update(V2(x, 2147418112, 2)), u, xs,
       "fewer than 2147418112 points", "2147418112"},
      {"update with null positions", update(V2(nullptr, 3, 2)), u, xs,
       "memory for extents (3, 2)", "a null pointer"}};
  check_wrong_calls(rows, untouched, 10);
  CHECK(plan.size() == 10);
}

}  // namespace WrongPlanCalls
