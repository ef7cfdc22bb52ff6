// expects: gradients of rank 2, (n, Dim)
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include <Sporos_Nufft.hpp>

using Exec    = Kokkos::DefaultHostExecutionSpace;
using Complex = Kokkos::complex<double>;

void refused(
    const Sporos::NufftPlan<Exec, 2, double, Sporos::NufftWidths<4>>& plan,
    const Kokkos::View<Complex**, Kokkos::HostSpace>& coefficients,
    const Kokkos::View<Complex*, Kokkos::HostSpace>& gradients) {
  plan.type2_gradient(Exec{}, coefficients, gradients);
}
