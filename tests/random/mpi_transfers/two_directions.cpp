// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two directions: supports odd and even, both, both precisions.
#include "Sporos_TransferChain.hpp"

#include <Sporos_Composite.hpp>

namespace Sporos {
namespace Test {

void chain_2d_3(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<2, float, Roma3>(random, comm);
}
void chain_2d_4(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<2, double, Cosine4, true>(random, comm);
}
void chain_2d_composite(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<2, float, Composite<BSpline<4>, BSpline<3>>>(random, comm);
}
}  // namespace Test
}  // namespace Sporos
