// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

namespace Sporos {
namespace Test {

bool loops_of_double(LoopChain& chain) {
  using R = Kokkos::LayoutRight;
  using L = Kokkos::LayoutLeft;
  switch (chain.random.integer(0, 3)) {
    case 0: return LoopFamily<double, 2, 2, 3, R, L, true, true>::run(chain);
    case 1: return LoopFamily<double, 4, 5, 1, R, R, true, false>::run(chain);
    case 2: return LoopFamily<double, 1, 3, 2, L, R, false, false>::run(chain);
    default: return LoopFamily<double, 7, 1, 1, R, R, true, false>::run(chain);
  }
}

}  // namespace Test
}  // namespace Sporos
