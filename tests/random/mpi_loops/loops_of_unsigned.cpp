// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

namespace Sporos {
namespace Test {

bool loops_of_unsigned(LoopChain& chain) {
  using R = Kokkos::LayoutRight;
  using L = Kokkos::LayoutLeft;
  if (chain.random.chance(60))
    return LoopFamily<unsigned, 2, 1, 2, R, L, true, true>::run(chain);
  return LoopFamily<unsigned, 5, 2, 1, L, R, true, false>::run(chain);
}

}  // namespace Test
}  // namespace Sporos
