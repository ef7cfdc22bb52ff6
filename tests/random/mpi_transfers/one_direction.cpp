// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One direction: linear weights in single precision, odd support.
#include "Sporos_TransferChain.hpp"

namespace Sporos {
namespace Test {

void chain_1d_2(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<1, float, Hat2>(random, comm);
}
void chain_1d_3(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<1, double, BSpline<3>, true>(random, comm);
}
}  // namespace Test
}  // namespace Sporos
