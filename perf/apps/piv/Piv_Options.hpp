// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_OPTIONS_HPP
#define SPOROS_PIV_OPTIONS_HPP

/// \file Piv_Options.hpp
/// What the PIV application can be told on the command line.

#include <iosfwd>
#include <string>
#include <vector>

namespace PivApp {

/// All options; lengths in pixels.
struct Options {
  std::vector<std::string> images;  ///< a, b of each pair; none: synthetic

  std::string flow    = "vortex";
  int width           = 1024;
  int height          = 1024;
  double density      = 0.02;  ///< particles per pixel
  double diameter     = 2.5;   ///< of a particle's image, where it is 1 / e^2
  double noise        = 0.02;  ///< standard deviation; white is 1
  int seed            = 1;
  double displacement = 5;    ///< largest one of the flow
  double angle        = 30;   ///< degrees, of the uniform flow
  double core         = 0.2;  ///< radius of the vortex, smaller sides
  int bits            = 8;    ///< of the synthetic images
  int pairs           = 1;    ///< synthetic ones

  std::string windows       = "64,32,16";  ///< side in each pass
  double overlap            = 50;          ///< per cent
  int shifts                = 0;           ///< of the first pass; 0: window / 4
  std::string interpolation = "biquintic";
  std::string mask;            ///< file of polygons; empty: none
  double mask_limit     = 50;  ///< per cent of a window
  std::string algorithm = "automatic";
  double median_limit   = 2;    ///< of the normalised median test
  double snr_limit      = 1.1;  ///< least ratio of the two highest peaks
  int repeat            = 1;    ///< evaluations; the median time is printed

  double pixel_size = 0;  ///< metres; 0: not calibrated
  double time_step  = 0;  ///< seconds between the images of a pair

  std::string output  = "piv-output";
  double arrow_scale  = 0;  ///< pixels per pixel of displacement; 0: automatic
  bool no_files       = false;
  bool save_images    = false;
  double max_rms      = 0.1;  ///< bounds of --check
  double max_outliers = 1;    ///< per cent
  bool check          = false;
  bool quiet          = false;
  bool help           = false;

  bool synthetic() const { return images.empty(); }
  bool calibrated() const { return pixel_size > 0; }
  /// Windows of each pass.
  std::vector<int> sizes() const;
};

const std::vector<std::string>& flow_names();
const std::vector<std::string>& interpolation_names();
const std::vector<std::string>& algorithm_names();

/// Reads the command line; `--name value` and `--name=value` are both accepted,
/// options of Kokkos (--kokkos-...) are left alone, words without a name are
/// the images.
/// \throws std::invalid_argument that names the option, what it got and what it
///         takes
Options parse_options(int argc, const char* const* argv);

void print_help(std::ostream& out);

}  // namespace PivApp

#endif
