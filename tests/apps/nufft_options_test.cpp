// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Nufft_Options.hpp"

#include <sstream>
#include <string>

using namespace NufftApp;

const AppTest::CommandLine<Options> parsed{"nufft", parse_options};

TEST_CASE("nufft: options are read", "[nufft]") {
  const Options o =
      parsed({"--dimension", "3", "--modes=64", "--points", "1000",
              "--tolerance", "1e-5", "--float", "--sign=-1", "--kokkos-x=1",
              "--upsampling", "2.5", "--check"});
  CHECK(o.dimension == 3);
  CHECK(o.modes == 64);
  CHECK(o.points == 1000);
  CHECK(o.tolerance == 1e-5);
  CHECK(o.single);
  CHECK(o.sign == -1);
  CHECK(o.upsampling == 2.5);
  CHECK(o.check);
  CHECK_FALSE(o.quiet);
  CHECK_FALSE(o.no_files);
  CHECK(parsed({}).dimension == 2);
  CHECK(parsed({"-h"}).help);
}

TEST_CASE("nufft: wrong options are refused with a reason", "[nufft]") {
  parsed.refuses({"--dimension", "1"}, "an integer from 2 to 3, got '1'");
  parsed.refuses({"--modes", "2"}, "--modes");
  parsed.refuses({"--modes", "513", "--dimension", "3"}, "at most 512");
  parsed.refuses({"--points", "0"}, "--points");
  parsed.refuses({"--tolerance", "1e-7"}, "--tolerance");
  parsed.refuses({"--tolerance", "nan"}, "--tolerance");
  parsed.refuses({"--float"}, "at least 1e-05 in single precision");
  parsed.refuses({"--sign", "0"}, "--sign: takes one of -1, 1, got '0'");
  parsed.refuses({"--upsampling", "1.2"}, "from 1.25 to 4");
  parsed.refuses({"--compare", "5"}, "--compare: takes 0, or at least 100");
  parsed.refuses({"--output", ""}, "--output");
  parsed.refuses({"--type", "3"}, "not expected");
}

TEST_CASE("nufft: the help names every option", "[nufft]") {
  std::ostringstream out;
  print_help(out);
  for (const char* name :
       {"--dimension", "--modes", "--points", "--tolerance", "--upsampling",
        "--float", "--seed", "--sign", "--repeat", "--compare", "--output",
        "--no-files", "--check", "--quiet"})
    CHECK(out.str().find(name) != std::string::npos);
}
