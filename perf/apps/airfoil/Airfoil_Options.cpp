// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Options.hpp"

#include <algorithm>
#include <charconv>
#include <iterator>
#include <ostream>
#include <stdexcept>
#include <system_error>

namespace AirfoilApp {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& expected,
                       const std::string& actual) {
  throw std::invalid_argument("airfoil: option --" + name + " takes " +
                              expected + ", got '" + actual + "'");
}

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

const std::vector<std::string>& layout_names() {
  static const std::vector<std::string> names{"aos", "soa"};
  return names;
}
const std::vector<std::string>& picture_names() {
  static const std::vector<std::string> names{"mach", "pressure", "none"};
  return names;
}

/// A whole number in a range.
struct Number {
  const char* name;
  int Options::*value;
  int lowest, highest;
};

const Number numbers[] = {{"along", &Options::along, 4, 100000},
                          {"layers", &Options::layers, 2, 100000},
                          {"iterations", &Options::iterations, 0, 100000000},
                          {"every", &Options::every, 1, 100000000},
                          {"block-size", &Options::block_size, 0, 1 << 20},
                          {"shuffle", &Options::shuffle, 0, 2147483647},
                          {"pixels", &Options::pixels, 64, 8192}};

/// A word, one of a list or (without one) any.
struct Word {
  const char* name;
  std::string Options::*value;
  const std::vector<std::string>& (*names)();
};

const Word words[] = {{"mesh", &Options::mesh, nullptr},
                      {"strategy", &Options::strategy, strategy_names},
                      {"ordering", &Options::ordering, ordering_names},
                      {"layout", &Options::layout, layout_names},
                      {"staging", &Options::staging, staging_names},
                      {"output", &Options::output, nullptr},
                      {"picture", &Options::picture, picture_names},
                      {"write-mesh", &Options::write_mesh, nullptr}};

struct Flag {
  const char* name;
  bool Options::*value;
};

const Flag flags[] = {{"float", &Options::use_float},
                      {"scalar", &Options::scalar},
                      {"check", &Options::check},
                      {"quiet", &Options::quiet},
                      {"help", &Options::help}};

template <class List>
auto find(const List& list, const std::string& name) {
  return std::find_if(std::begin(list), std::end(list),
                      [&](const auto& entry) { return name == entry.name; });
}

void set(Options& options, const Number& number, const std::string& text) {
  int value              = 0;
  const char* const last = text.data() + text.size();
  const auto result      = std::from_chars(text.data(), last, value);
  if (result.ec != std::errc() || result.ptr != last || value < number.lowest ||
      value > number.highest)
    fail(number.name,
         "an integer from " + std::to_string(number.lowest) + " to " +
             std::to_string(number.highest),
         text);
  options.*number.value = value;
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
  const auto number = find(numbers, name);
  if (number != std::end(numbers)) return set(options, *number, text), true;
  const auto word = find(words, name);
  if (word != std::end(words)) return set(options, *word, text), true;
  return false;
}

}  // namespace

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names{"automatic",       "serial",
                                              "global_coloring", "hierarchical",
                                              "gather",          "atomic"};
  return names;
}
const std::vector<std::string>& ordering_names() {
  static const std::vector<std::string> names{"natural", "rcm", "gps", "metis"};
  return names;
}
const std::vector<std::string>& staging_names() {
  static const std::vector<std::string> names{"automatic", "none", "increments",
                                              "all"};
  return names;
}

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.rfind("--kokkos-", 0) == 0) continue;
    if (word == "-h") {
      options.help = true;
      continue;
    }
    if (word.rfind("--", 0) != 0)
      throw std::invalid_argument("airfoil: unexpected argument '" + word +
                                  "'; --help lists the options");
    const auto equals      = word.find('=');
    const std::string name = word.substr(2, equals - 2);
    const auto flag        = find(flags, name);
    if (flag != std::end(flags) && equals == std::string::npos) {
      options.*flag->value = true;
      continue;
    }
    if (find(numbers, name) == std::end(numbers) &&
        find(words, name) == std::end(words))
      throw std::invalid_argument("airfoil: unknown option '" + word +
                                  "'; --help lists the options");
    if (equals == std::string::npos && i + 1 == argc) fail(name, "a value", "");
    set(options, name,
        equals == std::string::npos ? argv[++i] : word.substr(equals + 1));
  }
  return options;
}

void print_help(std::ostream& out) {
  const Options o;
  out << R"(Inviscid flow around a NACA0012 profile at Mach 0.4: OP2's airfoil code on
Sporos. Prints the root of the mean squared change of the solution.

usage: airfoil [options]

  --mesh FILE         mesh to read (OP2's new_grid.dat)       [generated]
)"
      << "  --along N           generator: cells along the profile      ["
      << o.along << "]\n"
      << "  --layers N          generator: cells away from it           ["
      << o.layers << "]\n"
      << "  --iterations N      iterations                              ["
      << o.iterations << "]\n"
      << "  --every N           iterations between two lines            ["
      << o.every << "]\n"
      << "  --float             single precision\n"
      << "  --strategy NAME     how conflicting increments are resolved ["
      << o.strategy << "]\n                        " << joined(strategy_names())
      << "\n"
      << "  --ordering NAME     renumbering of the mesh                 ["
      << o.ordering << "]\n                        " << joined(ordering_names())
      << "\n"
      << "  --shuffle SEED      random renumbering before that; 0: none ["
      << o.shuffle << "]\n"
      << "  --layout NAME       of the data: " << joined(layout_names())
      << "                   [" << o.layout << "]\n"
      << "  --block-size N      of mini-partitions; 0: automatic        ["
      << o.block_size << "]\n"
      << "  --staging NAME      what mini-partitions keep in scratch    ["
      << o.staging << "]\n                        " << joined(staging_names())
      << "\n"
      << "  --scalar            no packs\n"
      << "  --output FOLDER     for picture and VTK file                ["
      << o.output << "]\n"
      << "  --picture NAME      " << joined(picture_names())
      << " (no files)        [" << o.picture << "]\n"
      << "  --pixels N          width of the picture                    ["
      << o.pixels << "]\n"
      << "  --write-mesh FILE   writes the mesh as new_grid.dat\n"
      << R"(  --check             exit with 1 unless the published values come out
                      (mesh of 720000 cells) or the change shrinks (others)
  --quiet             print the lines of rms only
  --help              print this text

Options of Kokkos (--kokkos-...) are passed on. Exit code 0: done, 1: the check
failed, 2: an option, a file or the run itself is in error.
)";
}

}  // namespace AirfoilApp
