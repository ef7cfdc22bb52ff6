// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Sporos_Test.hpp>

#include "App_Test.hpp"
#include "Airfoil_Options.hpp"

#include <sstream>
#include <string>

using AirfoilApp::Options;
using Sporos::Test::error_of;

const AppTest::CommandLine<Options> parsed{"airfoil",
                                           AirfoilApp::parse_options};

TEST_CASE("airfoil options: defaults are the published problem", "[airfoil]") {
  const Options o = parsed({});
  CHECK(o.along == 400);
  CHECK(o.layers == 600);
  CHECK(o.iterations == 1000);
  CHECK_FALSE(o.use_float);
  CHECK(o.strategy == "automatic");
  CHECK(o.ordering == "natural");
  CHECK(o.layout == "aos");
}

TEST_CASE("airfoil options: both spellings, flags, Kokkos' options",
          "[airfoil]") {
  const Options o = parsed(
      {"--strategy", "gather", "--ordering=gps", "--layout=soa", "--block-size",
       "512", "--float", "--shuffle=7", "--check", "--kokkos-threads=2",
       "--mesh", "a b.dat", "--picture=none", "--scalar", "--any-ranks",
       "--every=10", "--iterations=20", "--staging=all"});
  CHECK(o.strategy == "gather");
  CHECK(o.ordering == "gps");
  CHECK(o.layout == "soa");
  CHECK(o.block_size == 512);
  CHECK(o.use_float);
  CHECK(o.shuffle == 7);
  CHECK(o.check);
  CHECK(o.mesh == "a b.dat");
  CHECK(o.picture == "none");
  CHECK(o.scalar);
  CHECK(o.any_ranks);
  CHECK(o.every == 10);
  CHECK(o.iterations == 20);
  CHECK(o.staging == "all");
  CHECK(parsed({"-h"}).help);
}

TEST_CASE("airfoil options: errors name option, expected and actual",
          "[airfoil]") {
  const std::string help = "; --help lists the options";
  CHECK(error_of([] {
          parsed({"--strategy", "best"});
        }) ==
        "airfoil: --strategy: takes one of automatic, serial, "
        "global_coloring, hierarchical, gather, owners, atomic, got 'best'" +
            help);
  CHECK(error_of([] { parsed({"--block-size=-1"}); }) ==
        "airfoil: --block-size: takes an integer from 0 to 1048576, got '-1'" +
            help);
  CHECK(error_of([] { parsed({"--along=40x"}); }) ==
        "airfoil: --along: takes an integer from 4 to 100000, got '40x'" +
            help);
  CHECK(error_of([] { parsed({"--every=0"}); }) ==
        "airfoil: --every: takes an integer from 1 to 100000000, got '0'" +
            help);
  CHECK(error_of([] {
          parsed({"--output", ""});
        }) == "airfoil: --output: takes a name, got ''" + help);
  parsed.refuses({"--mesh"}, "--mesh: 1 required");
  parsed.refuses({"--fast"}, "not expected: --fast");
  parsed.refuses({"--float=perhaps"}, "float");
  parsed.refuses({"mesh.dat"}, "not expected: mesh.dat");
}

TEST_CASE("airfoil options: help shows every option and its default",
          "[airfoil]") {
  std::ostringstream out;
  AirfoilApp::print_help(out);
  for (const char* option :
       {"mesh",       "along",     "layers",     "iterations", "every",
        "float",      "strategy",  "ordering",   "shuffle",    "layout",
        "block-size", "staging",   "scalar",     "output",     "picture",
        "pixels",     "any-ranks", "write-mesh", "check",      "quiet",
        "help"})
    CHECK(out.str().find(std::string("--") + option) != std::string::npos);
  CHECK(out.str().find("=1000\n") != std::string::npos);
}
