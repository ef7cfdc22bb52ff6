// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_AIRFOIL_OPTIONS_HPP
#define SPOROS_AIRFOIL_OPTIONS_HPP

/// \file Airfoil_Options.hpp
/// What the airfoil application can be told on the command line.

#include <iosfwd>
#include <string>
#include <vector>

namespace AirfoilApp {

/// All options of the application.
struct Options {
  std::string mesh;            ///< file to read; empty: the generator
  int along            = 400;  ///< generator: cells along the profile
  int layers           = 600;  ///< generator: cells away from it
  int iterations       = 1000;
  int every            = 100;    ///< iterations between two lines of rms
  bool use_float       = false;  ///< single precision
  std::string strategy = "automatic";
  std::string ordering = "natural";
  std::string layout   = "aos";
  std::string staging  = "automatic";
  int block_size       = 0;      ///< elements of a mini-partition; 0: automatic
  bool scalar          = false;  ///< no packs
  bool any_ranks       = false;  ///< the same bits at any number of ranks
  int shuffle          = 0;      ///< seed of a random renumbering; 0: none
  std::string output   = "airfoil-output";
  std::string picture  = "mach";
  std::string write_mesh;  ///< file to write the mesh to; empty: none
  int pixels = 1200;       ///< width of the picture
  bool check = false;
  bool quiet = false;
  bool help  = false;
};

/// Names that the options accept.
const std::vector<std::string>& strategy_names();
const std::vector<std::string>& ordering_names();
const std::vector<std::string>& staging_names();

/// Reads the command line; `--name value` and `--name=value` are both accepted,
/// and options of Kokkos (--kokkos-...) are left alone.
/// \throws std::invalid_argument that names the option, what it got and what it
///         takes, for an unknown option, a malformed number, an unknown name or
///         a value out of range
Options parse_options(int argc, const char* const* argv);

/// The text of --help.
void print_help(std::ostream& out);

}  // namespace AirfoilApp

#endif
