// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Membrane_Options.hpp"

#include <algorithm>
#include <cerrno>
#include <climits>
#include <cmath>
#include <cstdlib>
#include <ostream>
#include <stdexcept>

namespace MembraneApp {
namespace {

[[noreturn]] void fail(const std::string& name, const std::string& expected,
                       const std::string& actual) {
  throw std::invalid_argument("membrane: option --" + name + " takes " +
                              expected + ", got " + actual);
}

std::string quoted(const std::string& text) { return "'" + text + "'"; }

/// Shortest text that shows a number as a person would have typed it.
std::string shown(double value) {
  std::string text = std::to_string(value);
  text.erase(text.find_last_not_of('0') + 1);
  if (!text.empty() && text.back() == '.') text.pop_back();
  return text;
}

void read(const std::string& name, const std::string& text, int& value) {
  char* end    = nullptr;
  errno        = 0;
  const long n = std::strtol(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || n > INT_MAX || n < INT_MIN)
    fail(name, "an integer", quoted(text));
  value = static_cast<int>(n);
}

void read(const std::string& name, const std::string& text, unsigned& value) {
  char* end             = nullptr;
  errno                 = 0;
  const unsigned long n = std::strtoul(text.c_str(), &end, 10);
  if (text.empty() || *end != '\0' || errno != 0 || n > UINT_MAX ||
      text.find('-') != std::string::npos)
    fail(name, "an integer from 0 to 4294967295", quoted(text));
  value = static_cast<unsigned>(n);
}

void read(const std::string& name, const std::string& text, double& value) {
  char* end = nullptr;
  value     = std::strtod(text.c_str(), &end);
  if (text.empty() || *end != '\0' || !std::isfinite(value))
    fail(name, "a finite number", quoted(text));
}

void read(const std::string&, const std::string& text, std::string& value) {
  value = text;
}

/// One option that has a value: its name and how to store the value.
struct Setter {
  const char* name;
  void (*set)(Options&, const std::string& name, const std::string& text);
};

#define SPOROS_MEMBRANE_SETTER(option, member)                              \
  {                                                                         \
    option, [](Options& o, const std::string& name, const std::string& t) { \
      read(name, t, o.member);                                              \
    }                                                                       \
  }

const Setter setters[] = {
    SPOROS_MEMBRANE_SETTER("grid", grid),
    SPOROS_MEMBRANE_SETTER("points", points),
    SPOROS_MEMBRANE_SETTER("steps", steps),
    SPOROS_MEMBRANE_SETTER("time", time),
    SPOROS_MEMBRANE_SETTER("time-step", time_step),
    SPOROS_MEMBRANE_SETTER("viscosity", viscosity),
    SPOROS_MEMBRANE_SETTER("stiffness", stiffness),
    SPOROS_MEMBRANE_SETTER("rest-length", rest_length),
    SPOROS_MEMBRANE_SETTER("axis-x", axis_x),
    SPOROS_MEMBRANE_SETTER("axis-y", axis_y),
    SPOROS_MEMBRANE_SETTER("seed", seed),
    SPOROS_MEMBRANE_SETTER("perturbation", perturbation),
    SPOROS_MEMBRANE_SETTER("delta", delta),
    SPOROS_MEMBRANE_SETTER("spread", spread),
    SPOROS_MEMBRANE_SETTER("interpolate", interpolate),
    SPOROS_MEMBRANE_SETTER("output", output),
    SPOROS_MEMBRANE_SETTER("frames", frames),
    SPOROS_MEMBRANE_SETTER("pixels", pixels),
};

#undef SPOROS_MEMBRANE_SETTER

std::string joined(const std::vector<std::string>& names) {
  std::string text;
  for (const auto& name : names) text += (text.empty() ? "" : ", ") + name;
  return text;
}

void check_name(const std::string& option, const std::string& name,
                const std::vector<std::string>& names) {
  if (std::find(names.begin(), names.end(), name) == names.end())
    fail(option, "one of " + joined(names), quoted(name));
}

void check_int(const std::string& option, int value, int low, int high) {
  if (value < low || value > high)
    fail(option,
         "an integer from " + std::to_string(low) + " to " +
             std::to_string(high),
         std::to_string(value));
}

void check_real(const std::string& option, double value, bool ok,
                const std::string& expected) {
  if (!ok) fail(option, expected, shown(value));
}

bool set_flag(Options& options, const std::string& name) {
  if (name == "check") return options.check = true;
  if (name == "quiet") return options.quiet = true;
  if (name == "help") return options.help = true;
  return false;
}

}  // namespace

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
                                              "atomic"};
  return names;
}

const std::vector<std::string>& interpolate_names() {
  static const std::vector<std::string> names{"automatic", "serial", "sorted",
                                              "tiled"};
  return names;
}

