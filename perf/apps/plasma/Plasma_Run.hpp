// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_PLASMA_RUN_HPP
#define SPOROS_PLASMA_RUN_HPP

/// \file Plasma_Run.hpp
/// A whole run and its comparison with theory.

#include "Plasma_Options.hpp"
#include "Plasma_Simulation.hpp"

#include <App_Check.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace PlasmaApp {

using AppCommon::Check;

struct Report {
  Options options;
  int ranks              = 1;
  std::int64_t steps     = 0;
  std::int64_t particles = 0;
  double measured        = 0;  ///< frequency, or rate of growth
  double theory          = 0;
  Conserved conserved;
  double seconds = 0;
  std::string picture;  ///< its file; empty: none
};

/// Runs to the end; writes files if they are wanted. Collective.
Report run(World& world, const Options& options);

/// Within 1 % of theory; charge and momentum to rounding; no particle lost.
std::vector<Check> checks(const Report& report);

void print(const Report& report, std::ostream& out);

}  // namespace PlasmaApp

#endif
