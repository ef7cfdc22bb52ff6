// expects: Sporos::LaneGroup: execution spaces of hosts, CUDA and HIP
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Lanes.hpp>

struct OtherDevice {  // SYCL, for instance
  using memory_space = void;
};

int refused() { return Sporos::LaneGroup<OtherDevice, float>::width; }
