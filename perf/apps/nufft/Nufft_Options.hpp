// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_OPTIONS_HPP
#define SPOROS_NUFFT_OPTIONS_HPP

/// \file Nufft_Options.hpp
/// What the non-uniform FFT can be told on the command line.

#include <iosfwd>
#include <string>

namespace NufftApp {

struct Options {
  int dimension     = 2;
  int modes         = 256;  ///< per direction
  int points        = 100000;
  double tolerance  = 1e-6;
  double upsampling = 0;  ///< of the grid; 0: by the cost model
  bool single       = false;
  int seed          = 1;
  int sign          = 1;  ///< of the exponent, of type 1; type 2 has the other
  int repeat        = 5;  ///< runs; medians are printed
  int compare       = 300;  ///< results compared with the direct sum; 0: all

  std::string output = "nufft-output";
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

}  // namespace NufftApp

#endif
