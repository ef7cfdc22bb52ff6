// expects: Sporos: the execution spaces Kokkos::Serial and Kokkos::OpenMP of
// hosts only SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_KokkosCompat.hpp>

struct OtherHost {  // Threads, HPX
  using memory_space = Kokkos::HostSpace;
};

bool refused() { return Sporos::Impl::is_host_space_v<OtherHost>; }
