// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Plasma_Options.hpp"

#include <App_CommandLine.hpp>

#include <ostream>

namespace PlasmaApp {
namespace {

void declare(CLI::App& app, Options& o, std::string& problem) {
  using namespace AppCommon;
  app.option_defaults()->always_capture_default();
  app.add_option("--problem", problem, "oscillation or two-stream")
      ->check(one_of({"oscillation", "two-stream"}));
  app.add_option("--cells", o.cells, "Along x, where the wave is")
      ->check(in_range(16, 65536));
  app.add_option("--across", o.across, "Cells along y")
      ->check(in_range(4, 65536));
  app.add_option("--points", o.points,
                 "Particles per cell, in each direction and beam")
      ->check(in_range(1, 64));
  app.add_option("--step", o.step, "Of time, in 1 / plasma frequency")
      ->check(in_range(0.001, 0.2));
  app.add_option("--time", o.time, "End; 0: as the problem needs")
      ->check(in_range(0., 1e6));
  app.add_flag("--any-ranks", o.any_ranks,
               "The same bits on any number of MPI ranks");
  app.add_option("--output", o.output, "Folder of the picture and the fields")
      ->check(not_empty());
  app.add_flag("--no-files", o.no_files, "Write nothing");
  add_common(app, o, "Exit with 1 when a result differs from theory",
             "a result differs from theory");
}

const char* const description =
    "Particles in cells: electrons in front of resting ions, with the field "
    "that they\nmake. Oscillation: the frequency of a cold plasma. "
    "Two-stream: how fast the\ninstability of two beams grows. Both are known "
    "from theory.";

}  // namespace

double end_time(const Options& o) {
  if (o.time > 0) return o.time;
  return o.problem == Problem::oscillation ? 50 : 60;
}

Options parse_options(int argc, const char* const* argv) {
  std::string problem = "oscillation";
  auto options        = AppCommon::parsed<Options>(
      "plasma", description,
      [&](CLI::App& app, Options& o) { declare(app, o, problem); }, argc, argv);
  options.problem =
      problem == "oscillation" ? Problem::oscillation : Problem::two_stream;
  return options;
}

void print_help(std::ostream& out) {
  std::string problem = "oscillation";
  out << AppCommon::help_text<Options>(
      "plasma", description,
      [&](CLI::App& app, Options& o) { declare(app, o, problem); });
}

}  // namespace PlasmaApp
