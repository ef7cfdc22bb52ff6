// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_NUFFT_RUN_HPP
#define SPOROS_NUFFT_RUN_HPP

/// \file Nufft_Run.hpp
/// A whole run: both transforms of random points, timed, and compared with the
/// direct sum.

#include "Nufft_AnyTransform.hpp"
#include "Nufft_Options.hpp"

#include <App_Check.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace NufftApp {

using AppCommon::Check;

/// What a run leaves behind.
struct Report {
  Options options;
  int fine = 0, support = 0;
  double plan = 0;     ///< seconds for choice, tables, FFT plans and memory
  Times time1, time2;  ///< medians, of each type
  double error1 = 0;   ///< relative, l2 norm, of each type
  double error2 = 0;
  double image  = -1;  ///< error of the image; -1: none was made
};

/// \throws std::runtime_error for files that cannot be written
Report run(const Options& options, std::ostream& out);

/// Errors within the tolerance, and the image like the original.
std::vector<Check> checks(const Report& report);

/// Prints the report with its checks.
void print(const Report& report, std::ostream& out);

}  // namespace NufftApp

#endif
