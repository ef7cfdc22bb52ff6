// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Membrane_Simulation.hpp"

#include <stdexcept>
#include <string>
#include <vector>

using namespace MembraneApp;

namespace {

/// What parse_options says about words, or "" when it takes them.
std::string complaint(std::vector<const char*> words) {
  words.insert(words.begin(), "membrane");
  try {
    parse_options(int(words.size()), words.data());
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("membrane: options are read", "[membrane]") {
  const char* words[] = {"membrane", "--grid",       "64",
                         "--delta",  "bao6",         "--time=0.5",
                         "--quiet",  "--kokkos-x=1", "--seed=7"};
  const Options o     = parse_options(9, words);
  CHECK(o.grid == 64);
  CHECK(o.delta == "bao6");
  CHECK(o.time == 0.5);
  CHECK(o.quiet);
  CHECK(o.seed == 7);
  CHECK_FALSE(o.check);
  const Options r = resolve(o);
  CHECK(r.points == 256);
  CHECK(r.steps * r.time_step == Approx(0.5));
  for (const auto& name : delta_names())
    CHECK(complaint({"--delta", name.c_str()}).empty());
  for (const auto& name : spread_names())
    CHECK(complaint({"--spread", name.c_str()}).empty());
}

TEST_CASE("membrane: wrong options are refused with a reason", "[membrane]") {
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(complaint({"--grid", "8"}),
           "--grid: takes an integer from 16 to 4096, got '8'");
  contains(complaint({"--grid", "64x"}),
           "an integer from 16 to 4096, got '64x'");
  contains(complaint({"--grid"}), "--grid: 1 required");
  contains(complaint({"--points", "5"}), "got 5");
  contains(complaint({"--steps", "99999999999"}), "--steps");
  contains(complaint({"--seed", "-1"}), "--seed");
  contains(complaint({"--viscosity", "0"}), "a positive number, got '0'");
  contains(complaint({"--viscosity", "nan"}), "a positive number, got 'nan'");
  contains(complaint({"--time", "-1"}), "--time");
  contains(complaint({"--axis-x", "0.6"}), "--axis-x");
  contains(complaint({"--axis-y", "0.01", "--grid", "32"}), "2 cells");
  contains(complaint({"--delta", "gauss"}), "peskin4");
  contains(complaint({"--spread", "fast"}), "sweep_buffered");
  contains(complaint({"--frames", "9999", "--grid", "4096"}), "--frames");
  contains(complaint({"--output", ""}), "--output");
  contains(complaint({"--colour", "red"}), "not expected: red --colour");
  contains(complaint({"circle"}), "not expected: circle");
}
