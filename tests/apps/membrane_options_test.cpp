// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Membrane_Simulation.hpp"

using namespace MembraneApp;

const AppTest::CommandLine<Options> parsed{"membrane", parse_options};

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
    CHECK_NOTHROW(parsed({"--delta", name.c_str()}));
  for (const auto& name : spread_names())
    CHECK_NOTHROW(parsed({"--spread", name.c_str()}));
}

TEST_CASE("membrane: wrong options are refused with a reason", "[membrane]") {
  parsed.refuses({"--grid", "8"},
                 "--grid: takes an integer from 16 to 4096, got '8'");
  parsed.refuses({"--grid", "64x"}, "an integer from 16 to 4096, got '64x'");
  parsed.refuses({"--grid"}, "--grid: 1 required");
  parsed.refuses({"--points", "5"}, "got 5");
  parsed.refuses({"--steps", "99999999999"}, "--steps");
  parsed.refuses({"--seed", "-1"}, "--seed");
  parsed.refuses({"--viscosity", "0"}, "a positive number, got '0'");
  parsed.refuses({"--viscosity", "nan"}, "a positive number, got 'nan'");
  parsed.refuses({"--time", "-1"}, "--time");
  parsed.refuses({"--axis-x", "0.6"}, "--axis-x");
  parsed.refuses({"--axis-y", "0.01", "--grid", "32"}, "2 cells");
  parsed.refuses({"--delta", "gauss"}, "peskin4");
  parsed.refuses({"--spread", "fast"}, "sweep_buffered");
  parsed.refuses({"--frames", "9999", "--grid", "4096"}, "--frames");
  parsed.refuses({"--output", ""}, "--output");
  parsed.refuses({"--colour", "red"}, "not expected: red --colour");
  parsed.refuses({"circle"}, "not expected: circle");
}
