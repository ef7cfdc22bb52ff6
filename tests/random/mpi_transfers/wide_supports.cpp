// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Supports of which blocks must be thicker.
#include "Sporos_TransferChain.hpp"

namespace Sporos {
namespace Test {

void chain_2d_6(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<2, double, Bao6>(random, comm);
}
void chain_3d_5(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<3, double, BSpline<5>>(random, comm);
}
void chain_2d_16(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<2, double, BSpline<16>>(random, comm);
}
void chain_3d_10(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<3, float, BSpline<10>>(random, comm);
}
}  // namespace Test
}  // namespace Sporos
