// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer with the other delta functions.

#include "Sporos_TransferProperties.hpp"

#include <tuple>

namespace TransferDeltas {

using namespace Sporos;
using Exec   = Test::LastSpace;
using Always = std::tuple<Test::Config<Exec, double, 3, Hat2>,
                          Test::Config<Exec, float, 2, BSpline<6>>>;
// supports in dimensions that transfer_1d, 2d and 3d do not have
using More    = std::tuple<Test::Config<Exec, double, 3, BSpline<5>>,
                        Test::Config<Exec, double, 3, Bao6>,
                        Test::Config<Exec, double, 2, Peskin4>,
                        Test::Config<Exec, double, 1, BSpline<4>>>;
using Configs = Test::unless_reduced<Always, More>;

SPOROS_TRANSFER_TESTS("deltas", Configs)

}  // namespace TransferDeltas
