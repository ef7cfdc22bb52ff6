// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Options.hpp"

#include <App_CommandLine.hpp>

#include <algorithm>
#include <ostream>
#include <sstream>
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

const std::vector<std::string>& interpolation_names() {
  static const std::vector<std::string> names{"bilinear", "bicubic",
                                              "biquintic"};
  return names;
}

namespace {

using namespace AppCommon;

/// Reads sides of windows, separated by commas.
bool read_sizes(const std::string& text, std::vector<int>& sizes) {
  std::istringstream in(text + ",");
  for (std::string word; std::getline(in, word, ',');) {
    sizes.emplace_back();
    if (!read_number(word, sizes.back()) || sizes.back() < 8 ||
        sizes.back() > 256)
      return false;
  }
  return sizes.size() <= 16;
}

CLI::Validator window_sizes() {
  return CLI::Validator(
      [](std::string& text) {
        std::vector<int> sizes;
        if (read_sizes(text, sizes)) return std::string();
        return "takes 1 to 16 integers from 8 to 256, separated by commas, "
               "got '" +
               text + "'";
      },
      "8 to 256,...");
}

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
  app.add_option("--pairs", o.pairs, "Of an ensemble")
      ->check(in_range(1, 10000));
}

void declare_analysis(CLI::App& app, Options& o) {
  app.option_defaults()->group("Analysis");
  app.add_option("--windows", o.windows,
                 "Side in each pass, pixels; the images of each but the first "
                 "are deformed by what the one before found")
      ->check(window_sizes());
  app.add_option("--overlap", o.overlap, "Of windows, per cent")
      ->check(in_range(0., 95.));
  app.add_option("--shifts", o.shifts,
                 "Largest shift of the first pass; 0: a quarter of the window, "
                 "as in the others")
      ->check(in_range(0, 128));
  app.add_option("--interpolation", o.interpolation,
                 "Of pixels and vectors, for deformed images")
      ->check(one_of(interpolation_names()));
  app.add_option("--mask", o.mask,
                 "File of polygons whose inside is left out: a vertex x y in "
                 "each line, an empty line between polygons");
  app.add_option("--mask-limit", o.mask_limit,
                 "Windows that the mask covers more have no vector, per cent")
      ->check(in_range(0., 100.));
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
      "IMAGES", o.images,
      "PNG, TIFF, PGM (binary, 8 or 16 bits) or BMP (not compressed), of one "
      "size; colours become grey. Two, or the pairs of an ensemble one after "
      "another: a b a b ...; none: a pair of a known flow is made, and the "
      "error of the result is measured");
  app.option_defaults()->always_capture_default();
  declare_synthetic(app, o);
  for (CLI::Option* const option : app.get_options(
           [](const CLI::Option* p) { return p->get_group() == synthetic; }))
    option->excludes(image);
  declare_analysis(app, o);
  app.option_defaults()->group("Calibration");
  auto* const pixel = app.add_option("--pixel-size", o.pixel_size,
                                     "Metres; 0: lengths are pixels")
                          ->check(in_range(0., 1e9));
  auto* const step = app.add_option("--time-step", o.time_step,
                                    "Seconds between the images of a pair")
                         ->check(in_range(0., 1e9));
  pixel->needs(step);
  step->needs(pixel);
  app.option_defaults()->group(
      "Output (vectors.csv, vectors.vtu, vectors.nc, vectors.png)");
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
    "windows, in\npasses. Pixels are counted right (x) and down (y) from the "
    "centre of the first\none; in metres, and in vectors.vtu and vectors.nc, "
    "y goes up from the last row.";

template <class T>
void check_that(bool ok, const std::string& option, const std::string& expected,
                const T& actual) {
  if (!ok)
    throw std::invalid_argument("piv: --" + option + ": takes " + expected +
                                ", got " + shown(actual));
}

/// What options must fulfil together.
void check_options(const Options& o) {
  if (o.images.size() % 2 != 0)
    throw std::invalid_argument("piv: takes pairs of images, got " +
                                shown(o.images.size()) + ", the last one '" +
                                o.images.back() + "'");
  const std::vector<int> sizes = o.sizes();
  check_that(o.bits == 8 || o.bits == 16, "bits", "8 or 16", o.bits);
  check_that(o.shifts <= sizes[0] / 2, "shifts",
             "at most half a window (" + shown(sizes[0] / 2) + ")", o.shifts);
  check_that(
      !o.synthetic() || std::min(o.width, o.height) >=
                            2 * *std::max_element(sizes.begin(), sizes.end()),
      "windows", "at most half the smaller side of the images", o.windows);
  check_that((o.pixel_size > 0) == (o.time_step > 0), "time-step",
             "a number above 0 with a --pixel-size above 0", o.time_step);
}

}  // namespace

std::vector<int> Options::sizes() const {
  std::vector<int> list;
  if (!read_sizes(windows, list))
    throw std::invalid_argument("piv: --windows: got '" + windows + "'");
  return list;
}

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
