// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer with delta functions that users write: for all types,
// for double alone, very narrow and wide.

#include "Sporos_TransferProperties.hpp"

#include <tuple>

namespace TransferUserDeltas {

using namespace Sporos;
using Exec   = Test::LastSpace;
using Left   = Kokkos::LayoutLeft;
using Right  = Kokkos::LayoutRight;
using Stride = Kokkos::LayoutStride;
using Always =
    std::tuple<Test::Config<Exec, double, 2, Test::UserWide8, Stride>,
               Test::Config<Exec, double, 3, Test::UserNearest, Right>>;
using More =
    std::tuple<Test::Config<Exec, float, 2, Test::UserHat, Left>,
               Test::Config<Exec, double, 1, Test::UserHat, Right>,
               Test::Config<Exec, double, 1, Test::UserQuadratic, Right>>;
using Configs = Test::unless_reduced<Always, More>;

SPOROS_TRANSFER_TESTS("users' deltas", Configs)

}  // namespace TransferUserDeltas
