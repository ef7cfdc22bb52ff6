// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer in three dimensions, support 4: float in all spaces
// and layouts, double as most users have it.

#include "Sporos_TransferProperties.hpp"

#include <tuple>

namespace Transfer3D {

using namespace Sporos;
using Always = Test::Configs<float, 3, Cosine4>;
using More   = std::tuple<
    Test::Config<Test::LastSpace, double, 3, Cosine4, Kokkos::LayoutRight>>;
using Configs = Test::unless_reduced<Always, More>;

SPOROS_TRANSFER_TESTS("3D", Configs)

}  // namespace Transfer3D
