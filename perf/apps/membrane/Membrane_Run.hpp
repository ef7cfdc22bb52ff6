// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_MEMBRANE_RUN_HPP
#define SPOROS_MEMBRANE_RUN_HPP

/// \file Membrane_Run.hpp
/// A whole run: time loop with progress and files, then the summary.

#include "Membrane_Options.hpp"
#include "Membrane_Status.hpp"

#include <App_Check.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace MembraneApp {

using AppCommon::Check;

/// What a run leaves behind.
struct Report {
  Options options;  ///< complete ones
  Status start, end;
  double largest_drift = 0;  ///< largest relative change of the enclosed area
  double force_error   = 0;  ///< largest one
  double divergence    = 0;  ///< largest one
  double points_per_cell =
      0;  ///< membrane points per occupied cell at the start
  Shares shares;
  double seconds       = 0;  ///< of the whole time loop, files included
  double paint_seconds = 0;  ///< for the pictures at the end
  double drift() const { return end.shape.area / start.shape.area - 1; }
};

/// Simulates and writes the files.
/// \throws std::runtime_error when the simulation became unstable or a file
///         cannot be written
Report run(const Options& options, std::ostream& out);

/// Area kept within 1 % (if the delta function's first moment is zero), axes
/// converged, force conserved and velocity divergence-free to rounding, energy
/// lost.
std::vector<Check> checks(const Report& report);

/// Prints the report with its checks.
void print(const Report& report, std::ostream& out);

}  // namespace MembraneApp

#endif
