// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Membrane_Run.hpp"
#include "Membrane_Simulation.hpp"
#include "Membrane_Transfer_impl.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace MembraneApp;

namespace {

/// Options for a coarse run.
Options coarse(int grid, double time) {
  Options o;
  o.grid = grid;
  o.time = time;
  return o;
}

/// Largest difference between a velocity and one with half the spacing, the
/// faces of which are averaged to those of the coarse grid.
double difference(const Frame& coarse_frame, const Frame& fine_frame) {
  const int n = coarse_frame.cells, m = fine_frame.cells;
  REQUIRE(m == 2 * n);
  double sum = 0;
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      const auto at = [&](const std::vector<double>& f, int p, int q) {
        return f[size_t(2 * i + p) + size_t(m) * size_t(2 * j + q)];
      };
      const size_t k  = size_t(i) + size_t(n) * size_t(j);
      const double dx = coarse_frame.x[k] -
                        0.5 * (at(fine_frame.x, 0, 0) + at(fine_frame.x, 0, 1));
      const double dy = coarse_frame.y[k] -
                        0.5 * (at(fine_frame.y, 0, 0) + at(fine_frame.y, 1, 0));
      sum += dx * dx + dy * dy;
    }
  return std::sqrt(sum) / n;
}

/// The end of a run in the default execution space.
Frame final_frame(const Options& o) {
  AnySimulation simulation = make_simulation(o);
  for (int k = 0; k < o.steps; ++k) simulation.step();
  return simulation.frame();
}

/// In any space.
template <class Exec>
std::unique_ptr<Transfer<Exec>> peskin4_transfer(
    const Exec& exec, const Options& o,
    const typename Transfer<Exec>::MembranePoints& x) {
  return std::make_unique<TransferOf<Exec, Sporos::Peskin4>>(exec, o, x);
}

}  // namespace

TEMPLATE_LIST_TEST_CASE("membrane: a circle stays, with the pressure it makes",
                        "[membrane]", Sporos::Test::Spaces) {
  using Exec = TestType;
  Options o  = coarse(64, 0.2);
  o.axis_x = o.axis_y = 0.25;
  o.stiffness         = 0.7;
  o                   = resolve(o);
  Simulation<Exec> simulation(Exec(), o, peskin4_transfer<Exec>);
  for (int k = 0; k < o.steps; ++k) simulation.step();
  const Frame f = simulation.frame();
  double speed  = 0;
  for (size_t k = 0; k < f.x.size(); ++k)
    speed =
        Sporos::Test::larger_error(speed, std::abs(f.x[k]) + std::abs(f.y[k]));
  CHECK(speed < 5e-3);
  // tension stiffness * radius over radius: the jump is the stiffness
  const double inside = f.pressure[32 + 64 * 32], outside = f.pressure[2];
  CHECK(inside - outside == Approx(o.stiffness).epsilon(0.01));
  const Shape s = measure(f.points);
  CHECK(s.axes[0] == Approx(0.25).epsilon(0.002));
  CHECK(s.axes[1] == Approx(0.25).epsilon(0.002));
}

TEST_CASE("membrane: measures of an ellipse that is turned and moved",
          "[membrane]") {
  const int n = 4000;
  HostPoints x("test::ellipse", n, 2);
  for (int k = 0; k < n; ++k) {
    const double t = 2 * std::acos(-1.) * k / n;
    const double a = 0.3 * std::cos(t), b = 0.1 * std::sin(t);
    x(k, 0) = 7 + 0.8 * a - 0.6 * b;
    x(k, 1) = -2 + 0.6 * a + 0.8 * b;
  }
  const Shape s = measure(x);
  CHECK(s.area == Approx(std::acos(-1.) * 0.03).epsilon(1e-5));
  CHECK(s.center[0] == Approx(7));
  CHECK(s.center[1] == Approx(-2));
  CHECK(s.axes[0] == Approx(0.3).epsilon(1e-5));
  CHECK(s.axes[1] == Approx(0.1).epsilon(1e-5));
}

TEST_CASE("membrane: forces are minus the gradient of the energy",
          "[membrane]") {
  using Exec        = Kokkos::DefaultHostExecutionSpace;
  using Memory      = Exec::memory_space;
  Options o         = coarse(32, 1);
  o.points          = 16;
  o.rest_length     = GENERATE(0., 0.6);
  o.seed            = 3;
  o.perturbation    = 0.1;
  const Springs law = make_springs(o);
  Points<Memory> x("test::x", o.points, 2), force("test::force", o.points, 2);
  Kokkos::deep_copy(x, start_shape(o));
  const Exec exec;
  MembraneApp::Impl::for_rows(
      "test::force", exec, o.points,
      MembraneApp::Impl::ElasticForce<Memory>{x, force, law, o.points});
  const auto energy = [&] {
    return MembraneApp::Impl::sum_rows(
        "test::energy", exec, o.points,
        MembraneApp::Impl::ElasticEnergy<Memory>{x, law, o.points});
  };
  Kokkos::fence();
  for (int k = 0; k < o.points; ++k)
    for (int d = 0; d < 2; ++d) {
      const double at = x(k, d), shift = 1e-5;
      x(k, d)            = at + shift;
      const double above = energy();
      x(k, d)            = at - shift;
      const double below = energy();
      x(k, d)            = at;
      CHECK(std::abs((above - below) / (2 * shift) + force(k, d)) < 1e-7);
    }
}

