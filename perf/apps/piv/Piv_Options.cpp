// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Piv_Options.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iomanip>
#include <ostream>
#include <sstream>
#include <stdexcept>

namespace PivApp {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& expected,
                       const std::string& actual) {
  throw std::invalid_argument("piv: option --" + name + " takes " + expected +
                              ", got '" + actual + "'");
}

std::string shown(double value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

/// A number in a range, whole or not.
struct Number {
  const char* name;
  int Options::*whole;
  double Options::*real;
  double lowest, highest;
  const char* help;
};

constexpr Number whole(const char* name, int Options::*value, double lowest,
                       double highest, const char* help) {
  return {name, value, nullptr, lowest, highest, help};
}
constexpr Number real(const char* name, double Options::*value, double lowest,
                      double highest, const char* help) {
  return {name, nullptr, value, lowest, highest, help};
}

const Number synthetic_numbers[] = {
    whole("width", &Options::width, 64, 16384, "pixels"),
    whole("height", &Options::height, 64, 16384, "pixels"),
    real("density", &Options::density, 1e-5, 1, "particles per pixel"),
    real("diameter", &Options::diameter, 0.5, 32, "of a particle, pixels"),
    real("noise", &Options::noise, 0, 1, "standard deviation; white is 1"),
    whole("seed", &Options::seed, 0, 2147483647, "of particles and noise"),
    real("displacement", &Options::displacement, 0, 32,
         "largest one of the flow, pixels"),
    real("angle", &Options::angle, -360, 360, "of the uniform flow, degrees"),
    real("core", &Options::core, 0.01, 1, "radius of the vortex / side"),
    whole("bits", &Options::bits, 8, 16, "a value of the images, 8 or 16")};

const Number analysis_numbers[] = {
    whole("window", &Options::window, 16, 64, "side, pixels"),
    real("overlap", &Options::overlap, 0, 95, "of windows, per cent"),
    whole("shifts", &Options::shifts, 0, 32,
          "largest shift; 0: a quarter of the window"),
    whole("passes", &Options::passes, 1, 2,
          "2: again with windows moved by the first result"),
    real("median-limit", &Options::median_limit, 0.1, 1e6,
         "of the normalised median test"),
    real("snr-limit", &Options::snr_limit, 0, 1e6,
         "least ratio of the two highest peaks"),
    whole("repeat", &Options::repeat, 1, 1000,
          "evaluations, for the median of their times")};

const Number other_numbers[] = {
    real("arrow-scale", &Options::arrow_scale, 0, 1000,
         "length / displacement; 0: automatic"),
    real("max-rms", &Options::max_rms, 0, 1e6,
         "bound of --check, pixels (synthetic)"),
    real("max-outliers", &Options::max_outliers, 0, 100,
         "bound of --check, per cent")};

struct Word {
  const char* name;
  std::string Options::*value;
  const std::vector<std::string>& (*names)();
  const char* help;
};

const Word words[] = {
    {"flow", &Options::flow, flow_names, "of the synthetic pair"},
    {"algorithm", &Options::algorithm, algorithm_names, "of cross_correlate"},
    {"output", &Options::output, nullptr, "folder of the files"}};

struct Flag {
  const char* name;
  bool Options::*value;
  const char* help;
};

const Flag flags[] = {
    {"save-images", &Options::save_images, "write the images, too"},
    {"no-files", &Options::no_files, "write nothing"},
    {"check", &Options::check, "exit with 1 when a bound is exceeded"},
    {"quiet", &Options::quiet, "print results only"},
    {"help", &Options::help, "print this text"}};

template <class List>
auto find(const List& list, const std::string& name) {
  const auto found =
      std::find_if(std::begin(list), std::end(list),
                   [&](const auto& entry) { return name == entry.name; });
  return found == std::end(list) ? nullptr : found;
}

void set(Options& options, const Number& number, const std::string& text) {
  char* end           = nullptr;
  const double value  = std::strtod(text.c_str(), &end);
  const bool is_whole = number.whole != nullptr;
  if (text.empty() || *end != '\0' || !(value >= number.lowest) ||
      !(value <= number.highest) || (is_whole && value != std::floor(value)))
    fail(number.name,
         (is_whole ? "an integer from " : "a number from ") +
             shown(number.lowest) + " to " + shown(number.highest),
         text);
  if (is_whole)
    options.*number.whole = static_cast<int>(value);
  else
    options.*number.real = value;
}

void set(Options& options, const Word& word, const std::string& text) {
  if (text.empty()) fail(word.name, "a name", text);
  if (word.names != nullptr) {
    const auto& names = word.names();
    if (std::find(names.begin(), names.end(), text) == names.end())
      fail(word.name, "one of " + joined(names), text);
  }
  options.*word.value = text;
}

/// Stores the value of an option. \return false if there is no such option
bool set(Options& options, const std::string& name, const std::string& text) {
  for (const Number* number :
       {find(synthetic_numbers, name), find(analysis_numbers, name),
        find(other_numbers, name)})
    if (number != nullptr) return set(options, *number, text), true;
  if (const Word* word = find(words, name))
    return set(options, *word, text), true;
  return false;
}

bool is_name(const std::string& name) {
  Options ignored;
  try {
    return set(ignored, name, "");
  } catch (const std::invalid_argument&) {
    return true;
  }
}

void take_image(Options& options, const std::string& path) {
  if (!options.image_b.empty())
    throw std::invalid_argument("piv: takes two images, got a third word '" +
                                path + "'; --help lists the options");
  (options.image_a.empty() ? options.image_a : options.image_b) = path;
}

void check_options(const Options& o) {
  if (o.image_a.empty() != o.image_b.empty())
    throw std::invalid_argument("piv: takes two images or none, got '" +
                                o.image_a + "' alone");
  if (o.bits != 8 && o.bits != 16) fail("bits", "8 or 16", shown(o.bits));
  if (o.shifts > o.window / 2)
    fail("shifts", "at most half a window (" + shown(o.window / 2) + ")",
         shown(o.shifts));
  if (o.synthetic() && std::min(o.width, o.height) < 2 * o.window)
    fail("window", "at most half the smaller side of the images",
         shown(o.window));
}

}  // namespace

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

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string text = argv[i];
    if (text.rfind("--kokkos-", 0) == 0) continue;
    if (text == "-h") {
      options.help = true;
      continue;
    }
    if (text.rfind("--", 0) != 0) {
      take_image(options, text);
      continue;
    }
    const auto equals      = text.find('=');
    const std::string name = text.substr(2, equals - 2);
    const Flag* const flag = find(flags, name);
    if (flag != nullptr && equals == std::string::npos) {
      options.*flag->value = true;
      continue;
    }
    if (flag != nullptr || !is_name(name))
      throw std::invalid_argument("piv: unknown option '" + text +
                                  "'; --help lists the options");
    if (equals == std::string::npos && i + 1 == argc)
      fail(name, "a value", "nothing");
    set(options, name,
        equals == std::string::npos ? argv[++i] : text.substr(equals + 1));
  }
  if (!options.help) check_options(options);
  return options;
}

