// expects: Sporos::cross_correlate: values must be integers, float, double, or
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_CrossCorrelate.hpp>

void refused(const Kokkos::View<long double**>& x) {
  Sporos::cross_correlate(x, x, x);
}
