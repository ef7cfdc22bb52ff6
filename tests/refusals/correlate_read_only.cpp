// expects: Sporos::cross_correlate: out must not be const
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_CrossCorrelate.hpp>

void refused(const Kokkos::View<double**>& x,
             const Kokkos::View<const double**>& out) {
  Sporos::cross_correlate(x, x, out);
}