Options parse_options(int argc, const char* const* argv) {
  Options options;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "-h") {
      options.help = true;
      continue;
    }
    if (word.rfind("--kokkos-", 0) == 0) continue;
    if (word.rfind("--", 0) != 0)
      throw std::invalid_argument("membrane: unexpected argument " +
                                  quoted(word) + "; --help lists the options");
    const auto equals      = word.find('=');
    const std::string name = word.substr(2, equals - 2);
    if (equals == std::string::npos && set_flag(options, name)) continue;
    const auto setter =
        std::find_if(std::begin(setters), std::end(setters),
                     [&](const Setter& s) { return name == s.name; });
    if (setter == std::end(setters))
      throw std::invalid_argument("membrane: unknown option " + quoted(word) +
                                  "; --help lists the options");
    if (equals == std::string::npos && i + 1 == argc)
      fail(name, "a value", "nothing");
    setter->set(
        options, name,
        equals == std::string::npos ? argv[++i] : word.substr(equals + 1));
  }
  if (!options.help) check_options(options);
  return options;
}

namespace {

/// The start shape: inside the square, and no thinner than the grid can show.
void check_axis(const std::string& name, double axis, const Options& o) {
  const double waves = o.seed == 0 ? 0. : 5 * o.perturbation;
  check_real(name, axis, axis * o.grid >= 2,
             "a length of at least 2 cells (" + shown(2. / o.grid) + ")");
  check_real(name, axis, axis * (1 + waves) < 0.49,
             "a length below " + shown(0.49 / (1 + waves)));
}

}  // namespace

void check_options(const Options& o) {
  check_int("grid", o.grid, 16, 4096);
  if (o.points != 0) check_int("points", o.points, 16, 100000000);
  check_int("steps", o.steps, 0, INT_MAX);
  check_int("frames", o.frames, 0, 9999);
  // frames wait in memory until the scale of all pictures is known
  const int most = static_cast<int>(2e9 / 32 / o.grid / o.grid);
  if (o.frames > most)
    fail("frames", "at most " + std::to_string(most) + " for this grid",
         std::to_string(o.frames));
  check_int("pixels", o.pixels, 64, 8192);
  check_real("time", o.time, o.time > 0, "a positive number");
  check_real("time-step", o.time_step, o.time_step >= 0,
             "a positive number, or 0 for automatic");
  check_real("viscosity", o.viscosity, o.viscosity > 0, "a positive number");
  check_real("stiffness", o.stiffness, o.stiffness >= 0,
             "a number that is not negative");
  check_real("rest-length", o.rest_length,
             o.rest_length >= 0 && o.rest_length <= 1, "a number from 0 to 1");
  check_real("perturbation", o.perturbation,
             o.perturbation >= 0 && o.perturbation <= 0.1,
             "a number from 0 to 0.1");
  check_axis("axis-x", o.axis_x, o);
  check_axis("axis-y", o.axis_y, o);
  check_name("delta", o.delta, delta_names());
  check_name("spread", o.spread, spread_names());
  check_name("interpolate", o.interpolate, interpolate_names());
  if (o.output.empty()) fail("output", "the name of a folder", "''");
}

void print_help(std::ostream& out) {
  const Options o;
  out <<
      R"(An elastic membrane in a two-dimensional viscous fluid: immersed boundary method
on Sporos. The membrane starts as an ellipse in a periodic square of side 1, full
of fluid of density 1 at rest, and relaxes to a circle.

usage: membrane [options]

  --grid N             cells per side, 16 to 4096                )"
      << '[' << o.grid << "]\n"
      << "  --points N           membrane points; 0: 4 per cell of a side  ["
      << o.points << "]\n"
      << "  --time T             time to simulate                          ["
      << shown(o.time) << "]\n"
      << "  --steps N            time steps; 0: as many as reach T         ["
      << o.steps << "]\n"
      << "  --time-step DT       0: stable for spacing and stiffness       ["
      << shown(o.time_step) << "]\n"
      << "  --viscosity MU       dynamic viscosity of the fluid            ["
      << shown(o.viscosity) << "]\n"
      << "  --stiffness K        force per stretch of the membrane         ["
      << shown(o.stiffness) << "]\n"
      << "  --rest-length F      of the springs; 1: that of the circle of\n"
      << "                       the same area                             ["
      << shown(o.rest_length) << "]\n"
      << "  --axis-x A           half axes of the start ellipse, sides of  ["
      << shown(o.axis_x) << "]\n"
      << "  --axis-y B             the square are 1                        ["
      << shown(o.axis_y) << "]\n"
      << "  --seed S             perturbs the start shape; 0: exact\n"
      << "                       ellipse in the centre                     ["
      << o.seed << "]\n"
      << "  --perturbation F     size of it relative to the radius         ["
      << shown(o.perturbation) << "]\n"
      << "  --delta NAME         delta function                            ["
      << o.delta << "]\n                         " << joined(delta_names())
      << "\n"
      << "  --spread NAME        spread algorithm                          ["
      << o.spread << "]\n                         " << joined(spread_names())
      << "\n"
      << "  --interpolate NAME   interpolate algorithm                     ["
      << o.interpolate << "]\n                         "
      << joined(interpolate_names()) << "\n"
      << "  --output FOLDER      for pictures and VTK files                ["
      << o.output << "]\n"
      << "  --frames N           pictures and VTK files; 0: write nothing  ["
      << o.frames << "]\n"
      << "  --pixels N           side of a picture, 64 to 8192             ["
      << o.pixels << "]\n"
      << R"(  --check              exit with 1 when a check fails
  --quiet              print the summary only
  --help               print this text

Options of Kokkos (--kokkos-...) are passed on. Exit code 0: done, 1: a check
failed, 2: an option or the run itself is in error.
)";
}

}  // namespace MembraneApp
