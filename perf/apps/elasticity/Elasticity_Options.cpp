// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Elasticity_Options.hpp"

#include <App_CommandLine.hpp>

#include <ostream>
#include <stdexcept>

namespace ElasticityApp {
namespace {

/// Options that are words.
struct Words {
  std::string problem = "elasticity", shape = "tetrahedra", boundary = "rows";
};

void declare(CLI::App& app, Options& o, Words& w) {
  using namespace AppCommon;
  app.option_defaults()->always_capture_default();
  app.add_option("--problem", w.problem, "What is solved")
      ->check(one_of({"elasticity", "poisson", "cantilever"}));
  app.add_option(
         "--mesh", o.mesh,
         "Meshes to read (Gmsh's .msh), solved one after another; none: "
         "a box")
      ->check(not_empty());
  app.add_option("--shape", w.shape, "Cells of the box")
      ->check(one_of({"tetrahedra", "hexahedra"}));
  app.add_option("--order", o.order, "Of the polynomials")
      ->check(in_range(1, 2));
  app.add_option("--cells", o.cells, "Cubes along the shortest side of the box")
      ->check(in_range(1, 1000));
  app.add_option("--length", o.length, "Of the cantilever")
      ->check(in_range(1., 100.));
  app.add_option("--distort", o.distort, "How much the unit cube is bent")
      ->check(in_range(0., .5));
  app.add_option("--young", o.young, "Young's modulus")->check(positive());
  app.add_option("--ratio", o.ratio, "Poisson's ratio")
      ->check(in_range(0., .49));
  app.add_option("--weight", o.weight, "Of a unit of volume of the cantilever")
      ->check(positive());
  app.add_option("--boundary", w.boundary,
                 "Nodes with given values: rows that are zeroed, or missing "
                 "entries of maps")
      ->check(one_of({"rows", "missing"}));
  app.add_option("--tolerance", o.tolerance,
                 "Of conjugate gradients, relative to the start")
      ->check(in_range(1e-15, .1));
  app.add_option("--iterations", o.iterations, "Most of conjugate gradients")
      ->check(in_range(1, 10000000));
  app.add_flag("--any-ranks", o.any_ranks,
               "The same bits on any number of MPI ranks; prints a hash of the "
               "solution");
  app.add_option("--output", o.output, "Folder of VTK files and picture")
      ->check(not_empty());
  app.add_option("--pixels", o.pixels, "Width of the picture")
      ->check(in_range(64, 8192));
  app.add_flag("--no-files", o.no_files, "Write nothing");
  add_common(app, o,
             "Exit with 1 unless errors shrink as the order says, or the beam "
             "bends as it should",
             "the check failed");
}

const char* const description =
    "Linear elasticity by finite elements: matrices of 3 x 3 blocks that loops "
    "assemble,\nand conjugate gradients. Displacements that are known, one "
    "function that is known\n(Poisson's equation), or a cantilever.";

/// Refuses options that contradict each other.
void check_together(const Options& o) {
  if (!o.check || o.mesh.empty()) return;
  if (o.problem == Problem::cantilever)
    throw std::invalid_argument(
        "elasticity: --check: the cantilever is checked on the box, got a "
        "--mesh");
  if (o.mesh.size() < 2)
    throw std::invalid_argument(
        "elasticity: --check: the order takes two meshes, coarse and fine, got "
        "--mesh with one");
}

}  // namespace

Options parse_options(int argc, const char* const* argv) {
  Words w;
  auto o = AppCommon::parsed<Options>(
      "elasticity", description,
      [&](CLI::App& app, Options& options) { declare(app, options, w); }, argc,
      argv);
  o.problem  = w.problem == "poisson"      ? Problem::poisson
               : w.problem == "cantilever" ? Problem::cantilever
                                           : Problem::elasticity;
  o.shape    = w.shape == "hexahedra" ? Shape::hexahedra : Shape::tetrahedra;
  o.boundary = w.boundary == "missing" ? Boundary::missing : Boundary::rows;
  check_together(o);
  return o;
}

void print_help(std::ostream& out) {
  Words w;
  out << AppCommon::help_text<Options>(
      "elasticity", description,
      [&](CLI::App& app, Options& options) { declare(app, options, w); });
}

}  // namespace ElasticityApp
