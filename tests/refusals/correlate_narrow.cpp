// expects: Sporos::cross_correlate: out must not be narrower than left
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_CrossCorrelate.hpp>

void refused(const Kokkos::View<double**, Kokkos::HostSpace>& matrix,
             const Kokkos::View<float**, Kokkos::HostSpace>& out) {
  Sporos::cross_correlate(matrix, matrix, out);
}
