// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

/// The chains of all kinds, see Sporos_TransferChain.hpp. Names say directions
/// and support.

#ifndef SPOROS_CHAINS_HPP
#define SPOROS_CHAINS_HPP

#include <Sporos_Communicator.hpp>
#include <Sporos_RandomDriver.hpp>

namespace Sporos {
namespace Test {

/// One chain on the ranks of a communicator. Throws for what is wrong.
void chain_1d_2(RandomCase& random, const Communicator& comm);
void chain_1d_3(RandomCase& random, const Communicator& comm);
void chain_2d_3(RandomCase& random, const Communicator& comm);
void chain_2d_4(RandomCase& random, const Communicator& comm);
void chain_2d_6(RandomCase& random, const Communicator& comm);
void chain_3d_2(RandomCase& random, const Communicator& comm);
void chain_3d_4(RandomCase& random, const Communicator& comm);
void chain_3d_5(RandomCase& random, const Communicator& comm);
void chain_2d_16(RandomCase& random, const Communicator& comm);
void chain_2d_composite(RandomCase& random, const Communicator& comm);
void chain_3d_10(RandomCase& random, const Communicator& comm);

}  // namespace Test
}  // namespace Sporos

#endif
