// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_OPTIONS_HPP
#define SPOROS_PLASMA_OPTIONS_HPP

/// \file Plasma_Options.hpp
/// What the plasma code can be told on the command line.

#include <iosfwd>
#include <string>

namespace PlasmaApp {

/// The problems with an answer that is known.
enum class Problem { oscillation, two_stream };

struct Options {
  Problem problem = Problem::oscillation;
  int cells       = 64;    ///< along x, where the wave is
  int across      = 16;    ///< cells along y
  int points      = 3;     ///< particles per cell, direction and beam
  double step     = 0.05;  ///< of time, in units of 1 / plasma frequency
  double time     = 0;     ///< end of the run; 0: as the problem needs

  bool any_ranks     = false;  ///< the same bits on any number of ranks
  std::string output = "plasma-output";
  bool no_files      = false;
  bool check         = false;
  bool quiet         = false;
  bool help          = false;
};

/// The end of the run: eight periods, or until the beams have rolled up.
double end_time(const Options& o);

/// Reads the command line; options of Kokkos (--kokkos-...) are left alone.
/// \throws std::invalid_argument that names the option, what it got and what it
///         takes
Options parse_options(int argc, const char* const* argv);

void print_help(std::ostream& out);

}  // namespace PlasmaApp

#endif
