// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Nufft_Options.hpp"

#include <App_CommandLine.hpp>

#include <ostream>
#include <stdexcept>

namespace NufftApp {
namespace {

using AppCommon::shown;

void declare(CLI::App& app, Options& o) {
  using namespace AppCommon;
  constexpr int most = 2147483646;
  app.option_defaults()->always_capture_default();
  app.add_option("--dimension", o.dimension, "Of the space")
      ->check(in_range(2, 3));
  app.add_option("--modes", o.modes, "In each direction")
      ->check(in_range(4, 8192));
  app.add_option("--points", o.points, "At random places")
      ->check(in_range(1, 1000000000));
  app.add_option("--tolerance", o.tolerance, "Relative error, l2 norm")
      ->check(in_range(1e-6, 1e-2));
  app.add_option("--upsampling", o.upsampling,
                 "Of the grid, 1.25 to 4; 0: by the cost model")
      ->check(in_range(0., 4.));
  app.add_flag("--float", o.single, "Single precision");
  app.add_option("--seed", o.seed, "Of points and numbers")
      ->check(in_range(0, most));
  app.add_option("--sign", o.sign, "Of the exponent in type 1; -1 or 1")
      ->check(one_of({"-1", "1"}));
  app.add_option("--repeat", o.repeat, "Runs, for the medians of their times")
      ->check(in_range(1, 1000));
  app.add_option("--compare", o.compare,
                 "Results compared with the direct sum; 0: all")
      ->check(in_range(0, most));
  app.add_option("--output", o.output, "Folder of nufft.png (dimension 2)")
      ->check(not_empty());
  app.add_flag("--no-files", o.no_files, "Write nothing");
  add_common(app, o, "Exit with 1 when an error exceeds the tolerance",
             "an error exceeds the tolerance");
}

const char* const description =
    "Non-uniform FFT on Sporos, types 1 (points to modes) and 2 (modes to "
    "points):\nspread or interpolate with the exponential of semicircle, an "
    "FFT, and division by\nthe transform of the kernel. Compared with the "
    "direct sum. In two dimensions also\nan image from samples of its spectrum "
    "along spokes.";

void check_that(bool ok, const std::string& option, const std::string& expected,
                double actual) {
  if (!ok)
    throw std::invalid_argument("nufft: --" + option + ": takes " + expected +
                                ", got " + shown(actual));
}

/// What options must fulfil together.
void check_options(const Options& o) {
  check_that(o.upsampling == 0 || o.upsampling >= 1.25, "upsampling",
             "0, or a number from 1.25 to 4", o.upsampling);
  check_that(o.compare == 0 || o.compare >= 100, "compare",
             "0, or at least 100", o.compare);
  check_that(o.dimension == 2 || o.modes <= 512, "modes",
             "at most 512 in three dimensions", o.modes);
  check_that(!o.single || o.tolerance > .99e-5, "tolerance",
             "at least 1e-05 in single precision", o.tolerance);
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  const auto options =
      AppCommon::parsed<Options>("nufft", description, declare, argc, argv);
  if (!options.help) check_options(options);
  return options;
}

void print_help(std::ostream& out) {
  out << AppCommon::help_text<Options>("nufft", description, declare);
}

}  // namespace NufftApp