TEST_CASE("membrane: halving the time step quarters the error", "[membrane]") {
  std::vector<Frame> frames;
  for (const int steps : {32, 64, 128}) {
    Options o   = coarse(32, 0.1);
    o.steps     = steps;
    o.time_step = o.time / steps;
    frames.push_back(final_frame(resolve(o)));
  }
  double difference[2] = {0, 0};
  for (size_t f = 0; f < 2; ++f)
    for (size_t k = 0; k < frames[0].points.extent(0); ++k)
      for (int d = 0; d < 2; ++d)
        difference[f] = Sporos::Test::larger_error(
            difference[f],
            std::abs(frames[f].points(k, d) - frames[f + 1].points(k, d)));
  CAPTURE(difference[0], difference[1]);
  CHECK(std::log2(difference[0] / difference[1]) > 1.8);
}

TEST_CASE("membrane: area kept, force conserved, axes converge", "[membrane]") {
  Options o;  // the default run, coarser
  o.grid                   = 32;
  o.seed                   = 5;
  o.delta                  = GENERATE(from_range(delta_names()));
  o                        = resolve(o);
  AnySimulation simulation = make_simulation(o);
  const Status start       = simulation.status();
  CAPTURE(o.delta);
  double drift = 0, force_error = 0, divergence = 0, energy = start.energy();
  for (int k = 1; k <= o.steps; ++k) {
    simulation.step();
    if (k % 50 != 0 && k != o.steps) continue;
    const Status s = simulation.status();
    drift          = Sporos::Test::larger_error(
                 drift, std::abs(s.shape.area / start.shape.area - 1));
    force_error = Sporos::Test::larger_error(force_error, s.force_error);
    divergence  = Sporos::Test::larger_error(divergence, s.divergence);
    CHECK(s.energy() < energy);
    energy = s.energy();
  }
  const Status end = simulation.status();
  CHECK(start.shape.ratio() > 2);
  CHECK(end.shape.ratio() < 1.05);
  CHECK(drift < 0.01);
  CHECK(force_error < 1e-13);
  CHECK(divergence < 1e-12);
}

TEST_CASE("membrane: halving h halves the velocity error", "[membrane]") {
  // the same small time step for all, so that only space counts; viscous enough
  // for the coarsest grid to see the layer at the membrane
  Options finest   = coarse(128, 0.1);
  finest.viscosity = 0.2;
  finest.delta =
      GENERATE(as<std::string>(), "roma3", "peskin4", "bao6", "bspline4");
  finest = resolve(finest);
  std::vector<Frame> frames;
  for (const int grid : {16, 32, 64, 128}) {
    Options o   = finest;
    o.grid      = grid;
    o.points    = 4 * grid;
    o.time_step = finest.time_step;
    frames.push_back(final_frame(o));
  }
  // differences of successive grids fall as the error does
  const double coarse_error = difference(frames[0], frames[1]);
  const double middle_error = difference(frames[1], frames[2]);
  const double fine_error   = difference(frames[2], frames[3]);
  CAPTURE(finest.delta, coarse_error, middle_error, fine_error);
  CHECK(std::log2(coarse_error / middle_error) > 1);
  CHECK(std::log2(middle_error / fine_error) > 1);
}

TEST_CASE("membrane: every spread and interpolate algorithm serves it",
          "[membrane]") {
  Options o = coarse(32, 0.1);
  o.delta   = "cosine4";
  o.spread = o.interpolate = "serial";
  o                        = resolve(o);
  const Frame expected     = final_frame(o);
  std::vector<Options> others;
  for (const auto& name : spread_names()) {
    others.push_back(o);
    others.back().spread = name;
  }
  for (const auto& name : interpolate_names()) {
    others.push_back(o);
    others.back().interpolate = name;
  }
  for (const Options& other : others) {
    CAPTURE(other.spread, other.interpolate);
    const Frame frame = final_frame(other);
    double worst      = 0;
    for (int k = 0; k < o.points; ++k)
      for (int d = 0; d < 2; ++d)
        worst = Sporos::Test::larger_error(
            worst, std::abs(frame.points(k, d) - expected.points(k, d)));
    CHECK(worst < 1e-12);
  }
}

TEST_CASE("membrane: a whole run and its checks", "[membrane]") {
  Options o;
  o.grid   = 32;
  o.frames = 0;
  std::ostringstream out;
  const Report report = run(o, out);
  CHECK(out.str().find("100 %") != std::string::npos);
  for (const Check& check : checks(report)) {
    CAPTURE(check.name, check.text);
    CHECK(check.ok);
  }
  print(report, out);
  CHECK(out.str().find("enclosed area") != std::string::npos);

  SECTION("a run that is too short fails the check of the axes") {
    o.steps            = 5;
    const auto results = checks(run(o, out));
    CHECK(std::count_if(results.begin(), results.end(), [](const Check& c) {
            return !c.ok && c.name == "axes ratio";
          }) == 1);
  }
  SECTION("an unstable run is an error") {
    o.time_step = 0.1;
    CHECK_THROWS_AS(run(o, out), std::runtime_error);
  }
}
