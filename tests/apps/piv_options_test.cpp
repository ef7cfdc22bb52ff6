// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "Piv_Options.hpp"

#include <sstream>
#include <stdexcept>
#include <string>
#include <vector>

using namespace PivApp;

namespace {

Options parsed(std::vector<const char*> words) {
  words.insert(words.begin(), "piv");
  return parse_options(int(words.size()), words.data());
}

/// What parse_options says about words, or "" when it takes them.
std::string complaint(const std::vector<const char*>& words) {
  try {
    parsed(words);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

}  // namespace

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
    CHECK(complaint({"--flow", name.c_str()}).empty());
  for (const auto& name : algorithm_names())
    CHECK(complaint({"--algorithm", name.c_str()}).empty());
}

TEST_CASE("piv: wrong options are refused with a reason", "[piv]") {
  const auto contains = [](const std::string& text, const std::string& part) {
    CAPTURE(text, part);
    CHECK(text.find(part) != std::string::npos);
  };
  contains(complaint({"--window", "8"}), "an integer from 16 to 64, got '8'");
  contains(complaint({"--no-files", "--save-images"}), "--no-files excludes");
  contains(complaint({"a.png", "b.png", "--width", "100"}),
           "IMAGE_A excludes --width");
  contains(complaint({"a.png", "b.png", "--max-rms", "1"}),
           "IMAGE_A excludes --max-rms");
  contains(complaint({"--window", "16.5"}), "an integer from 16");
  contains(complaint({"--window"}), "--window: 1 required");
  contains(complaint({"--overlap", "100"}), "--overlap");
  contains(complaint({"--overlap", "nan"}), "--overlap");
  contains(complaint({"--density", "x"}), "a number from");
  contains(complaint({"--bits", "12"}), "8 or 16");
  contains(complaint({"--shifts", "20"}), "half a window (16)");
  contains(complaint({"--width", "64", "--window", "64"}), "--window");
  contains(complaint({"--flow", "couette"}), "vortex");
  contains(complaint({"--algorithm", "fast"}), "tile");
  contains(complaint({"--output", ""}), "--output");
  contains(complaint({"--colour", "red"}), "not expected: --colour");
  contains(complaint({"--check=perhaps"}), "check");
  contains(complaint({"a.png"}), "two images or none");
  contains(complaint({"a.png", "b.png", "c.png"}), "not expected: c.png");
}

TEST_CASE("piv: the help names every option", "[piv]") {
  std::ostringstream out;
  print_help(out);
  for (const char* name :
       {"--flow", "--density", "--diameter", "--noise", "--seed", "--window",
        "--overlap", "--passes", "--algorithm", "--check", "--max-rms"})
    CHECK(out.str().find(name) != std::string::npos);
}
