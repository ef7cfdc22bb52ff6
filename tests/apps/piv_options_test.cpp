// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Piv_Options.hpp"

#include <sstream>
#include <string>

using namespace PivApp;

const AppTest::CommandLine<Options> parsed{"piv", parse_options};

TEST_CASE("piv: options are read", "[piv]") {
  const Options o =
      parsed({"--window", "16", "--overlap=75", "--flow", "shear", "--check",
              "--density=0.05", "--kokkos-x=1", "--passes", "1"});
  CHECK(o.window == 16);
  CHECK(o.overlap == 75);
  CHECK(o.flow == "shear");
  CHECK(o.density == 0.05);
  CHECK(o.passes == 1);
  CHECK(o.check);
  CHECK_FALSE(o.quiet);
  CHECK(o.synthetic());
  const Options files = parsed({"a.png", "--quiet", "b.png"});
  CHECK(files.image_a == "a.png");
  CHECK(files.image_b == "b.png");
  CHECK_FALSE(files.synthetic());
  for (const auto& name : flow_names())
    CHECK_NOTHROW(parsed({"--flow", name.c_str()}));
  for (const auto& name : algorithm_names())
    CHECK_NOTHROW(parsed({"--algorithm", name.c_str()}));
}

TEST_CASE("piv: wrong options are refused with a reason", "[piv]") {
  parsed.refuses({"--window", "8"}, "an integer from 16 to 64, got '8'");
  parsed.refuses({"--no-files", "--save-images"}, "--no-files excludes");
  parsed.refuses({"a.png", "b.png", "--width", "100"},
                 "IMAGE_A excludes --width");
  parsed.refuses({"a.png", "b.png", "--max-rms", "1"},
                 "IMAGE_A excludes --max-rms");
  parsed.refuses({"--window", "16.5"}, "an integer from 16");
  parsed.refuses({"--window"}, "--window: 1 required");
  parsed.refuses({"--overlap", "100"}, "--overlap");
  parsed.refuses({"--overlap", "nan"}, "--overlap");
  parsed.refuses({"--density", "x"}, "a number from");
  parsed.refuses({"--bits", "12"}, "8 or 16");
  parsed.refuses({"--shifts", "20"}, "half a window (16)");
  parsed.refuses({"--width", "64", "--window", "64"}, "--window");
  parsed.refuses({"--flow", "couette"}, "vortex");
  parsed.refuses({"--algorithm", "fast"}, "tile");
  parsed.refuses({"--output", ""}, "--output");
  parsed.refuses({"--colour", "red"}, "not expected: --colour");
  parsed.refuses({"--check=perhaps"}, "check");
  parsed.refuses({"a.png"}, "two images or none");
  parsed.refuses({"a.png", "b.png", "c.png"}, "not expected: c.png");
}

TEST_CASE("piv: the help names every option", "[piv]") {
  std::ostringstream out;
  print_help(out);
  for (const char* name :
       {"--flow", "--density", "--diameter", "--noise", "--seed", "--window",
        "--overlap", "--passes", "--algorithm", "--check", "--max-rms"})
    CHECK(out.str().find(name) != std::string::npos);
}
