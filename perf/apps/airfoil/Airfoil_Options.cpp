// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Airfoil_Options.hpp"

#include <App_CommandLine.hpp>

#include <ostream>

namespace AirfoilApp {

const std::vector<std::string>& strategy_names() {
  static const std::vector<std::string> names{
      "automatic", "serial", "global_coloring", "hierarchical",
      "gather",    "owners", "atomic"};
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

namespace {

void declare(CLI::App& app, Options& o) {
  using namespace AppCommon;
  app.option_defaults()->always_capture_default();
  app.add_option(
         "--mesh", o.mesh,
         "Mesh to read (OP2's new_grid.dat or new_grid.h5); none: generated")
      ->check(not_empty());
  app.add_option("--along", o.along, "Generator: cells along the profile")
      ->check(in_range(4, 100000));
  app.add_option("--layers", o.layers, "Generator: cells away from it")
      ->check(in_range(2, 100000));
  app.add_option("--iterations", o.iterations, "Iterations")
      ->check(in_range(0, 100000000));
  app.add_option("--every", o.every, "Iterations between two lines")
      ->check(in_range(1, 100000000));
  app.add_flag("--float", o.use_float, "Single precision");
  app.add_option("--strategy", o.strategy,
                 "How conflicting increments are resolved")
      ->check(one_of(strategy_names()));
  app.add_option("--ordering", o.ordering, "Renumbering of the mesh")
      ->check(one_of(ordering_names()));
  app.add_option("--shuffle", o.shuffle,
                 "Seed of a random renumbering before that; 0: none")
      ->check(in_range(0, 2147483647));
  app.add_option("--layout", o.layout, "Of the data")
      ->check(one_of({"aos", "soa"}));
  app.add_option("--block-size", o.block_size,
                 "Elements of a mini-partition; 0: automatic")
      ->check(in_range(0, 1 << 20));
  app.add_option("--staging", o.staging, "What mini-partitions keep in scratch")
      ->check(one_of(staging_names()));
  app.add_flag("--scalar", o.scalar, "No packs");
  app.add_flag("--any-ranks", o.any_ranks,
               "The same bits at any number of threads and MPI ranks; prints a "
               "hash of the solution");
  app.add_option("--output", o.output, "Folder of picture and VTK file")
      ->check(not_empty());
  app.add_option("--picture", o.picture,
                 "What the picture shows; none: no files")
      ->check(one_of({"mach", "pressure", "none"}));
  app.add_option("--pixels", o.pixels, "Width of the picture")
      ->check(in_range(64, 8192));
  app.add_option(
         "--write-mesh", o.write_mesh,
         "Writes the mesh, as HDF5 if the name ends with .h5, else as text")
      ->check(not_empty());
  add_common(app, o,
             "Exit with 1 unless the published values come out (mesh of 720000 "
             "cells) or the change shrinks (others)",
             "the check failed");
}

const char* const description =
    "Inviscid flow around a NACA0012 profile at Mach 0.4: OP2's airfoil code "
    "on "
    "Sporos.\nPrints the root of the mean squared change of the solution.";

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  const auto options =
      AppCommon::parsed<Options>("airfoil", description, declare, argc, argv);
  return options;
}

void print_help(std::ostream& out) {
  out << AppCommon::help_text<Options>("airfoil", description, declare);
}

}  // namespace AirfoilApp
