// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer with delta functions that users write: for all types,
// for double alone, very narrow and too wide for tiles.

#include "Sporos_TransferProperties.hpp"

#include <tuple>

namespace TransferUserDeltas {

using namespace Sporos;
using Exec    = Test::LastSpace;
using Always  = std::tuple<Test::Config<Exec, double, 2, Test::UserWide8>,
                          Test::Config<Exec, double, 3, Test::UserNearest>>;
using More    = std::tuple<Test::Config<Exec, float, 2, Test::UserHat>,
                        Test::Config<Exec, double, 3, Test::UserQuadratic>,
                        Test::Config<Exec, double, 2, Test::UserHat>>;
using Configs = Test::unless_reduced<Always, More>;

SPOROS_TRANSFER_TESTS("users' deltas", Configs)

}  // namespace TransferUserDeltas
