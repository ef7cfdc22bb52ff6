// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Options.hpp"

#include <App_CommandLine.hpp>

#include <algorithm>
#include <limits>
#include <ostream>
#include <stdexcept>

namespace MembraneApp {

const std::vector<std::string>& delta_names() {
  static const std::vector<std::string> names{
      "hat2",     "roma3",    "cosine4",  "peskin4",  "bao6",
      "bspline2", "bspline3", "bspline4", "bspline5", "bspline6"};
  return names;
}

const std::vector<std::string>& spread_names() {
  static const std::vector<std::string> names{"automatic",
                                              "serial",
                                              "sweep",
                                              "sweep_buffered",
                                              "sweep_buffered_on_the_fly",
                                              "tiled",
                                              "replicated",
                                              "atomic"};
  return names;
}

const std::vector<std::string>& interpolate_names() {
  static const std::vector<std::string> names{"automatic", "serial", "sorted",
                                              "tiled", "unsorted"};
  return names;
}

namespace {

using AppCommon::shown;

void declare(CLI::App& app, Options& o) {
  using namespace AppCommon;
  constexpr int any      = std::numeric_limits<int>::max();
  constexpr double large = 1e300;
  app.option_defaults()->always_capture_default();
  app.add_option("--grid", o.grid, "Cells per side")->check(in_range(16, 4096));
  app.add_option("--points", o.points,
                 "Membrane points, at least 16; 0: 4 per cell of a side")
      ->check(in_range(0, 100000000));
  app.add_option("--time", o.time, "Time to simulate")->check(positive());
  app.add_option("--steps", o.steps, "Time steps; 0: as many as reach --time")
      ->check(in_range(0, any));
  app.add_option("--time-step", o.time_step,
                 "0: stable for spacing and stiffness")
      ->check(in_range(0., large));
  app.add_option("--viscosity", o.viscosity, "Dynamic viscosity of the fluid")
      ->check(positive());
  app.add_option("--stiffness", o.stiffness,
                 "Force per stretch of the membrane")
      ->check(in_range(0., large));
  app.add_option("--rest-length", o.rest_length,
                 "Of the springs; 1: that of the circle of the same area")
      ->check(in_range(0., 1.));
  app.add_option("--axis-x", o.axis_x,
                 "Half axes of the start ellipse; sides of the square are 1")
      ->check(positive());
  app.add_option("--axis-y", o.axis_y, "")->check(positive());
  app.add_option("--seed", o.seed,
                 "Perturbs the start shape; 0: exact ellipse in the centre")
      ->check(in_range(0u, std::numeric_limits<unsigned>::max()));
  app.add_option("--perturbation", o.perturbation,
                 "Size of it relative to the radius")
      ->check(in_range(0., .1));
  app.add_option("--delta", o.delta, "Delta function")
      ->check(one_of(delta_names()));
  app.add_option("--spread", o.spread, "Spread algorithm")
      ->check(one_of(spread_names()));
  app.add_option("--interpolate", o.interpolate, "Interpolate algorithm")
      ->check(one_of(interpolate_names()));
  app.add_option("--output", o.output, "Folder of pictures and VTK files")
      ->check(not_empty());
  app.add_option("--frames", o.frames,
                 "Pictures and VTK files; 0: write nothing")
      ->check(in_range(0, 9999));
  app.add_option("--pixels", o.pixels, "Side of a picture")
      ->check(in_range(64, 8192));
  add_common(app, o, "Exit with 1 when a check fails", "a check failed");
}

const char* const description =
    "An elastic membrane in a two-dimensional viscous fluid: immersed boundary "
    "method\non Sporos. The membrane starts as an ellipse in a periodic square "
    "of side 1, full\nof fluid of density 1 at rest, and relaxes to a circle.";

void check_that(bool ok, const std::string& option, const std::string& expected,
                double actual) {
  if (!ok)
    throw std::invalid_argument("membrane: --" + option + ": takes " +
                                expected + ", got " + shown(actual));
}

/// The start shape: inside the square, and no thinner than the grid can show.
void check_axis(const std::string& name, double axis, const Options& o) {
  const double waves = o.seed == 0 ? 0. : 5 * o.perturbation;
  check_that(axis * o.grid >= 2, name,
             "a length of at least 2 cells (" + shown(2. / o.grid) + ")", axis);
  check_that(axis * (1 + waves) < 0.49, name,
             "a length below " + shown(0.49 / (1 + waves)), axis);
}

/// What options must fulfil together.
void check_options(const Options& o) {
  check_that(o.points == 0 || o.points >= 16, "points", "0, or at least 16",
             o.points);
  // frames wait in memory until the scale of all pictures is known
  const int most = static_cast<int>(2e9 / 32 / o.grid / o.grid);
  check_that(o.frames <= most, "frames",
             "at most " + shown(most) + " for this grid", o.frames);
  check_axis("axis-x", o.axis_x, o);
  check_axis("axis-y", o.axis_y, o);
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  const auto options =
      AppCommon::parsed<Options>("membrane", description, declare, argc, argv);
  if (!options.help) check_options(options);
  return options;
}

void print_help(std::ostream& out) {
  out << AppCommon::help_text<Options>("membrane", description, declare);
}

}  // namespace MembraneApp
