// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PIV_RUN_HPP
#define SPOROS_PIV_RUN_HPP

/// \file Piv_Run.hpp
/// A whole run: images, analysis, files, summary.

#include "Piv_Flow.hpp"
#include "Piv_Options.hpp"
#include "Piv_Vectors.hpp"

#include <App_Check.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace PivApp {

using AppCommon::Check;

/// Distance of found and true displacements, pixels, where no mask is.
struct Errors {
  double rms = 0, largest = 0, mean_x = 0, mean_y = 0;
};

Errors errors(const Vectors& vectors, const Flow& flow);

/// What a run leaves behind.
struct Report {
  Options options;
  int width = 0, height = 0;
  int windows  = 0;  ///< of the last pass, without masked ones
  int outliers = 0, masked = 0;
  double seconds  = 0;  ///< of an evaluation
  double mean_snr = 0;
  Errors errors;  ///< of synthetic pairs
  std::string plan;

  double outlier_percent() const {
    return windows > 0 ? 100. * outliers / windows : 0;
  }
};

/// \throws std::runtime_error for files that cannot be read or written,
///         std::invalid_argument for images that do not fit
Report run(const Options& options, std::ostream& out);

/// RMS error and outliers of synthetic pairs within their bounds; outliers of
/// other pairs only with --check.
std::vector<Check> checks(const Report& report);

/// Prints the report with its checks, if there are any.
void print(const Report& report, std::ostream& out);

}  // namespace PivApp

#endif
