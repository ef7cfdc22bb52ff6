// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Options.hpp"

#include <App_CommandLine.hpp>

#include <algorithm>
#include <ostream>
#include <stdexcept>

namespace PivApp {

const std::vector<std::string>& flow_names() {
  static const std::vector<std::string> names{"uniform", "shear", "vortex"};
  return names;
}

const std::vector<std::string>& algorithm_names() {
  static const std::vector<std::string> names{
      "automatic",      "basic", "tile", "shuffle", "lane_group_per_shift",
      "team_per_shift", "fft"};
  return names;
}

namespace {

using namespace AppCommon;

const char* const synthetic = "Synthetic pair";

void declare_synthetic(CLI::App& app, Options& o) {
  app.option_defaults()->group(synthetic);
  app.add_option("--flow", o.flow, "Of the synthetic pair")
      ->check(one_of(flow_names()));
  app.add_option("--width", o.width, "Pixels")->check(in_range(64, 16384));
  app.add_option("--height", o.height, "Pixels")->check(in_range(64, 16384));
  app.add_option("--density", o.density, "Particles per pixel")
      ->check(in_range(1e-5, 1.));
  app.add_option("--diameter", o.diameter, "Of a particle, pixels")
      ->check(in_range(.5, 32.));
  app.add_option("--noise", o.noise, "Standard deviation; white is 1")
      ->check(in_range(0., 1.));
  app.add_option("--seed", o.seed, "Of particles and noise")
      ->check(in_range(0, 2147483647));
  app.add_option("--displacement", o.displacement,
                 "Largest one of the flow, pixels")
      ->check(in_range(0., 32.));
  app.add_option("--angle", o.angle, "Of the uniform flow, degrees")
      ->check(in_range(-360., 360.));
  app.add_option("--core", o.core, "Radius of the vortex / side")
      ->check(in_range(.01, 1.));
  app.add_option("--bits", o.bits, "A value of the images, 8 or 16")
      ->check(in_range(8, 16));
}

void declare_analysis(CLI::App& app, Options& o) {
  app.option_defaults()->group("Analysis");
  app.add_option("--window", o.window, "Side, pixels")->check(in_range(16, 64));
  app.add_option("--overlap", o.overlap, "Of windows, per cent")
      ->check(in_range(0., 95.));
  app.add_option("--shifts", o.shifts,
                 "Largest shift; 0: a quarter of the window")
      ->check(in_range(0, 32));
  app.add_option("--passes", o.passes,
                 "2: again with windows moved by the first result")
      ->check(in_range(1, 2));
  app.add_option("--median-limit", o.median_limit,
                 "Of the normalised median test")
      ->check(in_range(.1, 1e6));
  app.add_option("--snr-limit", o.snr_limit,
                 "Least ratio of the two highest peaks")
      ->check(in_range(0., 1e6));
  app.add_option("--repeat", o.repeat,
                 "Evaluations, for the median of their times")
      ->check(in_range(1, 1000));
  app.add_option("--algorithm", o.algorithm, "Of cross_correlate")
      ->check(one_of(algorithm_names()));
}

void declare(CLI::App& app, Options& o) {
  auto* const image = app.add_option(
      "IMAGE_A", o.image_a,
      "PNG, TIFF, PGM (binary, 8 or 16 bits) or BMP (not compressed), "
      "colours become grey; none: a pair of a known flow is made, and "
      "the error of the result is measured");
  app.add_option("IMAGE_B", o.image_b, "Of the same size");
  app.option_defaults()->always_capture_default();
  declare_synthetic(app, o);
  for (CLI::Option* const option : app.get_options(
           [](const CLI::Option* p) { return p->get_group() == synthetic; }))
    option->excludes(image);
  declare_analysis(app, o);
  app.option_defaults()->group(
      "Output (vectors.csv, vectors.vti, vectors.png)");
  app.add_option("--output", o.output, "Folder of the files")
      ->check(not_empty());
  app.add_option("--arrow-scale", o.arrow_scale,
                 "Length / displacement; 0: automatic")
      ->check(in_range(0., 1000.));
  app.add_option("--max-rms", o.max_rms, "Bound of --check, pixels (synthetic)")
      ->check(in_range(0., 1e6))
      ->excludes(image);
  app.add_option("--max-outliers", o.max_outliers, "Bound of --check, per cent")
      ->check(in_range(0., 100.));
  app.add_flag("--no-files", o.no_files, "Write nothing")
      ->excludes(app.add_flag("--save-images", o.save_images,
                              "Write the images, too"));
  app.option_defaults()->group("Options");
  add_common(app, o, "Exit with 1 when a bound is exceeded",
             "a bound of --check is exceeded");
}

const char* const description =
    "Particle image velocimetry on Sporos: displacements of particles between "
    "two\nimages, by zero-mean normalised cross-correlation of interrogation "
    "windows.\nIn images and in the CSV file x goes right and y down, from the "
    "centre of the\nfirst pixel.";

void check_that(bool ok, const std::string& option, const std::string& expected,
                int actual) {
  if (!ok)
    throw std::invalid_argument("piv: --" + option + ": takes " + expected +
                                ", got " + shown(actual));
}

/// What options must fulfil together.
void check_options(const Options& o) {
  if (o.image_a.empty() != o.image_b.empty())
    throw std::invalid_argument("piv: takes two images or none, got '" +
                                o.image_a + "' alone");
  check_that(o.bits == 8 || o.bits == 16, "bits", "8 or 16", o.bits);
  check_that(o.shifts <= o.window / 2, "shifts",
             "at most half a window (" + shown(o.window / 2) + ")", o.shifts);
  check_that(!o.synthetic() || std::min(o.width, o.height) >= 2 * o.window,
             "window", "at most half the smaller side of the images", o.window);
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  const auto options =
      AppCommon::parsed<Options>("piv", description, declare, argc, argv);
  if (!options.help) check_options(options);
  return options;
}

void print_help(std::ostream& out) {
  out << AppCommon::help_text<Options>("piv", description, declare);
}

}  // namespace PivApp
