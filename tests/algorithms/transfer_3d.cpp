// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer in three dimensions, support 4, in all spaces.

#include "Sporos_TransferProperties.hpp"

namespace Transfer3D {

using Configs = Sporos::Test::Configs<3, Sporos::Cosine4>;

SPOROS_TRANSFER_TESTS("3D", Configs)

}  // namespace Transfer3D
