// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the parts of the HIP runtime share: kernels and variables of programs.
#pragma once
#include "gcn.hpp"
#include "runtime_common.hpp"

namespace gcn::runtime {

using namespace on_cpu::runtime;

// The kernel of the current device by the address that stands for it in the
// host's code; null if none does.
Kernel *kernel(const void *host);

}  // namespace gcn::runtime

using namespace gcn;
using namespace gcn::runtime;
