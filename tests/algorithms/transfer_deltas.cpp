// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer with the other delta functions: types, supports,
// dimensions and layouts are a covering array with transfer_1d, 2d and 3d.

#include "Sporos_TransferProperties.hpp"

#include <tuple>

namespace TransferDeltas {

using namespace Sporos;
using Exec   = Test::LastSpace;
using Left   = Kokkos::LayoutLeft;
using Right  = Kokkos::LayoutRight;
using Stride = Kokkos::LayoutStride;

using Always  = std::tuple<Test::Config<Exec, double, 3, Hat2, Left>,
                          Test::Config<Exec, float, 2, BSpline<6>, Right>,
                          Test::Config<Exec, double, 3, BSpline<10>, Right>>;
using More    = std::tuple<Test::Config<Exec, double, 3, Bao6, Right>,
                        Test::Config<Exec, double, 2, BSpline<5>, Stride>,
                        Test::Config<Exec, float, 2, BSpline<16>, Left>,
                        Test::Config<Exec, double, 1, BSpline<13>, Stride>,
                        Test::Config<Exec, double, 1, BSpline<4>, Left>>;
using Configs = Test::unless_reduced<Always, More>;

SPOROS_TRANSFER_TESTS("deltas", Configs)

}  // namespace TransferDeltas
