// expects: an integer out must be signed and have 32 or 64 bits
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_CrossCorrelate.hpp>

void refused(const Kokkos::View<unsigned char**, Kokkos::HostSpace>& image,
             const Kokkos::View<short**, Kokkos::HostSpace>& out) {
  Sporos::cross_correlate(image, image, out);
}
