// expects: Sporos::SortWorkspace: keys are uint32_t or uint64_t
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_SortByKey.hpp>

const Sporos::SortWorkspace<int, Kokkos::HostSpace> refused;
