// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Piv_Options.hpp"

#include <sstream>
#include <string>
#include <vector>

using namespace PivApp;

const AppTest::CommandLine<Options> parsed{"piv", parse_options};

TEST_CASE("piv: options are read", "[piv]") {
  const Options o =
      parsed({"--windows", "48,16", "--overlap=75", "--flow", "shear",
              "--check", "--density=0.05", "--kokkos-x=1", "--pairs", "2"});
  CHECK(o.sizes() == std::vector<int>{48, 16});
  CHECK(o.overlap == 75);
  CHECK(o.flow == "shear");
  CHECK(o.density == 0.05);
  CHECK(o.pairs == 2);
  CHECK_FALSE(o.calibrated());
  CHECK(o.check);
  CHECK_FALSE(o.quiet);
  CHECK(o.synthetic());
  const Options files = parsed({"a.png", "--quiet", "b.png"});
  CHECK(files.images == std::vector<std::string>{"a.png", "b.png"});
  CHECK_FALSE(files.synthetic());
  CHECK(parsed({"a", "b", "--windows", "16", "c", "d"}).images.size() == 4);
  CHECK(parsed({"--pixel-size", "1e-4", "--time-step=1e-3"}).calibrated());
  for (const auto& name : flow_names())
    CHECK_NOTHROW(parsed({"--flow", name.c_str()}));
  for (const auto& name : interpolation_names())
    CHECK_NOTHROW(parsed({"--interpolation", name.c_str()}));
  for (const auto& name : algorithm_names())
    CHECK_NOTHROW(parsed({"--algorithm", name.c_str()}));
}

TEST_CASE("piv: wrong options are refused with a reason", "[piv]") {
  for (const char* const sizes :
       {"7", "257", "16.5", "32,", ",32", "32;16", ""})
    parsed.refuses({"--windows", sizes}, "from 8 to 256, separated by commas");
  parsed.refuses({"--windows", "8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8,8"}, "1 to 16");
  parsed.refuses({"--windows"}, "--windows: 1 required");
  parsed.refuses({"--no-files", "--save-images"}, "--no-files excludes");
  parsed.refuses({"a.png", "b.png", "--width", "100"},
                 "IMAGES excludes --width");
  parsed.refuses({"a.png", "b.png", "--max-rms", "1"},
                 "IMAGES excludes --max-rms");
  parsed.refuses({"a.png", "b.png", "--pairs", "2"}, "IMAGES excludes --pairs");
  parsed.refuses({"--overlap", "100"}, "--overlap");
  parsed.refuses({"--overlap", "nan"}, "--overlap");
  parsed.refuses({"--density", "x"}, "a number from");
  parsed.refuses({"--bits", "12"}, "8 or 16");
  parsed.refuses({"--windows", "32,64", "--shifts", "20"},
                 "half a window (16)");
  parsed.refuses({"--width", "100", "--windows", "32,64"}, "--windows");
  parsed.refuses({"--pixel-size", "1e-4"}, "--time-step");
  parsed.refuses({"--time-step", "1"}, "--pixel-size");
  parsed.refuses({"--pixel-size", "1", "--time-step", "0"}, "above 0");
  parsed.refuses({"--pixel-size", "nan", "--time-step", "1"}, "--pixel-size");
  parsed.refuses({"--mask-limit", "101"}, "--mask-limit");
  parsed.refuses({"--interpolation", "nearest"},
                 "bilinear, bicubic, biquintic");
  parsed.refuses({"--pairs", "0"}, "--pairs");
  parsed.refuses({"--flow", "couette"}, "vortex");
  parsed.refuses({"--algorithm", "fast"}, "tile");
  parsed.refuses({"--output", ""}, "--output");
  parsed.refuses({"--colour", "red"}, "not expected: --colour");
  parsed.refuses({"--check=perhaps"}, "check");
  parsed.refuses({"a.png"}, "pairs of images, got 1, the last one 'a.png'");
  parsed.refuses({"a.png", "b.png", "c.png"}, "got 3, the last one 'c.png'");
}

TEST_CASE("piv: the help names every option", "[piv]") {
  std::ostringstream out;
  print_help(out);
  for (const char* name :
       {"--flow", "--density", "--diameter", "--noise", "--seed", "--windows",
        "--overlap", "--mask", "--interpolation", "--algorithm", "--check",
        "--pairs", "--pixel-size", "--time-step", "--max-rms"})
    CHECK(out.str().find(name) != std::string::npos);
}
