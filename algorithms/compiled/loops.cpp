// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Plans of mesh loops, for Sporos::compiled.

#include <Sporos_ParLoop.hpp>

namespace Sporos {
SPOROS_INSTANCES_OF_LOOPS()
}
