// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_OPTIONS_HPP
#define SPOROS_MEMBRANE_OPTIONS_HPP

/// \file Membrane_Options.hpp
/// What the membrane application can be told on the command line.

#include <iosfwd>
#include <string>
#include <vector>

namespace MembraneApp {

/// All options of the application; lengths in sides of the periodic square,
/// the fluid's density is 1.
struct Options {
  int grid                = 128;  ///< cells per side
  int points              = 0;    ///< membrane points; 0: 4 per cell of a side
  int steps               = 0;    ///< time steps; 0: as many as reach `time`
  double time             = 2.5;  ///< time to simulate
  double time_step        = 0.;   ///< 0: from spacing, viscosity and stiffness
  double viscosity        = 0.025;  ///< dynamic viscosity
  double stiffness        = 1.;     ///< force per stretch of the membrane
  double rest_length      = 0.;    ///< of a spring; 1: that of the final circle
  double axis_x           = 0.37;  ///< half axis of the start ellipse along x
  double axis_y           = 0.17;  ///< half axis of the start ellipse along y
  unsigned seed           = 0;     ///< perturbation of the start; 0: none
  double perturbation     = 0.01;  ///< its size relative to the radius
  std::string delta       = "peskin4";
  std::string spread      = "automatic";
  std::string interpolate = "automatic";
  std::string output      = "membrane-output";
  int frames              = 13;   ///< pictures and VTK files; 0: write nothing
  int pixels              = 720;  ///< side of a picture
  bool check              = false;
  bool quiet              = false;
  bool help               = false;
};

/// Names that the options delta, spread and interpolate accept.
const std::vector<std::string>& delta_names();
const std::vector<std::string>& spread_names();
const std::vector<std::string>& interpolate_names();

/// Reads the command line; `--name value` and `--name=value` are both accepted,
/// and options of Kokkos (--kokkos-...) are left alone.
/// \throws std::invalid_argument that names the option, what it got and what it
///         takes, for an unknown option, a malformed number, an unknown name or
///         a value out of range
Options parse_options(int argc, const char* const* argv);

/// The text of --help.
void print_help(std::ostream& out);

}  // namespace MembraneApp

#endif
