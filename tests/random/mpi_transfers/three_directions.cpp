// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Three directions.
#include "Sporos_TransferChain.hpp"

namespace Sporos {
namespace Test {

void chain_3d_2(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<3, double, Hat2>(random, comm);
}
void chain_3d_4(RandomCase& random, const Communicator& comm) {
  chain_of_transfers<3, float, Peskin4>(random, comm);
}
}  // namespace Test
}  // namespace Sporos
