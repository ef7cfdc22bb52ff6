// expects: Sporos::cross_correlate: left and right must hold the same
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_CrossCorrelate.hpp>

void refused(const Kokkos::View<float**, Kokkos::HostSpace>& left,
             const Kokkos::View<double**, Kokkos::HostSpace>& matrix) {
  Sporos::cross_correlate(left, matrix, matrix);
}
