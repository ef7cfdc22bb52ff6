// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses of loads, stores and atomics.
#pragma once
#include "ops.hpp"

namespace ptxrun {

// The host addresses of what the active lanes access, each checked; size: bytes
// for a lane.
void resolve(Warp &w, const Ins &i, u32 active, u32 size, Access access,
             u8 **p);

[[noreturn]] void bad_access(Warp &w, const Ins &i, int lane, u64 address,
                             u32 size, Access access, const char *why);

}  // namespace ptxrun
