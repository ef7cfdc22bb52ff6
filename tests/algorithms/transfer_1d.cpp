// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Particle-grid transfer in one dimension, support 6, in all spaces.

#include "Sporos_TransferProperties.hpp"

namespace Transfer1D {

using Configs = Sporos::Test::Configs<float, 1, Sporos::Bao6>;

SPOROS_TRANSFER_TESTS("1D", Configs)

}  // namespace Transfer1D