namespace {

void print_line(std::ostream& out, const std::string& name,
                const std::string& help, const std::string& value) {
  out << "  --" << std::left << std::setw(18) << name << std::setw(50) << help;
  if (!value.empty()) out << '[' << value << ']';
  out << '\n';
}

template <class Numbers>
void print_numbers(std::ostream& out, const Numbers& numbers) {
  const Options o;
  for (const Number& n : numbers)
    print_line(out, std::string(n.name) + (n.whole ? " N" : " X"), n.help,
               shown(n.whole ? o.*n.whole : o.*n.real));
}

void print_word(std::ostream& out, const Word& word) {
  const Options o;
  print_line(out, std::string(word.name) + " NAME", word.help, o.*word.value);
  if (word.names)
    out << "                      " << joined(word.names()) << '\n';
}

}  // namespace

void print_help(std::ostream& out) {
  out << R"(Particle image velocimetry on Sporos: displacements of particles between two
images, by zero-mean normalised cross-correlation of interrogation windows.

usage: piv [options] [IMAGE_A IMAGE_B]

Images are PNG (8 or 16 bits, grey) or binary PGM files of the same size. Without
images a pair of a known flow is made and the error of the result is measured.

Synthetic pair:
)";
  print_word(out, words[0]);
  print_numbers(out, synthetic_numbers);
  out << "\nAnalysis:\n";
  print_numbers(out, analysis_numbers);
  print_word(out, words[1]);
  out << "\nOutput (vectors.csv, vectors.vti, vectors.png):\n";
  print_word(out, words[2]);
  print_numbers(out, other_numbers);
  for (const Flag& flag : flags) print_line(out, flag.name, flag.help, "");
  out << R"(
In images and in the CSV file x goes right and y down, from the centre of the
first pixel. Options of Kokkos (--kokkos-...) are passed on. Exit code 0: done,
1: a bound of --check is exceeded, 2: an option, a file or the run is in error.
)";
}

}  // namespace PivApp
