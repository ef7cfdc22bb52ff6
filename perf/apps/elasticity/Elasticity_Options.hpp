// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_OPTIONS_HPP
#define SPOROS_ELASTICITY_OPTIONS_HPP

/// \file Elasticity_Options.hpp
/// What the elasticity code can be told on the command line.

#include "Elasticity_Elements.hpp"

#include <iosfwd>
#include <string>
#include <vector>

namespace ElasticityApp {

enum class Problem {
  elasticity,  ///< displacements that are known, given at the boundary
  poisson,     ///< one function that is known
  cantilever   ///< a beam that is clamped at one end and bends by its weight
};

/// What is done with nodes whose values are given.
enum class Boundary {
  rows,    ///< they are assembled, then zero_rows_columns
  missing  ///< elements do not name them
};

struct Options {
  Problem problem = Problem::elasticity;
  std::vector<std::string> mesh;  ///< files of Gmsh; none: a box
  Shape shape    = Shape::tetrahedra;
  int order      = 1;
  int cells      = 8;   ///< along the shortest side of the box
  double length  = 5;   ///< of the cantilever; its other sides are 1
  double distort = .1;  ///< how much edges of the unit cube are bent
  double young   = 1;
  double ratio   = .3;    ///< Poisson's
  double weight  = 1e-4;  ///< of a unit of volume of the cantilever

  Boundary boundary = Boundary::rows;
  double tolerance  = 1e-11;  ///< of conjugate gradients
  int iterations    = 20000;  ///< the most of conjugate gradients

  bool any_ranks     = false;  ///< the same bits on any number of ranks
  std::string output = "elasticity-output";
  int pixels         = 900;
  bool no_files      = false;
  bool check         = false;
  bool quiet         = false;
  bool help          = false;
};

/// Reads the command line; options of Kokkos (--kokkos-...) are left alone.
/// \throws std::invalid_argument that names the option, what it got and what it
///         takes
Options parse_options(int argc, const char* const* argv);

void print_help(std::ostream& out);

}  // namespace ElasticityApp

#endif
