// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer in two dimensions, support 3, in all spaces.

#include "Sporos_TransferProperties.hpp"

namespace Transfer2D {

using Configs = Sporos::Test::Configs<double, 2, Sporos::Roma3>;

SPOROS_TRANSFER_TESTS("2D", Configs)

}  // namespace Transfer2D
