// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#ifndef SPOROS_ELASTICITY_RUN_HPP
#define SPOROS_ELASTICITY_RUN_HPP

/// \file Elasticity_Run.hpp
/// A whole run and its comparison with what is known.

#include "Elasticity_Model.hpp"
#include "Elasticity_Options.hpp"
#include "Elasticity_World.hpp"

#include <App_Check.hpp>

#include <iosfwd>
#include <string>
#include <vector>

namespace ElasticityApp {

using AppCommon::Check;

struct Report {
  Options options;
  int ranks = 1;
  std::vector<Result> results;  ///< of each mesh, coarse ones first
  double theory = 0;            ///< deflection of the beam
  std::vector<std::string> files;
};

/// Solves on one mesh, or on all that the order of convergence needs; writes
/// files of the last if they are wanted. Collective.
Report run(const World& world, const Options& options);

/// The order between the last two meshes: errors shrink as size^order.
double measured_order(const Report& report);

/// Conjugate gradients have converged; errors shrink as size^(order + 1), as
/// far as that was asked for; the cantilever bends as a beam.
std::vector<Check> checks(const Report& report);

void print(const Report& report, std::ostream& out);

}  // namespace ElasticityApp

#endif
