// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "Sporos_LoopFamily.hpp"
#include "Sporos_Loops.hpp"

namespace Sporos {
namespace Test {

bool loops_of_float(LoopChain& chain) {
  using R = Kokkos::LayoutRight;
  using L = Kokkos::LayoutLeft;
  switch (chain.random.integer(0, 3)) {
    case 0: return LoopFamily<float, 3, 1, 5, R, R, true, true>::run(chain);
    case 1: return LoopFamily<float, 2, 4, 1, L, R, false, true>::run(chain);
    case 2:
      return LoopFamily<float, 6, 5, 4, Counted<R>, Counted<L>, true,
                        false>::run(chain);
    default: return LoopFamily<float, 8, 4, 1, L, R, true, false>::run(chain);
  }
}

}  // namespace Test
}  // namespace Sporos
