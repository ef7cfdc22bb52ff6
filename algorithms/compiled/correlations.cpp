// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

// Cross-correlation, for Sporos::compiled.

#include <Sporos_CrossCorrelate.hpp>

namespace Sporos {
SPOROS_INSTANCES_OF_CORRELATIONS()
}
